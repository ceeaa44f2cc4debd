"""The button lies at a wrong seat (THL-MIS-6): moved before the first card, void before two actions, else it stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine import one_order
from tablectl.core.engine.decisions import ButtonAt
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.incidents import ask, close
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seat_said import one_seat
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy
from tablectl.families.holdem.dealt_order import ORDER
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import TWO_SAID, carry_out, judged, void
from tablectl.families.pots.hand_open import before_the_first_card, is_open

CLAUSE: Final = "THL-MIS-6"
_BUTTON: Final = "button"


def applies(state: HoldemState) -> bool:
    """Whether a hand is open in which the button has its place."""
    is_before_the_deal = state.phase.kind is Kind.BETTING
    return state.positions is not None and (is_before_the_deal or is_open(state))


def foretold(state: HoldemState) -> Outcome:
    """What a wrong button does now."""
    return _outcome(state, "wrong-button", ())


def declared(state: HoldemState, fact: Declared) -> None:
    """`spot` is where it lies."""
    if not applies(state):
        state.refuse(Refusal.NOT_LIVE, CLAUSE)
        return
    seat = one_seat(state, fact, wrong_seats(state), CLAUSE)
    if seat is not None:
        lies_at(state, seat)


def wrong_seats(state: HoldemState) -> tuple[int, ...]:
    """Where it can lie and does not belong."""
    return tuple(seat for seat in state.present if seat != state.button)


def lies_at(state: HoldemState, seat: int) -> None:
    """The button lies before this seat, which is not the right one. What readers tell of the order of the cards comes
    from that."""
    outcome = _outcome(state, f"seat-{seat}", (seat,))
    if outcome.remedies == (Remedy.CORRECT,):
        carried_out(state, outcome)
        ask(state, Question.MOVED, _BUTTON)
        return
    incident = carry_out(state, outcome, one_order.asked(state, ORDER))
    if incident.chooser is Chooser.RULE and incident.remedies == (Remedy.CONTINUE,):
        _stays(state, seat)


def _outcome(state: HoldemState, observed: str, seats: tuple[int, ...]) -> Outcome:
    expected = f"seat-{state.button}"
    if before_the_first_card(state):
        return Outcome(clause=CLAUSE, expected=expected, observed=observed, remedies=(Remedy.CORRECT,), seats=seats)
    return judged(state, clause=CLAUSE, expected=expected, observed=observed, seats=seats)


def two_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """Whether two had acted when it was found."""
    incident = pending.incident
    assert incident is not None, "it is asked about a button"
    if answer == TWO_SAID:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
        _stays(state, incident.seats[0])
    else:
        void(state, incident)


def _stays(state: HoldemState, seat: int) -> None:
    """The hand stands, and the button goes on from where it lay in it."""
    assert state.positions is not None
    state.positions = replace(state.positions, button=seat)
    state.say(ButtonAt(seat=seat, clause=CLAUSE))


def refuse(state: HoldemState) -> None:
    """The button is not moved in the middle of a hand."""
    state.refuse(Refusal.HAND_IN_PLAY, "THL-MIS-6", f"button=seat-{state.button}")
