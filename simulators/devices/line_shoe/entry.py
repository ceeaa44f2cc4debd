"""The shoe that says a line a card, for `python -m simulators`."""

from __future__ import annotations

from typing import Final

from simulators.devices.line_shoe.simulator import LineShoeSimulator
from simulators.devices.line_shoe.standalone import run
from simulators.devices.standalone import SimulatorEntry
from simulators.devices.world import World

SIMULATORS: Final = {
    "line-shoe": SimulatorEntry(
        summary="Shoe that says a line a card, on a pty",
        run=run,
        on_line=lambda end: LineShoeSimulator(end, World()),
    ),
}
