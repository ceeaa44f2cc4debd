"""Incidents from the record that raises one to the person who has seen it, and entries that changed nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import (
    Asked,
    IncidentClosed,
    IncidentEscalated,
    IncidentRaised,
    IncidentSeen,
    Refused,
)
from tablectl.core.engine.facts import (
    Acted,
    AsksFor,
    Bets,
    ButtonPlaced,
    Called,
    Declared,
    Moved,
    Named,
    Pressed,
    PutIn,
    Removed,
    Ruled,
    SignedOff,
    SignedOn,
    Stacked,
    StandingBet,
    StandsOut,
    TopologyChanged,
)
from tablectl.core.engine.vocabulary import NAMED_CARDS, Chooser, Declaration, Key, Question, Remedy
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding import circle, draw
from tablectl.core.public_table.folding.step import Steps, nothing
from tablectl.core.public_table.incident import IncidentState, IncidentView, RefusalView
from tablectl.core.public_table.table import PublicTable

#: How many incidents a page keeps at most.
INCIDENTS_KEPT: Final = 60
#: Of a number of cards it has the clause by which they are said (FCD-DSC-14).
_TAKEN_BACK: Final = "taken-back"


def _incident_raised(view: PublicTable, said: IncidentRaised, record: PublicRecord) -> PublicTable:
    made = IncidentView(
        number=said.incident,
        hand=view.hand,
        at=record.at,
        clause=said.clause,
        severity=said.severity,
        expected=said.expected,
        observed=said.observed,
        chooser=said.chooser,
        remedies=said.remedies,
        two_persons=said.two_persons,
        draw=said.draw,
        told=record.event.reason if isinstance(record.event, Called) else "",
        device=record.event.what if isinstance(record.event, TopologyChanged) else "",
        about=_about(said),
        bets=record.event.amounts if isinstance(record.event, StandingBet) else {},
        state=IncidentState.RULING if said.chooser is Chooser.PIT_BOSS else IncidentState.ASKED,
    )
    incidents = {number: incident for number, incident in view.incidents.items() if number != made.number}
    return replace(view, incidents=_kept({**incidents, made.number: made}))


def _about(said: IncidentRaised) -> str:
    """Which of two seats a ruling is about: of cards in contact each of the two is ruled on (TPC-PLE-1), of two boxes
    the second one (THB-PLY-2)."""
    return f"seat-{said.seats[0]}" if len(said.seats) == 1 and "+" in said.observed else ""


def _kept(incidents: dict[int, IncidentView]) -> dict[int, IncidentView]:
    """The newest ones; an older one stays as long as somebody has to respond to it."""
    surplus = len(incidents) - INCIDENTS_KEPT
    done = [number for number, incident in sorted(incidents.items()) if incident.is_done][: max(0, surplus)]
    return {number: incident for number, incident in incidents.items() if number not in done}


def _change(view: PublicTable, number: int, change: Callable[[IncidentView], IncidentView]) -> PublicTable:
    incident = view.incidents.get(number)
    if incident is None:
        return view  # raised before the stream began
    return replace(view, incidents={**view.incidents, number: change(incident)})


def _answer(view: PublicTable, number: int, record: PublicRecord) -> bool | None:
    """Whether it was seen, where this record answers just that of this incident."""
    asked = view.prompt
    if asked is None or (asked.question, asked.incident) != (Question.SEEN, number):
        return None
    return record.event.key is Key.SEEN if isinstance(record.event, Pressed) else None


def _incident_escalated(view: PublicTable, said: IncidentEscalated, record: PublicRecord) -> PublicTable:
    remedies, two_persons = said.remedies, said.two_persons
    return _change(
        view,
        said.incident,
        lambda incident: replace(
            incident,
            remedies=remedies,
            two_persons=two_persons,
            chooser=Chooser.PIT_BOSS,
            state=IncidentState.RULING,
            was_seen=_answer(view, incident.number, record),
        ),
    )


def _incident_closed(view: PublicTable, said: IncidentClosed, record: PublicRecord) -> PublicTable:
    event, number = record.event, said.incident
    ruled = event if isinstance(event, Ruled) and event.incident == number else None
    if said.remedy is Remedy.REJECT and number in view.incidents and view.incidents[number].observed == NAMED_CARDS:
        view = circle.not_awarded(view)
    elif said.remedy is Remedy.CORRECT and number in view.incidents and _is_claim(view.incidents[number]):
        view = replace(view, upheld=(*view.upheld, number))
    return _change(
        view,
        number,
        lambda incident: replace(
            incident,
            state=IncidentState.CLOSED,
            remedy=said.remedy,
            closed_by=said.by,
            closed_at=record.at,
            ruled_by=ruled.by if ruled else None,
            second=ruled.second if ruled else "",
            reason=ruled.reason if ruled else "",
            was_seen=incident.was_seen if ruled else _answer(view, number, record),
        ),
    )


def _is_claim(incident: IncidentView) -> bool:
    return incident.observed == Declaration.CLAIM


def _incident_seen(view: PublicTable, said: IncidentSeen, record: PublicRecord) -> PublicTable:
    return _change(view, said.incident, lambda incident: replace(incident, seen_by=said.by, seen_at=record.at))


#: What is entered for the game at the table. What is refused of it stands on the croupier's page; what a pit boss
#: enters beside it is answered where he did, and a report that a shoe repeated was entered by nobody.
ENTERED_AT_TABLE: Final = frozenset(
    {Pressed, Bets, Removed, StandingBet, StandsOut, Acted, PutIn, AsksFor, Moved, Stacked}
    | {ButtonPlaced, Declared, Named, Called, SignedOn, SignedOff}
)


def _refused(view: PublicTable, said: Refused, record: PublicRecord) -> PublicTable:
    if type(record.event) not in ENTERED_AT_TABLE:
        return view
    made = RefusalView(
        seq=record.seq,
        why=said.why,
        clause=said.clause,
        detail=said.detail,
        entry=record.entry,
    )
    if (made.why, made.clause) == (_TAKEN_BACK, _NUMBER):
        view = draw.number_taken_back(view, int(made.detail.removeprefix("seat-")))
    return replace(view, refusal=made)


#: The number of cards that a player changes was keyed wrongly.
_NUMBER: Final = "FCD-DSC-14"

DECISIONS: Final[Steps] = {
    Refused: _refused,
    IncidentRaised: _incident_raised,
    Asked: nothing,  # the prompt says what is asked first
    IncidentEscalated: _incident_escalated,
    IncidentClosed: _incident_closed,
    IncidentSeen: _incident_seen,
}
