"""SQLite files: the one place where they are opened, made durable, checked and copied.

Every connection commits by itself unless it is inside a `transaction`. A file that is written is made for its owner
alone, since SQLite gives the files beside it the mode that it finds. What SQLite says of a file that it cannot use is
told in one vocabulary (`Trouble`); which words a person reads is the caller's.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

#: So that whoever uses a file needs no import of SQLite.
Connection = sqlite3.Connection
Cursor = sqlite3.Cursor
Row = sqlite3.Row
SqliteError = sqlite3.Error
#: A row was refused by a rule of its table, as for a number that is taken.
RowRefused = sqlite3.IntegrityError

#: What SQLite keeps beside a database while it is open: its log and the index of it.
LOG: Final = "-wal"
INDEX: Final = "-shm"
#: The lower byte of an extended result code is the plain one (sqlite.org/rescode.html).
_PLAIN_CODE: Final = 0xFF


class Trouble(StrEnum):
    """Why SQLite cannot use a file."""

    #: there is no room on its disk
    FULL = "full"
    #: another program holds it
    BUSY = "busy"
    #: the user of this process may not read or write it, or it is not there
    NOT_ALLOWED = "not-allowed"
    #: the disk fails
    FAILS = "fails"
    #: its bytes are no database, or a damaged one
    DAMAGED = "damaged"
    OTHER = "other"


_TROUBLES: Final = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_LOCKED: Trouble.BUSY,
    sqlite3.SQLITE_READONLY: Trouble.NOT_ALLOWED,
    sqlite3.SQLITE_CANTOPEN: Trouble.NOT_ALLOWED,
    sqlite3.SQLITE_PERM: Trouble.NOT_ALLOWED,
    sqlite3.SQLITE_IOERR: Trouble.FAILS,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
}


def trouble(wrong: Exception) -> Trouble:
    """What an error of SQLite means for the file."""
    code = getattr(wrong, "sqlite_errorcode", 0) & _PLAIN_CODE
    if not code and isinstance(wrong, sqlite3.DatabaseError) and not isinstance(wrong, sqlite3.OperationalError):
        return Trouble.DAMAGED
    return _TROUBLES.get(code, Trouble.OTHER)


class Durability(StrEnum):
    """What a power cut may take of what was committed, as SQLite calls it (sqlite.org/pragma.html#pragma_synchronous).

    With a write-ahead log `NORMAL` may lose the last commits and damages nothing; `FULL` loses none. `OFF` is for a
    copy that somebody checks before it counts.
    """

    FULL = "FULL"
    NORMAL = "NORMAL"
    OFF = "OFF"


class Log(StrEnum):
    """How a commit is written: beside the file, so that readers and writer do not wait for each other; in the way that
    SQLite calls `DELETE`; or without the means to take one back."""

    WRITE_AHEAD = "WAL"
    ROLLBACK = "DELETE"
    NONE = "OFF"


# -- opening -----------------------------------------------------------------------------------------------------------


def make_private(path: Path) -> None:
    """An empty file for its owner alone, where there is none yet. Raises `OSError`.

    One that is there is not even opened: to close a file gives up every lock that this process has on it, those of its
    other connections too (sqlite.org/howtocorrupt.html, 2.2), and another process would then delete their log.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def connect(path: Path | None, *, busy_s: float = 5.0, is_shared: bool = False) -> Connection:
    """For writing; None: in memory. `busy_s`: how long another program's transaction is waited for, in seconds.
    `is_shared`: several threads use it, and whoever opens it keeps them apart. Raises `SqliteError`."""
    name = ":memory:" if path is None else path
    return sqlite3.connect(name, timeout=busy_s, isolation_level=None, check_same_thread=not is_shared)


def connect_for_reading(path: Path) -> Connection:
    """Also where nothing can be written and there is no write-ahead log. Raises `SqliteError`."""
    uri = path.absolute().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, isolation_level=None)
    try:
        read_schema(connection)
    except sqlite3.OperationalError:
        connection.close()
        if beside(path, LOG).exists():
            raise
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def read_schema(connection: Connection) -> None:
    """SQLite reads it before anything else. Raises `SqliteError`, also where its own message about a damaged schema is
    no text."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except UnicodeDecodeError:
        raise sqlite3.DatabaseError("malformed database schema: it holds bytes that are no text") from None


def make_durable(connection: Connection, durability: Durability, log: Log = Log.WRITE_AHEAD) -> None:
    """How its commits are written from now on. Raises `SqliteError`."""
    connection.execute(f"PRAGMA journal_mode = {log}")
    connection.execute(f"PRAGMA synchronous = {durability}")


def end_log(connection: Connection) -> None:
    """What stands in the write-ahead log goes into the file itself: whoever copies the file alone has all of it. A
    reader who still looks at an older state is not waited for: what he holds back stays in the log. Raises
    `SqliteError`."""
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """All of it or nothing. Raises `SqliteError`."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


# -- what a file is ----------------------------------------------------------------------------------------------------


def version_of(connection: Connection) -> int:
    """The number of its layout (`user_version`); 0 in a new file."""
    return _number(connection, "user_version")


def application_of(connection: Connection) -> int:
    """Which program's file it is (`application_id`); 0 where none said so."""
    return _number(connection, "application_id")


def _number(connection: Connection, pragma: str) -> int:
    (found,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(found)


def is_empty(connection: Connection) -> bool:
    """Whether nothing was made in it yet."""
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def damage(connection: Connection) -> str | None:
    """The first thing that SQLite itself finds wrong in pages, indices, types and checks; None where there is none."""
    try:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
    except sqlite3.DatabaseError as wrong:  # so much so that SQLite gives up
        found = [str(wrong)]
    return None if found == ["ok"] else f"the database is damaged: {'; '.join(found)}"


def is_sound(connection: Connection) -> bool:
    """As `damage`, in less time: indices are not held against their tables."""
    try:
        (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError:
        return False
    return bool(said == "ok")


def beside(path: Path, ending: str) -> Path:
    """The file that has this ending after its whole name."""
    return path.with_name(f"{path.name}{ending}")


# -- copies ------------------------------------------------------------------------------------------------------------


def connect_for_copy(target: Path) -> Connection:
    """An empty file that takes a snapshot of a database, whoever writes that meanwhile (`Connection.backup`). The copy
    is durable only where somebody makes it so, and no file is made beside it. Raises `SqliteError`."""
    connection = connect(target)
    try:
        make_durable(connection, Durability.OFF, Log.NONE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
