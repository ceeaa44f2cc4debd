"""How far the first round of betting has come: two actions end the time for a misdeal (THL-MIS-8, -9, AMB-11)."""

from __future__ import annotations

from typing import Final

from tablectl.engine.rulebook import Kind
from tablectl.engine.slots import BOARD
from tablectl.engine.state import State
from tablectl.engine.words import Tracking

_BEFORE: Final = frozenset({"blinds", "dealing"})
#: So many, and an error of the deal is accepted.
TWO: Final = 2


def actions(state: State) -> int | None:
    """How many voluntary actions of the kind the house counts were made since the deal, 2 standing for more; None where
    only rounds are entered and the first is open: then it is asked of the croupier (`Question.TWO_ACTIONS`)."""
    circle, game = state.circle, state.rulebook.circle
    assert circle is not None
    assert game is not None
    if circle.rounds is None:
        return 0
    if state.setup.tracking is Tracking.ROUNDS:
        if state.phase.kind is Kind.DECIDING and state.phase.round == 0:
            return None
        return TWO if BOARD[0] in state.deal.at or state.phase.name not in _BEFORE else 0
    if circle.rounds.index is None:
        return 0
    return min(TWO, circle.rounds.voluntary(game.house.two_actions))
