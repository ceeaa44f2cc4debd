"""Which USB devices may be at a table: those of the configuration's list, and the table's own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from drivers.registry import DRIVERS
from drivers.topology.identity import UsbIdentity

_KEYS: Final = ("id", "serial", "port_path")
_ID: Final = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})")
_PORT_PATH: Final = re.compile(r"\d+-\d+(\.\d+)*")
_RIGHT: Final = '"VID:PID", or { id = "VID:PID", serial = "…", port_path = "1-2.3" } (`tablectl devices` lists them)'


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbMatch:
    """Devices that are let be. Empty texts: any serial number, anywhere."""

    vendor_id: int
    product_id: int
    serial: str = ""
    port_path: str = ""

    def fits(self, what: UsbIdentity) -> bool:
        """Whether this device is meant."""
        return (
            (what.vendor_id, what.product_id) == (self.vendor_id, self.product_id)
            and self.serial in ("", what.serial)
            and self.port_path in ("", what.port_path)
        )


def mistakes(entry: object) -> Iterator[tuple[str, str, str]]:
    """What is wrong with an entry of the list: key, what was found, what would be right."""
    if isinstance(entry, str):
        if _ID.fullmatch(entry) is None:
            yield "", repr(entry), _RIGHT
        return
    if not isinstance(entry, dict):
        yield "", repr(entry), _RIGHT
        return
    for name, value in entry.items():
        if name not in _KEYS:
            yield f".{name}", "a key that is not known here", f"one of {', '.join(_KEYS)}"
        elif not isinstance(value, str):
            yield f".{name}", repr(value), "a text" if name != "id" else "a text, VID:PID"
        elif name == "id" and _ID.fullmatch(value) is None:
            yield ".id", repr(value), "VID:PID, four hexadecimal digits each"
        elif name == "port_path" and _PORT_PATH.fullmatch(value) is None:
            yield ".port_path", repr(value), 'bus and ports as the kernel names them, "1-2.3"'
        elif name == "serial" and not value:
            yield ".serial", repr(value), "a serial number, or no such key: then any is allowed"
    if "id" not in entry:
        yield ".id", "nothing", "VID:PID, four hexadecimal digits each"


def match_of(entry: str | Mapping[str, str]) -> UsbMatch:
    """An entry without mistakes."""
    said = {"id": entry} if isinstance(entry, str) else entry
    vendor, _, product = said["id"].partition(":")
    return UsbMatch(
        vendor_id=int(vendor, 16),
        product_id=int(product, 16),
        serial=said.get("serial", ""),
        port_path=said.get("port_path", ""),
    )


class UsbList:
    """`allowed`: the configuration's list. `own`: driver and settings of each of the table's devices, by its name.

    A device of the table that speaks USB itself is known by its driver's numbers and its own `serial` and `port_path`;
    one on a serial line by the path of its port, which is one of the paths that the adapter's port has.
    """

    def __init__(self, allowed: tuple[UsbMatch, ...], own: Mapping[str, tuple[str, Mapping[str, Any]]]) -> None:
        self._allowed = allowed
        self._matches = tuple(
            (
                name,
                UsbMatch(
                    vendor_id=vendor_id,
                    product_id=product_id,
                    serial=settings.get("serial", ""),
                    port_path=settings.get("port_path", ""),
                ),
            )
            for name, (driver, settings) in own.items()
            for vendor_id, product_id in DRIVERS[driver].usb_ids
        )
        self._ports = {settings["port"]: name for name, (_, settings) in own.items() if "port" in settings}

    def owner(self, what: UsbIdentity) -> str | None:
        """The table's name of the device, None where it is none of the table's."""
        for port, name in self._ports.items():
            if port in what.nodes or os.path.realpath(port) in what.nodes:
                return name
        return next((name for name, match in self._matches if match.fits(what)), None)

    def is_allowed(self, what: UsbIdentity) -> bool:
        """Whether this device may be here; whatever is not is foreign."""
        return self.owner(what) is not None or any(match.fits(what) for match in self._allowed)
