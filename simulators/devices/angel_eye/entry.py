"""The Angel Eye, for `python -m simulators`."""

from __future__ import annotations

from typing import Final

from simulators.devices.angel_eye.simulator import AngelEyeSimulator
from simulators.devices.angel_eye.standalone import run
from simulators.devices.standalone import SimulatorEntry
from simulators.devices.world import World

SIMULATORS: Final = {
    "angel-eye": SimulatorEntry(
        summary="Angel Eye II-EX shoe, serial, on a pty",
        run=run,
        on_line=lambda end: AngelEyeSimulator(end, World()),
    ),
}
