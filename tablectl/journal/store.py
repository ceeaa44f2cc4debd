"""A volume of the journal: append-only SQLite, each record chained to the one before by hash.

`hash = sha256(hash of the record before || public form)`; the first record of all follows 32 zero bytes, the first one
of a later volume the last one of the volume before. A record is durable when `append` returns (WAL,
`synchronous=FULL`). Triggers forbid update and delete: whoever wants to change a record has to break the file on
purpose, and the chain shows it.

Beside the file lies `….lock`, which the one writer holds for as long as it lives; the kernel lets go of it even when
the writer is killed. (A lock on the file itself would be in the way of SQLite's own.) And `….reserve` keeps room on the
disk: it is given back when the disk is full, so that the fact that met the full disk is kept all the same.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import pwd
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeAlias

from tablectl.core.events.stream import PublicRecord, decode_bytes
from tablectl.core.records import record
from tablectl.journal.readers import Readers, not_let_in
from tablectl.journal.signing import Signer
from tablectl.journal.sqlite_file import (
    INDEX,
    LOG,
    Connection,
    Cursor,
    Durability,
    SqliteError,
    Trouble,
    application_of,
    beside,
    connect,
    connect_for_reading,
    damage,
    end_log,
    is_empty,
    make_durable,
    make_private,
    read_schema,
    transaction,
    trouble,
    version_of,
)
from tablectl.journal.tilt import TiltKind

GENESIS: Final = bytes(32)
FORMAT: Final = 2
#: How long a writer waits for another program that holds the file, in seconds.
BUSY_S: Final = 5.0
#: How far the file of the lock grows by those who were refused.
_LOCK_BYTES: Final = 4096
#: How long a writer waits for the lock, and when it tries again, in seconds.
LOCK_WAIT_S: Final = 1.0
LOCK_AGAIN_S: Final = 0.02
#: Records that are read at once. Between two pages a reader holds nothing: however slow, it keeps no old page of the
#: write-ahead log alive.
PAGE: Final = 256
#: Records that are looked through at once for some text.
LOOKED_AT: Final = 16_384
#: A record has about five hundred bytes, and a commit writes whole pages: with SQLite's usual 4096 it would write eight
#: times what is new.
PAGE_BYTES: Final = 1024
#: Room that is kept for the last words on a full disk: many times what a record and its pages of the log take.
RESERVE_BYTES: Final = 1 << 20

TRIGGERS: Final = ("record_is_never_changed", "record_is_never_deleted")
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS record (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    hand INTEGER NOT NULL,
    boundary INTEGER NOT NULL CHECK (boundary IN (0, 1)),
    public BLOB NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    signature BLOB CHECK (length(signature) = 64),
    sealed BLOB
) STRICT;
CREATE INDEX IF NOT EXISTS record_boundary ON record (seq) WHERE boundary = 1;
CREATE TRIGGER IF NOT EXISTS {TRIGGERS[0]} BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS {TRIGGERS[1]} BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


_COLUMNS: Final = "seq, hand, boundary, public, hash, signature, sealed"
#: What a file that SQLite cannot use means for the table.
_KINDS: Final = {
    Trouble.FULL: TiltKind.DISK_FULL,
    Trouble.BUSY: TiltKind.READ_ONLY,
    Trouble.NOT_ALLOWED: TiltKind.READ_ONLY,
    Trouble.FAILS: TiltKind.READ_ONLY,
    Trouble.DAMAGED: TiltKind.DAMAGED,
    Trouble.OTHER: TiltKind.DAMAGED,
}


class JournalUnusable(Exception):
    """The journal cannot be opened or written. The text says what happened and what to do."""

    def __init__(self, text: str, kind: TiltKind = TiltKind.DAMAGED) -> None:
        super().__init__(text)
        self.kind = kind


class NotOurs(JournalUnusable):
    """There is no such file, it is no journal, or another version wrote it: nothing says that it is damaged."""


@record
class Stored:
    """One record as it lies in the file. `public` is canonical JSON, without hash and signature.

    `boundary`: the next hand can be replayed from what this record carries over. `sealed` is what lies beside the
    public form: nonce and ciphertext of a card with its salt.
    """

    seq: int
    hand: int
    boundary: bool
    public: bytes
    hash: bytes
    signature: bytes | None
    sealed: bytes | None

    def decoded(self) -> PublicRecord:
        """What it says. Raises `UnreadableRecord` for what no version of this program wrote."""
        return decode_bytes(self.public, self.seq)


class Position(NamedTuple):
    """A record and its hash: what the next one follows."""

    seq: int
    hash: bytes


BEGINNING: Final = Position(0, GENESIS)


def chained(before: bytes, public: bytes) -> bytes:
    """The hash of a record."""
    return hashlib.sha256(before + public).digest()


class Store:
    """One connection to a volume. The writer is one thread of one process; readers open their own."""

    def __init__(
        self,
        connection: Connection,
        path: Path,
        follows: Position,
        lock: int | None = None,
        readers: Readers = Readers.OWNER,
    ) -> None:
        self._connection = connection
        self._lock = lock
        self._readers = readers
        self.path = path
        #: what the first record of this volume follows
        self.follows = follows
        #: the disk was full, and what was kept for that moment is used up
        self.is_reserve_spent = False
        newest = connection.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        self._newest = Position(newest[0], newest[1]) if newest is not None else follows

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        follows: Position = BEGINNING,
        guard: Path | None = None,
        readers: Readers = Readers.OWNER,
    ) -> Self:
        """For writing; makes the file when there is none. A second writer is refused.

        `guard` is the file whose lock the writer holds, where it is not this one: that of the first volume. `readers`:
        who may read it from now on; the lock and the reserve are for the owner alone.
        """
        lock = _locked(path if guard is None else guard)
        try:
            return cls._opened(path, follows, lock, readers)
        except JournalUnusable:
            os.close(lock)
            raise

    @classmethod
    def _opened(cls, path: Path, follows: Position, lock: int, readers: Readers) -> Self:
        connection: Connection | None = None
        try:
            _made_for(readers, path)
            connection = connect(path, busy_s=BUSY_S, is_shared=True)
            read_schema(connection)
            _must_be_ours(connection, path)
            _must_be_whole(connection, path)
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            make_durable(connection, Durability.FULL)
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            let_read(readers, path)
            _keep_room(path)
            return cls(connection, path, follows, lock, readers)
        except (SqliteError, JournalUnusable) as wrong:
            if connection is not None:
                connection.close()
            if isinstance(wrong, JournalUnusable):
                raise
            raise JournalUnusable(f"{path}: {_advice(wrong)}", _kind(wrong)) from None

    @classmethod
    def read(cls, path: Path, *, follows: Position = BEGINNING) -> Self:
        """For reading only; the file must be there."""
        _must_be_let_in(path)
        if not path.is_file():
            raise NotOurs(f"{path}: there is no such journal")
        connection: Connection | None = None
        try:
            connection = connect_for_reading(path)
            _must_be_ours(connection, path)
            return cls(connection, path, follows)
        except (SqliteError, JournalUnusable) as wrong:
            if connection is not None:
                connection.close()
            if isinstance(wrong, JournalUnusable):
                raise
            raise JournalUnusable(f"{path}: {wrong}; is it a journal of tablectl?", _kind(wrong)) from None

    @classmethod
    def is_blank(cls, path: Path) -> bool:
        """Whether a file is one that its writer has made and not finished yet. Raises `JournalUnusable`."""
        _must_be_let_in(path)
        connection: Connection | None = None
        try:
            connection = connect_for_reading(path)
            return is_empty(connection)
        except SqliteError as wrong:
            raise JournalUnusable(f"{path}: {wrong}; is it a journal of tablectl?", _kind(wrong)) from None
        finally:
            if connection is not None:
                connection.close()

    @property
    def newest(self) -> int:
        """The number of the newest record this connection wrote or found; 0 in an empty journal."""
        return self._newest.seq

    @property
    def end(self) -> Position:
        """What the next record follows."""
        return self._newest

    @property
    def newest_hand(self) -> int:
        """The hand of the newest record; 0 in an empty journal."""
        return next((stored.hand for stored in self.newest_first()), 0)

    @property
    def next_seq(self) -> int:
        """The number of the record that `append` writes next."""
        return self._newest.seq + 1

    def append(
        self, *, hand: int, boundary: bool, public: bytes, sealed: bytes | None, signer: Signer | None = None
    ) -> Stored:
        """Durable when this returns; signed where a signer is given. Raises `JournalUnusable`: nothing was written."""
        seq, link = self.next_seq, chained(self._newest.hash, public)
        signature = signer.sign(seq, link) if signer is not None else None
        row = (seq, hand, int(boundary), public, link, signature, sealed)
        try:
            self._insert(row)
        except SqliteError as wrong:
            text = f"{self.path}: record {seq} could not be written: {_advice(wrong)}"
            raise JournalUnusable(text, _kind(wrong)) from None
        self._newest = Position(seq, link)
        return _stored(row)

    def take_over(self, records: Iterable[Stored]) -> None:
        """Records as they were written elsewhere, into an empty file, all of them or none. Raises `JournalUnusable`."""
        insert = f"INSERT INTO record ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        rows = (
            (stored.seq, stored.hand, int(stored.boundary), stored.public, stored.hash, stored.signature, stored.sealed)
            for stored in records
        )
        try:
            with transaction(self._connection):
                self._connection.executemany(insert, rows)
        except SqliteError as wrong:
            raise JournalUnusable(f"{self.path}: could not be written: {wrong}", _kind(wrong)) from None

    def _insert(self, row: tuple[Any, ...]) -> None:
        insert = f"INSERT INTO record ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        try:
            self._must_be_in(self._connection.execute(insert, row))
        except SqliteError as wrong:
            if _kind(wrong) is not TiltKind.DISK_FULL or self.is_reserve_spent:
                raise
            self.is_reserve_spent = True
            with suppress(OSError):
                _reserve(self.path).unlink()
            self._must_be_in(self._connection.execute(insert, row))

    def _must_be_in(self, done: Cursor) -> None:
        """A trigger that somebody put there can swallow a row without an error."""
        if done.rowcount != 1:
            raise JournalUnusable(
                f"{self.path}: the file did not take record {self.next_seq}; somebody changed its schema"
            )

    def records(self, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """The records after a position, in order; only those of one hand where it is named."""
        for rows in self.pages(after=after, hand=hand):
            yield from map(_stored, rows)

    def pages(self, *, after: int = 0, hand: int | None = None) -> Iterator[list[tuple[Any, ...]]]:
        """As `records`, a page of bare rows at a time, in the order of `Stored`: for whoever reads millions."""
        page = f"SELECT {_COLUMNS} FROM record WHERE seq > ? ORDER BY seq LIMIT {PAGE}"
        after = after if hand is None else max(after, self._before(hand))
        while rows := self._rows(page, (after,)):
            of_hand = rows if hand is None else [row for row in rows if row[1] == hand]
            if of_hand:
                yield of_hand
            if hand is not None and rows[-1][1] > hand:
                return
            after = self._further(after, rows[-1][0], step=1)

    def _before(self, hand: int) -> int:
        """The last record before a hand, or before a later one."""
        with self._readable():
            return first_of(self._connection, hand, self.follows.seq + 1, self.next_seq) - 1

    def newest_first(self) -> Iterator[Stored]:
        """All records, from the newest back."""
        page = f"SELECT {_COLUMNS} FROM record WHERE seq < ? ORDER BY seq DESC LIMIT {PAGE}"
        before = self.next_seq
        while rows := self._rows(page, (before,)):
            yield from map(_stored, rows)
            before = self._further(before, rows[-1][0], step=-1)

    def newest_with(self, text: bytes) -> Stored | None:
        """The newest record in whose public form these bytes stand; None where they stand in none.

        SQLite looks, a part of the file at a time: meanwhile other threads run, and no old page is kept alive.
        """
        found = (
            f"SELECT {_COLUMNS} FROM record WHERE seq > ? AND seq <= ? AND instr(public, ?) ORDER BY seq DESC LIMIT 1"
        )
        for last in range(self.next_seq - 1, self.follows.seq, -LOOKED_AT):
            if rows := self._rows(found, (last - LOOKED_AT, last, text)):
                return _stored(rows[0])
        return None

    def last_boundary(self, hands: int = 1) -> int:
        """The position of the `hands`-th last boundary; 0 where there are fewer."""
        boundary = "SELECT seq FROM record WHERE boundary = 1 ORDER BY seq DESC LIMIT 1 OFFSET ?"
        rows = self._rows(boundary, (hands - 1,))
        return int(rows[0][0]) if rows else 0

    def boundary_before(self, seq: int) -> int:
        """The last boundary before a position; 0 where this volume has none."""
        rows = self._rows("SELECT seq FROM record WHERE boundary = 1 AND seq < ? ORDER BY seq DESC LIMIT 1", (seq,))
        return int(rows[0][0]) if rows else 0

    def count_boundaries(self) -> int:
        """How many there are in this volume."""
        return int(self._rows("SELECT count(*) FROM record WHERE boundary = 1", ())[0][0])

    def at(self, seq: int) -> Stored | None:
        """One record; None where this volume has none of that number."""
        rows = self._rows(f"SELECT {_COLUMNS} FROM record WHERE seq = ?", (seq,))
        return _stored(rows[0]) if rows else None

    def hash_before(self, seq: int) -> bytes:
        """The hash that the record at a position has to follow."""
        before = self.at(seq - 1)
        return before.hash if before is not None else self.follows.hash

    def damage(self) -> str | None:
        """What SQLite itself finds wrong in the file (pages, indices, types, checks), or a trigger that is gone."""
        try:
            return damage(self._connection) or _schema_fault(self._connection)
        except SqliteError as wrong:  # a schema that is no text
            return f"the database is damaged: {wrong}"

    def go_on_in(self, path: Path) -> Self:
        """The next volume, in a new file. The writer's lock goes over to it; this one is closed."""
        lock, self._lock = self._lock, None
        if lock is None:
            raise JournalUnusable(f"{self.path}: opened for reading, no volume can follow it")
        with suppress(SqliteError):  # the next start does it again
            end_log(self._connection)
        self.close()
        _reserve(self.path).unlink(missing_ok=True)
        try:
            return self._opened(path, self.end, lock, self._readers)
        except JournalUnusable:
            os.close(lock)
            raise

    @staticmethod
    def end_log_of(path: Path) -> None:
        """What a closed volume has in its write-ahead log goes into its file: whoever archives it moves one file. Left
        as it is where that cannot be."""
        if beside(path, LOG).exists():
            with suppress(SqliteError), closing(connect(path)) as connection:
                end_log(connection)

    def refused_writers(self) -> tuple[str, ...]:
        """Who wanted to write this journal since the last time this was asked, and was refused (`tell_holder`): the
        process and its user, each in words. Nothing where the lock's file cannot be read."""
        own = len(_holder())
        if self._lock is None:
            return ()
        try:
            if os.fstat(self._lock).st_size <= own:
                return ()
            told = os.pread(self._lock, _LOCK_BYTES, own)
            os.ftruncate(self._lock, own)
        except OSError:
            return ()
        return tuple(map(_said, told.decode("ascii", "replace").splitlines()))

    def close(self) -> None:
        """May be repeated. The lock goes last."""
        self._connection.close()
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def _further(self, before: int, last: int, *, step: int) -> int:
        """The last record of a page: after the one before it, or whoever reads a damaged file would do so for ever."""
        if (last - before) * step <= 0:
            what = f"its pages are not in order, record {last} comes where record {before + step} is due"
            raise JournalUnusable(f"{self.path}: {what}; restore it from the second copy")
        return last

    def _rows(self, query: str, values: tuple[int | bytes, ...]) -> list[Any]:
        with self._readable():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raises `JournalUnusable` where SQLite cannot read what is asked for."""
        try:
            yield
        except SqliteError as wrong:
            raise JournalUnusable(f"{self.path}: {wrong}; restore it from the second copy", _kind(wrong)) from None


def first_of(connection: Connection, hand: int, low: int, high: int) -> int:
    """The first record of a hand, or of a later one, from `low` on; `high` where there is none before. Hands' numbers
    only grow. Raises `SqliteError`.

    Looked for by halves: an index would take a second page of the log with every record, for a few reads a day.
    """
    while low < high:
        middle = (low + high) // 2
        found = connection.execute("SELECT hand FROM record WHERE seq >= ? ORDER BY seq LIMIT 1", (middle,)).fetchone()
        if found is not None and found[0] < hand:
            low = middle + 1
        else:
            high = middle
    return low


def _stored(row: tuple[Any, ...]) -> Stored:
    seq, hand, boundary, public, link, signature, sealed = row
    return Stored(
        seq=seq, hand=hand, boundary=bool(boundary), public=public, hash=link, signature=signature, sealed=sealed
    )


def _kind(wrong: SqliteError) -> TiltKind:
    return _KINDS[trouble(wrong)]


def kind_of(wrong: OSError) -> TiltKind:
    """What a disk that cannot be written means for the table."""
    return TiltKind.DISK_FULL if wrong.errno in (errno.ENOSPC, errno.EDQUOT) else TiltKind.READ_ONLY


def _reserve(path: Path) -> Path:
    return path.with_name(f"{path.name}.reserve")


def _keep_room(path: Path) -> None:
    """Raises `JournalUnusable` where there is no room for the last words."""
    try:
        descriptor = os.open(_reserve(path), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
        finally:
            os.close(descriptor)
    except OSError as wrong:
        what = "make room on that disk" if kind_of(wrong) is TiltKind.DISK_FULL else "check its owner and the folder's"
        text = f"{_reserve(path)}: no room can be kept ({wrong.strerror}); {what}"
        raise JournalUnusable(text, kind_of(wrong)) from None


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """No controller writes the journal with this first file meanwhile. Raises `JournalUnusable` where one does."""
    lock = _locked(path)
    try:
        yield
    finally:
        os.close(lock)


def _locked(path: Path) -> int:
    """The descriptor that holds the writer's lock. Raises `JournalUnusable`."""
    file = beside(path, ".lock")
    try:
        lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as wrong:
        text = f"{file}: {wrong.strerror}; check the folder, the disk and the file's owner"
        raise JournalUnusable(text, kind_of(wrong)) from None
    if not _taken(lock):
        other = os.pread(lock, 20, 0).decode("ascii", "replace").partition("\n")[0].strip() or "unknown"
        os.close(lock)
        raise JournalUnusable(
            f"{path}: another controller writes this journal (process {other}); one table has one controller",
            TiltKind.TWO_CONTROLLERS,
        )
    os.ftruncate(lock, 0)
    os.pwrite(lock, _holder(), 0)
    return lock


def _holder() -> bytes:
    """The first line of the lock's file while this process holds it."""
    return f"{os.getpid()}\n".encode()


def tell_holder(path: Path) -> None:
    """Leave this process and its user in the file of the lock that another one holds: that one puts it on record. What
    cannot be left is left out, since nothing depends on it."""
    with suppress(OSError):
        lock = os.open(beside(path, ".lock"), os.O_WRONLY | os.O_APPEND)
        try:
            if os.fstat(lock).st_size < _LOCK_BYTES:
                os.write(lock, f"{os.getpid()} {os.getuid()}\n".encode())
        finally:
            os.close(lock)


def _said(line: str) -> str:
    process, _, user = line.partition(" ")
    if not (process.isdecimal() and user.isdecimal()):
        return "unknown"
    try:
        return f"process {process}, user {pwd.getpwuid(int(user)).pw_name}"
    except (KeyError, OverflowError):
        return f"process {process}, user {user}"


def _taken(lock: int) -> bool:
    """Whether the lock is held now. A process that a killed controller was just starting (its integrity check) shares
    the lock until it executes its own program: for milliseconds, and longer on a busy machine."""
    until_s = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= until_s:
                return False
            time.sleep(LOCK_AGAIN_S)
        else:
            return True


def _made_for(readers: Readers, path: Path) -> None:
    """Made before SQLite makes it: its log takes over the mode. Raises `JournalUnusable`.

    The index of the log, too, where others read: they need it from its first moment on, and with more than the mode
    that SQLite would give it.
    """
    try:
        make_private(path)
        if readers is Readers.GROUP:
            with suppress(FileExistsError):
                os.close(os.open(beside(path, INDEX), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as wrong:
        text = f"{path}: {wrong.strerror}; check the folder, the disk and the file's owner"
        raise JournalUnusable(text, kind_of(wrong)) from None
    let_read(readers, path)


def let_read(readers: Readers, path: Path) -> None:
    """Bring a volume's files to the mode that its readers need, or that nobody else reads. Raises `JournalUnusable`.

    Readers write to the index alone: there they say which part of the log they still need (sqlite.org/wal.html).
    """
    modes = ((path, readers.file_mode), (beside(path, LOG), readers.file_mode))
    for file, mode in (*modes, (beside(path, INDEX), readers.shared_mode)):
        try:
            readers.give(file, mode)
        except FileNotFoundError:
            continue  # there is a log only while somebody has the journal open
        except OSError as wrong:
            who = "its owner and its folder's group" if readers is Readers.GROUP else "its owner alone"
            what = f"cannot be made readable for {who} ({wrong.strerror})"
            text = f"{file}: {what}; give it to the controller's user, who has to be in that group, or change its mode"
            raise JournalUnusable(text, kind_of(wrong)) from None


def _must_be_let_in(path: Path) -> None:
    """Raises `JournalUnusable` where the user of this process may not read it, and for a folder."""
    if (why := not_let_in(path)) is not None:
        raise JournalUnusable(f"{why}; journal.readers says who may read it", TiltKind.READ_ONLY)
    if path.is_dir():
        what = "found a folder; would be right: the path of a journal, as `journal.path` names it"
        raise NotOurs(f"{path}: {what}")


def _advice(wrong: SqliteError) -> str:
    """What SQLite says, and what it means here."""
    what = trouble(wrong)
    if what is Trouble.BUSY:
        return f"{wrong}: another program holds the file for writing; end it (a shell, a backup), the journal is whole"
    if what is Trouble.NOT_ALLOWED:
        return f"{wrong}; check the owner of the folder and of every file that begins with the journal's name"
    return f"{wrong}; check the folder, the disk and the file's owner"


Schema: TypeAlias = frozenset[tuple[str, str, str, str]]


def _schema(connection: Connection) -> Schema:
    """Everything that is made in a database: its type, name, table and text."""
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return frozenset(found.fetchall())


def _our_schema() -> Schema:
    with closing(connect(None)) as connection:
        connection.executescript(_SCHEMA)
        return _schema(connection)


def _schema_fault(connection: Connection) -> str | None:
    """What was put into the schema or taken out of it, since nobody but us does either."""
    there, ours = _schema(connection), _our_schema()
    if strange := sorted(there - ours):
        kind, name, *_ = strange[0]
        return f"the {kind} {name} is not as this program makes it: somebody opened the file to change it"
    if gone := sorted(ours - there):
        kind, name, *_ = gone[0]
        return f"the {kind} {name} is gone: somebody opened the file to change it"
    return None


def _must_be_whole(connection: Connection, path: Path) -> None:
    """Before anything is written. A file without a record may be half made. Raises `JournalUnusable`."""
    strange = sorted(_schema(connection) - _our_schema())
    has_records = not strange and bool(_schema(connection)) and _has_records(connection)
    fault = _schema_fault(connection) if strange or has_records else None
    if fault is not None:
        raise JournalUnusable(f"{path}: {fault}; `tablectl journal verify` says whether a record was changed")


def _has_records(connection: Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'record'").fetchone() is not None and (
        connection.execute("SELECT 1 FROM record LIMIT 1").fetchone() is not None
    )


def _must_be_ours(connection: Connection, path: Path) -> None:
    """Raises `JournalUnusable` for what another program wrote, or a newer one of ours; and where all tables are ours,
    and only the numbers in the file's head are not."""
    version, application = version_of(connection), application_of(connection)
    is_half_made = not version and not _has_records(connection)
    is_right = (version == FORMAT or is_half_made) and not application
    if not is_right and _schema_fault(connection) is None:
        told = f"its head says format {version}, application {application}; would be right: {FORMAT} and 0"
        what = "its tables are those of this program, so the number was changed, or a newer version wrote it"
        raise JournalUnusable(f"{path}: {told}: {what}")
    if version not in (0, FORMAT):
        which = "newer" if version > FORMAT else "older"
        text = (
            f"{path}: format {version}, this program writes {FORMAT}: a {which} version wrote it; use that one for it"
        )
        raise NotOurs(text)
    others = "SELECT name FROM sqlite_master WHERE type = 'table' AND lower(name) <> 'record'"
    strange = connection.execute(others).fetchone()
    if strange is not None:
        raise NotOurs(f"{path}: a database with a table {strange[0]!r}; is it a journal of tablectl?")
