"""The pit server's store in one SQLite file: the default, where nothing else is to run, for about a dozen tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from tablectl.fleet import batches
from tablectl.fleet.batches import CheckedBatch, CheckedRecord, SentRecord
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Head
from tablectl.fleet.pit.store import (
    CHUNK_LEAST,
    QUARANTINED_MOST,
    KeptHand,
    KeptRecord,
    KnownTable,
    Quarantined,
    StoreUnusable,
    epoch_at,
)
from tablectl.journal import sqlite_file
from tablectl.journal.sqlite_file import Connection, Durability, RowRefused, SqliteError
from tablectl.journal.store import BEGINNING, GENESIS, Position, chained

#: "tcPi": what says that a file is of this kind (sqlite.org/pragma.html#pragma_application_id).
APPLICATION: Final = 0x74635069
VERSION: Final = 1

_SCHEMA: Final = """
CREATE TABLE tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, key BLOB NOT NULL, since TEXT NOT NULL,
    revoked TEXT NOT NULL DEFAULT '');
CREATE TABLE epochs (table_id INTEGER NOT NULL REFERENCES tables, restores INTEGER NOT NULL, origin TEXT NOT NULL,
    after_seq INTEGER NOT NULL, head_seq INTEGER NOT NULL, head_hash BLOB NOT NULL, head_at TEXT NOT NULL,
    PRIMARY KEY (table_id, restores)) WITHOUT ROWID;
CREATE TABLE records (table_id INTEGER NOT NULL, restores INTEGER NOT NULL, seq INTEGER NOT NULL, hand INTEGER NOT NULL,
    kind TEXT NOT NULL, at TEXT NOT NULL, received TEXT NOT NULL, public BLOB NOT NULL, signature BLOB NOT NULL,
    length INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (table_id, restores, seq)) WITHOUT ROWID;
CREATE TABLE chunks (table_id INTEGER NOT NULL, restores INTEGER NOT NULL, first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL, last_hash BLOB NOT NULL, packed BLOB NOT NULL,
    PRIMARY KEY (table_id, restores, first_seq));
CREATE TABLE hands (table_id INTEGER NOT NULL, restores INTEGER NOT NULL, hand INTEGER NOT NULL,
    first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL,
    PRIMARY KEY (table_id, restores, hand)) WITHOUT ROWID;
CREATE TABLE quarantine (id INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, seq INTEGER NOT NULL,
    flaw TEXT NOT NULL, why TEXT NOT NULL, body BLOB NOT NULL);
"""


class SqliteStore:
    """`PitStore` in a file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Makes the file where there is none. Raises `StoreUnusable`."""
        try:
            sqlite_file.make_private(path)
            connection = sqlite_file.connect(path, is_shared=True)
            if sqlite_file.is_empty(connection):
                sqlite_file.make_durable(connection, Durability.FULL)
                _make(connection)
            found = (sqlite_file.application_of(connection), sqlite_file.version_of(connection))
            if found != (APPLICATION, VERSION):
                connection.close()
                raise StoreUnusable(f"{path}: not a pit server's file of this version; name another file")
            sqlite_file.make_durable(connection, Durability.FULL)
        except (OSError, SqliteError) as wrong:
            raise StoreUnusable(f"{path}: {wrong}; the pit server's user has to be able to write there") from None
        return cls(connection)

    @classmethod
    def in_memory(cls) -> Self:
        """Gone with the process."""
        connection = sqlite_file.connect(None, is_shared=True)
        _make(connection)
        return cls(connection)

    def close(self) -> None:
        """Use it no more."""
        self._connection.close()

    # --- tables -----------------------------------------------------------------------------------------------------

    def add_table(self, name: str, key: bytes, at: str) -> KnownTable:
        """A table may send from now on. Raises `StoreUnusable` where there is one with this name."""
        try:
            made = self._connection.execute(
                "INSERT INTO tables (name, key, since) VALUES (?, ?, ?) RETURNING id", (name, key, at)
            ).fetchone()
        except RowRefused:
            raise StoreUnusable(
                f"there is a table {name} already; revoke it, and enrol this one by another name"
            ) from None
        return KnownTable(id=made[0], name=name, key=key, since=at)

    def tables(self) -> tuple[KnownTable, ...]:
        """All that ever could send, by name."""
        rows = self._connection.execute("SELECT id, name, key, since, revoked FROM tables ORDER BY name")
        return tuple(KnownTable(id=row[0], name=row[1], key=row[2], since=row[3], revoked=row[4]) for row in rows)

    def revoke(self, name: str, at: str) -> bool:
        """A table may send no more; False where there is none with this name."""
        changed = self._connection.execute("UPDATE tables SET revoked = ? WHERE name = ? AND revoked = ''", (at, name))
        return changed.rowcount == 1

    # --- what came --------------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[SqliteStore]:
        """A transaction. Raises `StoreUnusable`."""
        try:
            with sqlite_file.transaction(self._connection):
                yield self
        except SqliteError as wrong:
            raise StoreUnusable(f"the pit server's file: {wrong}") from None

    def head(self, table: KnownTable) -> Head:
        """The newest record of a table."""
        row = self._connection.execute(
            "SELECT origin, restores, head_seq, head_hash FROM epochs WHERE table_id = ?"
            " ORDER BY restores DESC LIMIT 1",
            (table.id,),
        ).fetchone()
        if row is None:
            return Head()
        return Head(epoch=Epoch(origin=row[0], restores=row[1]), position=Position(row[2], row[3]))

    def hash_of(self, table: KnownTable, seq: int) -> bytes | None:
        """The hash of a record; None where there is none."""
        if seq == BEGINNING.seq:
            return GENESIS
        epochs = self._epochs(table)
        epoch = epoch_at(epochs, seq)
        if epoch is None:
            return None
        (position,) = self._connection.execute(
            "SELECT head_seq, head_hash FROM epochs WHERE table_id = ? AND restores = ?", (table.id, epoch.restores)
        )
        if position[0] == seq:
            return bytes(position[1])
        record = next(self._of_epoch(table, epoch, seq - 1, seq), None)
        return None if record is None else record.hash

    def append(self, table: KnownTable, batch: CheckedBatch, new_from: int, body: bytes, at: str) -> Head:
        """The records of a batch from this one on, and the head after them."""
        epoch, records = batch.epoch, [record for record in batch.records if record.seq >= new_from]
        before = batch.before.hash if new_from == batch.first else batch.records[new_from - batch.first - 1].hash
        if len(records) >= CHUNK_LEAST:
            is_whole = len(records) == len(batch.records)
            self._keep_chunk(table, epoch, records, body if is_whole else batches.repacked(epoch, before, records))
        else:
            self._connection.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [_row(table, epoch, record, at) for record in records],
            )
        self._keep_hands(table, epoch, records)
        self._connection.execute(
            "INSERT INTO epochs VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET head_seq = excluded.head_seq, head_hash = excluded.head_hash, head_at = excluded.head_at",
            (table.id, epoch.restores, epoch.origin, new_from - 1, records[-1].seq, records[-1].hash, at),
        )
        return Head(epoch=epoch, position=Position(records[-1].seq, records[-1].hash))

    def _keep_chunk(self, table: KnownTable, epoch: Epoch, records: list[CheckedRecord], body: bytes) -> None:
        first, last = records[0].seq, records[-1]
        self._connection.execute(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
            (table.id, epoch.restores, first, last.seq, last.hash, body),
        )

    def _keep_hands(self, table: KnownTable, epoch: Epoch, records: list[CheckedRecord]) -> None:
        spans: dict[int, list[CheckedRecord]] = {}
        for record in records:
            if record.hand:
                spans.setdefault(record.hand, []).append(record)
        self._connection.executemany(
            "INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET last_seq = excluded.last_seq, ended = excluded.ended",
            [
                (table.id, epoch.restores, hand, of[0].seq, of[-1].seq, of[0].at, of[-1].at)
                for hand, of in spans.items()
            ],
        )

    def quarantine(self, found: Quarantined) -> None:
        """Kept as evidence, once, and no more of one table than a person would look at."""
        known = self._connection.execute(
            "SELECT count(*), coalesce(sum(seq = ? AND flaw = ? AND why = ?), 0) FROM quarantine WHERE name = ?",
            (found.seq, found.flaw, found.why, found.table),
        ).fetchone()
        if known[0] >= QUARANTINED_MOST or known[1]:
            return
        self._connection.execute(
            "INSERT INTO quarantine (at, name, seq, flaw, why, body) VALUES (?, ?, ?, ?, ?, ?)",
            (found.at, found.table, found.seq, found.flaw, found.why, found.body),
        )

    # --- what is there ----------------------------------------------------------------------------------------------

    def records(self, table: KnownTable, *, after: int = 0, to: int | None = None) -> Iterator[KeptRecord]:
        """The records of the newest epochs in their order."""
        epochs = self._epochs(table)
        most = self.head(table).position.seq if to is None else to
        while after < most and (epoch := epoch_at(epochs, after + 1)) is not None:
            # Up to where a newer epoch begins.
            ends = min([begin for other, begin in epochs if other > epoch and begin > after], default=most)
            last = after
            for record in self._of_epoch(table, epoch, after, min(ends, most)):
                last = record.seq
                yield record
            if last == after:
                return
            after = last

    def _epochs(self, table: KnownTable) -> list[tuple[Epoch, int]]:
        rows = self._connection.execute(
            "SELECT origin, restores, after_seq FROM epochs WHERE table_id = ? ORDER BY restores DESC", (table.id,)
        )
        return [(Epoch(origin=row[0], restores=row[1]), row[2]) for row in rows]

    def _of_epoch(self, table: KnownTable, epoch: Epoch, after: int, to: int) -> Iterator[KeptRecord]:
        """The records of one epoch: those in chunks, those in rows, whichever comes next."""
        at = after
        while at < to:
            chunk = self._connection.execute(
                "SELECT packed FROM chunks WHERE table_id = ? AND restores = ? AND first_seq <= ? AND last_seq > ?"
                " ORDER BY first_seq DESC LIMIT 1",
                (table.id, epoch.restores, at + 1, at),
            ).fetchone()
            found = unpacked(epoch, chunk[0], at, to) if chunk is not None else self._rows(table, epoch, at, to)
            before = at
            for record in found:
                at = record.seq
                yield record
            if at == before:
                return

    def _rows(self, table: KnownTable, epoch: Epoch, after: int, to: int) -> Iterator[KeptRecord]:
        rows = self._connection.execute(
            "SELECT seq, public, signature, hash FROM records WHERE table_id = ? AND restores = ? AND seq > ?"
            " AND seq <= ? ORDER BY seq LIMIT ?",
            (table.id, epoch.restores, after, to, batches.RECORDS_MOST),
        ).fetchall()
        for number, row in enumerate(rows, start=after + 1):
            if row[0] != number:
                return  # a chunk is between
            yield KeptRecord(seq=row[0], epoch=epoch, public=row[1], signature=row[2], hash=row[3])

    def hands(self, table: KnownTable, hand: int) -> tuple[KeptHand, ...]:
        """Where a hand's records are, the newest epoch first."""
        rows = self._connection.execute(
            "SELECT restores, first_seq, last_seq, began, ended FROM hands WHERE table_id = ? AND hand = ?"
            " ORDER BY restores DESC",
            (table.id, hand),
        )
        of = {epoch.restores: epoch for epoch, _ in self._epochs(table)}
        return tuple(
            KeptHand(hand=hand, epoch=of[row[0]], first=row[1], last=row[2], began=row[3], ended=row[4]) for row in rows
        )

    def quarantined(self) -> Iterator[Quarantined]:
        """What was not taken, oldest first."""
        rows = self._connection.execute("SELECT at, name, seq, flaw, why, body FROM quarantine ORDER BY id")
        for row in rows:
            yield Quarantined(at=row[0], table=row[1], seq=row[2], flaw=row[3], why=row[4], body=row[5])

    def pack(self, table: KnownTable, *, before: str) -> int:
        """Pack rows that came before a time into chunks; how many rows were packed."""
        packed = 0
        for epoch, _ in self._epochs(table):
            while count := self._pack_one(table, epoch, before):
                packed += count
        return packed

    def _pack_one(self, table: KnownTable, epoch: Epoch, before: str) -> int:
        with self.writing():
            rows = self._connection.execute(
                "SELECT seq, hand, kind, at, public, signature, length, hash FROM records WHERE table_id = ?"
                " AND restores = ? AND received < ? ORDER BY seq LIMIT ?",
                (table.id, epoch.restores, before, batches.RECORDS_MOST),
            ).fetchall()
            records = [_as_checked(row) for number, row in enumerate(rows) if row[0] == rows[0][0] + number]
            if not records:
                return 0
            records = records[: _as_many_as_fit(records)]
            link = self._hash_before(table, epoch, records[0].seq)
            self._keep_chunk(table, epoch, records, batches.repacked(epoch, link, records))
            self._connection.execute(
                "DELETE FROM records WHERE table_id = ? AND restores = ? AND seq BETWEEN ? AND ?",
                (table.id, epoch.restores, records[0].seq, records[-1].seq),
            )
        return len(records)

    def _hash_before(self, table: KnownTable, epoch: Epoch, seq: int) -> bytes:
        """The hash that a record of an epoch follows: of the same one, or of the one that was restored."""
        epochs = [found for found in self._epochs(table) if found[0] <= epoch]
        of = epoch_at(epochs, seq - 1)
        if of is None:
            return GENESIS
        record = next(self._of_epoch(table, of, seq - 2, seq - 1), None)
        if record is None:
            raise StoreUnusable(f"{table.name}: record {seq - 1} is missing; restore the pit server's backup")
        return record.hash


def _make(connection: Connection) -> None:
    connection.executescript(
        f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def unpacked(epoch: Epoch, packed: bytes, after: int, to: int) -> Iterator[KeptRecord]:
    """The records of a chunk with these numbers."""
    batch = batches.unpacked(packed)
    link = batch.before
    for seq, sent in enumerate(batch.records, start=batch.first):
        link = sent.withheld or chained(link, sent.public)
        if after < seq <= to:
            yield KeptRecord(seq=seq, epoch=epoch, public=sent.public, signature=sent.signature, hash=link)


def _row(table: KnownTable, epoch: Epoch, record: CheckedRecord, received: str) -> tuple[object, ...]:
    sent = record.sent
    of = (table.id, epoch.restores, record.seq, record.hand, record.kind, record.at, received)
    return (*of, sent.public, sent.signature, sent.length, record.hash)


def _as_checked(row: tuple[int, int, str, str, bytes, bytes, int, bytes]) -> CheckedRecord:
    seq, hand, kind, at, public, signature, length, link = row
    withheld = link if kind == batches.WITHHELD else b""
    sent = SentRecord(public=public, signature=signature, withheld=withheld, length=length)
    return CheckedRecord(seq=seq, hand=hand, kind=kind, at=at, hash=link, sent=sent)


def _as_many_as_fit(records: list[CheckedRecord]) -> int:
    """How many of them a batch has room for; one at least."""
    used = 0
    for number, record in enumerate(records):
        used += batches.room_of(record.sent.public)
        if used > batches.BYTES_MOST and number:
            return number
    return len(records)
