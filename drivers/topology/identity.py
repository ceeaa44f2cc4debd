"""What a USB device is recognised by, wherever it is plugged in and whatever the kernel calls it today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Longest part of a serial number that people are shown, in characters.
SERIAL_SHOWN: Final = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbIdentity:
    """One USB device. `port_path` is bus and ports as the kernel names them, `1-2.3`; `serial` what the device says of
    itself (anything at all), empty where it has none; `nodes` the paths of the serial ports it brought, with their
    links. As text: `0403:6001 at 1-2.3, serial number A10K3X7Q`, always without what a line of text cannot hold.
    """

    vendor_id: int
    product_id: int
    port_path: str
    serial: str = ""
    nodes: tuple[str, ...] = ()

    def __str__(self) -> str:
        shown = "".join(text if "!" <= text <= "~" else "_" for text in self.serial[:SERIAL_SHOWN])
        where = f"{self.vendor_id:04x}:{self.product_id:04x} at {self.port_path}"
        return f"{where}, serial number {shown}" if shown else where
