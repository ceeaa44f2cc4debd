"""Incidents from the record that raises one to the person who has seen it, and entries that changed nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.screens.folding import draw
from tablectl.screens.folding.step import Record, Step, nothing
from tablectl.screens.incident_model import IncidentState, IncidentView, RefusalView
from tablectl.screens.model import TableView

#: How many incidents a page keeps at most.
INCIDENTS_KEPT: Final = 60
_PIT_BOSS: Final = "pit-boss"
#: Of a number of cards it has the clause by which they are said (FCD-DSC-14).
_TAKEN_BACK: Final = "taken-back"
#: The question whether somebody saw it is answered by the key of the same name, or by another one that says no.
_SEEN: Final = "seen"


def _incident_raised(view: TableView, said: Mapping[str, Any], record: Record) -> TableView:
    made = IncidentView(
        number=said["incident"],
        hand=view.hand,
        at=record.at,
        clause=said["clause"],
        severity=said["severity"],
        expected=said["expected"],
        observed=said["observed"],
        chooser=said["chooser"],
        remedies=tuple(said["remedies"]),
        two_persons=tuple(said.get("two_persons", ())),
        draw=said["draw"],
        told=str(record.fact.get("reason", "")) if record.fact["kind"] == "called" else "",
        device=str(record.fact["what"]) if record.fact["kind"] == "topology-changed" else "",
        about=_about(said),
        bets=dict(record.fact["amounts"]) if record.fact["kind"] == "standing-bet" else {},
        state=IncidentState.RULING if said["chooser"] == _PIT_BOSS else IncidentState.ASKED,
    )
    incidents = {number: each for number, each in view.incidents.items() if number != made.number}
    return replace(view, incidents=_kept({**incidents, made.number: made}))


def _about(said: Mapping[str, Any]) -> str:
    """Which of two seats a ruling is about: of cards in contact each of the two is ruled on (TPC-PLE-1), of two boxes
    the second one (THB-PLY-2)."""
    seats = said.get("seats", ())
    return f"seat-{seats[0]}" if len(seats) == 1 and "+" in str(said["observed"]) else ""


def _kept(incidents: dict[int, IncidentView]) -> dict[int, IncidentView]:
    """The newest ones; an older one stays as long as it is open or nobody has acknowledged it."""
    surplus = len(incidents) - INCIDENTS_KEPT
    done = [number for number, each in sorted(incidents.items()) if each.normal][: max(0, surplus)]
    return {number: each for number, each in incidents.items() if number not in done}


def _change(view: TableView, number: int, change: Callable[[IncidentView], IncidentView]) -> TableView:
    incident = view.incidents.get(number)
    if incident is None:
        return view  # raised before the stream began
    return replace(view, incidents={**view.incidents, number: change(incident)})


def _answer(view: TableView, number: int, record: Record) -> bool | None:
    """Whether it was seen, where this record answers just that of this incident."""
    asked = view.prompt
    if asked is None or (asked.question, asked.incident) != (_SEEN, number) or record.fact["kind"] != "pressed":
        return None
    return bool(record.fact["key"] == _SEEN)


def _incident_escalated(view: TableView, said: Mapping[str, Any], record: Record) -> TableView:
    remedies, two_persons = tuple(said["remedies"]), tuple(said.get("two_persons", ()))
    return _change(
        view,
        said["incident"],
        lambda incident: replace(
            incident,
            remedies=remedies,
            two_persons=two_persons,
            chooser=_PIT_BOSS,
            state=IncidentState.RULING,
            was_seen=_answer(view, incident.number, record),
        ),
    )


def _incident_closed(view: TableView, said: Mapping[str, Any], record: Record) -> TableView:
    fact, number = record.fact, said["incident"]
    ruled = fact["kind"] == "ruled" and fact["incident"] == number
    return _change(
        view,
        number,
        lambda incident: replace(
            incident,
            state=IncidentState.CLOSED,
            remedy=said["remedy"],
            closed_by=said["by"],
            closed_at=record.at,
            ruled_by=fact["by"] if ruled else None,
            second=str(fact.get("second", "")) if ruled else "",
            reason=fact["reason"] if ruled else "",
            was_seen=incident.was_seen if ruled else _answer(view, number, record),
        ),
    )


def _incident_seen(view: TableView, said: Mapping[str, Any], record: Record) -> TableView:
    return _change(view, said["incident"], lambda incident: replace(incident, seen_by=said["by"], seen_at=record.at))


#: What is entered for the game at the table. What is refused of it stands on the croupier's page; what a pit boss
#: enters beside it is answered where he did, and a report that a shoe repeated was entered by nobody.
ENTERED_AT_TABLE: Final = frozenset(
    {"pressed", "bets", "removed", "standing-bet", "stands-out", "acted", "put-in", "asks-for", "moved", "stacked"}
    | {"button-placed", "declared", "named", "called", "signed-on", "signed-off"}
)


def _refused(view: TableView, said: Mapping[str, Any], record: Record) -> TableView:
    if record.fact["kind"] not in ENTERED_AT_TABLE:
        return view
    made = RefusalView(
        seq=record.seq,
        why=said["why"],
        clause=said["clause"],
        detail=said["detail"],
        entry=str(record.fact.get("key") or record.fact["kind"]),
    )
    if (made.why, made.clause) == (_TAKEN_BACK, _NUMBER):
        view = draw.number_taken_back(view, int(made.detail.removeprefix("seat-")))
    return replace(view, refusal=made)


#: The number of cards that a player changes was keyed wrongly.
_NUMBER: Final = "FCD-DSC-14"

DECISIONS: Final[Mapping[str, Step]] = {
    "refused": _refused,
    "incident-raised": _incident_raised,
    "asked": nothing,  # the prompt says what is asked first
    "incident-escalated": _incident_escalated,
    "incident-closed": _incident_closed,
    "incident-seen": _incident_seen,
}
