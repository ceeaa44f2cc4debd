"""RFID shoe with a PN532 at its mouth, in the registry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from drivers.entry import Driver, SerialPlace
from drivers.pn532.driver import NOT_VERIFIED, Pn532, Pn532Settings
from drivers.pn532.entry import BAUD, pn532_line
from drivers.rfid_shoe.driver import MOUTH_PRESENCE, RfidShoe


@dataclass(frozen=True, kw_only=True, slots=True)
class Pn532ShoeSettings(Pn532Settings):
    """As `Pn532Settings`, for a card that is at the mouth for a moment only."""

    in_scans: int = MOUTH_PRESENCE.in_scans
    out_scans: int = MOUTH_PRESENCE.out_scans
    out_s: float = MOUTH_PRESENCE.out_s


SHOE: Final = Driver(
    id="rfid-shoe-pn532",
    title="RFID shoe with a PN532 at its mouth",
    role="shoe",
    place=SerialPlace,
    place_defaults={"baud": BAUD},
    settings=Pn532ShoeSettings,
    opener=pn532_line,
    protocol=lambda name, settings: RfidShoe(name, Pn532(name, settings)),
    not_verified=NOT_VERIFIED,
    setup_place=3,
    tells_tags=True,
)
