"""The last hands again, out of the journal: which there were, and every public record of one of them.

A hand is what was opened; records between two hands bear the number of the next one and make no hand of their own.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.decisions import HandOpened, PhaseEntered
from tablectl.core.events.corrections import as_they_stand
from tablectl.core.public_table.hand_row import HandRow, hand_rows
from tablectl.core.records import record
from tablectl.journal.store import Stored
from tablectl.journal.volumes import VolumeSet

#: More than anybody looks through on a page; a list of them is made in a moment.
HANDS_MOST: Final = 100
#: What a reader is told of a hand that was never opened here.
UNKNOWN_HAND: Final = "unknown-hand"


@record
class OpenHand:
    """A hand that was opened and is not over, and the phase it is in."""

    hand: int
    phase: str


def open_hand(volume_set: VolumeSet) -> OpenHand | None:
    """The one that a start of the controller would resume; None between two hands.

    A hand is over with the record that says what it carries over, and with none before.
    """
    found: OpenHand | None = None
    records = (stored.decoded() for stored in volume_set.records(after=volume_set.last_boundary()))
    for told in as_they_stand(records):
        for decision in told.decisions:
            if isinstance(decision, HandOpened):
                found = OpenHand(hand=told.hand, phase="")
            elif isinstance(decision, PhaseEntered) and found is not None:
                found = OpenHand(hand=found.hand, phase=decision.phase)
    return found


def last_hands(volume_set: VolumeSet, hands: int) -> list[HandRow]:
    """The last hands, newest first, the unfinished one included."""
    begin = volume_set.last_boundary(hands + len(volume_set.stores))
    return hand_rows(stored.decoded() for stored in volume_set.records(after=begin))[:hands]


def carried_into(volume_set: VolumeSet, first: Stored) -> list[int]:
    """The seats of the hand before: with presence, they are in the one that begins with `first`."""
    if first.boundary:  # it opens a volume, and says itself what was carried over
        before: Stored | None = first
    else:
        before = next(volume_set.records(after=first.seq - 2), None)
    carry = None if before is None else before.decoded().carry
    return [] if carry is None else sorted(carry.previous)


def is_opened(records: list[Stored]) -> bool:
    """Whether these records of one hand open it."""
    return bool(hand_rows(stored.decoded() for stored in records))
