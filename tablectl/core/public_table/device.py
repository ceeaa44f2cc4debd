"""What a screen can know of a device: whether it answers, and what it said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DeviceState(StrEnum):
    """Whether a device answers."""

    BACK = "back"
    LOST = "lost"


@dataclass(frozen=True, kw_only=True, slots=True)
class DeviceView:
    """A device, what it does at the table, and what was heard of it last. `is_unseen`: it was lost, and nobody has said
    since that he knows; `seen_by` did, at `seen_at`."""

    device: str
    role: str
    state: DeviceState
    since: str
    reason: str = ""
    said: str = ""
    is_unseen: bool = False
    seen_by: str = ""
    seen_at: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteView:
    """Something that a device said and somebody has to look after; `code` is its own number, as its page says."""

    device: str
    role: str
    what: str
    code: int | None
    at: str
