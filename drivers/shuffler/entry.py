"""The shuffler in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, SerialPlace
from drivers.serial_opening import serial_line
from drivers.shuffler.driver import NOT_VERIFIED, Shuffler, ShufflerSettings
from drivers.shuffler.messages import BAUD

SHUFFLER: Final = Driver(
    id="shuffler",
    title="shuffler",
    role="shuffler",
    place=SerialPlace,
    place_defaults={"baud": BAUD},
    settings=ShufflerSettings,
    opener=serial_line,
    protocol=Shuffler,
    not_verified=NOT_VERIFIED,
    setup_place=1,
)
