"""A hand in one line: when, how it ended, its incidents. The journal lists hands so, and pages that remember them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tablectl.core.engine.cable_faults import cited
from tablectl.core.engine.decisions import HandClosed, HandOpened, HandVoided, IncidentRaised, PotCarried, TakenBack
from tablectl.core.events.corrections import as_they_stand
from tablectl.core.events.stream import PublicRecord
from tablectl.core.records import record


@record
class RowIncident:
    """An incident of the hand, by its number, and the clause that it is about; empty of a device or a cable."""

    incident: int
    clause: str


@record
class HandRow:
    """A hand of a list. `seq`: its first and its last record. Times are RFC 3339, UTC.

    `is_carried`: nobody opened, and the pot stays for the next hand (FCD-WIN-5); `carried` is how much, None without
    amounts.
    """

    hand: int
    opened_at: str | None = None
    closed_at: str | None = None
    #: the clause by which it was annulled
    void: str | None = None
    is_carried: bool = False
    carried: int | None = None
    incidents: tuple[RowIncident, ...] = ()
    #: whose hand it is; empty where nobody said so
    croupier: str = ""
    seq: tuple[int, int]


def hand_rows(records: Iterable[PublicRecord]) -> list[HandRow]:
    """The hands that these records open, newest first. Records between two hands bear the number of the next one, and
    make no hand of their own."""
    rows: dict[int, HandRow] = {}
    for told in as_they_stand(records):
        row = rows.get(told.hand, HandRow(hand=told.hand, seq=(told.seq, told.seq)))
        rows[told.hand] = _after(replace(row, seq=(row.seq[0], told.seq)), told)
    return [row for _, row in sorted(rows.items(), reverse=True) if row.opened_at is not None]


def _after(row: HandRow, told: PublicRecord) -> HandRow:
    for decision in told.decisions:
        match decision:
            case HandOpened():
                row = replace(row, opened_at=told.at, croupier=decision.croupier)
            case HandClosed():
                row = replace(row, closed_at=told.at)
            case HandVoided():
                row = replace(row, void=decision.clause)
            case PotCarried():
                row = replace(row, is_carried=True, carried=decision.amount)
            case TakenBack():
                row = replace(row, is_carried=False, carried=None)
            case IncidentRaised():
                raised = RowIncident(incident=decision.incident, clause=cited(decision.clause, decision.observed))
                others = (incident for incident in row.incidents if incident.incident != raised.incident)
                row = replace(row, incidents=(*others, raised))
    return row
