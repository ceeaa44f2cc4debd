"""What is told of the disks of a table: the room that is left on each, and how soon somebody has to make more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Holds(StrEnum):
    """What a folder is for."""

    JOURNAL = "journal"
    COPY = "copy"
    BACKUPS = "backups"


class Urgency(StrEnum):
    """Whether somebody has to make room: not yet, in the next weeks, or now."""

    NONE = "none"
    NOTICE = "notice"
    ALARM = "alarm"


@dataclass(frozen=True, kw_only=True, slots=True)
class Space:
    """What is told of a folder. `days`: dealing days until its disk is full; None where the rate is not known."""

    holds: Holds
    path: str
    free_bytes: int
    days: float | None
    urgency: Urgency
