"""How a serial device whose line has a speed, and nothing else that can be set, is opened."""

from __future__ import annotations

from drivers.entry import SerialPlace
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener
from drivers.transport.serial import SerialSettings, serial_opener


def serial_line(place: SerialPlace, _usb: UsbBackend | None) -> WireOpener:
    """What opens it, where the configuration says."""
    return serial_opener(place.port, SerialSettings(baud=place.baud))
