"""A shoe made of a reader of tags: one antenna at its mouth, past which every card is drawn.

A tag that comes to the mouth and leaves it is a draw. This wrapper says no card, for it knows none: it passes `TagIn`
and `TagOut` of the mouth on, under the name of a device with the role "shoe", and the deck register makes a card of
the tag. The draw is complete with `TagOut`; at `TagIn` the card is on its way and may still be pushed back.

What it adds to the reader inside:

- only the antenna at the mouth counts; others are none of a shoe's business and are dropped;
- a card is at the mouth for a moment only, so one scan is enough (`mouth_presence`);
- two tags at the mouth in one scan, at once, are two cards drawn as one, and are noted: cards drawn one after the
  other are not, however quickly;
- a tag that lay at the mouth when the reader was found (again) is noted: whether it was drawn before, nobody saw.

NOT VERIFIED ON HARDWARE: how fast a card may pass and still be read (a sweep takes some 30 ms with a PN532); that tags
further up in the shoe are shielded from the antenna.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, Protocol

from drivers.entry import MOUTH
from drivers.facts import DeviceFact, Found, ReaderNote, TagIn, TagOut
from drivers.health import tally_of
from drivers.protocol import DeviceProtocol
from drivers.reader import Saw
from drivers.tags import PresenceSettings

#: One scan that sees a tag is enough, and a card that was drawn is gone soon.
MOUTH_PRESENCE: Final = PresenceSettings(in_scans=1, out_scans=3, out_s=0.2)
#: A tag read within this time after the reader was found lay there already, in microseconds. Ours: two sweeps.
SETTLE_US: Final = 500_000


class Note(StrEnum):
    """Every `kind` of `ReaderNote` that this wrapper adds."""

    TWO_AT_MOUTH = "two-at-mouth"  # `code`: how many one reading of the field had
    LAY_AT_MOUTH = "lay-at-mouth"  # no code


class MouthReader(DeviceProtocol, Protocol):
    """What a shoe needs of the reader at its mouth."""

    def take_together(self) -> Sequence[Saw]:
        """See `TagReader`."""


class RfidShoe:
    """A `DeviceProtocol` round one that reads tags. `device` is the name in the configuration."""

    def __init__(self, device: str, reader: MouthReader) -> None:
        self._device = device
        self._reader = reader
        self.tally = tally_of(reader)
        #: The tags that were noted as drawn at once, until they have left.
        self._noted: frozenset[str] = frozenset()
        self._found_us: int | None = None

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        return self._seen(self._reader.opened(now_s=now_s, at_us=at_us), at_us=at_us)

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        return self._seen(self._reader.closed(at_us=at_us, reason=reason), at_us=at_us)

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        return self._seen(self._reader.receive(data, now_s=now_s, at_us=at_us), at_us=at_us)

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """See `DeviceProtocol`."""
        return self._seen(self._reader.tick(now_s=now_s, at_us=at_us), at_us=at_us)

    def deadline_s(self) -> float | None:
        """See `DeviceProtocol`."""
        return self._reader.deadline_s()

    def take_outgoing(self) -> Sequence[bytes]:
        """See `DeviceProtocol`."""
        return self._reader.take_outgoing()

    def _seen(self, facts: Sequence[DeviceFact], *, at_us: int) -> Sequence[DeviceFact]:
        told = [said for fact in facts for said in self._at_the_mouth(fact)]
        return [*told, *self._together(at_us)]

    def _together(self, at_us: int) -> Iterator[ReaderNote]:
        for reading in self._reader.take_together():
            if reading.antenna == MOUTH and not reading.tags <= self._noted:
                self._noted = reading.tags
                yield self._note(Note.TWO_AT_MOUTH, at_us, len(reading.tags))

    def _at_the_mouth(self, fact: DeviceFact) -> Sequence[DeviceFact]:
        match fact:
            case TagIn() | TagOut() if fact.antenna != MOUTH:
                return []
            case TagIn():
                return [fact, *self._lay_there(fact)]
            case TagOut():
                self._noted -= {fact.tag.open()}
            case Found():
                self._found_us = fact.at_us
        return [fact]

    def _lay_there(self, came: TagIn) -> Iterator[ReaderNote]:
        if self._found_us is not None and came.at_us - self._found_us < SETTLE_US:
            yield self._note(Note.LAY_AT_MOUTH, came.at_us)

    def _note(self, kind: Note, at_us: int, code: int | None = None) -> ReaderNote:
        return ReaderNote(device=self._device, at_us=at_us, kind=kind, antenna=MOUTH, code=code)
