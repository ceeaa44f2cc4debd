"""Devices that go and come back, as far as the game is concerned: only the shoe can hold the table."""

from __future__ import annotations

from tablectl.engine.facts import DeviceBack, DeviceLost, DeviceSaid, Opened
from tablectl.engine.incidents import ask, close, raise_incident
from tablectl.engine.state import Incident, State
from tablectl.engine.words import Chooser, Question, Remedy, Severity

SHOE = "shoe"


def lost(state: State, fact: DeviceLost) -> None:
    """THB-SAB-1: every card comes out of the shoe; with the shoe away nobody knows, so nothing is dealt."""
    if fact.role != SHOE or state.shoe_lost is not None:
        return
    for pending in [each for each in state.asking if each.question is Question.NOTHING_DRAWN]:
        if pending.incident is not None:
            close(state, pending.incident, Remedy.CONTINUE, Chooser.RULE)
    state.shoe_lost = raise_incident(
        state,
        clause=state.rulebook.errors.outside_shoe,
        expected="shoe",
        observed="shoe-lost",
        remedies=(Remedy.CONTINUE,),
        chooser=Chooser.CROUPIER,
        severity=Severity.NOTICE,
    )


def lost_shoe(state: State, number: int) -> Incident:
    """The incident of a shoe that was lost in an earlier hand and still is."""
    return Incident(number, state.rulebook.errors.outside_shoe, (Remedy.CONTINUE,), Chooser.CROUPIER)


def back(state: State, fact: DeviceBack) -> None:
    """The shoe answers again. With a hand open, the croupier says that no card was drawn meanwhile."""
    incident = state.shoe_lost
    if fact.role != SHOE or incident is None:
        return
    state.shoe_lost = None
    if state.in_play:
        ask(state, Question.NOTHING_DRAWN, SHOE, incident)
    else:
        close(state, incident, Remedy.CONTINUE, Chooser.RULE)


def said(state: State, fact: DeviceSaid) -> None:
    """For the record: the shoe's own errors and counts decide nothing here (deck accounting is ours)."""


def opened(state: State, fact: Opened) -> None:
    """The controller started (again). With a hand open the croupier confirms the felt before anything goes on."""
    state.next_setup = fact.setup
    if state.in_play and not any(pending.question is Question.FELT for pending in state.asking):
        ask(state, Question.FELT, "felt")
