"""The panel behind a Modbus-RTU module in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, ModbusPlace
from drivers.modbus_panel.driver import ModbusPanel
from drivers.modbus_panel.settings import KEYS_MAX, NOT_VERIFIED, ModbusPanelSettings
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener
from drivers.transport.serial import SerialSettings, serial_opener


def _line(place: ModbusPlace, _usb: UsbBackend | None) -> WireOpener:
    line = SerialSettings(baud=place.baud, parity=place.parity, stop_bits=place.stop_bits)
    return serial_opener(place.port, line)


MODBUS_PANEL: Final = Driver(
    id="modbus-panel",
    title="Modbus-RTU panel",
    role="panel",
    place=ModbusPlace,
    place_defaults={"baud": 19200},
    settings=ModbusPanelSettings,
    opener=_line,
    protocol=ModbusPanel,
    not_verified=NOT_VERIFIED,
    setup_place=3,
    n_keys=KEYS_MAX,
)
