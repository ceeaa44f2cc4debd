"""The Pepper C1 reader of tags in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, SerialPlace
from drivers.pepper.driver import NOT_VERIFIED, Pepper, PepperSettings
from drivers.pepper.opening import pepper_opener
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener

BAUD: Final = 115200


def pepper_line(place: SerialPlace, _usb: UsbBackend | None) -> WireOpener:
    """What opens a reader, where the configuration says."""
    return pepper_opener(place.port, place.baud)


PEPPER: Final = Driver(
    id="pepper",
    title="Pepper C1 reader of tags",
    role="antennas",
    place=SerialPlace,
    place_defaults={"baud": BAUD},
    settings=PepperSettings,
    opener=pepper_line,
    protocol=Pepper,
    not_verified=NOT_VERIFIED,
    setup_place=3,
    most_antennas=8,
    tells_tags=True,
    removed={
        "antenna_argument": (
            "to leave it out: antennas = 1 sends no antenna command, and above 1 the antennas count from 1, as the"
            " maker's own client counts; check that each seat is at its antenna"
        )
    },
)
