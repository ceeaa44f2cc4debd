"""What a store of the pit server does, whichever database it is. One test suite runs on each of them.

A record is kept once, with its verbatim bytes; what is derived of it (its kind, its hand, its time) is only there to be
searched. A store is used by one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final, Protocol

import msgspec

from tablectl.fleet.batches import CheckedBatch
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Head

#: So many new records of a batch at least are kept packed at once; fewer are rows, until somebody packs them.
CHUNK_LEAST: Final = 200
#: So many batches of one table are kept as evidence: a table that goes on sending nonsense fills no disk.
QUARANTINED_MOST: Final = 1_000
#: The greatest number that a record can have.
SEQ_MOST: Final = 2**53


class StoreUnusable(Exception):
    """The database cannot be used. The text says what happened and what to do."""


class KnownTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that may send: its public signing key, since when, and since when it may no more (RFC 3339, UTC)."""

    id: int
    name: str
    key: bytes
    since: str
    revoked: str = ""


class KeptRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it came. `public` is empty where it was too long to be sent."""

    seq: int
    epoch: Epoch
    public: bytes
    signature: bytes
    hash: bytes


class KeptHand(msgspec.Struct, frozen=True, kw_only=True):
    """Where the records of a hand are, and from when to when it was (RFC 3339, UTC)."""

    hand: int
    epoch: Epoch
    first: int
    last: int
    began: str
    ended: str


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    """What came from a table and was not taken: when, about which record (0: none), what is wrong, and its bytes."""

    at: str
    table: str
    seq: int
    flaw: str
    why: str
    body: bytes


class Writing(Protocol):
    """One transaction, in which the heads that it looks at stay as they are."""

    def head(self, table: KnownTable) -> Head:
        """The newest record of a table."""
        ...

    def hash_of(self, table: KnownTable, seq: int) -> bytes | None:
        """The hash of a record; that before record 1 for 0; None where there is none. Of several epochs the newest."""
        ...

    def append(self, table: KnownTable, batch: CheckedBatch, new_from: int, body: bytes, at: str) -> Head:
        """The records of a batch from this one on, and the head after them. `body`: the batch as it came."""
        ...

    def quarantine(self, found: Quarantined) -> None:
        """Kept as evidence: the same thing once, and `QUARANTINED_MOST` of one table."""
        ...


class PitStore(Protocol):
    """Everything that the pit server keeps of its tables."""

    def add_table(self, name: str, key: bytes, at: str) -> KnownTable:
        """A table may send from now on. Raises `StoreUnusable` where there is one with this name."""
        ...

    def tables(self) -> tuple[KnownTable, ...]:
        """All that ever could send, by name."""
        ...

    def revoke(self, name: str, at: str) -> bool:
        """A table may send no more; False where there is none with this name."""
        ...

    def writing(self) -> AbstractContextManager[Writing]:
        """A transaction. What was written is durable when it has ended, or nothing was. Raises `StoreUnusable`."""
        ...

    def head(self, table: KnownTable) -> Head:
        """The newest record of a table."""
        ...

    def hash_of(self, table: KnownTable, seq: int) -> bytes | None:
        """As in a transaction."""
        ...

    def records(self, table: KnownTable, *, after: int = 0, to: int | None = None) -> Iterator[KeptRecord]:
        """The records of the newest epochs in their order."""
        ...

    def hands(self, table: KnownTable, hand: int) -> tuple[KeptHand, ...]:
        """Where a hand's records are: one for each epoch in which it is, the newest first."""
        ...

    def quarantined(self) -> Iterator[Quarantined]:
        """What was not taken, oldest first."""
        ...

    def pack(self, table: KnownTable, *, before: str) -> int:
        """Pack rows that came before a time into chunks; how many rows were packed."""
        ...

    def close(self) -> None:
        """Use it no more."""
        ...


def epoch_at(epochs: list[tuple[Epoch, int]], seq: int) -> Epoch | None:
    """The newest epoch that has a record with this number. `epochs`: each with the record after which it begins, the
    newest first."""
    return next((epoch for epoch, after in epochs if after < seq), None)
