"""The records that the pit server keeps of a table, as the journal that they are: for whoever makes evidence of them.

They are the verbatim public records with their signatures, so what is made of them can be checked as a table's own.
What a pit server never had is not in it: sealed parts, and records that were too long to be sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile, groupby
from typing import Final

import msgspec

from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Head
from tablectl.fleet.pit.store import KeptRecord, KnownTable, PitStore, StoreUnusable
from tablectl.journal.store import BEGINNING, Stored

#: Records that are read at once on the way back.
_PAGE: Final = 256


class Withheld(StoreUnusable):
    """A record is needed that was too long to be sent."""

    def __init__(self, table: str, seq: int) -> None:
        super().__init__(
            f"{table}: record {seq} was too long to be sent, so only its hash is here; what needs it can be exported at"
            " the table alone (`tablectl journal export`)"
        )


class _Marks(msgspec.Struct):
    """What a journal knows of a record beside its bytes."""

    hand: int
    carry: msgspec.Raw = msgspec.Raw()


_MARKS: Final = msgspec.json.Decoder(_Marks)


class KeptJournal:
    """`PublicJournal` of a table, in one of its epochs. Raises `StoreUnusable`, and `Withheld` where a record is read
    that is not here."""

    def __init__(
        self, store: PitStore, table: KnownTable, *, hand: int | None = None, restores: int | None = None
    ) -> None:
        """`restores`: of the epoch; without it the newest one, or the newest one that has this hand."""
        self._store, self._table = store, table
        heads = {head.epoch.restores: head for head in store.heads(table)}
        if restores is None:
            kept = store.hands(table, hand) if hand is not None else ()
            restores = kept[0].epoch.restores if kept else max(heads, default=0)
        elif restores not in heads:
            there = ", ".join(map(str, sorted(heads))) or "none"
            raise StoreUnusable(f"{table.name}: there is no epoch {restores}; there is {there}")
        self._head = heads.get(restores, Head())

    @property
    def epoch(self) -> Epoch:
        """In which its records are those of the journal."""
        return self._head.epoch

    @property
    def name(self) -> str:
        """That of the table."""
        return self._table.name

    @property
    def newest_hand(self) -> int:
        """The hand of its newest record; 0 where it has none."""
        return next((stored.hand for stored in self._back(self._head.position.seq + 1)), 0)

    def records(self, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """The records after a position, in order; only those of one hand where it is named."""
        if hand is None:
            return map(self._stored, self._kept(after=max(after, 0)))
        return map(self._stored, (record for record in self.of_hand(hand) if record.seq > after))

    def of_hand(self, hand: int) -> Iterator[KeptRecord]:
        """As they are kept, those among them that were too long to be sent too. A hand in which the table was restored
        begins in an epoch before."""
        spans = [kept for kept in self._store.hands(self._table, hand) if kept.epoch <= self.epoch]
        if spans:
            first = min(kept.first for kept in spans)
            for record in self._kept(after=first - 1, to=spans[0].last):
                if not record.public or _MARKS.decode(record.public).hand == hand:
                    yield record

    def boundary_before(self, seq: int) -> int:
        """The last boundary before a position; 0 where there is none."""
        return next((stored.seq for stored in self._back(seq) if stored.boundary), 0)

    def hash_before(self, seq: int) -> bytes:
        """The hash that the record at a position has to follow."""
        if seq - 1 == BEGINNING.seq:
            return BEGINNING.hash
        before = next(self._kept(after=seq - 2, to=seq - 1), None)
        if before is None:
            raise StoreUnusable(f"{self.name}: record {seq - 1} is missing; restore the pit server's backup")
        return before.hash

    def must_not_be_withheld(self, seq: int) -> None:
        """Raises `Withheld` where the record with this number is there and was too long to be sent."""
        for record in self._kept(after=seq - 1, to=seq):
            self._stored(record)

    def pieces(self) -> Iterator[tuple[int, Iterator[Stored]]]:
        """All its records, in as many pieces as can be checked each by itself: after a record that was too long to be
        sent, the next piece begins where a signed record carries the table over. Each with the number of the record
        that is missing before it, 0 before the first one; to be read in order."""
        missing = 0

        def missing_before(record: KeptRecord) -> int:
            nonlocal missing
            missing = missing if record.public else record.seq
            return missing

        for number, records in groupby(self._kept(), missing_before):
            stored = (self._stored(record) for record in records if record.public)
            yield number, dropwhile(_begins_inside_a_hand, stored) if number else stored

    def _back(self, seq: int) -> Iterator[Stored]:
        """The records before a position, the newest first."""
        to = seq - 1
        while to > 0:
            after = max(0, to - _PAGE)
            yield from map(self._stored, reversed(list(self._kept(after=after, to=to))))
            to = after

    def _kept(self, *, after: int = 0, to: int | None = None) -> Iterator[KeptRecord]:
        return self._store.records(self._table, after=after, to=to, epoch=self.epoch)

    def _stored(self, record: KeptRecord) -> Stored:
        """As a journal has it."""
        if not record.public:
            raise Withheld(self.name, record.seq)
        marks = _MARKS.decode(record.public)
        return Stored(
            seq=record.seq,
            hand=marks.hand,
            boundary=bool(marks.carry),
            public=record.public,
            hash=record.hash,
            signature=record.signature or None,
            sealed=None,
        )


def _begins_inside_a_hand(stored: Stored) -> bool:
    return not stored.boundary or stored.signature is None
