"""The blink(1), for `python -m simulators`."""

from __future__ import annotations

from typing import Final

from simulators.devices.blink1.standalone import run
from simulators.devices.standalone import SimulatorEntry

SIMULATORS: Final = {"blink1": SimulatorEntry(summary="blink(1) light, USB, on a socket", run=run)}
