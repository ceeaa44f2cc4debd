"""The button lies at a wrong seat (THL-MIS-6): moved before the first card, void before two actions, else it stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.circle.deal_errors.two_actions import (
    TWO_SAID,
    before_the_first_card,
    carry_out,
    is_open,
    judged,
    void,
)
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.decisions import ButtonAt
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.errors.seat_said import one_seat
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import Pending, State
from tablectl.core.engine.words import Chooser, Question, Refusal, Remedy

CLAUSE: Final = "THL-MIS-6"
_BUTTON: Final = "button"


def applies(state: State) -> bool:
    """Whether a hand is open in which the button has its place."""
    circle = state.circle
    is_before_the_deal = state.phase.kind is Kind.BETTING
    return circle is not None and circle.positions is not None and (is_before_the_deal or is_open(state))


def foretold(state: State) -> Outcome:
    """What a wrong button does now."""
    return _outcome(state, "wrong-button", ())


def declared(state: State, fact: Declared) -> None:
    """`spot` is where it lies."""
    circle = state.circle
    assert circle is not None
    if not applies(state):
        state.refuse(Refusal.NOT_LIVE, CLAUSE)
        return
    seat = one_seat(state, fact, wrong_seats(state), CLAUSE)
    if seat is not None:
        lies_at(state, circle, seat)


def wrong_seats(state: State) -> tuple[int, ...]:
    """Where it can lie and does not belong."""
    circle = state.circle
    assert circle is not None
    return tuple(seat for seat in circle.present if seat != circle.button)


def lies_at(state: State, circle: Memory, seat: int) -> None:
    """The button lies before this seat, which is not the right one."""
    outcome = _outcome(state, f"seat-{seat}", (seat,))
    if outcome.remedies == (Remedy.CORRECT,):
        carried_out(state, outcome)
        ask(state, Question.MOVED, _BUTTON)
        return
    incident = carry_out(state, outcome)
    if incident.chooser is Chooser.RULE and incident.remedies == (Remedy.CONTINUE,):
        _stays(state, circle, seat)


def _outcome(state: State, observed: str, seats: tuple[int, ...]) -> Outcome:
    circle = state.circle
    assert circle is not None
    expected = f"seat-{circle.button}"
    if before_the_first_card(state):
        return Outcome(clause=CLAUSE, expected=expected, observed=observed, remedies=(Remedy.CORRECT,), seats=seats)
    return judged(state, clause=CLAUSE, expected=expected, observed=observed, seats=seats)


def two_said(state: State, pending: Pending, answer: str | int) -> None:
    """Whether two had acted when it was found."""
    incident = pending.incident
    assert incident is not None, "it is asked about a button"
    assert state.circle is not None
    if answer == TWO_SAID:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
        _stays(state, state.circle, incident.seats[0])
    else:
        void(state, incident)


def _stays(state: State, circle: Memory, seat: int) -> None:
    """The hand stands, and the button goes on from where it lay in it."""
    assert circle.positions is not None
    circle.positions = replace(circle.positions, button=seat)
    state.say(ButtonAt(seat=seat, clause=CLAUSE))
