"""A card of this hand lies at another spot of the layout than its own: by which clause, how loud, and what is asked."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.incidents import ask, can_void
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.slots import BOARD, BURN, DISCARD, HOUSE, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy, Severity

_HOUSE, _BOARD, _BURN, _DISCARD = HOUSE[0].spot, BOARD[0].spot, BURN[0].spot, DISCARD[0].spot
_COMMON: Final = (_BOARD, _BURN)
_SEAT: Final = "seat-"


def is_common(slot: Slot, spot: str) -> bool:
    """Whether it is a common card or a burn, or lies where these do."""
    return slot.spot in _COMMON or spot in _COMMON


def is_dead(slot: Slot) -> bool:
    """Whether it is a burn or a discard, which belongs to no hand."""
    return slot.spot in (_BURN, _DISCARD)


def judge(state: State, draw: Draw, slot: Slot, spot: str) -> None:
    """Say so, and ask what has to be asked. Two hands that touched, and an order that was not kept, are others'."""
    if is_dead(slot) and spot.startswith(_SEAT):
        dead_card_at_a_seat(state, draw, slot, spot)
    elif slot.spot == _HOUSE and spot in _COMMON:
        # THB-DEV-8, -10, TPC-DEV-6: it belongs to the bank, and whether anybody saw it decides (THB-ERR-1, TPC-MIS-3).
        outcome = to_move(draw, slot, spot, state.rulebook.errors.dealt_by(slot))
        ask(state, Question.SEEN, slot.name, raised(state, outcome))
    elif is_common(slot, spot):
        clause = state.rulebook.errors.wrong_spot if slot.spot in _COMMON else state.rulebook.errors.dealt_by(slot)
        ask_to_move(state, to_move(draw, slot, spot, clause, Severity.NOTICE))
    elif slot.seat is not None and (if_seen := state.family.clause_if_seen(state)) is not None:
        # THL-MIS-3, AMB-55: another one than the player it was dealt to may have seen it.
        ask(state, Question.SEEN, slot.name, raised(state, to_move(draw, slot, spot, if_seen)))
    else:
        contact = state.rulebook.errors.contact
        of_players = {slot.spot, spot}.isdisjoint((_HOUSE, _DISCARD))
        clause = contact.clause if contact is not None and of_players else state.rulebook.errors.dealt_by(slot)
        ask_to_move(state, to_move(draw, slot, spot, clause))


def to_move(draw: Draw, slot: Slot, spot: str, clause: str, severity: Severity = Severity.ALERT) -> Outcome:
    """The croupier moves it to its place."""
    return Outcome(
        clause=clause,
        expected=slot.name,
        observed=spot,
        remedies=(Remedy.CORRECT,),
        chooser=Chooser.CROUPIER,
        severity=severity,
        draw=draw,
    )


def ask_to_move(state: State, outcome: Outcome) -> None:
    """THB-TAB-3, -TAB-4: right card, wrong place; the croupier moves it."""
    ask(state, Question.MOVED, outcome.expected, raised(state, outcome))


def dead_card_at_a_seat(state: State, draw: Draw, slot: Slot, spot: str) -> None:
    """A burn or a discard at a player's place is for the pit boss, whoever put it there (ruling "burn at a seat").
    Discards have no order, and which card it is nobody may know."""
    carried_out(
        state,
        Outcome(
            clause=state.rulebook.errors.dealt_by(slot),
            expected=_DISCARD if slot.spot == _DISCARD else slot.name,
            observed=spot,
            remedies=(Remedy.CORRECT, Remedy.VOID_HAND) if can_void(state) else (Remedy.CORRECT,),
            chooser=Chooser.PIT_BOSS,
            draw=None if draw.number == STAND_IN else draw,
        ),
    )
