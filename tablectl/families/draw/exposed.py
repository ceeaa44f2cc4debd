"""Cards that everybody has seen while they were dealt: face up in the deck (FCD-IRR-3), one or two turned (FCD-IRR-6a,
FCD-IRR-6b).

Whoever an exposed card was meant for accepts it (FCD-IRR-6b): it stays his, and lies there for all to see. One found
face up in the deck gives a right to a new deal by itself; of those that were turned or fell it takes two, in the deal.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.declared_cards import meant, newest_first
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Declaration, Refusal, Remedy, Severity
from tablectl.families.draw import cases
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import is_first_deal, is_open

ONE: Final = "FCD-IRR-6b"
_KINDS: Final = frozenset({Kind.DEALING, Kind.DECIDING, Kind.EXCHANGING})
#: The phases of the deal: a card that is changed in the draw is not one of two that were exposed in it.
_CLAUSES: Final = {Declaration.FACE_UP_IN_SHOE: cases.FACE_UP}


def cards(state: DrawState) -> tuple[Draw, ...]:
    """The cards that can have been seen, the one dealt last in front. Where nobody knows which card of its player lies
    at a place, it is none."""
    if not _can_be_said(state):
        return ()
    seats = set(state.order)
    return newest_first(draw for slot, draw in state.deal.at.items() if slot.seat in seats)


def applies(state: DrawState) -> bool:
    """Whether the card dealt last can have been seen; what is known of it already is not said again."""
    found = cards(state)
    return bool(found) and found[0].number not in state.deal.face_up


def foretold(state: DrawState, what: Declaration) -> Outcome:
    """What follows if the card dealt last was seen."""
    return _outcome(state, cards(state)[0], what)


def declared(state: DrawState, fact: Declared) -> None:
    """What is said of a card that was seen."""
    clause = _CLAUSES.get(fact.what, ONE)
    draw = meant(fact, cards(state))
    if draw is None or draw.slot is None:
        state.refuse(Refusal.NO_CARD, clause)
        return
    if draw.number in state.deal.face_up:
        state.refuse(Refusal.CARD_KNOWN, clause, draw.slot.name)
        return
    outcome = _outcome(state, draw, fact.what)
    state.deal.face_up.add(draw.number)
    if outcome.clause != cases.FACE_UP:
        state.draw.exposed.add(draw.number)
    cases.noticed(state, outcome)
    state.shown.add(draw.slot)
    state.say(CardTurned(draw=draw.number, slot=draw.slot))


def _can_be_said(state: DrawState) -> bool:
    return is_open(state) and state.phase.kind in _KINDS


def _outcome(state: DrawState, draw: Draw, what: Declaration) -> Outcome:
    clause, gives_a_right = ONE, False
    if what is Declaration.FACE_UP_IN_SHOE:
        clause, gives_a_right = cases.FACE_UP, not cases.is_over(state, cases.FACE_UP)
    elif state.draw.exposed - {draw.number} and is_first_deal(state):
        gives_a_right = not cases.is_over(state, cases.TWO_EXPOSED)
        clause = cases.TWO_EXPOSED if gives_a_right else ONE
    return Outcome(
        clause=clause,
        expected="face-down",
        observed=what,
        remedies=(Remedy.REDEAL_ON_DEMAND if gives_a_right else Remedy.CONTINUE,),
        severity=Severity.ALERT if gives_a_right else Severity.NOTICE,
        draw=draw,
        seats=() if draw.slot is None or draw.slot.seat is None else (draw.slot.seat,),
    )
