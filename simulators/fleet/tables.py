"""A simulated table: its journal, made as far as somebody asks for it, which can be put back as from a backup."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import islice

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from simulators.fleet.hands import Lap, RecordForm
from tablectl.fleet import batches
from tablectl.fleet.epochs import RESTORED_KIND, Epoch
from tablectl.journal.signing import Signer
from tablectl.journal.store import BEGINNING, Position, Stored, chained


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """How far a table's journal is, and all that is needed to go on from there."""

    newest: Position = BEGINNING
    epoch: Epoch = Epoch()
    #: how many turns of its hands were begun
    turn: int = 0
    #: which record of the turn comes next
    at: int = 0
    #: the number of the hand with which the turn began
    hand: int = 1


class Lost(Exception):
    """The pit server has not what it acknowledged, or something else."""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """A batch on its way: how many records are in it, and the last of them."""

    body: bytes
    records: int
    last: Position


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A record that is not acknowledged yet, in which epoch it is, and what it follows."""

    stored: Stored
    epoch: Epoch
    before: bytes


@dataclass(kw_only=True, eq=False)
class SimulatedTable:
    """One table. `place` is where its journal ends."""

    name: str
    signer: Signer
    lap: Lap
    place: Place = field(default_factory=Place)
    #: records that were made and are not acknowledged yet, in their order
    waiting: deque[Written] = field(default_factory=deque)

    @classmethod
    def seeded(cls, name: str, lap: Lap, seed: bytes) -> SimulatedTable:
        """The same key for the same seed (32 bytes)."""
        return cls(name=name, signer=Signer(Ed25519PrivateKey.from_private_bytes(seed)), lap=lap)

    def add(self, count: int, at: str) -> None:
        """So many more records, written at this time (RFC 3339, UTC)."""
        for _ in range(count):
            form, hand = self._next()
            self._write(form.written(at=at, hand=hand, seq=self.place.newest.seq + 1), hand, is_signed=form.is_signed)

    def add_restored(self, at: str) -> None:
        """The note with which a journal that was put back begins its next epoch."""
        self.add_note(at, RESTORED_KIND)

    def add_note(self, at: str, kind: str, text: str = "") -> None:
        """A record of any kind, as long as the text makes it."""
        seq, hand = self.place.newest.seq + 1, self.place.hand
        fact = {"kind": kind, "text": text}
        told = {"at": at, "decisions": [], "fact": fact, "hand": hand, "prompt": None, "seq": seq}
        if kind == RESTORED_KIND:
            self.place = msgspec.structs.replace(self.place, epoch=self.place.epoch.after_restore())
        self._write(msgspec.json.encode(told), hand, is_signed=True)

    def _write(self, public: bytes, hand: int, *, is_signed: bool) -> None:
        before, epoch = self.place.newest, self.place.epoch
        seq = before.seq + 1
        link = chained(before.hash, public)
        signature = self.signer.sign(seq, link) if is_signed else None
        if seq == 1:
            epoch = Epoch(origin=link.hex())
        self.place = msgspec.structs.replace(self.place, epoch=epoch, newest=Position(seq, link))
        stored = Stored(seq=seq, hand=hand, boundary=False, public=public, hash=link, signature=signature, sealed=None)
        self.waiting.append(Written(stored=stored, epoch=epoch, before=before.hash))

    def _next(self) -> tuple[RecordForm, int]:
        forms = self.lap.again if self.place.turn else self.lap.first
        if self.place.at == len(forms):
            hand = self.place.hand + (self.lap.hands if self.place.turn else self._first_hands)
            self.place = msgspec.structs.replace(self.place, turn=self.place.turn + 1, at=0, hand=hand)
            forms = self.lap.again
        form = forms[self.place.at]
        self.place = msgspec.structs.replace(self.place, at=self.place.at + 1)
        return form, self.place.hand + form.hand

    @property
    def _first_hands(self) -> int:
        return 1 + max((form.hand for form in self.lap.first), default=0)

    def batch(self, most: int = batches.RECORDS_MOST, *, after: int = 0) -> Batch | None:
        """The first records that wait (after so many others), as the uplink sends them; None where none do."""
        records: list[Written] = []
        used = 0
        for written in islice(self.waiting, after, after + most):
            used += batches.room_of(written.stored.public)
            if records and (used > batches.BYTES_MOST or written.epoch != records[0].epoch):
                break
            records.append(written)
        if not records:
            return None
        last = records[-1].stored
        return Batch(
            body=batches.packed(records[0].epoch, records[0].before, [written.stored for written in records]),
            records=len(records),
            last=Position(last.seq, last.hash),
        )

    def acknowledged(self, position: Position) -> None:
        """The pit server has everything up to there. Raises `Lost` where it says another record than was written."""
        while self.waiting and self.waiting[0].stored.seq <= position.seq:
            stored = self.waiting.popleft().stored
            if stored.seq == position.seq and stored.hash != position.hash:
                raise Lost(f"{self.name}: record {stored.seq} is another one at the pit server")

    def back_to(self, place: Place) -> None:
        """Its journal is put back from a backup that was made there. What nobody acknowledged is gone."""
        self.place = place
        self.waiting.clear()
