"""The journal's file: append-only SQLite, each record chained to the one before by hash.

`hash = sha256(hash of the record before || public form)`; the first record follows 32 zero bytes. A record is durable
when `append` returns (WAL, `synchronous=FULL`). Triggers forbid update and delete: whoever wants to change a record has
to break the file on purpose, and the chain shows it.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

GENESIS: Final = bytes(32)
FORMAT: Final = 1

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

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path
        newest = connection.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        self._seq: int = newest[0] if newest is not None else 0
        self._hash: bytes = newest[1] if newest is not None else GENESIS

    @classmethod
    def open(cls, path: Path) -> Self:
        """For writing; makes the file when there is none. A second writer is refused."""
        try:
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, FORMAT):
                raise JournalUnusable(f"{path}: format {version}, this program writes {FORMAT}; use its newer version")
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            return cls(connection, path)
        except sqlite3.Error as wrong:
            raise JournalUnusable(f"{path}: {wrong}; check the folder, the disk and the file's owner") from None

    @classmethod
    def read(cls, path: Path) -> Self:
        """For reading only; the file must be there."""
        if not path.is_file():
            raise JournalUnusable(f"{path}: there is no such journal")
        try:
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
            return cls(connection, path)
        except sqlite3.Error as wrong:
            raise JournalUnusable(f"{path}: {wrong}; is it a journal of tablectl?") from None

    @property
    def newest(self) -> int:
        """The number of the newest record this connection wrote or found; 0 in an empty journal."""
        return self._seq

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
        where, values = ("AND hand = ?", (after, hand)) if hand is not None else ("", (after,))
        try:
            for row in self._connection.execute(
                f"SELECT seq, hand, closes_hand, public, hash, sealed FROM record WHERE seq > ? {where} ORDER BY seq",
                values,
            ):
                seq, of_hand, closes, public, link, sealed = row
                yield Stored(seq=seq, hand=of_hand, closes_hand=bool(closes), public=public, hash=link, sealed=sealed)
        except sqlite3.Error as wrong:
            raise JournalUnusable(f"{self.path}: {wrong}; restore it from the second copy") from None

    def last_boundary(self, hands: int = 1) -> int:
        """The position of the record that closed the `hands`-th last closed hand; 0 where there are fewer."""
        row = self._connection.execute(
            "SELECT seq FROM record WHERE closes_hand = 1 ORDER BY seq DESC LIMIT 1 OFFSET ?", (hands - 1,)
        ).fetchone()
        return int(row[0]) if row is not None else 0

    def hash_at(self, seq: int) -> bytes:
        """The hash of a record; that of the beginning for 0."""
        row = self._connection.execute("SELECT hash FROM record WHERE seq = ?", (seq,)).fetchone()
        return bytes(row[0]) if row is not None else GENESIS

    def close(self) -> None:
        """May be repeated."""
        self._connection.close()
