"""The Angel Eye II-EX shoe in the registry."""

from __future__ import annotations

from typing import Final

from drivers.angel_eye.driver import AngelEye
from drivers.angel_eye.settings import NOT_VERIFIED, AngelEyeSettings
from drivers.entry import Driver, SerialPlace, SetupSetting
from drivers.serial_opening import serial_line

ANGEL_EYE: Final = Driver(
    id="angel-eye",
    title="Angel Eye II-EX shoe",
    role="shoe",
    place=SerialPlace,
    place_defaults={"baud": 4800},
    settings=AngelEyeSettings,
    opener=serial_line,
    protocol=AngelEye,
    not_verified=NOT_VERIFIED,
    setup_place=1,
    setup_settings=(
        SetupSetting(key="may_lock", value=False, comment="true: the shoe is locked while no card is due"),
    ),
)
