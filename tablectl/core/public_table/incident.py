"""What a screen can know of a departure from the rulebook, of what can be declared, and of a refused entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tablectl.core.engine.cable_faults import cited, is_cable_fault
from tablectl.core.engine.pending import STANDING
from tablectl.core.engine.vocabulary import Chooser


class IncidentState(StrEnum):
    """What an incident waits for."""

    ASKED = "asked"
    RULING = "ruling"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentView:
    """A departure from the rulebook and what became of it. `ruled_by` is a person's name, where one ruled, and
    `second` that of whoever stood for it with him."""

    number: int
    hand: int
    at: str
    clause: str
    severity: str
    expected: str
    observed: str
    chooser: str
    remedies: tuple[str, ...]
    draw: int | None
    state: IncidentState
    #: of the remedies, those that two persons have to sign
    two_persons: tuple[str, ...] = ()
    #: what the one who called the pit boss said
    told: str = ""
    #: the USB device that came or went
    device: str = ""
    #: the seat that a ruling is about, where several were in it
    about: str = ""
    #: the bets that somebody standing asks for
    bets: Mapping[str, int | None] = field(default_factory=dict)
    #: what the croupier answered, who was asked whether it had been seen; None where nobody was asked, or has answered
    was_seen: bool | None = None
    remedy: str | None = None
    closed_by: str | None = None
    closed_at: str | None = None
    ruled_by: str | None = None
    second: str = ""
    reason: str = ""
    seen_by: str | None = None
    seen_at: str | None = None

    @property
    def open(self) -> bool:
        """Whether somebody still has to do something about it."""
        return self.state is not IncidentState.CLOSED

    @property
    def is_request(self) -> bool:
        """Whether it only waits for approval: the table goes on meanwhile (TPC-PLY-3)."""
        return self.observed.startswith(STANDING)

    @property
    def is_event(self) -> bool:
        """Whether the rules resolved it by themselves: it is no alarm, and stands in a list only."""
        return self.closed_by == Chooser.RULE and not is_cable_fault(self.observed)

    @property
    def is_answered(self) -> bool:
        """Whether somebody responded: acknowledged it, or said what is to be done. Whether a device is well again is
        nobody's to say."""
        return self.seen_by is not None or (not self.open and not is_cable_fault(self.observed))

    @property
    def is_done(self) -> bool:
        """Whether nothing about it wants anybody's eye any more."""
        return not self.open and self.is_answered

    @property
    def cited(self) -> str:
        """The clause that it may be told with: none for a device or a cable."""
        return cited(self.clause, self.observed)


@dataclass(frozen=True, kw_only=True, slots=True)
class RefusalView:
    """An entry that changed nothing: why, under which clause, and which entry it was (`press bet`, `bets`)."""

    seq: int
    why: str
    clause: str | None
    detail: str
    entry: str
