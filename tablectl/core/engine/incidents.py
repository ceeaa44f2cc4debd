"""The life of an incident: raised, asked about, escalated, ruled, closed; and what voiding means."""

from __future__ import annotations

from tablectl.core.engine.cable_faults import is_cable_fault
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.decisions import (
    Asked,
    HandVoided,
    IncidentClosed,
    IncidentEscalated,
    IncidentRaised,
    IncidentSeen,
    SeatVoided,
)
from tablectl.core.engine.facts import Acknowledged, Called, StandingBet
from tablectl.core.engine.pending import CALLED, Cause, Incident, Pending
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.two_persons import CARDS_ON_FELT, CONTROLLER_FAULT, Report, needed, report_of
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy, Severity


def raise_incident(
    state: State,
    *,
    clause: str,
    expected: str,
    observed: str,
    remedies: tuple[Remedy, ...],
    chooser: Chooser,
    severity: Severity = Severity.ALERT,
    draw: Draw | None = None,
    spot: str | None = None,
    seats: tuple[int, ...] = (),
    request: StandingBet | None = None,
    report: Report | None = None,
    instead_of: Incident | None = None,
) -> Incident:
    """Say that something departed from the rulebook. Where the pit boss chooses, the table waits for him.

    `report`: what a device said that must not be, where no word of the incident tells it. `instead_of`: what it was
    taken for until now. One cause is one incident: it keeps its number, and what was said of it before holds no more.
    """
    if report is None:
        report = report_of(expected=expected, observed=observed, is_told_by_device=state.is_reported)
    two_persons = _two_persons(state, report, remedies, chooser)
    of_draw = draw.number if draw is not None else None
    if instead_of is None:
        number = _number(state, Cause(clause, expected, observed, of_draw, seats))
    else:
        number = instead_of.number
        stop_waiting(state, instead_of)
    incident = Incident(number, clause, remedies, chooser, draw, spot, seats, request, report, two_persons, observed)
    state.unseen.add(number)
    state.say(
        IncidentRaised(
            incident=number,
            clause=clause,
            severity=severity,
            expected=expected,
            observed=observed,
            chooser=chooser,
            remedies=remedies,
            draw=of_draw,
            seats=seats,
            two_persons=two_persons,
        )
    )
    if chooser is Chooser.PIT_BOSS:
        waiting = state.ruling if request is None else state.requests
        waiting[incident.number] = incident
    return incident


def _number(state: State, cause: Cause) -> int:
    """The next one; in a hand that is played again the one that the same incident had."""
    if state.known_incidents and (known := state.known_incidents.get(cause)):
        return known.pop(0)
    state.n_incidents += 1
    return state.n_incidents


def _two_persons(
    state: State, report: Report | None, remedies: tuple[Remedy, ...], chooser: Chooser
) -> tuple[Remedy, ...]:
    if not state.setup.staff:
        return ()
    return needed(report, remedies, chooser, at_settlement=state.phase.kind is Kind.SETTLING)


def needs_reason(state: State, incident: Incident, remedy: Remedy) -> bool:
    """Whether the pit boss has to say why: he annuls a hand or what was settled, overrules a reader, takes a payment
    back (ruling "Who confirms"), or gives bets back that are lost by the clause (rulings 34, 41, 68, THL-CRE-3)."""
    if remedy is Remedy.REFUND_BETS and incident.remedies[0] is not remedy:
        return True
    at_settlement = state.phase.kind is Kind.SETTLING
    report = None if incident.report is CONTROLLER_FAULT else incident.report
    return remedy in needed(report, incident.remedies, incident.chooser, at_settlement=at_settlement)


def ask(state: State, question: Question, about: str, incident: Incident | None = None) -> Pending:
    """Ask the croupier; the table waits."""
    pending = Pending(question, about, incident)
    state.asking.append(pending)
    state.say(Asked(question=question, about=about, incident=incident.number if incident else None))
    return pending


def ask_first(state: State, question: Question, about: str, incident: Incident | None = None) -> Pending:
    """Ask before anything else that is being asked. A question that stands already moves there, and stands once."""
    pending = Pending(question, about, incident)
    others = [
        asked
        for asked in state.asking
        if (asked.question, asked.about) != (question, about) or asked.incident is not incident
    ]
    state.asking = [pending, *others]
    state.say(Asked(question=question, about=about, incident=incident.number if incident else None))
    return pending


def escalate(state: State, incident: Incident, remedies: tuple[Remedy, ...]) -> None:
    """The croupier's answer leaves a choice: the pit boss has it (THB-STF-1)."""
    incident.remedies = remedies
    incident.chooser = Chooser.PIT_BOSS
    incident.two_persons = _two_persons(state, incident.report, remedies, Chooser.PIT_BOSS)
    state.ruling[incident.number] = incident
    state.say(IncidentEscalated(incident=incident.number, remedies=remedies, two_persons=incident.two_persons))


def close(state: State, incident: Incident, remedy: Remedy, by: Chooser) -> None:
    """The remedy is decided and carried out. That is the response, or there was none to give: nobody has to acknowledge
    it then, but for a device or a cable, which somebody has to look at."""
    stop_waiting(state, incident)
    if incident.number in state.unseen and not is_cable_fault(incident.observed):
        state.unseen.discard(incident.number)
        state.answered.add(incident.number)
    state.say(IncidentClosed(incident=incident.number, remedy=remedy, by=by))


def stop_waiting(state: State, incident: Incident) -> None:
    """Nobody is asked about it, and nobody has to rule on it any more."""
    state.ruling.pop(incident.number, None)
    state.requests.pop(incident.number, None)
    state.asking = [pending for pending in state.asking if pending.incident is not incident]


def void_hand(state: State, clause: str) -> None:
    """The whole hand is annulled and every bet goes back to its owner, or stays in its box for the next hand where the
    house has it so (AMB-46). What was settled already only the pit boss can undo (TPC-MIS-0). A hand that is void
    already stays as it is: nobody gets his money back twice."""
    if state.phase.kind is Kind.VOIDED:
        return
    for incident in _open(state):
        close(state, incident, Remedy.VOID_HAND, incident.chooser)
    for request in list(state.requests.values()):
        close(state, request, Remedy.REJECT, Chooser.RULE)
    state.asking.clear()
    state.unnamed.clear()
    state.say(HandVoided(clause=clause))
    state.house_won = 0
    state.family.voided(state)
    keeps = state.family.keeps_entries(state)
    for seat in state.order:
        if not state.seats[seat].void:
            state.family.refund(state, seat, keeps_entry=keeps and seat not in state.expelled)
    state.fire("void")
    state.family.settled_already(state, state.order)


def void_seat(state: State, seat: int, clause: str) -> None:
    """One seat's hand is dead; its bets go back, its cards are collected (AMB-53). One that is dead already has had its
    bets back."""
    if state.seats[seat].void:
        return
    state.seats.annul(seat)
    state.say(SeatVoided(seat=seat, clause=clause))
    state.family.refund(state, seat, keeps_entry=False)


def acknowledged(state: State, fact: Acknowledged) -> None:
    """Somebody has seen it; nothing else changes. It is taken too where the incident was decided at that moment."""
    if fact.incident not in state.unseen | state.answered:
        state.refuse(Refusal.UNKNOWN_INCIDENT, detail=str(fact.incident))
        return
    state.unseen.discard(fact.incident)
    state.answered.discard(fact.incident)
    state.say(IncidentSeen(incident=fact.incident, by=fact.by))


def called(state: State, fact: Called) -> None:
    """Somebody wants the pit boss: THB-STF-1 gives him every problem of the game."""
    is_void = state.phase.kind is Kind.VOIDED and state.has_antennas
    choices = (Remedy.CONTINUE, *state.family.choices_when_called(state))
    hand_over(state, observed=CALLED, choices=choices, report=CARDS_ON_FELT if is_void else None)


def hand_over(
    state: State,
    *,
    observed: str,
    choices: tuple[Remedy, ...],
    expected: str = "play",
    draw: Draw | None = None,
    report: Report | None = None,
) -> None:
    """To the pit boss, who has these choices, and to void the hand where there is one."""
    raise_incident(
        state,
        clause=state.rulebook.errors.ruling,
        expected=expected,
        observed=observed,
        remedies=(*choices, Remedy.VOID_HAND) if can_void(state) else choices,
        chooser=Chooser.PIT_BOSS,
        draw=draw,
        report=report,
    )


def can_void(state: State) -> bool:
    """Whether there is a hand that could be annulled."""
    return state.machine.refusal("void", state) is None


def _open(state: State) -> list[Incident]:
    asked = [pending.incident for pending in state.asking if pending.incident is not None]
    found = {incident.number: incident for incident in (*asked, *state.ruling.values())}
    found.pop(state.shoe_lost.number if state.shoe_lost else 0, None)
    return [found[number] for number in sorted(found)]
