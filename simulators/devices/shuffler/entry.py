"""The shuffler, for `python -m simulators`."""

from __future__ import annotations

from typing import Final

from simulators.devices.shuffler.simulator import ShufflerSimulator
from simulators.devices.shuffler.standalone import run
from simulators.devices.standalone import SimulatorEntry
from simulators.devices.world import World

SIMULATORS: Final = {
    "shuffler": SimulatorEntry(
        summary="Shuffler, reference protocol, on a pty",
        run=run,
        on_line=lambda end: ShufflerSimulator(end, World()),
    ),
}
