"""What a screen can know of a device: whether it answers, and what it said."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tablectl.core.public_table.chattering import Losses

#: The role of the device that reads the cards, where it is no shoe.
_READERS: Final = {"antennas": "antennas"}


def is_reader(role: str, equipment: str) -> bool:
    """Whether a device of this role is what reads the cards at a table with this equipment: its loss is an incident."""
    return role == _READERS.get(equipment, "shoe")


class DeviceState(StrEnum):
    """Whether a device answers."""

    BACK = "back"
    LOST = "lost"


@dataclass(frozen=True, kw_only=True, slots=True)
class DeviceView:
    """A device, what it does at the table, and what was heard of it last. `is_unseen`: it was lost, and nobody has said
    since that he knows; `seen_by` did, at `seen_at`. `losses`: how often it was lost lately."""

    device: str
    role: str
    state: DeviceState
    since: str
    reason: str = ""
    said: str = ""
    is_unseen: bool = False
    seen_by: str = ""
    seen_at: str = ""
    losses: Losses = field(default_factory=Losses)

    @property
    def is_known_to_chatter(self) -> bool:
        """Whether somebody has acknowledged it since it is lost again and again: that goes for the losses to come."""
        return self.losses.is_chattering and not self.is_unseen


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteView:
    """Something that a device said and somebody has to look after; `code` is its own number, as its page says."""

    device: str
    role: str
    what: str
    code: int | None
    at: str
