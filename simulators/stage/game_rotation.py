"""A table that plays several games, one after the other: another configuration between two hands, the same journal, the
same devices and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Final

from simulators.stage.croupier import Croupier
from simulators.stage.felt import Felt
from simulators.stage.stage import Scene, Stage

#: How many hands of a game are played before the next one, where nobody says how many there will be; otherwise each
#: game comes twice.
HANDS_OF_A_GAME: Final = 3
_TIMES: Final = 2
#: So many more at most, so that no pot waits for its game to come again.
_HANDS_FOR_A_POT: Final = 20


class GameRotation:
    """Plays the games of these scenes in turn, or one game all the time. `croupier`: who deals now, or dealt last."""

    def __init__(self, stage: Stage, scenes: Sequence[Scene], croupier_of: Callable[[Felt | None], Croupier]) -> None:
        self._stage = stage
        self._scenes = scenes
        self._croupier_of = croupier_of
        self.croupier = croupier_of(None)

    def play(self, hands: int | None) -> None:
        """So many hands in all, or for ever. Raises `Stuck`, `NoController`, `StageBroken`."""
        if len(self._scenes) == 1:
            self.croupier.play(hands)
            return
        hands_each = HANDS_OF_A_GAME if hands is None else max(1, hands // (_TIMES * len(self._scenes)))
        for scene in cycle(self._scenes):
            self._change_to(scene)
            played = self._played()
            self._deal(played + hands_each if hands is None else min(hands, played + hands_each))
            if hands is not None and self._played() >= hands:
                return

    def _deal(self, until: int) -> None:
        """A game is not left while a pot of it waits for the next hand."""
        self.croupier.play(until)
        for _ in range(_HANDS_FOR_A_POT):
            if not self.croupier.felt.ledger.waits:
                return
            self.croupier.play(self._played() + 1)

    def _played(self) -> int:
        return self.croupier.felt.hands

    def _change_to(self, scene: Scene) -> None:
        """Between two hands: the layout is turned, and the controller starts with another configuration (TPC-TAB-3).
        The croupier of the next game has seen all the hands before."""
        if scene is self._stage.scene:
            return
        self._stage.stop_controller()
        self._stage.configure(scene)
        self._stage.start_controller()
        self.croupier = self._croupier_of(self.croupier.felt)
