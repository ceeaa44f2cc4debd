"""The Modbus panel, for `python -m simulators`."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from simulators.devices.standalone import Options, SimulatorEntry
from simulators.devices.wire import PtyEnd
from simulators.devices.wired import WiredDevice


def _run(options: Options) -> int:
    # Only this one needs pymodbus, and loading it takes time.
    status: int = import_module("simulators.devices.modbus_panel.standalone").run(options)
    return status


def _on_line(end: PtyEnd) -> WiredDevice:
    module: WiredDevice = import_module("simulators.devices.modbus_panel.simulator").ModbusPanelSimulator(end)
    return module


SIMULATORS: Final = {
    "modbus-panel": SimulatorEntry(
        summary="Modbus-RTU module with 16 buttons and lamps, serial, on a pty", run=_run, on_line=_on_line
    ),
}
