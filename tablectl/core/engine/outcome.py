"""What follows from an error: foretold before it is declared, raised as an incident, carried out where no one rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.incidents import ask, close, raise_incident, void_hand
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import BY_NAME, DECK_SPOT
from tablectl.core.engine.state import State
from tablectl.core.engine.two_persons import ENDS, READERS_ALONE, Report
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy

#: Every spot of the layout.
_SPOTS: Final = frozenset(slot.spot for slot in BY_NAME.values())


def raised(
    state: State, outcome: Outcome, report: Report | None = None, instead_of: Incident | None = None
) -> Incident:
    """The incident. `report`: what a device said, where no word of the incident tells it. `instead_of`: what it was
    taken for until now."""
    incident = raise_incident(
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
        report=report,
        instead_of=instead_of,
    )
    incident.elsewhere = outcome.elsewhere
    return incident


def carried_out(state: State, outcome: Outcome, instead_of: Incident | None = None) -> Incident:
    """Raise it; where the rule decides, it is decided, and a hand that it voids is void. No hand is void by the word of
    readers alone. `instead_of`: what it was taken for until now."""
    if outcome.chooser is Chooser.RULE and state.is_of_readers and outcome.remedies == (Remedy.VOID_HAND,):
        return _is_it_so(state, outcome, instead_of)
    if outcome.chooser is Chooser.RULE and ENDS.issuperset(outcome.remedies):
        outcome = confirmed_at_settlement(state, outcome)
    incident = raised(state, outcome, instead_of=instead_of)
    if outcome.chooser is Chooser.RULE:
        (remedy,) = outcome.remedies
        close(state, incident, remedy, Chooser.RULE)
        if remedy is Remedy.VOID_HAND:
            void_hand(state, outcome.clause)
    return incident


def confirmed_at_settlement(state: State, outcome: Outcome) -> Outcome:
    """What annuls a hand or a seat's, as the pit boss has to confirm it once the settlement is under way: he sees what
    it takes back, and says why (ruling "Who confirms"). Before that the outcome itself."""
    if state.phase.kind is not Kind.SETTLING:
        return outcome
    return replace(outcome, remedies=(*outcome.remedies, Remedy.CONTINUE), chooser=Chooser.PIT_BOSS)


def _is_it_so(state: State, outcome: Outcome, instead_of: Incident | None) -> Incident:
    """Ruling "sensors": the croupier looks and confirms it; the pit boss may overrule the readers with a reason."""
    has_no_place = outcome.draw is not None and outcome.draw.slot is None
    otherwise = Remedy.NEXT_CARD if has_no_place else Remedy.CONTINUE
    overruled = replace(outcome, remedies=(Remedy.VOID_HAND, otherwise), chooser=Chooser.PIT_BOSS)
    incident = raised(state, overruled, READERS_ALONE, instead_of)
    spot, _, _ = outcome.observed.partition("=")
    is_place = outcome.draw is not None and spot in _SPOTS
    incident.spot = spot if is_place else None
    places = tuple(dict.fromkeys(place for _, place in outcome.elsewhere))
    ask(state, Question.LIES_THERE, "+".join(places) or (spot if is_place else DECK_SPOT), incident)
    return incident


def is_it_so_said(state: State, pending: Pending, answer: str | int) -> None:
    """The croupier looked. What he does not find is for the pit boss, who knows what the readers say."""
    incident = pending.incident
    assert incident is not None, "it is asked about an error"
    if answer == "lies-there" and state.phase.kind is not Kind.SETTLING:
        close(state, incident, Remedy.VOID_HAND, Chooser.CROUPIER)
        void_hand(state, incident.clause)


def lies_right_again(state: State, draw: Draw) -> None:
    """Ruling "wrong place": the card was carried back before anybody confirmed where it lay; of several that came in a
    wrong order all have to be."""
    for pending in list(state.asking):
        incident = pending.incident
        if pending.question is not Question.LIES_THERE or incident is None or not incident.is_about(draw):
            continue
        incident.elsewhere = tuple([(card, spot) for card, spot in incident.elsewhere if card is not draw])
        if not incident.elsewhere:
            close(state, incident, Remedy.CONTINUE, Chooser.RULE)


def question_about(state: State, draw: Draw | None) -> Pending | None:
    """The open question whether this card was seen, where it is one that belongs nowhere yet."""
    for pending in state.asking:
        incident = pending.incident
        if pending.question is Question.SEEN and incident is not None and draw is not None and incident.draw is draw:
            return pending if draw.slot is None else None
    return None
