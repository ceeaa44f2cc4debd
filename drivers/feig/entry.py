"""The FEIG i-scan reader of tags in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, ParityPlace
from drivers.feig.driver import NOT_VERIFIED, Feig, FeigSettings
from drivers.feig.opening import feig_opener
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener

BAUD: Final = 38400


def feig_line(place: ParityPlace, _usb: UsbBackend | None) -> WireOpener:
    """What opens a reader, where the configuration says."""
    return feig_opener(place.port, place.baud, place.parity)


FEIG: Final = Driver(
    id="feig",
    title="FEIG i-scan reader of tags",
    role="antennas",
    place=ParityPlace,
    place_defaults={"baud": BAUD},
    settings=FeigSettings,
    opener=feig_line,
    protocol=Feig,
    not_verified=NOT_VERIFIED,
    setup_place=1,
    tells_tags=True,
)
