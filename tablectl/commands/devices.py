"""`tablectl devices [CONFIG]`: what is plugged in, which driver takes it; with a configuration, what each one says."""

from __future__ import annotations

import argparse
import queue
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from drivers import facts as device
from drivers.health import DeviceHealth
from drivers.registry import DRIVERS
from drivers.transport.base import WireUnavailable
from drivers.transport.serial import ports_found
from drivers.transport.usb import plugged_in
from drivers.transport.usb_socket import usb_backend
from tablectl.config import BadConfig, Config, load
from tablectl.devices.devices import Devices

#: How long the devices of a configuration have to answer, in seconds.
ANSWER_S: Final = 3.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Perhaps a configuration."""
    parser.add_argument("config", metavar="CONFIG", nargs="?", type=Path, help="open the devices of this table")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where a configured device did not answer; 2 for a wrong configuration."""
    if args.config is None:
        print("\n".join(_found(None)))
        return 0
    try:
        config = load(args.config)
    except BadConfig as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    print("\n".join(_found(config.usb_bus)))
    print(f"devices of {config.setup.table}:")
    healths, answers = _asked(config)
    for each in config.devices:
        health = healths[each.name]
        said = answers.get(each.name)
        state = "answers" if isinstance(said, device.Found) else "does not answer"
        words = health.identity or health.last_error or "silence"
        print(f"  {each.role:6} {each.name} ({each.driver}): {state}: {words}")
    return 0 if all(isinstance(answers.get(each.name), device.Found) for each in config.devices) else 1


def _found(usb_bus: str | None) -> Iterator[str]:
    yield "serial ports:"
    ports = list(ports_found())
    for path, known in ports:
        yield f"  {path}  {known}"
    if not ports:
        yield "  none (a serial line says nothing of what is behind it: name it in the configuration)"
    yield f"USB devices{f' at {usb_bus}' if usb_bus else ''}:"
    try:
        found = list(plugged_in(usb_backend(usb_bus)))
    except WireUnavailable as wrong:
        yield f"  {wrong}"
        return
    takers = {ids: driver for driver in DRIVERS.values() for ids in driver.usb_ids}
    for vendor, product, place in found:
        driver = takers.get((vendor, product))
        yield f"  {vendor:04x}:{product:04x} at {place}  {f'{driver.id}: {driver.title}' if driver else 'no driver'}"
    if not found:
        yield "  none"


def _asked(config: Config) -> tuple[dict[str, DeviceHealth], dict[str, device.DeviceFact]]:
    """Open every device, and wait until each one was found or lost, or time is up."""
    facts: queue.SimpleQueue[device.DeviceFact] = queue.SimpleQueue()
    devices = Devices(config, facts.put, _Silent())
    answers: dict[str, device.DeviceFact] = {}
    devices.start()
    until_s = time.monotonic() + ANSWER_S
    while len(answers) < len(config.devices) and (left_s := until_s - time.monotonic()) > 0:
        try:
            fact = facts.get(timeout=left_s)
        except queue.Empty:
            break
        if isinstance(fact, device.Found | device.Lost):
            answers[fact.device] = fact
    healths = {health.device: health for health in devices.health()}
    devices.close()
    return healths, answers


class _Silent:
    """A log for a command that prints its own words."""

    def info(self, event: str, **fields: object) -> None:
        """Nobody listens."""

    def warning(self, event: str, **fields: object) -> None:
        """Nobody listens."""

    def error(self, event: str, **fields: object) -> None:
        """Nobody listens."""
