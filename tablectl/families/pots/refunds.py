"""What a player put into an annulled hand comes back (THL-MIS-9)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.decisions import Refund
from tablectl.core.engine.vocabulary import Tracking
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.state import PotGameState

#: What a player gets back: everything he put into the hand.
POT: Final = "pot"


def refund(state: PotGameState, seat: int) -> None:
    """Everything that the seat put into this hand. Who put in nothing gets nothing; where only rounds are entered,
    everybody who was dealt in may have bet once the first one is open."""
    rounds = state.rounds
    if rounds is not None and (may_have_bet(state, rounds) or rounds.has_put_in(seat)):
        state.say(Refund(seat=seat, bet=POT, amount=rounds.put_in(seat)))


def refund_but(state: PotGameState, seat: int, staying: int | None) -> None:
    """The same, but for what stays on the table because the cards are dealt again."""
    rounds = state.rounds
    if rounds is not None and (may_have_bet(state, rounds) or rounds.has_bet(seat, staying or 0)):
        back = rounds.put_in(seat)
        state.say(Refund(seat=seat, bet=POT, amount=None if back is None else back - (staying or 0)))


def may_have_bet(state: PotGameState, rounds: Rounds) -> bool:
    """Whether seats may have bet although nobody entered it."""
    return state.setup.tracking is Tracking.ROUNDS and rounds.index is not None
