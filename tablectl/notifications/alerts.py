"""What a public record says that somebody far away should know, and what it says is over. Pure.

An alert has a subject, a word for what it is about: `incident-12`, `device-sabot`, `tilt`, `deck-blue`, `controller`,
`disk-journal`, `security-writes`. What ends a subject (an incident is acknowledged, a device answers) ends what still
waits to be told about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tablectl.config.notifications import Target
from tablectl.config.sections import What
from tablectl.core.disk_room import Space, Urgency
from tablectl.core.engine.cable_faults import is_cable_fault
from tablectl.core.engine.decisions import (
    AlarmSeen,
    AlarmShelved,
    HandOpened,
    IncidentClosed,
    IncidentEscalated,
    IncidentRaised,
    IncidentSeen,
    Withdrawn,
)
from tablectl.core.engine.facts import DeviceBack, DeviceLost
from tablectl.core.engine.vocabulary import Severity
from tablectl.core.events.corrections import first_told
from tablectl.core.events.notes import Cleared, DeckMoved, HeadMissing, RollbackAccepted, Security, Tilted
from tablectl.core.events.stream import PublicRecord
from tablectl.core.records import kind_of
from tablectl.core.security import alarm_of
from tablectl.core.timestamps import time_text
from tablectl.journal.signed_head import SignedHead

TILT: Final = "tilt"
CONTROLLER: Final = "controller"
JOURNAL: Final = "journal"
HEAD: Final = "head"
_WITHDRAWN: Final = "quarantined"


@dataclass(frozen=True, kw_only=True, slots=True)
class Alert:
    """One thing to tell. `kind`: which sentence; `said`: the event that it is made of, of a tilt its kind; None where
    there is nothing to add."""

    what: What
    kind: str
    subject: str
    #: RFC 3339, UTC: when it happened
    at: str
    hand: int | None
    said: IncidentRaised | IncidentEscalated | DeviceLost | DeckMoved | Security | SignedHead | Space | str | None = (
        None
    )
    severity: Severity = Severity.ALERT
    #: what it is known by where another than the record that tells it may have told it before; empty: by that record
    known_by: str = ""


def alerts_of(record: PublicRecord) -> Iterator[Alert]:
    """What is to be told of a record."""
    at, hand = time_text(record.at_us), record.hand
    for decision in first_told(record.decisions):
        match decision:
            case IncidentRaised() | IncidentEscalated():
                yield Alert(
                    what=What.INCIDENT,
                    kind=kind_of(type(decision)),
                    subject=f"incident-{decision.incident}",
                    at=at,
                    hand=hand,
                    said=decision,
                    severity=decision.severity if isinstance(decision, IncidentRaised) else Severity.ALERT,
                )
    match record.event:
        case Tilted(tilt=kind):
            yield tilted(kind, at)
        case HeadMissing(to_hash=digest):
            yield rolled_back(at, digest)
        case DeviceLost(device=device) as lost:
            subject = f"device-{device}"
            yield Alert(what=What.DEVICE, kind="device-lost", subject=subject, at=at, hand=hand, said=lost)
        case DeckMoved(deck=deck, state=state) as moved if state == _WITHDRAWN:
            yield Alert(what=What.DECK, kind="deck-withdrawn", subject=f"deck-{deck}", at=at, hand=hand, said=moved)
        case Security(cause=cause) as tried:
            yield Alert(what=What.SECURITY, kind="attempts", subject=alarm_of(cause), at=at, hand=hand, said=tried)


def tilted(kind: str, at: str) -> Alert:
    """A tilt, from its record or from the mark that it left."""
    return Alert(what=What.TILT, kind="tilt", subject=TILT, at=at, hand=None, said=kind)


def gone(at: str) -> Alert:
    """The controller has not answered since then."""
    return Alert(what=What.CONTROLLER, kind="controller-gone", subject=CONTROLLER, at=at, hand=None)


def rolled_back(at: str, head: str = "") -> Alert:
    """The journal does not have what was read of it before: seen then. `head`: the hash of a record that the table
    signed and that is not there. It is told once, whether it was found from here or stands in a record."""
    known_by = f"head {head}" if head else ""
    return Alert(what=What.TILT, kind="rolled-back", subject=JOURNAL, at=at, hand=None, known_by=known_by)


def head_alert(head: SignedHead, at: str) -> Alert:
    """The newest record that the table has signed then: for a witness."""
    return Alert(what=What.HEAD, kind=HEAD, subject=HEAD, at=at, hand=None, said=head, severity=Severity.NOTICE)


def disk(space: Space, at: str) -> Alert:
    """A disk fills, or is almost full: found then."""
    severity = Severity.ALERT if space.urgency is Urgency.ALARM else Severity.NOTICE
    kind, subject = f"disk-{space.urgency}", f"disk-{space.holds}"
    return Alert(what=What.DISK, kind=kind, subject=subject, at=at, hand=None, said=space, severity=severity)


def ended(record: PublicRecord) -> Iterator[str]:
    """The subjects about which nothing needs to be told any more. Somebody who shelved an alarm knows of it. Of a cable
    that came or went nobody decides anything: it is told until somebody acknowledges it."""
    looked_after = {
        decision.incident
        for decision in record.decisions
        if isinstance(decision, IncidentRaised) and is_cable_fault(decision.observed)
    }
    for decision in record.decisions:
        match decision:
            case IncidentClosed(incident=number) if number in looked_after:
                pass
            case Withdrawn(fallen=fallen):
                yield from (f"incident-{number}" for number in fallen)
            case IncidentSeen(incident=number) | IncidentClosed(incident=number):
                yield f"incident-{number}"
            case AlarmShelved(alarm=alarm) | AlarmSeen(alarm=alarm):
                yield alarm
    match record.event:
        case DeviceBack(device=device):
            yield f"device-{device}"
        case Cleared():
            yield TILT
        case RollbackAccepted():
            yield JOURNAL
        case DeckMoved(deck=deck, state=state) if state != _WITHDRAWN:
            yield f"deck-{deck}"


def rulebook(record: PublicRecord) -> str | None:
    """The game that begins with this record."""
    opened = (decision.rulebook for decision in record.decisions if isinstance(decision, HandOpened))
    return next(opened, None)


def told_to(target: Target, found: tuple[Alert, ...]) -> tuple[Alert, ...]:
    """What of it a target wants to hear. A device whose loss is an incident is told once, as the incident."""
    wanted = tuple(alert for alert in found if alert.what in target.what and _is_loud(alert, target))
    if any(alert.what is What.INCIDENT for alert in wanted):
        return tuple(alert for alert in wanted if alert.what is not What.DEVICE)
    return wanted


def _is_loud(alert: Alert, target: Target) -> bool:
    return alert.what is not What.INCIDENT or alert.severity in target.severities
