"""The croupier's answers to questions about a wrong number of cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine.incidents import ask_first
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.slots import HOUSE
from tablectl.core.engine.vocabulary import Question
from tablectl.families.banked import counting, one_too_many
from tablectl.families.banked.state import BankedState


def _spot_said(state: BankedState, pending: Pending, answer: str | int) -> None:
    if pending.incident is not None:
        one_too_many.spot_said(state, pending.incident, str(answer))
        return
    ask_first(state, Question.COUNT_CARDS, str(answer)).drawn = pending.drawn


def _lap_said(state: BankedState, pending: Pending, answer: str | int) -> None:
    if pending.incident is not None and pending.about == HOUSE[0].spot:
        one_too_many.lap_said(state, pending.incident, int(answer))
        return
    if pending.incident is not None:
        one_too_many.burnt_said(state, pending.incident, int(answer))
        return
    assert pending.cards is not None, "it is asked about a count"
    counting.counted(state, pending.about, pending.cards, int(answer), pending.drawn)


def _too_few_said(state: BankedState, pending: Pending, answer: str | int) -> None:
    counting.too_few_said(state, pending, str(answer))


def _cards_said(state: BankedState, pending: Pending, answer: str | int) -> None:
    if pending.incident is not None:
        one_too_many.cards_said(state, pending.incident, pending.about, answer)
        return
    counting.counted(state, pending.about, int(answer), None, pending.drawn)


ANSWERED: Final[Mapping[Question, Callable[[BankedState, Pending, str | int], None]]] = {
    Question.COUNT_SPOT: _spot_said,
    Question.COUNT_CARDS: _cards_said,
    Question.COUNT_LAP: _lap_said,
    Question.TOO_FEW_SPOT: _too_few_said,
}
