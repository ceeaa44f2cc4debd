"""How far the first round of betting has come: two actions end the time for a misdeal (THL-MIS-8, -9, AMB-11)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.vocabulary import Tracking
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots.hand_open import is_first_deal

#: So many, and an error of the deal is accepted.
TWO: Final = 2


def actions(state: HoldemState) -> int | None:
    """How many voluntary actions of the kind the house counts were made since the deal, 2 standing for more; None where
    only rounds are entered and the first is open: then it is asked of the croupier (`Question.TWO_ACTIONS`)."""
    game = state.rulebook
    if state.rounds is None or state.rounds.index is None:
        return 0
    if state.setup.tracking is Tracking.ROUNDS:
        return None if is_first_deal(state) else TWO
    return min(TWO, state.rounds.voluntary(game.house.two_actions))
