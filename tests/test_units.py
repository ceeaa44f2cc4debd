"""What is shipped for systemd fits what is shipped as configuration."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from drivers.registry import DRIVERS
from simulators import processes
from tablectl.config.table_file import load
from tablectl.table.watchdog import FROZEN_S, LOOK_S

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


UNITS = sorted(path.name for path in (ROOT / "systemd").glob("*@.service"))
#: How much a unit is exposed, as `systemd-analyze security` counts it, from 0.0 to 10.0.
EXPOSED_MOST = 1.5


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze on this machine")
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_hardened(unit: str) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(ROOT / "systemd" / unit)]
    said = processes.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert found is not None, said
    assert float(found[1]) <= EXPOSED_MOST, said


def test_what_only_reads_can_open_no_device() -> None:
    for unit in (
        "tablectl-accounts@.service",
        "tablectl-screens@.service",
        "tablectl-notifications@.service",
        "tablectl-uplink@.service",
        "tablectl-pit@.service",
        "tablectl-display@.service",
        "tablectl-kiosk@.service",
    ):
        assert directive(unit, "PrivateDevices") == "yes"
        assert directive(unit, "User") != directive("tablectl@.service", "User")


def test_the_screens_face_the_network_and_have_neither_accounts_nor_a_right_to_enter() -> None:
    """Their user is none that may enter something (`control.speakers`), and the folder of accounts is not to be seen
    under it; who keeps the accounts has no network, and a socket to which the screens alone come."""
    config = (ROOT / "config" / "mesa-1.toml").read_text(encoding="utf-8")
    speaker, web = directive("tablectl-accounts@.service", "User"), directive("tablectl-screens@.service", "User")
    assert f'speakers = ["{speaker}"]' in config
    assert f'path = "/var/lib/{speaker}/mesa-1/people.db"' in config
    assert web != speaker
    assert directive("tablectl-screens@.service", "BindPaths") == f"%S/{web}/{TABLE}:%S/{speaker}/{TABLE}"
    assert directive("tablectl-accounts@.service", "PrivateNetwork") == "yes"
    starts, asks = (directive(f"tablectl-{name}@.service", "ExecStart").split() for name in ("accounts", "screens"))
    assert starts[starts.index("--listen") + 1] == asks[asks.index("--accounts") + 1] == f"%t/tablectl-accounts/{TABLE}"
    folders = (ROOT / "systemd" / "tablectl.tmpfiles").read_text(encoding="utf-8")
    assert f"d /run/tablectl-accounts 2750 {speaker} {web} -\n" in folders


def test_every_user_of_a_unit_is_made_and_no_other() -> None:
    made = re.findall(r"^u (\S+) ", (ROOT / "systemd" / "tablectl.sysusers").read_text(encoding="utf-8"), re.MULTILINE)
    used = {directive(unit, "User") for unit in UNITS if "User=" in (ROOT / "systemd" / unit).read_text()}
    assert set(made) == used - {"root"}


def test_the_package_has_the_version_of_the_program() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    first = (ROOT / "debian" / "changelog").read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(f"tablectl ({version}) ")


def test_a_machine_that_starts_for_the_first_time_enables_none_of_the_units() -> None:
    lines = (ROOT / "systemd" / "80-tablectl.preset").read_text(encoding="utf-8").splitlines()
    disabled = {line.removeprefix("disable ").replace("@*", "@") for line in lines if not line.startswith("#")}
    shipped = {path.name for kind in ("service", "timer", "target") for path in (ROOT / "systemd").glob(f"*@.{kind}")}
    assert disabled == shipped
    assert "systemd/80-tablectl.preset usr/lib/systemd/system-preset" in (
        ROOT / "debian" / "tablectl.install"
    ).read_text(encoding="utf-8")


def test_nothing_ends_the_controller_for_want_of_memory_and_every_other_unit_has_a_limit() -> None:
    texts = {unit: (ROOT / "systemd" / unit).read_text(encoding="utf-8") for unit in UNITS}
    assert {unit for unit, text in texts.items() if "\nMemoryMax=" in text} == set(UNITS) - {"tablectl@.service"}
    assert directive("tablectl@.service", "MemoryLow") == "256M"
    assert directive("tablectl@.service", "OOMScoreAdjust") == "-900"
    # Protected only where the slice above it is.
    assert directive("tablectl@.service", "Slice") == "tablectl.slice"
    assert directive("tablectl.slice", "MemoryLow") == "1G"
