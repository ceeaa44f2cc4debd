"""What a public record says that somebody far away should know, and what it says is over. Pure.

A tiding has a subject, a word for what it is about: `incident-12`, `device-sabot`, `tilt`, `deck-blue`, `controller`.
What ends a subject (an incident is acknowledged, a device answers) ends what still waits to be told about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tablectl.engine.words import Severity
from tablectl.notifications.settings import Target, What

#: A public record as the controller's socket gives it.
Record = Mapping[str, Any]

TILT: Final = "tilt"
CONTROLLER: Final = "controller"
JOURNAL: Final = "journal"
_WITHDRAWN: Final = "quarantined"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tiding:
    """One thing to tell. `kind`: which sentence; `said`: the decision or fact that it is made of."""

    what: What
    kind: str
    subject: str
    #: RFC 3339, UTC: when it happened
    at: str
    hand: int | None
    said: Mapping[str, Any]
    severity: Severity = Severity.ALERT


def tidings(record: Record) -> Iterator[Tiding]:
    """What is to be told of a record. Raises `KeyError`, `TypeError` or `ValueError` for one that is none."""
    fact, at, hand = record["fact"], str(record["at"]), int(record["hand"])
    for said in record.get("decisions", ()):
        match said["kind"]:
            case "incident-raised":
                yield Tiding(
                    what=What.INCIDENT,
                    kind=said["kind"],
                    subject=f"incident-{int(said['incident'])}",
                    at=at,
                    hand=hand,
                    said=said,
                    severity=Severity(said["severity"]),
                )
            case "incident-escalated":
                subject = f"incident-{int(said['incident'])}"
                yield Tiding(what=What.INCIDENT, kind=said["kind"], subject=subject, at=at, hand=hand, said=said)
    match fact["kind"]:
        case "tilted":
            yield tilted(str(fact["tilt"]), at)
        case "device-lost":
            subject = f"device-{fact['device']}"
            yield Tiding(what=What.DEVICE, kind=fact["kind"], subject=subject, at=at, hand=hand, said=fact)
        case "deck-moved" if fact["state"] == _WITHDRAWN:
            subject = f"deck-{fact['deck']}"
            yield Tiding(what=What.DECK, kind="deck-withdrawn", subject=subject, at=at, hand=hand, said=fact)


def tilted(kind: str, at: str) -> Tiding:
    """A tilt, from its record or from the mark that it left."""
    return Tiding(what=What.TILT, kind="tilt", subject=TILT, at=at, hand=None, said={"tilt": kind})


def gone(at: str) -> Tiding:
    """The controller has not answered since then."""
    return Tiding(what=What.CONTROLLER, kind="controller-gone", subject=CONTROLLER, at=at, hand=None, said={})


def rolled_back(at: str) -> Tiding:
    """The journal does not have what was read of it before: seen then."""
    return Tiding(what=What.TILT, kind="rolled-back", subject=JOURNAL, at=at, hand=None, said={})


def ended(record: Record) -> Iterator[str]:
    """The subjects about which nothing needs to be told any more. Somebody who shelved an alarm knows of it."""
    fact = record["fact"]
    for said in record.get("decisions", ()):
        match said["kind"]:
            case "incident-seen":
                yield f"incident-{said['incident']}"
            case "alarm-shelved" | "alarm-seen":
                yield str(said["alarm"])
    match fact["kind"]:
        case "device-back":
            yield f"device-{fact['device']}"
        case "cleared":
            yield TILT
        case "deck-moved" if fact["state"] != _WITHDRAWN:
            yield f"deck-{fact['deck']}"


def rulebook(record: Record) -> str | None:
    """The game that begins with this record."""
    opened = (said for said in record.get("decisions", ()) if said["kind"] == "hand-opened")
    return next((str(said["rulebook"]) for said in opened), None)


def told_to(target: Target, found: tuple[Tiding, ...]) -> tuple[Tiding, ...]:
    """What of it a target wants to hear. A device whose loss is an incident is told once, as the incident."""
    wanted = tuple(each for each in found if each.what in target.what and _is_loud(each, target))
    if any(each.what is What.INCIDENT for each in wanted):
        return tuple(each for each in wanted if each.what is not What.DEVICE)
    return wanted


def _is_loud(tiding: Tiding, target: Target) -> bool:
    return tiding.what is not What.INCIDENT or tiding.severity in target.severities
