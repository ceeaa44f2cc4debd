"""The PN532 reader of tags in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, SerialPlace, SetupSetting
from drivers.pn532.driver import GPIO_ANTENNAS, NOT_VERIFIED, Multiplexer, Pn532, Pn532Settings
from drivers.pn532.opening import pn532_opener
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener

BAUD: Final = 115200


def pn532_line(place: SerialPlace, _usb: UsbBackend | None) -> WireOpener:
    """What opens a reader, where the configuration says."""
    return pn532_opener(place.port, place.baud)


PN532: Final = Driver(
    id="pn532",
    title="PN532 reader of tags",
    role="antennas",
    place=SerialPlace,
    place_defaults={"baud": BAUD},
    settings=Pn532Settings,
    opener=pn532_line,
    protocol=Pn532,
    not_verified=NOT_VERIFIED,
    setup_place=2,
    setup_settings=(
        SetupSetting(
            key="multiplexer",
            value=Multiplexer.GPIO_P3.value,
            comment="pins P30 and P31 carry the number of the antenna",
            for_several_antennas=True,
        ),
    ),
    most_antennas=GPIO_ANTENNAS,
    tells_tags=True,
)
