"""The journal's file: append-only SQLite, each record chained to the one before by hash.

`hash = sha256(hash of the record before || public form)`; the first record follows 32 zero bytes. A record is durable
when `append` returns (WAL, `synchronous=FULL`). Triggers forbid update and delete: whoever wants to change a record has
to break the file on purpose, and the chain shows it.

Beside the file lies `….lock`, which the one writer holds for as long as it lives; the kernel lets go of it even when
the writer is killed. (A lock on the file itself would be in the way of SQLite's own.)
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

GENESIS: Final = bytes(32)
FORMAT: Final = 1
#: Records that are read at once. Between two pages a reader holds nothing: however slow, it keeps no old page of the
#: write-ahead log alive.
PAGE: Final = 256

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS record (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    hand INTEGER NOT NULL,
    closes_hand INTEGER NOT NULL CHECK (closes_hand IN (0, 1)),
    public BLOB NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    sealed BLOB
) STRICT;
CREATE INDEX IF NOT EXISTS record_by_hand ON record (hand);
CREATE INDEX IF NOT EXISTS record_closing ON record (seq) WHERE closes_hand = 1;
CREATE TRIGGER IF NOT EXISTS record_is_never_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS record_is_never_deleted BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


_COLUMNS: Final = "seq, hand, closes_hand, public, hash, sealed"


class JournalUnusable(Exception):
    """The journal cannot be opened or written. The text says what happened and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """One record as it lies in the file. `public` is canonical JSON, without the hash."""

    seq: int
    hand: int
    closes_hand: bool
    public: bytes
    hash: bytes
    sealed: bytes | None


def chained(before: bytes, public: bytes) -> bytes:
    """The hash of a record."""
    return hashlib.sha256(before + public).digest()


class Store:
    """One connection to a journal. The writer is one thread of one process; readers open their own."""

    def __init__(self, connection: sqlite3.Connection, path: Path, lock: int | None = None) -> None:
        self._connection = connection
        self._lock = lock
        self.path = path
        newest = connection.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        self._seq: int = newest[0] if newest is not None else 0
        self._hash: bytes = newest[1] if newest is not None else GENESIS

    @classmethod
    def open(cls, path: Path) -> Self:
        """For writing; makes the file when there is none. A second writer is refused."""
        lock = _locked(path)
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
            _must_be_ours(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            return cls(connection, path, lock)
        except (sqlite3.Error, JournalUnusable) as wrong:
            if connection is not None:
                connection.close()
            os.close(lock)
            if isinstance(wrong, JournalUnusable):
                raise
            raise JournalUnusable(f"{path}: {wrong}; check the folder, the disk and the file's owner") from None

    @classmethod
    def read(cls, path: Path) -> Self:
        """For reading only; the file must be there."""
        if not path.is_file():
            raise JournalUnusable(f"{path}: there is no such journal")
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
            _must_be_ours(connection, path)
            return cls(connection, path)
        except (sqlite3.Error, JournalUnusable) as wrong:
            if connection is not None:
                connection.close()
            if isinstance(wrong, JournalUnusable):
                raise
            raise JournalUnusable(f"{path}: {wrong}; is it a journal of tablectl?") from None

    @property
    def newest(self) -> int:
        """The number of the newest record this connection wrote or found; 0 in an empty journal."""
        return self._seq

    @property
    def newest_hand(self) -> int:
        """The hand of the newest record; 0 in an empty journal."""
        return next((stored.hand for stored in self.newest_first()), 0)

    @property
    def next_seq(self) -> int:
        """The number of the record that `append` writes next."""
        return self._seq + 1

    def append(self, *, hand: int, closes_hand: bool, public: bytes, sealed: bytes | None) -> Stored:
        """Durable when this returns. Raises `JournalUnusable`, and then nothing was written."""
        seq, link = self.next_seq, chained(self._hash, public)
        try:
            self._connection.execute(
                "INSERT INTO record (seq, hand, closes_hand, public, hash, sealed) VALUES (?, ?, ?, ?, ?, ?)",
                (seq, hand, int(closes_hand), public, link, sealed),
            )
        except sqlite3.Error as wrong:
            raise JournalUnusable(f"{self.path}: record {seq} could not be written: {wrong}") from None
        self._seq, self._hash = seq, link
        return Stored(seq=seq, hand=hand, closes_hand=closes_hand, public=public, hash=link, sealed=sealed)

    def records(self, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """The records behind a position, in order; only those of one hand where it is named."""
        where, values = ("AND hand = ?", (hand,)) if hand is not None else ("", ())
        page = f"SELECT {_COLUMNS} FROM record WHERE seq > ? {where} ORDER BY seq LIMIT {PAGE}"
        while rows := self._rows(page, (after, *values)):
            yield from map(_stored, rows)
            after = rows[-1][0]

    def newest_first(self) -> Iterator[Stored]:
        """All records, from the newest back."""
        page = f"SELECT {_COLUMNS} FROM record WHERE seq < ? ORDER BY seq DESC LIMIT {PAGE}"
        before = self.next_seq
        while rows := self._rows(page, (before,)):
            yield from map(_stored, rows)
            before = rows[-1][0]

    def last_boundary(self, hands: int = 1) -> int:
        """The position of the record that closed the `hands`-th last closed hand; 0 where there are fewer."""
        boundary = "SELECT seq FROM record WHERE closes_hand = 1 ORDER BY seq DESC LIMIT 1 OFFSET ?"
        rows = self._rows(boundary, (hands - 1,))
        return int(rows[0][0]) if rows else 0

    def hash_at(self, seq: int) -> bytes:
        """The hash of a record; that of the beginning for 0."""
        rows = self._rows("SELECT hash FROM record WHERE seq = ?", (seq,))
        return bytes(rows[0][0]) if rows else GENESIS

    def close(self) -> None:
        """May be repeated. The lock goes last."""
        self._connection.close()
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def _rows(self, query: str, values: tuple[int, ...]) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as wrong:
            raise JournalUnusable(f"{self.path}: {wrong}; restore it from the second copy") from None


def _stored(row: tuple[Any, ...]) -> Stored:
    seq, hand, closes, public, link, sealed = row
    return Stored(seq=seq, hand=hand, closes_hand=bool(closes), public=public, hash=link, sealed=sealed)


def _locked(path: Path) -> int:
    """The descriptor that holds the writer's lock. Raises `JournalUnusable`."""
    beside = path.with_name(f"{path.name}.lock")
    try:
        lock = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as wrong:
        raise JournalUnusable(f"{beside}: {wrong.strerror}; check the folder, the disk and the file's owner") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        other = os.pread(lock, 20, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise JournalUnusable(
            f"{path}: another controller writes this journal (process {other}); one table has one controller"
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def _must_be_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Raises `JournalUnusable` for what another program wrote, or a newer one of ours."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, FORMAT):
        raise JournalUnusable(f"{path}: format {version}, this program writes {FORMAT}; use its newer version")
    strange = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'record'").fetchone()
    if strange is not None:
        raise JournalUnusable(f"{path}: a database with a table {strange[0]!r}; is it a journal of tablectl?")
