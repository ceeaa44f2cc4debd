"""A hand dies for an error of the deal: at any time until the pot is delivered (THL-PLE-12, THL-MIS-7)."""

from __future__ import annotations

from tablectl.engine.circle import flow
from tablectl.engine.decisions import SeatWithdrawn
from tablectl.engine.incidents import refund
from tablectl.engine.rulebook import Kind
from tablectl.engine.state import State


def out(state: State, seat: int, clause: str, *, returned: bool) -> None:
    """The hand of a seat is dead; what it put in stays in the pot, or goes back."""
    circle = state.circle
    assert circle is not None
    assert circle.rounds is not None
    if returned:
        refund(state, seat)
        state.seats.annul(seat)
    else:
        state.seats.withdraw(seat)
    circle.rounds.leave(seat, returned=returned)
    circle.takes_back = False
    state.say(SeatWithdrawn(seat=seat, clause=clause))
    if state.phase.kind is Kind.SETTLING:
        # The pot is not delivered: it is awarded anew, without him.
        circle.won.clear()
        state.naming = [each for each in state.naming if each.slot is None or each.slot.seat in (None, *state.staying)]
        state.is_to_settle = True
    else:
        flow.after_a_seat_left(state, circle)
