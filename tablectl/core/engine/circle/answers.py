"""What follows from answers and rulings in a circle game: each module's own, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.circle import conduct
from tablectl.core.engine.circle.common_cards import board
from tablectl.core.engine.circle.deal_errors import misdeal
from tablectl.core.engine.circle.draw import answers as draw
from tablectl.core.engine.circle.draw import leaving
from tablectl.core.engine.circle.ending import after_hand
from tablectl.core.engine.circle.lost_hands import hands
from tablectl.core.engine.circle.seating import attendance
from tablectl.core.engine.circle.speech import talk
from tablectl.core.engine.errors.conduct import seats_in_hand
from tablectl.core.engine.state import Incident, Pending, State
from tablectl.core.engine.words import Declaration, Question, Remedy

_MODULES: Final = (misdeal, board, hands, talk, after_hand, conduct)
ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {
    question: answer for module in _MODULES for question, answer in module.ANSWERED.items()
}
_RULED: Final = {remedy: module.RULED for module in _MODULES for remedy in module.RULED}

_SEATS_ASKED: Final[Mapping[Declaration, Callable[[State], tuple[int, ...]]]] = {
    **misdeal.SEATS_ASKED,
    **hands.SEATS_ASKED,
    **talk.SEATS_ASKED,
    **conduct.SEATS_ASKED,
}


def answer_to(state: State, pending: Pending) -> Callable[[State, Pending, str | int], None] | None:
    """What an answer does where a circle game has its own: for the error that the question is about, or for any."""
    if state.is_draw:
        return draw.ANSWERED.get(pending.question)
    on = None if pending.incident is None else misdeal.ANSWERED_ON.get((pending.question, pending.incident.clause))
    return on or ANSWERED.get(pending.question)


def seats_asked(state: State, what: Declaration) -> tuple[int, ...]:
    """The seats that a declaration can be about."""
    found = (draw.SEATS_ASKED if state.is_draw else _SEATS_ASKED).get(what)
    return seats_in_hand(state) if found is None else found(state)


def ruled(state: State, incident: Incident, remedy: Remedy) -> bool:
    """Carry out a remedy that only circle games have; False where it is a general one."""
    if state.is_draw and leaving.asks_to_leave(incident):
        attendance.rules_on_leaving(state, incident, is_leaving=remedy is Remedy.CONTINUE)
        return True
    found = draw.ruled(incident, remedy) if state.is_draw else _with_common_cards(incident, remedy)
    if found is None:
        return False
    found(state, incident)
    return True


def _with_common_cards(incident: Incident, remedy: Remedy) -> Callable[[State, Incident], None] | None:
    on = misdeal.RULED_ON.get((remedy, incident.clause))
    if on is not None:
        return on
    module = _RULED.get(remedy)
    return None if module is None else module[remedy]
