"""Where the verification of a part of the public stream begins: lines out of a journal, or a hand by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from tablectl.journal.format import NEWEST, format_of
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, Position, Stored
from tablectl.journal.verify import Fault, Verification, Wrong
from tablectl.journal.volumes import follows


@dataclass(frozen=True, kw_only=True, slots=True)
class LinesBegin:
    """The first record of some lines, and what it is looked at with. `start`: what the records that are left to be
    verified follow; the first one itself where they begin inside a journal. `fault`: why they cannot begin there."""

    first: Stored
    key: bytes | None
    start: Position
    fault: Fault | None = None

    @property
    def is_inside(self) -> bool:
        """Whether they begin inside a volume: the first record is believed for its signature."""
        return self.start.seq == self.first.seq

    def verification(self, *, with_boxes: bool = False) -> Verification:
        """Of the records after `start`."""
        signs_between = self.is_inside and format_of((self.first,)) >= NEWEST
        return Verification(key=self.key, start=self.start, with_boxes=with_boxes, signs_between=signs_between)

    def to_verify(self, others: Iterable[Stored]) -> Iterable[Stored]:
        """The records to be verified, where these come after the first one."""
        return others if self.is_inside else chain((self.first,), others)


def lines_begin(first: Stored, key: bytes | None, after: bytes | None = None) -> LinesBegin:
    """How lines begin with this record. `key`: the table's public key, from a source that is trusted; `after`: the hash
    of the record before, where somebody knows it: without it the first of lines that begin inside a journal is believed
    as it stands there."""
    if first.seq == 1 or follows(first) != BEGINNING:
        start = follows(first)
        what = f"it follows {start.hash.hex()}, and another hash was given"
        differs = after is not None and after != start.hash
        fault = Fault(seq=first.seq, wrong=Wrong.CHANGED, what=what) if differs else None
        return LinesBegin(first=first, key=key, start=start, fault=fault)
    start = Position(first.seq, first.hash) if after is None else Position(first.seq - 1, after)
    return LinesBegin(first=first, key=key, start=start, fault=_fault(first, key))


def _fault(first: Stored, key: bytes | None) -> Fault | None:
    """Lines that begin inside a journal begin with a signed record: its signature vouches for all before it."""
    what = "the lines begin here; name the table's public key with --key"
    if key is None:
        return Fault(seq=first.seq, wrong=Wrong.MISSING, what=what)
    if first.signature is None or not Witness(key).confirms(first.seq, first.hash, first.signature):
        return Fault(seq=first.seq, wrong=Wrong.OTHER_KEY, what="the first line is not signed with that key")
    if not first.boundary:
        what = "the lines begin inside a hand, so its cards cannot be checked; let them begin where a hand was closed"
        return Fault(seq=first.seq, wrong=Wrong.MISSING, what=what)
    return None
