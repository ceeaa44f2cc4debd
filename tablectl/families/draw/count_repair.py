"""A wrong number of cards is put right, or the cards are dealt again: the croupier chooses where both can be, and does
it (FCD-IRR-8 to -10, FCD-IRR-12, AMB-75)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.incidents import ask, close, void_hand
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy
from tablectl.families.draw import holdings, looked_at
from tablectl.families.draw.state import DrawState, Moving

_STUB: Final = "stub"


def choose(state: DrawState, outcome: Outcome) -> None:
    """With one remedy it is carried out at once."""
    if outcome.chooser is Chooser.RULE:
        _repair(state, carried_out(state, outcome), outcome.remedies[0])
    else:
        incident = raised(state, outcome)
        ask(state, Question.REDEAL_OR_CORRECT, f"seat-{outcome.seats[0]}", incident)


def redeal_said(state: DrawState, pending: Pending, answer: str | int) -> None:
    """FCD-IRR-12, AMB-75: where nobody has looked it is better to collect all the cards and deal again."""
    incident = pending.incident
    assert incident is not None, "it is asked about a count"
    if answer == "redeal":
        close(state, incident, Remedy.REDEAL, Chooser.CROUPIER)
        void_hand(state, looked_at.DEAL_AGAIN)
        return
    (repair,) = (remedy for remedy in incident.remedies if remedy is not Remedy.REDEAL)
    close(state, incident, repair, Chooser.CROUPIER)
    _repair(state, incident, repair)


def _repair(state: DrawState, incident: Incident, remedy: Remedy) -> None:
    state.forget_entry()
    seat = incident.seats[0]
    if remedy is Remedy.CORRECT:
        return  # he has laid the cards of both where they belong
    if remedy is Remedy.COMPLETE_FROM_STUB:
        holdings.complete(state, seat)
        return
    to = incident.seats[1] if remedy is Remedy.PASS_CARD else None
    about = _STUB if to is None else f"seat-{to}"
    state.draw.moving.append(Moving(seat, to, ask(state, Question.MOVED, about)))


def moved(state: DrawState, pending: Pending) -> None:
    """The croupier has put the card under the stub, or given it to the other player."""
    hand = state.draw
    for moving in [move for move in hand.moving if move.asked is pending]:
        hand.moving.remove(moving)
        if moving.to is None:
            holdings.put_under(state, moving.seat)
        else:
            holdings.passed(state, moving.seat, moving.to)
