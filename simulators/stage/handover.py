"""The demo's table, for the page of training: there a visitor takes over from the simulated croupier."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from simulators.stage.croupier import Croupier
from simulators.stage.dealing import Dealing
from simulators.stage.stage import Stage
from simulators.stage.training.practice import PracticeTable
from simulators.stage.training.shared import SharedTable
from tablectl.api import stage as api


def tables_at(stage: Stage, dealing: Dealing, croupier: Callable[[], Croupier]) -> api.MakePracticeTable:
    """The free table is the demo's. An exercise that is begun there has a table of its own, and the demo goes on beside
    it. `croupier()`: who deals at the demo's table now."""

    def made(
        folder: Path, free: api.FreeTable, prepared: api.Prepared | None, name: str, rings: Callable[[], None]
    ) -> api.PracticeTable:
        if prepared is not None:
            return PracticeTable(folder, free, prepared, name, rings)
        return SharedTable(stage, dealing, croupier, rings)

    return made
