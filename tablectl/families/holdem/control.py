"""Cards under the croupier's control: burns and discards that leave, the rest of the deck after the hand (THL-GEN-12,
THL-GEN-13), as readers tell it. What people see of that is declared (`conduct.py`)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardPlaced
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.slots import BOARD, BURN, DISCARD, Slot
from tablectl.core.engine.vocabulary import Remedy
from tablectl.families.holdem import stub
from tablectl.families.holdem.state import HoldemState

_BOARD, _DISCARD = BOARD[0].spot, DISCARD[0].spot
_CONTROLLED: Final = frozenset({BURN[0].spot, _DISCARD})
#: What an antenna says of a card that left its place.
_GONE: Final = "gone"


def after_the_hand(state: HoldemState, draw: Draw) -> None:
    """THL-GEN-13, THO-DEF-5: what is left of the deck is not shown; which card it was nobody learns from here."""
    carried_out(state, _stub_outcome("no-card", "card", draw))
    if state.in_play:
        state.say(CardPlaced(draw=draw.number, slot=state.deal.discard(draw)))
    else:
        # The whole deck is gathered and shuffled before the next deal.
        state.deal.give_back((draw,))


def must_stay(state: HoldemState, draw: Draw, spot: str) -> bool:
    """THL-GEN-12: whether nobody but the croupier may touch this card where it lies, and it was not yet told that
    somebody did."""
    slot = draw.slot
    if slot is None or draw.number in state.early.missed:
        return False
    is_there = slot.spot == spot or _was_thrown(state, slot, spot)
    return is_there and spot in _CONTROLLED and state.phase.kind in IN_HAND and not stub.is_open(state)


def gone(state: HoldemState, draw: Draw, spot: str) -> None:
    """Such a card is away; told once of each."""
    if draw.slot is not None and must_stay(state, draw, spot):
        state.early.missed.add(draw.number)
        carried_out(state, _control_outcome(draw.slot.name if draw.slot.spot == spot else spot, _GONE, draw))


def _was_thrown(state: HoldemState, slot: Slot, spot: str) -> bool:
    """Whether it lay among the discards as a card of a hand that is out. One of a hand that is in does not belong there
    (THL-CRE-4, THL-GEN-8), or is taken back (THL-PLE-1)."""
    return spot == _DISCARD and slot.seat is not None and slot.seat not in state.staying


def _control_outcome(expected: str, observed: str, draw: Draw) -> Outcome:
    return Outcome(clause="THL-GEN-12", expected=expected, observed=observed, remedies=(Remedy.WARN,), draw=draw)


def _stub_outcome(expected: str, observed: str, draw: Draw) -> Outcome:
    return Outcome(clause="THL-GEN-13", expected=expected, observed=observed, remedies=(Remedy.WARN,), draw=draw)
