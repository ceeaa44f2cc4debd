"""How far the first round of betting has come: two actions end the time for a misdeal (THL-MIS-8, -9, AMB-11)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Tracking

#: So many, and an error of the deal is accepted.
TWO: Final = 2


def actions(state: State) -> int | None:
    """How many voluntary actions of the kind the house counts were made since the deal, 2 standing for more; None where
    only rounds are entered and the first is open: then it is asked of the croupier (`Question.TWO_ACTIONS`)."""
    circle, game = state.circle, state.rulebook.circle
    assert circle is not None
    assert game is not None
    if circle.rounds is None or circle.rounds.index is None:
        return 0
    if state.setup.tracking is Tracking.ROUNDS:
        is_first = (state.phase.kind is Kind.DECIDING and state.phase.round == 0) or state.phase.name == "dealing"
        return None if is_first else TWO
    return min(TWO, circle.rounds.voluntary(game.holdem.two_actions))
