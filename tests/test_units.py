"""What is shipped for systemd fits what is shipped as configuration."""

from __future__ import annotations

import re
from pathlib import Path

from drivers.registry import DRIVERS
from tablectl.config import load
from tablectl.watchdog import FROZEN_S, LOOK_S

ROOT = Path(__file__).parents[1]
TABLE = "mesa-1"


def directive(unit: str, name: str) -> str:
    found = re.search(rf"^{name}=(.*)$", (ROOT / "systemd" / unit).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, f"{unit} has no {name}"
    return found[1].replace("%i", TABLE)


def test_the_example_keeps_everything_where_the_unit_may_write() -> None:
    config = load(ROOT / "config" / f"{TABLE}.toml")
    state = Path("/var/lib") / directive("tablectl@.service", "StateDirectory")
    run = Path("/run") / directive("tablectl@.service", "RuntimeDirectory")
    assert config.journal.parent == state
    assert config.key.parent == state
    assert config.socket.parent == run


def test_the_controller_is_not_started_again_on_a_tilt_or_a_wrong_configuration() -> None:
    assert directive("tablectl@.service", "RestartPreventExitStatus").split() == ["2", "3"]


def test_systemd_waits_longer_than_a_thread_may_stand_still_and_hears_us_often_enough() -> None:
    assert directive("tablectl@.service", "Type") == "notify"
    waits_s = float(directive("tablectl@.service", "WatchdogSec").removesuffix("s"))
    assert waits_s / 2 > FROZEN_S + LOOK_S


def test_the_mark_of_a_tilt_is_still_there_when_the_controller_has_ended() -> None:
    assert directive("tablectl@.service", "RuntimeDirectoryPreserve") == "yes"


def test_the_udev_rules_cover_every_usb_device_that_a_driver_takes() -> None:
    rules = (ROOT / "systemd" / "70-tablectl.rules").read_text(encoding="utf-8")
    for driver in DRIVERS.values():
        for vendor, product in driver.usb_ids:
            assert f'ATTR{{idVendor}}=="{vendor:04x}", ATTR{{idProduct}}=="{product:04x}"' in rules, driver.title


def test_the_udev_rules_open_no_other_device() -> None:
    rules = (ROOT / "systemd" / "70-tablectl.rules").read_text(encoding="utf-8")
    opened = re.findall(r'ATTR\{idVendor\}=="(\w+)", ATTR\{idProduct\}=="(\w+)"', rules)
    driven = {(f"{vendor:04x}", f"{product:04x}") for driver in DRIVERS.values() for vendor, product in driver.usb_ids}
    assert set(opened) == driven
