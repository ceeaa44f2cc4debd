"""The PATLITE light, for `python -m simulators`."""

from __future__ import annotations

from typing import Final

from simulators.devices.patlite.standalone import run
from simulators.devices.standalone import SimulatorEntry

SIMULATORS: Final = {"patlite-lr6": SimulatorEntry(summary="PATLITE LR6-USB light, USB, on a socket", run=run)}
