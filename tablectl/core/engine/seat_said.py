"""Which seats a declaration is about: as it was said, asked for where it was not, refused where it cannot be."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask_first
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Question, Refusal

_BY_SPOT = {slots[0].spot: seat for seat, slots in enumerate(SEATS, start=1)}


def seat_of(spot: str) -> int | None:
    """`seat-10` is 10; None for what is no seat."""
    return _BY_SPOT.get(spot)


def one_seat(state: State, fact: Declared, seats: Collection[int], clause: str) -> int | None:
    """The seat that it is about, where it is one of these. Otherwise it is asked for or refused, and None."""
    if fact.spot is None:
        pending = ask_first(state, Question.WHICH_SEAT, fact.what)
        pending.what, pending.drawn = fact.what, fact.drawn
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


def two_in_contact(
    state: State, fact: Declared, live: tuple[int, ...], clause: str
) -> tuple[tuple[int, int], tuple[int, ...]] | None:
    """Two seats whose cards touched, and those of them whose hand dies of it now. One of both may be dead of a contact
    already, where three hands or more touched; it is said or asked for second."""
    is_first_dead = fact.other is not None and seat_of(fact.spot or "") in state.touched
    if is_first_dead:
        fact = replace(fact, spot=fact.other, other=fact.spot)
    first = one_seat(state, fact, live, clause)
    if first is None:
        return None
    found = two_seats(state, fact, (*live, *state.touched), clause)
    if found is None:
        return None
    dying = tuple(seat for seat in found if seat not in state.touched)
    state.touched.update(dying)
    return (found[::-1] if is_first_dead else found), dying


def may_touch(state: State, live: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that can be named now: the first one has a live hand, the other one may be dead of a contact."""
    asks_other = bool(state.asking) and state.asking[0].question is Question.OTHER_SEAT
    return (*live, *sorted(state.touched)) if asks_other else live


def seats_in_hand(state: State) -> tuple[int, ...]:
    """Those with cards before them that are in play."""
    if state.phase.kind not in IN_HAND:
        return ()
    at = state.deal.at
    return tuple(seat for seat in state.seats.staying if SEATS[seat - 1][0] in at)
