"""What the pit server's stores have in common: every statement of SQL, and all that is made of what they return.

A store supplies how a statement is run and what a transaction is. Parameters are written as `?`; everything else is SQL
that both SQLite and PostgreSQL understand. Within a transaction, what is appended is collected and written at its end,
or before the next statement that reads: so a transaction of many batches takes few statements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, Self, TypeAlias

import msgspec

from tablectl.fleet import batches
from tablectl.fleet.batches import CheckedBatch, CheckedRecord, SentRecord
from tablectl.fleet.certificates import Shown
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Head
from tablectl.fleet.pit.store import (
    CHUNK_LEAST,
    QUARANTINED_MOST,
    Code,
    KeptHand,
    KeptRecord,
    KnownTable,
    NotTaken,
    Quarantined,
    Reached,
    Restores,
    StoreUnusable,
    TableValues,
)
from tablectl.journal.store import BEGINNING, GENESIS, Position, chained

Row: TypeAlias = tuple[Any, ...]

#: The columns of the tables to which many rows are appended at once.
COLUMNS: Final = {
    "records": (
        *("table_id", "restores", "seq", "hand", "kind", "at", "received"),
        *("public", "signature", "length", "hash"),
    ),
    "chunks": ("table_id", "restores", "first_seq", "last_seq", "last_hash", "packed"),
}


class Upsert(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of a table that take the place of others with the same key: `changed` says in which columns."""

    table: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    changed: tuple[str, ...]

    def sql(self, source: str) -> str:
        """The statement; `source`: `VALUES (…)`, or another one that returns rows."""
        change = ", ".join(f"{column} = excluded.{column}" for column in self.changed)
        return (
            f"INSERT INTO {self.table} ({', '.join(self.columns)}) {source}"
            f" ON CONFLICT ({', '.join(self.key)}) DO UPDATE SET {change}"
        )


_EPOCHS: Final = Upsert(
    table="epochs",
    columns=("table_id", "restores", "origin", "after_seq", "head_seq", "head_hash", "head_at"),
    key=("table_id", "restores"),
    changed=("head_seq", "head_hash", "head_at"),
)
_HANDS: Final = Upsert(
    table="hands",
    columns=("table_id", "restores", "hand", "first_seq", "last_seq", "began", "ended"),
    key=("table_id", "hand", "restores"),
    changed=("last_seq", "ended"),
)
_LAST_VALUES: Final = Upsert(
    table="last_values", columns=("table_id", "at", "body"), key=("table_id",), changed=("at", "body")
)


class _KeptEpoch(msgspec.Struct, frozen=True, kw_only=True):
    """An epoch of a table: it begins after the record `after`, and `head` is its newest record."""

    epoch: Epoch
    after: int
    head: Position


class _Collected:
    """What a transaction has to append."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {table: [] for table in COLUMNS}
        #: by table, epoch and hand: first and last record, and when they were
        self.hands: dict[tuple[int, int, int], tuple[int, int, str, str]] = {}
        #: by table and epoch: its origin, the record before it, and its head
        self.epochs: dict[tuple[int, int], tuple[str, int, int, bytes, str]] = {}

    def hand(self, of: tuple[int, int, int], first: CheckedRecord, last: CheckedRecord) -> None:
        """A hand has these records."""
        begins = self.hands.get(of, (first.seq, 0, first.at, ""))
        self.hands[of] = (begins[0], last.seq, begins[2], last.at)

    def head(self, table: KnownTable, epoch: Epoch, before: int, head: Position, at: str) -> None:
        """An epoch goes on to this record; `before`: the record before it, where the epoch is new."""
        of = table.id, epoch.restores
        self.epochs[of] = (epoch.origin, self.epochs.get(of, ("", before))[1], *head, at)


class SqlStore(ABC):
    """`PitStore` in a database that speaks SQL."""

    def __init__(self) -> None:
        #: of the tables that this transaction looked at
        self._heads: dict[int, Head] = {}
        self._collected: _Collected | None = None

    @property
    @abstractmethod
    def may_pack(self) -> bool:
        """Whether rows may be replaced by chunks."""

    # --- what a database supplies -----------------------------------------------------------------------------------

    @abstractmethod
    def close(self) -> None:
        """Use it no more."""

    @abstractmethod
    def _all(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """All rows that a statement returns. Raises `StoreUnusable`."""

    @abstractmethod
    def _run(self, sql: str, params: Sequence[object] = ()) -> int:
        """How many rows a statement changed. Raises `StoreUnusable`."""

    @abstractmethod
    def _upsert(self, into: Upsert, rows: Sequence[Row]) -> None:
        """Rows with keys that differ from each other, in their order. Raises `StoreUnusable`."""

    @abstractmethod
    def _append_rows(self, table: str, rows: Sequence[Row]) -> None:
        """Whole rows (`COLUMNS`) in the fastest way that the database has. Raises `StoreUnusable`."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[None]:
        """All statements in it are durable when it has ended, or none. Raises `StoreUnusable`."""

    @abstractmethod
    def _hold(self, ids: Sequence[int]) -> None:
        """Until the transaction ends, nobody else appends to these tables. `ids`: in ascending order, so that two that
        wait for each other cannot be."""

    @abstractmethod
    def _hold_packing(self) -> None:
        """Until the transaction ends, nobody else packs."""

    # --- the server itself ------------------------------------------------------------------------------------------

    def restores(self) -> Restores:
        """How often this store was put back from a backup."""
        ((count, last),) = self._all("SELECT epoch, restored FROM server")
        return Restores(count=count, last=last)

    def note_restore(self, at: str) -> Restores:
        """It was put back from a backup: the server's next epoch begins. Codes of before are good no more."""
        with self._transaction():
            self._run("UPDATE server SET epoch = epoch + 1, restored = ?", (at,))
            self._run("DELETE FROM codes")
        return self.restores()

    # --- tables -----------------------------------------------------------------------------------------------------

    def tables(self) -> tuple[KnownTable, ...]:
        """All that ever could send, by name."""
        rows = self._all(
            "SELECT id, name, key, since, revoked, certificate_key, certificate_until FROM tables ORDER BY name"
        )
        return tuple(
            KnownTable(
                id=row[0],
                name=row[1],
                key=row[2],
                since=row[3],
                revoked=row[4],
                certificate_key=row[5],
                certificate_until=row[6],
            )
            for row in rows
        )

    def revoke(self, name: str, at: str) -> bool:
        """A table may send no more; False where there is none with this name."""
        return self._run("UPDATE tables SET revoked = ? WHERE name = ? AND revoked = ''", (at, name)) == 1

    # --- who they are -----------------------------------------------------------------------------------------------

    def enrol(self, name: str, key: bytes, certificate: Shown, at: str, *, secret: bytes | None = None) -> bool:
        """A table may send from now on with this certificate."""
        with self._transaction():
            if secret is not None and not self._run("DELETE FROM codes WHERE name = ? AND secret = ?", (name, secret)):
                return False
            made = self._run(
                "INSERT INTO tables (name, key, since, certificate_key, certificate_until) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET certificate_key = excluded.certificate_key,"
                " certificate_until = excluded.certificate_until"
                " WHERE tables.key = excluded.key AND tables.revoked = ''",
                (name, key, at, certificate.key, certificate.until),
            )
            if not made:
                raise StoreUnusable(
                    f"there is a table {name} with another journal, or it was revoked; enrol this one by another name"
                )
        return True

    def renewed(self, table: KnownTable, certificate: Shown) -> None:
        """A table has another certificate for the same key."""
        self._run("UPDATE tables SET certificate_until = ? WHERE id = ?", (certificate.until, table.id))

    def add_code(self, code: Code) -> None:
        """In place of an earlier one with the same name."""
        self._run(
            "INSERT INTO codes (name, secret, key, until, tries) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
            " SET secret = excluded.secret, key = excluded.key, until = excluded.until, tries = excluded.tries",
            (code.name, code.secret, code.key, code.until, code.tries),
        )

    def code(self, name: str) -> Code | None:
        """The code for the table of this name."""
        rows = self._all("SELECT name, secret, key, until, tries FROM codes WHERE name = ?", (name,))
        return next((Code(name=row[0], secret=row[1], key=row[2], until=row[3], tries=row[4]) for row in rows), None)

    def count_try(self, name: str) -> int:
        """A code was tried once more; how often by now."""
        (row,) = self._all("UPDATE codes SET tries = tries + 1 WHERE name = ? RETURNING tries", (name,)) or [(0,)]
        return int(row[0])

    # --- what came --------------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[Self]:
        """A transaction. Raises `StoreUnusable`."""
        with self._transaction():
            self._collected = _Collected()
            try:
                yield self
                self._write_collected()
            finally:
                self._collected = None
                self._heads.clear()

    def hold(self, tables: Collection[KnownTable]) -> None:
        """Until the transaction ends, the heads of these tables stay as they are."""
        ids = sorted({table.id for table in tables})
        if not ids:
            return
        self._hold(ids)
        self._heads = {number: Head() for number in ids}
        rows = self._all(
            "SELECT table_id, origin, restores, head_seq, head_hash FROM epochs"
            f" WHERE table_id IN ({', '.join('?' * len(ids))}) ORDER BY restores",
            ids,
        )
        for row in rows:  # the newest epoch comes last
            self._heads[row[0]] = Head(epoch=Epoch(origin=row[1], restores=row[2]), position=Position(row[3], row[4]))

    def head(self, table: KnownTable) -> Head:
        """The newest record of a table."""
        held = self._heads.get(table.id)
        if held is not None:
            return held
        epochs = self._epochs(table)
        return Head(epoch=epochs[0].epoch, position=epochs[0].head) if epochs else Head()

    def hash_of(self, table: KnownTable, seq: int) -> bytes | None:
        """The hash of a record; None where there is none."""
        if seq == BEGINNING.seq:
            return GENESIS
        held = self._heads.get(table.id)
        if held is not None and held.position.seq == seq:
            return held.position.hash
        self._write_collected()
        kept = _epoch_at(self._epochs(table), seq)
        if kept is None:
            return None
        if kept.head.seq == seq:
            return kept.head.hash
        record = next(self._of_epoch(table, kept.epoch, seq - 1, seq), None)
        return None if record is None else record.hash

    def append(self, table: KnownTable, batch: CheckedBatch, new_from: int, body: bytes, at: str) -> Head:
        """The records of a batch from this one on, and the head after them."""
        assert self._collected is not None, "within a transaction"
        epoch, records = batch.epoch, [record for record in batch.records if record.seq >= new_from]
        before = batch.before.hash if new_from == batch.first else batch.records[new_from - batch.first - 1].hash
        if len(records) >= CHUNK_LEAST:
            is_whole = len(records) == len(batch.records)
            whole = body if is_whole else batches.repacked(epoch, before, records)
            self._collected.rows["chunks"].append(_chunk(table, epoch, records, whole))
        else:
            self._collected.rows["records"] += [_row(table, epoch, record, at) for record in records]
        for hand, of in _hands(records).items():
            self._collected.hand((table.id, epoch.restores, hand), of[0], of[-1])
        position = Position(records[-1].seq, records[-1].hash)
        self._collected.head(table, epoch, new_from - 1, position, at)
        head = self._heads[table.id] = Head(epoch=epoch, position=position)
        return head

    def _write_collected(self) -> None:
        """What this transaction appended, if it is one."""
        collected = self._collected
        if collected is None or not collected.epochs:
            return
        self._collected = _Collected()
        for name, rows in collected.rows.items():
            if rows:
                self._append_rows(name, rows)
        if collected.hands:
            self._upsert(_HANDS, [(*of, *hand) for of, hand in collected.hands.items()])
        self._upsert(_EPOCHS, [(*of, *epoch) for of, epoch in collected.epochs.items()])

    def quarantine(self, found: Quarantined) -> None:
        """Kept as evidence, once, and no more of one table than a person would look at."""
        ((count, same),) = self._all(
            "SELECT count(*), count(*) FILTER (WHERE seq = ? AND flaw = ? AND why = ?) FROM quarantine WHERE name = ?",
            (found.seq, found.flaw, found.why, found.table),
        )
        if count >= QUARANTINED_MOST or same:
            return
        self._run(
            "INSERT INTO quarantine (at, name, seq, flaw, why, body) VALUES (?, ?, ?, ?, ?, ?)",
            (found.at, found.table, found.seq, found.flaw, found.why, found.body),
        )

    # --- what is there ----------------------------------------------------------------------------------------------

    def heads(self, table: KnownTable) -> tuple[Head, ...]:
        """Each epoch of its journal with its newest record, the newest epoch first."""
        return tuple(Head(epoch=kept.epoch, position=kept.head) for kept in self._epochs(table))

    def records(
        self, table: KnownTable, *, after: int = 0, to: int | None = None, epoch: Epoch | None = None
    ) -> Iterator[KeptRecord]:
        """The records in their order as the journal had them in this epoch, the newest one where none is named."""
        epochs = [kept for kept in self._epochs(table) if epoch is None or kept.epoch <= epoch]
        most = (epochs[0].head.seq if epochs else 0) if to is None else to
        while after < most and (kept := _epoch_at(epochs, after + 1)) is not None:
            # Up to where a newer epoch begins.
            newer = [other.after for other in epochs if other.epoch > kept.epoch and other.after > after]
            last = after
            for record in self._of_epoch(table, kept.epoch, after, min(*newer, most, most)):
                last = record.seq
                yield record
            if last == after:
                return
            after = last

    def _epochs(self, table: KnownTable) -> list[_KeptEpoch]:
        """The newest first."""
        self._write_collected()
        rows = self._all(
            "SELECT origin, restores, after_seq, head_seq, head_hash FROM epochs WHERE table_id = ?"
            " ORDER BY restores DESC",
            (table.id,),
        )
        return [
            _KeptEpoch(epoch=Epoch(origin=row[0], restores=row[1]), after=row[2], head=Position(row[3], row[4]))
            for row in rows
        ]

    def _of_epoch(self, table: KnownTable, epoch: Epoch, after: int, to: int) -> Iterator[KeptRecord]:
        """The records of one epoch: those in chunks, those in rows, whichever comes next. A row may be packed between
        two statements: then its chunk is there when chunks are looked at again."""
        while after < to:
            found = (
                self._of_chunk(table, epoch, after, to)
                or self._rows(table, epoch, after, to)
                or self._of_chunk(table, epoch, after, to)
            )
            if not found:
                return
            yield from found
            after = found[-1].seq

    def _of_chunk(self, table: KnownTable, epoch: Epoch, after: int, to: int) -> list[KeptRecord]:
        """The records after this one in the chunk that has the next one."""
        rows = self._all(
            "SELECT packed FROM (SELECT last_seq, packed FROM chunks WHERE table_id = ? AND restores = ?"
            " AND first_seq <= ? ORDER BY first_seq DESC LIMIT 1) AS nearest WHERE last_seq > ?",
            (table.id, epoch.restores, after + 1, after),
        )
        return list(unpacked(epoch, rows[0][0], after, to)) if rows else []

    def _rows(self, table: KnownTable, epoch: Epoch, after: int, to: int) -> list[KeptRecord]:
        """Rows up to where one is missing: a chunk is between, or the record was not kept."""
        rows = self._all(
            "SELECT seq, public, signature, hash FROM records WHERE table_id = ? AND restores = ? AND seq > ?"
            " AND seq <= ? ORDER BY seq LIMIT ?",
            (table.id, epoch.restores, after, to, batches.RECORDS_MOST),
        )
        return [
            KeptRecord(seq=row[0], epoch=epoch, public=row[1], signature=row[2], hash=row[3])
            for number, row in enumerate(rows, start=after + 1)
            if row[0] == number
        ]

    def hands(self, table: KnownTable, hand: int) -> tuple[KeptHand, ...]:
        """Where a hand's records are, the newest epoch first."""
        rows = self._all(
            "SELECT restores, first_seq, last_seq, began, ended FROM hands WHERE table_id = ? AND hand = ?"
            " ORDER BY restores DESC",
            (table.id, hand),
        )
        of = {kept.epoch.restores: kept.epoch for kept in self._epochs(table)}
        return tuple(
            KeptHand(hand=hand, epoch=of[row[0]], first=row[1], last=row[2], began=row[3], ended=row[4]) for row in rows
        )

    def quarantined(self) -> Iterator[Quarantined]:
        """What was not taken, oldest first."""
        rows = self._all("SELECT at, name, seq, flaw, why, body FROM quarantine ORDER BY id")
        for row in rows:
            yield Quarantined(at=row[0], table=row[1], seq=row[2], flaw=row[3], why=row[4], body=row[5])

    def not_taken(self) -> tuple[NotTaken, ...]:
        """The same without the bytes, by table and flaw."""
        rows = self._all(
            "SELECT name, flaw, seq, at, many FROM quarantine JOIN"
            " (SELECT max(id) AS newest, count(*) AS many FROM quarantine GROUP BY name, flaw) AS found"
            " ON id = newest ORDER BY id"
        )
        return tuple(NotTaken(table=row[0], flaw=row[1], seq=row[2], at=row[3], count=row[4]) for row in rows)

    def keep_values(self, found: Collection[TableValues]) -> None:
        """In the place of what these tables said before. In the order of the tables: so two that write at once do not
        wait for each other."""
        rows = {values.table.id: (values.table.id, values.at, values.body) for values in found}
        if rows:
            self._upsert(_LAST_VALUES, sorted(rows.values()))

    def last_values(self) -> tuple[TableValues, ...]:
        """What each table said of itself last."""
        of = {table.id: table for table in self.tables()}
        rows = self._all("SELECT table_id, at, body FROM last_values")
        return tuple(TableValues(table=of[row[0]], at=row[1], body=row[2]) for row in rows)

    def rows(self) -> int:
        """About how many records are rows, not packed yet."""
        return int(self._all("SELECT count(*) FROM records")[0][0])

    def reached(self) -> tuple[Reached, ...]:
        """How far the records of each table are durable."""
        rows = self._all(
            "SELECT name, restores, head_seq, head_at, (SELECT ended FROM hands WHERE hands.table_id = epochs.table_id"
            " AND hands.restores = epochs.restores ORDER BY hand DESC LIMIT 1) FROM epochs"
            " JOIN tables ON tables.id = table_id ORDER BY restores"
        )
        newest = {row[0]: row for row in rows}  # the newest epoch comes last
        return tuple(
            Reached(table=row[0], restores=row[1], seq=row[2], came_at=row[3], newest_at=row[4] or "")
            for row in newest.values()
        )

    def pack(self, table: KnownTable, *, before: str) -> int:
        """Pack rows that came before a time into chunks; how many rows were packed."""
        packed = 0
        while count := self.pack_some(table, before=before):
            packed += count
        return packed

    def pack_some(self, table: KnownTable, *, before: str) -> int:
        """One chunk at most, in a transaction of its own; how many rows were packed, 0 where there are no more."""
        return next(filter(None, (self._pack_one(table, kept.epoch, before) for kept in self._epochs(table))), 0)

    def _pack_one(self, table: KnownTable, epoch: Epoch, before: str) -> int:
        with self._transaction():
            self._hold_packing()
            rows = self._all(
                "SELECT seq, hand, kind, at, public, signature, length, hash FROM records WHERE table_id = ?"
                " AND restores = ? AND received < ? ORDER BY seq LIMIT ?",
                (table.id, epoch.restores, before, batches.RECORDS_MOST),
            )
            records = [_as_checked(row) for number, row in enumerate(rows) if row[0] == rows[0][0] + number]
            if not records:
                return 0
            records = records[: _as_many_as_fit(records)]
            link = self._hash_before(table, epoch, records[0].seq)
            self._append_rows("chunks", [_chunk(table, epoch, records, batches.repacked(epoch, link, records))])
            self._run(
                "DELETE FROM records WHERE table_id = ? AND restores = ? AND seq BETWEEN ? AND ?",
                (table.id, epoch.restores, records[0].seq, records[-1].seq),
            )
        return len(records)

    def _hash_before(self, table: KnownTable, epoch: Epoch, seq: int) -> bytes:
        """The hash that a record of an epoch follows: of the same one, or of the one that was restored."""
        of = _epoch_at([kept for kept in self._epochs(table) if kept.epoch <= epoch], seq - 1)
        if of is None:
            return GENESIS
        record = next(self._of_epoch(table, of.epoch, seq - 2, seq - 1), None)
        if record is None:
            raise StoreUnusable(f"{table.name}: record {seq - 1} is missing; restore the pit server's backup")
        return record.hash


def _epoch_at(epochs: Sequence[_KeptEpoch], seq: int) -> _KeptEpoch | None:
    """The newest epoch that has a record with this number. `epochs`: the newest first."""
    return next((kept for kept in epochs if kept.after < seq), None)


def _hands(records: Sequence[CheckedRecord]) -> dict[int, list[CheckedRecord]]:
    """The records of each hand."""
    found: dict[int, list[CheckedRecord]] = {}
    for record in records:
        if record.hand:
            found.setdefault(record.hand, []).append(record)
    return found


def unpacked(epoch: Epoch, packed: bytes, after: int, to: int) -> Iterator[KeptRecord]:
    """The records of a chunk with these numbers."""
    batch = batches.unpacked(packed)
    link = batch.before
    for seq, sent in enumerate(batch.records, start=batch.first):
        link = sent.withheld or chained(link, sent.public)
        if after < seq <= to:
            yield KeptRecord(seq=seq, epoch=epoch, public=sent.public, signature=sent.signature, hash=link)


def _row(table: KnownTable, epoch: Epoch, record: CheckedRecord, received: str) -> Row:
    sent = record.sent
    of = (table.id, epoch.restores, record.seq, record.hand, record.kind, record.at, received)
    return (*of, sent.public, sent.signature, sent.length, record.hash)


def _chunk(table: KnownTable, epoch: Epoch, records: Sequence[CheckedRecord], packed: bytes) -> Row:
    first, last = records[0], records[-1]
    return (table.id, epoch.restores, first.seq, last.seq, last.hash, packed)


def _as_checked(row: Row) -> CheckedRecord:
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
