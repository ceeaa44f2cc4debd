"""The two actions that end the time for a misdeal: void before them, accepted afterwards (THL-MIS-8, THL-MIS-9).

The count stops when somebody stops the table (AMB-11): nothing is bet while it is held.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.incidents import ask, close, void_hand
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy, Severity
from tablectl.families.holdem.deadlines import TWO, actions
from tablectl.families.holdem.state import HoldemState

#: An error of the deal that is found after two actions is none any more.
ACCEPTED: Final = "THL-MIS-8"
#: Croupier: two have acted.
TWO_SAID: Final = "two"
_DEAL: Final = "deal"


def judged(
    state: HoldemState,
    *,
    clause: str,
    expected: str,
    observed: str,
    draw: Draw | None = None,
    seats: tuple[int, ...] = (),
) -> Outcome:
    """What an error of the deal does that cannot be put right: void before two actions (THL-MIS-9), accepted after them
    (THL-MIS-8), for the croupier to say where the actions are not entered."""
    made = actions(state)
    late = made is not None and made >= TWO
    voids_or_stands = (Remedy.VOID_HAND, Remedy.CONTINUE)
    return Outcome(
        clause=ACCEPTED if late else clause,
        expected=expected,
        observed=observed,
        remedies=voids_or_stands if made is None else voids_or_stands[late : late + 1],
        chooser=Chooser.CROUPIER if made is None else Chooser.RULE,
        severity=Severity.NOTICE if late else Severity.ALERT,
        draw=draw,
        seats=seats,
    )


def carry_out(state: HoldemState, outcome: Outcome, instead_of: Incident | None = None) -> Incident:
    """Raise it, and do what is decided; otherwise the croupier is asked whether two have acted. `instead_of`: what it
    was taken for until now."""
    incident = carried_out(state, outcome, instead_of)
    if incident.chooser is Chooser.CROUPIER:
        ask_about(state, incident)
    return incident


def ask_about(state: HoldemState, incident: Incident) -> Pending:
    """Ask whether two have acted."""
    return ask(state, Question.TWO_ACTIONS, _DEAL, incident)


def said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """The croupier says whether two have acted."""
    incident = pending.incident
    assert incident is not None, "it is asked about an error"
    if answer == TWO_SAID:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
    else:
        void(state, incident)


def void(state: HoldemState, incident: Incident) -> None:
    """THL-MIS-0, THL-MIS-9: by the croupier's answer the hand is void, and everybody has his money back."""
    close(state, incident, Remedy.VOID_HAND, Chooser.CROUPIER)
    void_hand(state, incident.clause)
