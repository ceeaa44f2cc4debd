"""The section `usb` of a configuration: USB devices that may be there besides the table's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from msgspec import ValidationError

from drivers.topology.identity import UsbIdentity
from tablectl.config.reader import Reader
from tablectl.config.schema import key_of
from tablectl.config.sections import UsbEntry, UsbSection
from tablectl.core.validation import sentence

_RIGHT: Final = sentence(
    '"VID:PID", or {{ id = "VID:PID", serial = "…", port_path = "1-2.3" }} (`tablectl devices` lists them)'
)


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


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbSettings:
    """`bus`: where another process serves USB devices; None for this machine's own."""

    bus: str | None = None
    allow: tuple[UsbMatch, ...] = ()


def read_usb(reader: Reader, raw: dict[str, Any]) -> UsbSettings:
    """What a file says."""
    section = reader.whole(UsbSection, raw, "usb")
    if section.bus:
        reader.notice("usb-bus", bus=section.bus)
    return UsbSettings(bus=section.bus or None, allow=tuple(_matches(reader, section.allow)))


def _matches(reader: Reader, allow: object) -> Iterator[UsbMatch]:
    if not isinstance(allow, list | tuple):
        reader.wrong("usb.allow", repr(allow), sentence('a list of devices, each "VID:PID" or a table with id'))
        return
    for number, entry in enumerate(allow, start=1):
        if (match := usb_match(reader, entry, f"usb.allow[{number}]")) is not None:
            yield match


def usb_match(reader: Reader, entry: object, name: str) -> UsbMatch | None:
    """The devices that an entry of the list means; None where it is wrong."""
    raw = {"id": entry} if isinstance(entry, str) else entry
    if not isinstance(raw, dict) or (isinstance(entry, str) and not is_model(entry)):
        reader.wrong(name, repr(entry), _RIGHT)
        return None
    found = reader.section(UsbEntry, raw, f"{name}.")
    if found is None:
        return None
    vendor, _, product = found.id.partition(":")
    return UsbMatch(
        vendor_id=int(vendor, 16), product_id=int(product, 16), serial=found.serial, port_path=found.port_path
    )


def is_model(text: str) -> bool:
    """Whether this is a vendor's number and a model's: `046d:c31c`."""
    try:
        key_of(UsbEntry, "id").value(text)
    except ValidationError:
        return False
    return True
