"""A table to practise at, as training finds it: a prepared table, and what a trainee does there with hands. At the free
table the simulated croupier deals in his place as long as he likes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from simulators.devices.world import PhysicalCard
from simulators.stage.croupier import Croupier
from simulators.stage.dealing import Dealing
from simulators.stage.fault_plan import Level
from simulators.stage.hands import Stuck
from simulators.stage.training.acts import do
from simulators.stage.training.shared import show_faces
from simulators.stage.training.table import PreparedTable
from tablectl.api.client import NoController
from tablectl.api.stage import FreeTable, Prepared, StageBroken, TableSeen

#: How long the simulated croupier may take to end what he is doing, in seconds.
_JOIN_S: Final = 10.0


class PracticeTable(PreparedTable):
    """A `tablectl.api.stage.PracticeTable`."""

    def __init__(
        self, folder: Path, free: FreeTable, prepared: Prepared | None, name: str, rings: Callable[[], None]
    ) -> None:
        super().__init__(folder, free, prepared, name, rings)
        self._croupier: Croupier | None = None
        self._thread = threading.Thread(target=self._deal, name="simulated-croupier")
        self._ended = threading.Event()
        if prepared is None:
            self.dealing = dealing = Dealing(is_persons=True)
            self._croupier = Croupier(
                self.stage,
                seed=free.seed,
                level=Level.NONE,
                pause=self._ended.wait,
                pit_boss_waits_s=0.0,
                dealing=dealing,
                helps_persons=False,
            )

    def begin(self) -> None:
        """See `PreparedTable`."""
        super().begin()
        if self._croupier is not None:
            self._thread.start()

    def end(self) -> None:
        """See `PreparedTable`."""
        self._ended.set()
        if self.dealing is not None and self._thread.ident is not None:
            self.dealing.end()
            self._thread.join(_JOIN_S)
        super().end()

    def seen(self) -> TableSeen:
        """How it looks now; what the simulated croupier turned up lies open."""
        if self._croupier is not None:
            show_faces(self, self._croupier)
        return super().seen()

    def took(self, card: PhysicalCard) -> str:
        """A trainee drew this card: the croupier after him knows it."""
        if self._croupier is not None:
            self._croupier.took(card)
        return super().took(card)

    def shuffle(self) -> None:
        """All cards back into the shoe, in another order each time."""
        super().shuffle()
        if self._croupier is not None:
            self._croupier.has_none()

    def do(self, asked: Mapping[str, Any]) -> tuple[str, ...]:
        """One act. Raises `NoAct`, `CannotBeDone`."""
        return do(self, asked)

    def _deal(self) -> None:
        """Where the simulated croupier cannot go on with what a trainee left him, the trainee has the table again."""
        assert self._croupier is not None, "he deals"
        assert self.dealing is not None, "he deals in turn"
        while not self.dealing.is_over:
            try:
                self._croupier.play(None)
            except (Stuck, NoController, StageBroken) as why:
                if not self.dealing.is_over:
                    sys.stderr.write(f"train: the simulated croupier cannot go on, and hands the table over: {why}\n")
                self.dealing.take_over()
                self._ended.wait(1.0)
