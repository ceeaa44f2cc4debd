"""The devices of a configuration: which one does what, where it is, and what its keys or its antennas mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from drivers.entry import SetupSetting
from drivers.registry import DRIVERS
from tablectl.ops.setup.device_plan import SHUFFLER, antennas_of, made
from tablectl.ops.setup.questions import Answers

_ANTENNA_READER: Final = "antenna"


def device_lines(said: Answers, value: Callable[..., str]) -> Iterator[str]:
    """All of them. `value` makes a line out of key, value and comment."""
    yield "# Devices are found by what stays the same, never by the order in which they were plugged in."
    yield ""
    for role, name in (("shoe", "sabot"), ("panel", "panel"), ("light", "light"), ("badges", "badges")):
        driver = made(said, f"{role}.driver")
        if driver is not None:
            yield from _device(said, role, name, driver, value)
    shuffler = made(said, "shuffler.port")
    if shuffler is not None:
        driver = said.get("shuffler.driver", DRIVERS.of_role(SHUFFLER)[0].id)
        yield from _head(SHUFFLER, driver, value)
        yield from _serial(driver, shuffler, value)
        yield from (
            value(setup_setting.key, setup_setting.value, setup_setting.comment) for setup_setting in _named(driver)
        )
        yield ""
    if "readers.driver" in said:
        yield from _readers(said, value)


def _head(name: str, driver: str, value: Callable[..., str]) -> Iterator[str]:
    yield "[[device]]"
    yield value("name", name)
    yield value("driver", driver, DRIVERS[driver].title)


def _serial(driver: str, port: str, value: Callable[..., str]) -> Iterator[str]:
    yield "[device.settings]"
    yield value("port", port)
    yield from (value(key, default) for key, default in DRIVERS[driver].place_defaults.items())


def _named(driver: str, *, n_antennas: int = 1) -> Iterator[SetupSetting]:
    """The settings that a new configuration names besides."""
    return (setting for setting in DRIVERS[driver].setup_settings if n_antennas > 1 or not setting.for_several_antennas)


def _device(said: Answers, role: str, name: str, driver: str, value: Callable[..., str]) -> Iterator[str]:
    yield from _head(name, driver, value)
    port, which = made(said, f"{role}.port"), made(said, f"{role}.which")
    if port is not None:
        yield from _serial(driver, port, value)
    elif which is not None:
        yield "[device.settings]"
        yield value("port_path", which, "bus and ports where it is plugged in: there are several of this model")
    yield from (
        value(setup_setting.key, setup_setting.value, setup_setting.comment) for setup_setting in _named(driver)
    )
    if role == "panel":
        yield "# The panel's keys count from 0; column by column from the top on X-keys, row by row on a Stream Deck."
        yield "[device.keys]"
        yield from (value(key, number) for key, number in sorted(said["panel.keys"].items(), key=lambda pair: pair[1]))
    yield ""


def _readers(said: Answers, value: Callable[..., str]) -> Iterator[str]:
    """A reader a port; its name is that of the spot, where it has one alone."""
    driver = said["readers.driver"]
    for number, (port, spots) in enumerate(antennas_of(said).items(), start=1):
        only = next(iter(spots)) if len(spots) == 1 else str(number)
        yield from _head(f"{_ANTENNA_READER}-{only}", driver, value)
        yield from _serial(driver, port, value)
        most = max(spots.values())
        yield from (
            value(setup_setting.key, setup_setting.value, setup_setting.comment)
            for setup_setting in _named(driver, n_antennas=most)
        )
        if most > 1:
            yield value("antennas", most)
        yield "[device.spots]"
        yield from (value(spot, antenna) for spot, antenna in spots.items())
        yield ""
