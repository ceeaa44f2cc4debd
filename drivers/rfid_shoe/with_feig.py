"""RFID shoe with a FEIG reader at its mouth, in the registry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from drivers.entry import Driver, ParityPlace
from drivers.feig.driver import NOT_VERIFIED, Feig, FeigSettings
from drivers.feig.entry import BAUD, feig_line
from drivers.rfid_shoe.driver import MOUTH_PRESENCE, RfidShoe


@dataclass(frozen=True, kw_only=True, slots=True)
class FeigShoeSettings(FeigSettings):
    """As `FeigSettings`, for a card that is at the mouth for a moment only."""

    in_scans: int = MOUTH_PRESENCE.in_scans
    out_scans: int = MOUTH_PRESENCE.out_scans
    out_s: float = MOUTH_PRESENCE.out_s


SHOE: Final = Driver(
    id="rfid-shoe-feig",
    title="RFID shoe with a FEIG reader at its mouth",
    role="shoe",
    place=ParityPlace,
    place_defaults={"baud": BAUD},
    settings=FeigShoeSettings,
    opener=feig_line,
    protocol=lambda name, settings: RfidShoe(name, Feig(name, settings)),
    not_verified=NOT_VERIFIED,
    setup_place=4,
    tells_tags=True,
)
