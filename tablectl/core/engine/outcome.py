"""What follows from an error: foretold before it is declared, raised as an incident, carried out where no one rules."""

from __future__ import annotations

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.incidents import close, raise_incident, void_hand
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy


def raised(state: State, outcome: Outcome) -> Incident:
    """The incident."""
    return raise_incident(
        state,
        clause=outcome.clause,
        expected=outcome.expected,
        observed=outcome.observed,
        remedies=outcome.remedies,
        chooser=outcome.chooser,
        severity=outcome.severity,
        draw=outcome.draw,
        spot=outcome.spot,
        seats=outcome.seats,
    )


def carried_out(state: State, outcome: Outcome) -> Incident:
    """Raise it; where the rule decides, it is decided, and a hand that it voids is void."""
    incident = raised(state, outcome)
    if outcome.chooser is Chooser.RULE:
        (remedy,) = outcome.remedies
        close(state, incident, remedy, Chooser.RULE)
        if remedy is Remedy.VOID_HAND:
            void_hand(state, outcome.clause)
    return incident


def late(state: State, clause: str, observed: str, draw: Draw) -> None:
    """Declared after the deadline: the document does not say what then; the pit boss does."""
    carried_out(
        state,
        Outcome(
            clause=clause,
            expected="declared-at-once",
            observed=observed,
            remedies=(Remedy.VOID_HAND, Remedy.CONTINUE),
            chooser=Chooser.PIT_BOSS,
            draw=draw,
        ),
    )


def question_about(state: State, draw: Draw | None) -> Pending | None:
    """The open question whether this card was seen, where it is one that belongs nowhere yet."""
    for pending in state.asking:
        incident = pending.incident
        if pending.question is Question.SEEN and incident is not None and draw is not None and incident.draw is draw:
            return pending if draw.slot is None else None
    return None
