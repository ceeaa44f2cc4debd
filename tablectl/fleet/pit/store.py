"""What a store of the pit server does, whichever database it is. One test suite runs on each of them.

A record is kept once, with its verbatim bytes; what is derived of it (its kind, its hand, its time) is only there to be
searched. A store is used by one thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from typing import Final, Protocol

import msgspec

from tablectl.fleet.batches import CheckedBatch
from tablectl.fleet.certificates import Shown
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Head

#: So many new records of a batch at least are kept packed at once; fewer are rows, until somebody packs them.
CHUNK_LEAST: Final = 200
#: So many batches of one table are kept as evidence: a table that goes on sending nonsense fills no disk.
QUARANTINED_MOST: Final = 1_000


class StoreUnusable(Exception):
    """The database cannot be used. The text says what happened and what to do."""


class KnownTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that may send: its public signing key, since when, and since when it may no more (RFC 3339, UTC).
    `certificate_key`: the digest of the key of its certificates, empty where it has none; `certificate_until`: until
    when the newest one is good."""

    id: int
    name: str
    key: bytes
    since: str
    revoked: str = ""
    certificate_key: bytes = b""
    certificate_until: str = ""


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a one-time code: what is derived from it, and for whom it is. `key`: of the one journal for which
    it is good, empty for any; `until`: RFC 3339, UTC; `tries`: wrong ones."""

    name: str
    secret: bytes
    key: bytes = b""
    until: str
    tries: int = 0


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


class NotTaken(msgspec.Struct, frozen=True, kw_only=True):
    """What was quarantined of a table for one flaw: when last and about which record, and how many in all."""

    table: str
    flaw: str
    seq: int
    at: str
    count: int


class TableValues(msgspec.Struct, frozen=True, kw_only=True):
    """What a table said of itself last, as it came, and when (RFC 3339, UTC)."""

    table: KnownTable
    at: str
    body: bytes


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """How far the records of a table are durable: its newest epoch and record, the time of that record (empty where it
    belongs to no hand), and when it came (RFC 3339, UTC)."""

    table: str
    restores: int
    seq: int
    newest_at: str
    came_at: str


class Restores(msgspec.Struct, frozen=True, kw_only=True):
    """How often a store was put back from a backup (the server's own epoch), and when last (RFC 3339, UTC)."""

    count: int
    last: str


class Writing(Protocol):
    """One transaction."""

    def hold(self, tables: Collection[KnownTable]) -> None:
        """Until the transaction ends, the heads of these tables stay as they are. To be done before they are read."""
        ...

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

    def keep_values(self, found: Collection[TableValues]) -> None:
        """In the place of what these tables said before."""
        ...


class PitStore(Protocol):
    """Everything that the pit server keeps of its tables."""

    def enrol(self, name: str, key: bytes, certificate: Shown, at: str, *, secret: bytes | None = None) -> bool:
        """A table may send from now on with this certificate; one that is there may do so anew, with the key of the
        same journal. `secret`: of the code that is used up by it; False where there is none. Raises `StoreUnusable`
        where the table has another journal, or was revoked."""
        ...

    def renewed(self, table: KnownTable, certificate: Shown) -> None:
        """A table has another certificate for the same key."""
        ...

    def add_code(self, code: Code) -> None:
        """In place of an earlier one with the same name."""
        ...

    def code(self, name: str) -> Code | None:
        """The code for the table of this name; None where there is none, or it was used."""
        ...

    def count_try(self, name: str) -> int:
        """A code was tried once more; how often by now."""
        ...

    def tables(self) -> tuple[KnownTable, ...]:
        """All that ever could send, by name."""
        ...

    def revoke(self, name: str, at: str) -> bool:
        """A table may send no more; False where there is none with this name."""
        ...

    def restores(self) -> Restores:
        """How often this store was put back from a backup."""
        ...

    def note_restore(self, at: str) -> Restores:
        """It was put back from a backup: the server's next epoch begins. Codes of before are good no more."""
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

    def records(
        self, table: KnownTable, *, after: int = 0, to: int | None = None, epoch: Epoch | None = None
    ) -> Iterator[KeptRecord]:
        """The records in their order as the journal had them in this epoch, the newest one where none is named."""
        ...

    def heads(self, table: KnownTable) -> tuple[Head, ...]:
        """Each epoch of its journal with its newest record, the newest epoch first."""
        ...

    def hands(self, table: KnownTable, hand: int) -> tuple[KeptHand, ...]:
        """Where a hand's records are: one for each epoch in which it is, the newest first."""
        ...

    def quarantined(self) -> Iterator[Quarantined]:
        """What was not taken, oldest first."""
        ...

    @property
    def may_pack(self) -> bool:
        """Whether rows may be replaced by chunks."""
        ...

    def not_taken(self) -> tuple[NotTaken, ...]:
        """The same without the bytes, by table and flaw."""
        ...

    def last_values(self) -> tuple[TableValues, ...]:
        """What each table said of itself last."""
        ...

    def rows(self) -> int:
        """About how many records are rows, not packed yet. It may be asked every minute."""
        ...

    def reached(self) -> tuple[Reached, ...]:
        """How far the records of each table are durable."""
        ...

    def pack(self, table: KnownTable, *, before: str) -> int:
        """Pack rows that came before a time into chunks; how many rows were packed."""
        ...

    def pack_some(self, table: KnownTable, *, before: str) -> int:
        """One chunk at most; how many rows were packed, 0 where there are no more."""
        ...

    def close(self) -> None:
        """Use it no more."""
        ...
