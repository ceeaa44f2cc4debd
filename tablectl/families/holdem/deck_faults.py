"""A deck that lacks a card, has one twice, a foreign one or a damaged one (THL-MIS-5, THL-SHF-1).

What a person says: until the first card another deck takes its place, before two actions the hand is void, after them
it stands by the letter of THL-MIS-8, and the pit boss may void it. A doubled or foreign card that a reader finds is for
the pit boss, however late, as in every game (AMB-13).
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.incidents import can_void, escalate
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.vocabulary import Chooser, Remedy
from tablectl.core.options.holdem import MissingCardLate
from tablectl.families.holdem.deadlines import TWO, actions
from tablectl.families.holdem.state import HoldemState
from tablectl.families.holdem.two_actions import TWO_SAID, void
from tablectl.families.pots.hand_open import before_the_first_card

CLAUSE: Final = "THL-MIS-5"
_BEFORE_THE_DEAL: Final = "THL-SHF-1"


def outcome(state: HoldemState, expected: str, observed: str) -> Outcome:
    """What a person's word does that a card is missing or the deck not sound."""
    if not can_void(state):
        return _of(_BEFORE_THE_DEAL, expected, observed, (Remedy.CONTINUE,), Chooser.RULE)
    if before_the_first_card(state):
        return _of(_BEFORE_THE_DEAL, expected, observed, (Remedy.NEW_DECK,), Chooser.RULE)
    made = actions(state)
    if made is None:
        return _of(CLAUSE, expected, observed, (Remedy.VOID_HAND, Remedy.CONTINUE), Chooser.CROUPIER)
    if made < TWO:
        return _of(CLAUSE, expected, observed, (Remedy.VOID_HAND,), Chooser.RULE)
    return _of(CLAUSE, expected, observed, _late(state), Chooser.PIT_BOSS)


def _of(clause: str, expected: str, observed: str, remedies: tuple[Remedy, ...], chooser: Chooser) -> Outcome:
    return Outcome(clause=clause, expected=expected, observed=observed, remedies=remedies, chooser=chooser)


def _late(state: HoldemState) -> tuple[Remedy, ...]:
    """AMB-13: for the pit boss, the house's proposal first."""
    stands = state.rulebook.house.missing_card_late is MissingCardLate.STANDS
    return (Remedy.CONTINUE, Remedy.VOID_HAND) if stands else (Remedy.VOID_HAND, Remedy.CONTINUE)


def two_said(state: HoldemState, pending: Pending, answer: str | int) -> None:
    """Whether two had acted when it was found."""
    incident = pending.incident
    assert incident is not None, "it is asked about a deck"
    if answer == TWO_SAID:
        escalate(state, incident, _late(state))
    else:
        void(state, incident)
