"""Cards under the croupier's control: burns and discards that leave, the rest of the deck behind the hand, cards that
are taken from the table before the pot is delivered (THL-GEN-12, THL-GEN-13, THL-SDN-7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.engine.circle import stub
from tablectl.engine.deal import Draw
from tablectl.engine.decisions import CardPlaced
from tablectl.engine.errors.outcome import Outcome, carried_out
from tablectl.engine.errors.rule import Rule
from tablectl.engine.facts import Declared
from tablectl.engine.rulebook import IN_HAND, Kind
from tablectl.engine.slots import BOARD, BURN, DISCARD, Slot
from tablectl.engine.state import State
from tablectl.engine.words import Declaration, Refusal, Remedy, Severity

_BOARD, _DISCARD = BOARD[0].spot, DISCARD[0].spot
_CONTROLLED: Final = frozenset({BURN[0].spot, _DISCARD})
#: What an antenna says of a card that left its place.
_GONE: Final = "gone"
_HAND_OVER: Final = frozenset({Kind.SETTLING, Kind.VOIDED, Kind.IDLE})


def after_the_hand(state: State, draw: Draw) -> None:
    """THL-GEN-13, THO-DEF-5: what is left of the deck is not shown; which card it was nobody learns from here."""
    carried_out(state, _stub_outcome("no-card", "card", draw))
    if state.in_play:
        state.say(CardPlaced(draw=draw.number, slot=state.deal.discard(draw)))
    else:
        # The whole deck is gathered and shuffled before the next deal.
        state.deal.give_back((draw,))


def gone(state: State, draw: Draw, spot: str) -> None:
    """An antenna misses a card of this hand."""
    circle = state.circle
    if circle is None or draw.number in circle.early.missed:
        return
    kind, slot = state.phase.kind, draw.slot
    if slot is None or slot.spot != spot:
        return
    if spot in _CONTROLLED and kind in IN_HAND and not stub.is_open(state):
        # THL-GEN-12: nobody but the croupier touches them.
        circle.early.missed.add(draw.number)
        carried_out(state, _control_outcome(slot.name, _GONE, draw))
    elif kind is Kind.SETTLING and _counts(state, slot):
        circle.early.missed.add(draw.number)
        carried_out(state, _too_soon(draw, slot))


def _counts(state: State, slot: Slot) -> bool:
    """Whether the pot goes by the card that lies there."""
    return slot.spot == _BOARD or slot.seat in state.staying


def _too_soon(draw: Draw, slot: Slot) -> Outcome:
    """THL-SDN-7: cards are taken away when the pot is delivered. No more than a notice: the croupier may show them."""
    return Outcome(
        clause="THL-SDN-7",
        expected=slot.name,
        observed=_GONE,
        remedies=(Remedy.CONTINUE,),
        severity=Severity.NOTICE,
        draw=draw,
    )


def _control_outcome(
    expected: str = "fair-play", observed: str = Declaration.DISCARDS_SEEN, draw: Draw | None = None
) -> Outcome:
    return Outcome(clause="THL-GEN-12", expected=expected, observed=observed, remedies=(Remedy.WARN,), draw=draw)


def _stub_outcome(
    expected: str = "unseen", observed: str = Declaration.STUB_SHOWN, draw: Draw | None = None
) -> Outcome:
    return Outcome(clause="THL-GEN-13", expected=expected, observed=observed, remedies=(Remedy.WARN,), draw=draw)


def _discards_apply(state: State) -> bool:
    return state.phase.kind in IN_HAND


def _discards_seen(state: State, fact: Declared) -> None:
    """THL-GEN-12: a player looked at burns or discards."""
    if _discards_apply(state):
        carried_out(state, _control_outcome())
    else:
        state.refuse(Refusal.NOT_LIVE, "THL-GEN-12")


def _stub_applies(state: State) -> bool:
    return state.phase.kind in _HAND_OVER and state.hand > 0


def _stub_shown(state: State, fact: Declared) -> None:
    """THL-GEN-13: somebody turned up what is left of the deck; that it happened is on record, not the cards."""
    if _stub_applies(state):
        carried_out(state, _stub_outcome())
    else:
        state.refuse(Refusal.NOT_LIVE, "THL-GEN-13")


RULES: Final[Mapping[Declaration, Rule]] = {
    Declaration.DISCARDS_SEEN: Rule(
        applies=_discards_apply, foretells=lambda _: _control_outcome(), does=_discards_seen
    ),
    Declaration.STUB_SHOWN: Rule(applies=_stub_applies, foretells=lambda _: _stub_outcome(), does=_stub_shown),
}
