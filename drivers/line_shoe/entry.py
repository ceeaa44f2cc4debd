"""The shoe that says a line a card in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, SerialPlace
from drivers.line_shoe.driver import LineShoe
from drivers.line_shoe.messages import BAUD
from drivers.line_shoe.settings import NOT_VERIFIED, LineShoeSettings
from drivers.serial_opening import serial_line

LINE_SHOE: Final = Driver(
    id="line-shoe",
    title="shoe that says a line a card",
    role="shoe",
    place=SerialPlace,
    place_defaults={"baud": BAUD},
    settings=LineShoeSettings,
    opener=serial_line,
    protocol=LineShoe,
    not_verified=NOT_VERIFIED,
    setup_place=2,
)
