"""The Qlight tower, for `python -m simulators`."""

from __future__ import annotations

from typing import Final

from simulators.devices.qlight.standalone import run
from simulators.devices.standalone import SimulatorEntry

SIMULATORS: Final = {"qlight-usb": SimulatorEntry(summary="Qlight USB tower, USB, on a socket", run=run)}
