"""What players may not do with discards and chips (FCD-DSC-11, FCD-DSC-16, FCD-RST-7, FCD-RST-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.circle.prohibition import (
    Prohibition,
    at_the_table,
    expelled,
    rule_of,
    when_cards_are_out,
    while_cards_count,
)
from tablectl.core.engine.errors.outcome import Outcome, raised
from tablectl.core.engine.errors.rule import Rule
from tablectl.core.engine.errors.seat_said import one_seat
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import Incident, Pending, State
from tablectl.core.engine.words import Chooser, Declaration, Question, Refusal, Remedy, Severity

_EARLY: Final = "FCD-DSC-16"


def _while_cards_lie_there(state: State) -> tuple[int, ...]:
    """Discards and folded hands lie there as long as the hand's cards do; who is not in the hand can look too."""
    return at_the_table(state) if when_cards_are_out(state) else ()


#: In the order in which they are offered. What is done with chips is refused, however often it is tried: the document
#: says no more of it.
_PROHIBITIONS: Final[Mapping[Declaration, Prohibition]] = {
    Declaration.LOOKED_AT_CARDS: Prohibition(clause="FCD-DSC-11", who=_while_cards_lie_there, again="FCD-DSC-11"),
    Declaration.CHIPS_POCKETED: Prohibition(
        clause="FCD-RST-7", who=at_the_table, first=Remedy.REJECT, again=None, by_document=True
    ),
    Declaration.CHIPS_ADDED: Prohibition(
        clause="FCD-RST-10", who=while_cards_count, first=Remedy.REJECT, again=None, by_document=True
    ),
}


# --- cards put away before one's turn -------------------------------------------------------------------------------


def _turn_to_come(state: State) -> tuple[int, ...]:
    """Who has still to be asked in the draw, and is not being asked."""
    circle = state.circle
    turn = None if circle is None else circle.draw.hand.turn
    in_draw = state.phase.kind is Kind.EXCHANGING or state.phase.name == "replacing"
    if circle is None or turn is None or not in_draw:
        return ()
    return tuple(seat for seat in state.staying if seat != turn.seat and seat not in circle.draw.hand.served)


def _early_outcome(state: State) -> Outcome:
    turn = None if state.circle is None else state.circle.draw.hand.turn
    assert turn is not None, "it applies"
    return Outcome(
        clause=_EARLY,
        expected=f"turn-seat-{turn.seat}",
        observed=Declaration.DISCARDED_EARLY,
        remedies=(Remedy.CORRECT,),
        chooser=Chooser.CROUPIER,
        severity=Severity.NOTICE,
    )


def _discarded_early(state: State, fact: Declared) -> None:
    """FCD-DSC-16: nobody has seen a face; the cards go back before the player, who is asked in his turn."""
    if not _turn_to_come(state):
        state.refuse(Refusal.NOT_OFFERED, _EARLY)
        return
    seat = one_seat(state, fact, _turn_to_come(state), _EARLY)
    if seat is not None:
        ask(state, Question.MOVED, f"seat-{seat}", raised(state, replace(_early_outcome(state), seats=(seat,))))


RULES: Final[Mapping[Declaration, Rule]] = {
    Declaration.DISCARDED_EARLY: Rule(
        applies=lambda state: bool(_turn_to_come(state)), foretells=_early_outcome, does=_discarded_early
    ),
    **{what: rule_of(what, rules) for what, rules in _PROHIBITIONS.items()},
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[State], tuple[int, ...]]]] = {
    Declaration.DISCARDED_EARLY: _turn_to_come,
    **{what: rules.who for what, rules in _PROHIBITIONS.items()},
}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {Remedy.EXPEL: expelled}
