"""What follows from answers and rulings in a game with common cards: each module's own, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.vocabulary import Declaration, Question, Remedy
from tablectl.families.holdem import board, conduct, misdeal, retrieval
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots import hands, talk

_ANSWERED: Final[Mapping[Question, Callable[[HoldemState, Pending, str | int], None]]] = {
    **misdeal.ANSWERED,
    **hands.ANSWERED,
    **retrieval.ANSWERED,
    **talk.ANSWERED,
}
_ANSWERED_ON: Final = {**misdeal.ANSWERED_ON, **board.ANSWERED_ON}
_RULED: Final[Mapping[Remedy, Callable[[HoldemState, Incident], None]]] = {
    **board.RULED,
    **hands.RULED,
    **retrieval.RULED,
    **talk.RULED,
    **conduct.RULED,
}
SEATS_ASKED: Final[Mapping[Declaration, Callable[[HoldemState], tuple[int, ...]]]] = {
    **misdeal.SEATS_ASKED,
    **hands.SEATS_ASKED,
    **retrieval.SEATS_ASKED,
    **talk.SEATS_ASKED,
    **conduct.SEATS_ASKED,
}


def answer_to(pending: Pending) -> Callable[[HoldemState, Pending, str | int], None] | None:
    """What an answer does: for the error that the question is about, or for any; None where it is a general one."""
    on = None if pending.incident is None else _ANSWERED_ON.get((pending.question, pending.incident.clause))
    return on or _ANSWERED.get(pending.question)


def ruled(incident: Incident, remedy: Remedy) -> Callable[[HoldemState, Incident], None] | None:
    """What a remedy does: for the error that is ruled on, or for any; None where it is a general one."""
    return misdeal.RULED_ON.get((remedy, incident.clause)) or _RULED.get(remedy)
