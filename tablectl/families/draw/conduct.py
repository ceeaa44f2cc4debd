"""What players may not do with discards and chips (FCD-DSC-11, FCD-DSC-16, FCD-RST-7, FCD-RST-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome, Rule
from tablectl.core.engine.rulebook import Kind, Part
from tablectl.core.engine.seat_said import one_seat
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy, Severity
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.prohibition import (
    Prohibition,
    at_the_table,
    expelled,
    rule_of,
    when_cards_are_out,
    while_cards_count,
)

_EARLY: Final = "FCD-DSC-16"


def _while_cards_lie_there(state: DrawState) -> tuple[int, ...]:
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


def _turn_to_come(state: DrawState) -> tuple[int, ...]:
    """Who has still to be asked in the draw, and is not being asked."""
    turn = state.draw.turn
    in_draw = state.phase.kind is Kind.EXCHANGING or state.phase.part is Part.REPLACEMENTS
    if turn is None or not in_draw:
        return ()
    return tuple(seat for seat in state.staying if seat != turn.seat and seat not in state.draw.served)


def _early_outcome(state: DrawState) -> Outcome:
    turn = state.draw.turn
    assert turn is not None, "it applies"
    return Outcome(
        clause=_EARLY,
        expected=f"turn-seat-{turn.seat}",
        observed=Declaration.DISCARDED_EARLY,
        remedies=(Remedy.CORRECT,),
        chooser=Chooser.CROUPIER,
        severity=Severity.NOTICE,
    )


def _discarded_early(state: DrawState, fact: Declared) -> None:
    """FCD-DSC-16: nobody has seen a face; the cards go back before the player, who is asked in his turn."""
    if not _turn_to_come(state):
        state.refuse(Refusal.NOT_OFFERED, _EARLY)
        return
    seat = one_seat(state, fact, _turn_to_come(state), _EARLY)
    if seat is not None:
        ask(state, Question.MOVED, f"seat-{seat}", raised(state, replace(_early_outcome(state), seats=(seat,))))


RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    Declaration.DISCARDED_EARLY: Rule(
        applies=lambda state: bool(_turn_to_come(state)), foretells=_early_outcome, does=_discarded_early
    ),
    **{what: rule_of(what, rules) for what, rules in _PROHIBITIONS.items()},
}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[DrawState], tuple[int, ...]]]] = {
    Declaration.DISCARDED_EARLY: _turn_to_come,
    **{what: rules.who for what, rules in _PROHIBITIONS.items()},
}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[DrawState, Incident], None]]] = {Remedy.EXPEL: expelled}
