"""Which seats a declaration is about: as it was said, asked for where it was not, refused where it cannot be."""

from __future__ import annotations

from collections.abc import Collection

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask_first
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Question, Refusal

_BY_SPOT = {slots[0].spot: seat for seat, slots in enumerate(SEATS, start=1)}


def seat_of(spot: str) -> int | None:
    """`seat-10` is 10; None for what is no seat."""
    return _BY_SPOT.get(spot)


def one_seat(state: State, fact: Declared, seats: Collection[int], clause: str) -> int | None:
    """The seat that it is about, where it is one of these. Otherwise it is asked for or refused, and None."""
    if fact.spot is None:
        ask_first(state, Question.WHICH_SEAT, fact.what).what = fact.what
        return None
    seat = seat_of(fact.spot)
    if seat not in seats:
        state.refuse(Refusal.UNKNOWN_SEAT, clause, fact.spot)
        return None
    return seat


def two_seats(state: State, fact: Declared, seats: tuple[int, ...], clause: str) -> tuple[int, int] | None:
    """Two different ones."""
    first = one_seat(state, fact, seats, clause)
    if first is None:
        return None
    if fact.other is None:
        pending = ask_first(state, Question.OTHER_SEAT, fact.what)
        pending.what, pending.spot = fact.what, fact.spot
        return None
    second = seat_of(fact.other)
    if second is None or second not in seats or second == first:
        state.refuse(Refusal.UNKNOWN_SEAT, clause, fact.other)
        return None
    return first, second
