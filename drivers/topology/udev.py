"""udev through pyudev, whose only importer this is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pyudev

from drivers.topology.changes import Report

#: A USB device, and the serial ports that some bring: those are named when theirs, the later event, comes.
_USB: Final = "usb"
_SERIAL: Final = "tty"


class Udev:
    """The monitor, which begins to collect when this is made, and the list. Raises `ImportError` without libudev and
    `OSError` where the kernel gives no monitor."""

    def __init__(self) -> None:
        self._context = pyudev.Context()
        self._monitor = pyudev.Monitor.from_netlink(self._context)
        self._monitor.filter_by(_USB, "usb_device")
        self._monitor.filter_by(_SERIAL)
        self._monitor.start()

    def fileno(self) -> int:
        """Readable when there is an event."""
        return self._monitor.fileno()

    def event(self) -> tuple[str, Report] | None:
        """The next event, None where there is none yet. Raises `OSError` where some were lost."""
        device = self._monitor.poll(timeout=0)
        return None if device is None else (device.action or "", _report(device))

    def listed(self) -> Sequence[Report]:
        """Everything there is now."""
        return [_report(device) for name in (_USB, _SERIAL) for device in self._context.list_devices(subsystem=name)]


def _report(device: pyudev.Device) -> Report:
    properties = dict(device.properties)
    serial = device.attributes.get("serial") if properties.get("DEVTYPE") == "usb_device" else None
    if serial is not None:
        properties["serial"] = serial.decode("utf-8", "replace")
    return Report(path=device.device_path, properties=properties)
