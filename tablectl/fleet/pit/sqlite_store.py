"""The pit server's store in one SQLite file: the default, where nothing else is to run, for about a dozen tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar, Final, Self, TypeAlias

from tablectl.fleet.pit.sql_store import COLUMNS, Row, SqlStore, Upsert
from tablectl.fleet.pit.store import StoreUnusable
from tablectl.journal import sqlite_file
from tablectl.journal.sqlite_file import Connection, Durability, Log, SqliteError

#: "tcPi": what says that a file is of this kind (sqlite.org/pragma.html#pragma_application_id).
APPLICATION: Final = 0x74635069

_SCHEMA: Final = """
CREATE TABLE server (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL,
    restored TEXT NOT NULL DEFAULT '');
INSERT INTO server (id, epoch) VALUES (1, 0);
CREATE TABLE tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, key BLOB NOT NULL, since TEXT NOT NULL,
    revoked TEXT NOT NULL DEFAULT '', certificate_key BLOB NOT NULL DEFAULT x'',
    certificate_until TEXT NOT NULL DEFAULT '');
CREATE TABLE codes (name TEXT PRIMARY KEY, secret BLOB NOT NULL, key BLOB NOT NULL, until TEXT NOT NULL,
    tries INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE last_values (table_id INTEGER PRIMARY KEY REFERENCES tables, at TEXT NOT NULL, body BLOB NOT NULL);
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
    PRIMARY KEY (table_id, hand, restores)) WITHOUT ROWID;
CREATE TABLE quarantine (id INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, seq INTEGER NOT NULL,
    flaw TEXT NOT NULL, why TEXT NOT NULL, body BLOB NOT NULL);
"""
#: Of a file that has `_SCHEMA` and nothing more.
_FIRST_VERSION: Final = 2
#: For each later version the statements that bring a file to it.
Upgrades: TypeAlias = tuple[tuple[str, ...], ...]


class SqliteStore(SqlStore):
    """`PitStore` in a file."""

    #: what brings the file of an earlier release to the version of this one
    upgrades: ClassVar[Upgrades] = ()

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Makes the file where there is none, and brings that of an earlier release to the version of this one. A
        server that has it open goes on. Raises `StoreUnusable`."""
        try:
            sqlite_file.make_private(path)
            connection = sqlite_file.connect(path, is_shared=True)
            if sqlite_file.is_empty(connection):
                sqlite_file.make_durable(connection, Durability.FULL)
                _make(connection)
            _check_kind(path, connection, cls.upgrades)
            sqlite_file.make_durable(connection, Durability.FULL)
            _upgrade(connection, cls.upgrades)
        except (OSError, SqliteError) as wrong:
            raise StoreUnusable(f"{path}: {wrong}; the pit server's user has to be able to write there") from None
        return cls(connection)

    @classmethod
    def read(cls, path: Path) -> Self:
        """For reading alone: nothing of the file changes. Raises `StoreUnusable`."""
        try:
            connection = sqlite_file.connect_for_reading(path)
            _check_kind(path, connection, cls.upgrades)
            version = sqlite_file.version_of(connection)
        except SqliteError as wrong:
            raise StoreUnusable(f"{path}: {wrong}") from None
        if version != _newest(cls.upgrades):
            connection.close()
            raise StoreUnusable(
                f"{path}: a file of an earlier release (version {version}); the pit server brings it to version"
                f" {_newest(cls.upgrades)} when it starts: start it (tablectl pit run), and do this again"
            )
        return cls(connection)

    @classmethod
    def in_memory(cls) -> Self:
        """Gone with the process."""
        connection = sqlite_file.connect(None, is_shared=True)
        _make(connection)
        _upgrade(connection, cls.upgrades)
        return cls(connection)

    def close(self) -> None:
        """Use it no more."""
        self._connection.close()

    @property
    def may_pack(self) -> bool:
        """Who can write the file can."""
        return True

    def _all(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        try:
            return self._connection.execute(sql, params).fetchall()
        except SqliteError as wrong:
            raise _unusable(wrong) from None

    def _run(self, sql: str, params: Sequence[object] = ()) -> int:
        try:
            return self._connection.execute(sql, params).rowcount
        except SqliteError as wrong:
            raise _unusable(wrong) from None

    def _upsert(self, into: Upsert, rows: Sequence[Row]) -> None:
        self._many(into.sql(_values(into.columns)), rows)

    def _append_rows(self, table: str, rows: Sequence[Row]) -> None:
        columns = COLUMNS[table]
        self._many(f"INSERT INTO {table} ({', '.join(columns)}) {_values(columns)}", rows)

    def _many(self, sql: str, rows: Sequence[Row]) -> None:
        try:
            self._connection.executemany(sql, rows)
        except SqliteError as wrong:
            raise _unusable(wrong) from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            with sqlite_file.transaction(self._connection):
                yield
        except SqliteError as wrong:
            raise _unusable(wrong) from None

    def _hold(self, ids: Sequence[int]) -> None:
        """A transaction here is the only one of its file."""

    def _hold_packing(self) -> None:
        """As above."""


def _values(columns: Sequence[str]) -> str:
    return f"VALUES ({', '.join('?' * len(columns))})"


def _unusable(wrong: SqliteError) -> StoreUnusable:
    return StoreUnusable(f"the pit server's file: {wrong}")


def _newest(upgrades: Upgrades) -> int:
    """The version to which they bring a file."""
    return _FIRST_VERSION + len(upgrades)


def _check_kind(path: Path, connection: Connection, upgrades: Upgrades) -> None:
    """Raises `StoreUnusable` where it is no file that these upgrades bring to their newest version, and closes it."""
    application, version = sqlite_file.application_of(connection), sqlite_file.version_of(connection)
    newest = _newest(upgrades)
    if application == APPLICATION and _FIRST_VERSION <= version <= newest:
        return
    connection.close()
    if application != APPLICATION:
        raise StoreUnusable(f"{path}: not a pit server's file; name another one")
    raise StoreUnusable(
        f"{path}: a pit server's file of version {version}; this program reads none before {_FIRST_VERSION} and none"
        f" after {newest}, so install the release that made it, or name another file (pit.store): the tables send their"
        " records again"
    )


def _upgrade(connection: Connection, upgrades: Upgrades) -> None:
    """All of it or nothing. Whoever writes there waits for it, and then goes on. Raises `StoreUnusable`."""
    version, newest = sqlite_file.version_of(connection), _newest(upgrades)
    if version == newest:
        return
    try:
        with sqlite_file.transaction(connection):
            for next_version in range(sqlite_file.version_of(connection) + 1, newest + 1):  # none: somebody just did it
                for statement in upgrades[next_version - _FIRST_VERSION - 1]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {next_version}")
    except SqliteError as wrong:
        raise StoreUnusable(
            f"the pit server's file stays of version {version}, and version {newest} is needed: {wrong}; nothing was"
            " changed: end whatever else uses the file, and start again"
        ) from None


def copy_file(source: Path, target: Path) -> None:
    """A copy of a store as it is at this moment, whoever writes there: one file, durable, that is sound, of the version
    that it has. `target` is not there yet. Raises `StoreUnusable`, and `OSError` where it cannot be written."""
    sqlite_file.make_private(target)
    try:
        with closing(sqlite_file.connect_for_reading(source)) as reading:
            _check_kind(source, reading, SqliteStore.upgrades)
            with closing(sqlite_file.connect_for_copy(target)) as copy:
                reading.backup(copy)
                sqlite_file.make_durable(copy, Durability.FULL, Log.ROLLBACK)
                damage = sqlite_file.damage(copy)
        with target.open("rb") as file:
            os.fsync(file.fileno())
    except SqliteError as wrong:
        raise StoreUnusable(f"{source}: {wrong}; nothing was copied") from None
    if damage is not None:
        raise StoreUnusable(f"{source}: {damage}; verify the store, and do not overwrite an older backup")


def _make(connection: Connection) -> None:
    connection.executescript(
        f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {_FIRST_VERSION}; COMMIT;"
    )
