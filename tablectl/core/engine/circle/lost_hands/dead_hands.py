"""A hand of a circle game dies: its seat is out of the pot, and what it put in stays there or goes back."""

from __future__ import annotations

from tablectl.core.engine.circle import flow
from tablectl.core.engine.decisions import SeatVoided, SeatWithdrawn
from tablectl.core.engine.incidents import refund
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.state import Incident, State


def withdraw(state: State, seat: int, clause: str) -> None:
    """The cards are out of play; what becomes of the chips is still to be ruled."""
    state.seats.withdraw(seat)
    state.deal.drop(SEATS[seat - 1])
    state.say(SeatWithdrawn(seat=seat, clause=clause))


def annul(state: State, seat: int, clause: str) -> None:
    """The hand is void: everything that the seat put in during the hand goes back to it (THL-CRE-4, AMB-35)."""
    state.deal.drop(SEATS[seat - 1])
    state.say(SeatVoided(seat=seat, clause=clause))
    _chips_back(state, seat)


def out(state: State, seat: int, clause: str, *, returned: bool) -> None:
    """A hand dies for an error of the deal, at any time until the pot is delivered (THL-PLE-12, THL-MIS-7): what it put
    in stays in the pot, or goes back."""
    circle = state.circle
    assert circle is not None
    assert circle.rounds is not None
    if returned:
        refund(state, seat)
        state.seats.annul(seat)
    else:
        state.seats.withdraw(seat)
    circle.rounds.leave(seat, returned=returned)
    state.say(SeatWithdrawn(seat=seat, clause=clause))
    if state.phase.kind is Kind.SETTLING:
        # The pot is not delivered: it is awarded anew, without him.
        circle.won.clear()
        state.naming = [each for each in state.naming if each.slot is None or each.slot.seat in (None, *state.staying)]
        state.is_to_settle = True
    else:
        flow.after_a_seat_left(state, circle)


def lose_bets(state: State, incident: Incident) -> None:
    """The pit boss: what these seats put in stays in the pot."""
    for seat in _not_void(state, incident):
        if state.seats[seat].stays:
            withdraw(state, seat, incident.clause)
        _leave(state, seat, returned=False)
    go_on(state)


def refund_bets(state: State, incident: Incident) -> None:
    """The pit boss: these seats get back what they put in."""
    for seat in _not_void(state, incident):
        if state.seats[seat].stays:
            withdraw(state, seat, incident.clause)
        _chips_back(state, seat)
    go_on(state)


def go_on(state: State) -> None:
    """The round or the hand may be over now; not before it is ruled on every seat that is out."""
    circle = state.circle
    assert circle is not None
    if circle.rounds is None or set(circle.rounds.live) == set(state.staying):
        flow.after_a_seat_left(state, circle)


def _chips_back(state: State, seat: int) -> None:
    state.seats.annul(seat)
    refund(state, seat)
    _leave(state, seat, returned=True)


def _leave(state: State, seat: int, *, returned: bool) -> None:
    circle = state.circle
    assert circle is not None
    circle.forget_entry()
    rounds = circle.rounds
    if rounds is not None and rounds.is_in(seat):
        rounds.leave(seat, returned=returned)


def _not_void(state: State, incident: Incident) -> list[int]:
    return [seat for seat in incident.seats if (held := state.seats.get(seat)) is not None and not held.void]
