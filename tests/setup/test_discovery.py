"""What is found out without asking: ports by names that stay, USB devices with a driver, time zone, other tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from simulators.devices.blink1.simulator import Blink1Simulator
from simulators.devices.usb_bus import UsbBus
from simulators.devices.xkeys.simulator import XKeysSimulator
from simulators.stage.stage import temporary_folder
from tablectl.ops.setup.discovery import SerialPort, UsbDevice, look


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        yield Path(made)


def port(folder: Path, name: str, *, by_id: str = "", by_path: str = "") -> None:
    """A serial port with its links."""
    (folder / name).touch()
    for kind, link in (("by-id", by_id), ("by-path", by_path)):
        if link:
            (folder / kind).mkdir(exist_ok=True)
            (folder / kind / link).symlink_to(folder / name)


def test_each_port_is_told_once_by_id_or_else_by_place_in_the_order_of_places(folder: Path) -> None:
    port(folder, "ttyUSB1", by_id="usb-A", by_path="usb-0:2")
    port(folder, "ttyUSB0", by_path="usb-0:3")
    port(folder, "ttyUSB2", by_id="usb-Z", by_path="usb-0:1")
    assert look(serial_links=folder, tables=folder).ports == (
        SerialPort(path=str(folder / "by-id/usb-Z"), place=str(folder / "by-path/usb-0:1")),
        SerialPort(path=str(folder / "by-id/usb-A"), place=str(folder / "by-path/usb-0:2")),
        SerialPort(path=str(folder / "by-path/usb-0:3"), place=str(folder / "by-path/usb-0:3")),
    )


def test_usb_devices_that_a_driver_takes_are_told_with_it(folder: Path) -> None:
    with closing(UsbBus(folder / "usb.sock")) as bus:
        bus.plug(XKeysSimulator())
        bus.plug(Blink1Simulator())
        found = look(usb_bus=f"unix:{folder}/usb.sock", serial_links=folder, tables=folder)
    assert found.usb == (
        UsbDevice(driver="xkeys-xk24", port_path="1-1"),
        UsbDevice(driver="blink1", port_path="1-2"),
    )


def test_an_address_of_another_form_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="unix:/path"):
        look(usb_bus="tcp:1", serial_links=folder, tables=folder)


@pytest.fixture(autouse=True)
def no_zone_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("/usr/share/zoneinfo/Atlantic/Canary", "Atlantic/Canary"),
        ("../usr/share/zoneinfo/Europe/Madrid", "Europe/Madrid"),
        ("/usr/share/zoneinfo/Etc/UTC", None),
        ("/usr/share/zoneinfo/Nowhere/Land", None),
        ("/elsewhere", None),
    ],
)
def test_the_time_zone_is_the_machines_unless_nobody_has_set_it(zone: str, told: str | None, folder: Path) -> None:
    link = folder / "localtime"
    link.symlink_to(zone)
    assert look(serial_links=folder, tables=folder, localtime=link).timezone == told


def test_a_zone_of_the_environment_comes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", ":Atlantic/Canary")
    assert look(serial_links=folder, tables=folder).timezone == "Atlantic/Canary"


def test_a_machine_without_a_time_zone_has_none(folder: Path) -> None:
    assert look(serial_links=folder, tables=folder, localtime=folder / "none").timezone is None


def test_other_tables_are_told_with_what_is_theirs_also_where_a_file_has_mistakes(folder: Path) -> None:
    table = '[table]\nname = "Mesa 1"\nseats = 99\n[screens]\nport = 8430\n[[device]]\ndriver = "angel-eye"\n'
    (folder / "mesa-1.toml").write_text(f'{table}[device.settings]\nport = "/dev/x"\n[[device]]\ndriver = "blink1"\n')
    (folder / "broken.toml").write_text("[", encoding="utf-8")
    (folder / "example.toml").write_text("", encoding="utf-8")
    (folder / "mesa-2.toml").write_text("", encoding="utf-8")
    found = look(serial_links=folder, tables=folder, but=folder / "mesa-2.toml")
    (other,) = found.tables
    assert (other.name, other.screens_port, other.ports) == ("Mesa 1", 8430, frozenset({"/dev/x"}))
    assert other.usb == frozenset({("blink1", "")})
    assert (found.whose("/dev/x"), found.whose("/dev/y")) == ("Mesa 1", None)
