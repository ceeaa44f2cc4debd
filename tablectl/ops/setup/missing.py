"""Devices of a configuration that are not plugged in now: no mistake, since tables are set up at a desk, but said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from drivers.registry import DRIVERS
from drivers.transport.serial import is_remote
from tablectl.config.devices import Device
from tablectl.ops.setup.discovery import Found


@dataclass(frozen=True, kw_only=True, slots=True)
class Absent:
    """A device, and where nothing was found: its port, or the USB place where the configuration names one."""

    device: Device
    place: str


def absent(devices: Iterable[Device], found: Found) -> Iterator[Absent]:
    """What is not there. Nobody looks behind a network, nor at USB where this machine lets nobody look."""
    ports = {serial_port.path for serial_port in found.ports}
    for device in devices:
        driver, port = DRIVERS[device.driver], str(device.settings.get("port", ""))
        if not driver.usb_ids:
            if not is_remote(port) and port not in ports and not _exists(port):
                yield Absent(device=device, place=port)
        elif not found.usb_trouble:
            place = str(device.settings.get("port_path", ""))
            if not any(
                usb_device.driver == device.driver and place in ("", usb_device.port_path) for usb_device in found.usb
            ):
                yield Absent(device=device, place=f"USB {place}".rstrip())


def _exists(port: str) -> bool:
    try:
        return Path(port).exists()
    except OSError:
        return True  # what cannot be looked at may be there
