"""The models this program drives, one line each: `DRIVERS`.

A line says where a model's entry stands, and only the entries that somebody asks for are imported: a table starts
without the drivers of the devices that it does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pkgutil import resolve_name
from typing import Final

from drivers.entry import Driver


class Registry(Mapping[str, Driver]):
    """Entries by the id of their model, from lines of `module:attribute`."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, driver: str) -> Driver:
        """The entry, imported now if nobody did before. Raises `KeyError`, and `TypeError` for a line that is wrong."""
        entry: object = resolve_name(self._places[driver])
        if not isinstance(entry, Driver) or entry.id != driver:
            raise TypeError(f"{self._places[driver]} is not the entry of {driver!r}")
        return entry

    def __contains__(self, driver: object) -> bool:
        """Without importing anything."""
        return driver in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


DRIVERS: Final = Registry(
    {
        "angel-eye": "drivers.angel_eye.entry:ANGEL_EYE",
        "line-shoe": "drivers.line_shoe.entry:LINE_SHOE",
        "xkeys-xk24": "drivers.xkeys.entry:XKEYS_XK24",
        "xkeys-xk16": "drivers.xkeys.entry:XKEYS_XK16",
        "xkeys-xk60": "drivers.xkeys.entry:XKEYS_XK60",
        "xkeys-xk80": "drivers.xkeys.entry:XKEYS_XK80",
        "xkeys-xk3-pedal": "drivers.xkeys.entry:XKEYS_XK3_PEDAL",
        "xkeys-xk12-si": "drivers.xkeys.entry:XKEYS_XK12_SI",
        "xkeys-xk3-si": "drivers.xkeys.entry:XKEYS_XK3_SI",
        "xkeys-xk12-jog": "drivers.xkeys.entry:XKEYS_XK12_JOG",
        "xkeys-xk12-joystick": "drivers.xkeys.entry:XKEYS_XK12_JOYSTICK",
        "streamdeck-15": "drivers.streamdeck.entry:STREAMDECK_15",
        "streamdeck-xl": "drivers.streamdeck.entry:STREAMDECK_XL",
        "streamdeck-mini": "drivers.streamdeck.entry:STREAMDECK_MINI",
        "streamdeck-pedal": "drivers.streamdeck.entry:STREAMDECK_PEDAL",
        "modbus-panel": "drivers.modbus_panel.entry:MODBUS_PANEL",
        "patlite-lr6": "drivers.patlite.entry:PATLITE_LR6",
        "qlight-usb": "drivers.qlight.entry:QLIGHT_USB",
        "blink1": "drivers.blink1.entry:BLINK1",
        "shuffler": "drivers.shuffler.entry:SHUFFLER",
        "pn532": "drivers.pn532.entry:PN532",
        "feig": "drivers.feig.entry:FEIG",
        "pepper": "drivers.pepper.entry:PEPPER",
        "rfid-shoe-pn532": "drivers.rfid_shoe.with_pn532:SHOE",
        "rfid-shoe-feig": "drivers.rfid_shoe.with_feig:SHOE",
    }
)
