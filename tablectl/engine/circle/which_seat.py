"""Of which seat is it? What a declaration is about, asked for where it was not said."""

from __future__ import annotations

from collections.abc import Iterable

from tablectl.engine.facts import Declared
from tablectl.engine.incidents import ask_first
from tablectl.engine.slots import SEATS
from tablectl.engine.state import State
from tablectl.engine.words import Question, Refusal

_SEAT_OF = {slots[0].spot: seat for seat, slots in enumerate(SEATS, start=1)}


def seat_of(spot: str) -> int | None:
    """`seat-3` is 3; None for what is no seat."""
    return _SEAT_OF.get(spot)


def said(state: State, fact: Declared, seats: Iterable[int], clause: str) -> int | None:
    """The seat that the declaration is about; asked for where it was not said, refused where it can be none of them."""
    if fact.spot is None:
        ask_first(state, Question.WHICH_SEAT, fact.what).what = fact.what
        return None
    seat = seat_of(fact.spot)
    if seat is None or seat not in seats:
        state.refuse(Refusal.UNKNOWN_SEAT, clause, fact.spot)
        return None
    return seat
