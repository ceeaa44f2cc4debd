"""The records of hands that a real controller wrote, as forms into which another table's numbers and times are put."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from tablectl.journal.store import Stored
from tablectl.journal.volumes import VolumeSet

#: The members of a record that are another table's own; the rest stays as it was written.
_OWN: Final = {"at": b'"%s"', "hand": b"%d", "seq": b"%d"}
_RAW: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


class NoHands(Exception):
    """A journal that has no closed hand in it."""


class RecordForm(msgspec.Struct, frozen=True, kw_only=True):
    """A record without its own numbers: `public % (at, hand, seq)` is its public form. `hand` counts from the first one
    of its lap."""

    public: bytes
    hand: int
    is_signed: bool

    def written(self, *, at: str, hand: int, seq: int) -> bytes:
        """The public form of a record of this form."""
        return self.public % (at.encode(), hand, seq)


class Lap(msgspec.Struct, frozen=True, kw_only=True):
    """What a table writes over and over: `first` at its start, `again` for each turn, which is so many `hands`."""

    first: tuple[RecordForm, ...]
    again: tuple[RecordForm, ...]
    hands: int

    @property
    def mean_bytes(self) -> float:
        """How long a record is, on average."""
        return sum(len(form.public) for form in self.again) / len(self.again)


def lap_of(journal: Path) -> Lap:
    """What stands in a journal. Raises `NoHands`, `JournalUnusable`."""
    with closing(VolumeSet(journal)) as volume_set:
        records = list(volume_set.records())
    ends = [number for number, stored in enumerate(records) if stored.boundary]
    if len(ends) < 2:
        raise NoHands(f"{journal}: no whole hand in it; name the journal of a table that dealt a few")
    start, end = ends[0] + 1, ends[-1] + 1
    again = _forms(records[start:end])
    if not again:
        raise NoHands(f"{journal}: no whole hand in it; name the journal of a table that dealt a few")
    return Lap(first=_forms(records[:start]), again=again, hands=1 + records[end - 1].hand - records[start].hand)


def _forms(records: Sequence[Stored]) -> tuple[RecordForm, ...]:
    base = records[0].hand if records else 0
    return tuple(_form(stored, base) for stored in records)


def _form(stored: Stored, base: int) -> RecordForm:
    members = _RAW.decode(stored.public)
    public = b"{" + b",".join(_member(name, bytes(raw)) for name, raw in members.items()) + b"}"
    return RecordForm(public=public, hand=stored.hand - base, is_signed=stored.signature is not None)


def _member(name: str, raw: bytes) -> bytes:
    """In the order of a public form, which is the order of the alphabet."""
    return b'"%s":%s' % (name.encode(), _OWN.get(name, raw.replace(b"%", b"%%")))
