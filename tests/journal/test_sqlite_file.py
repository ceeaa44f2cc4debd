"""Files of SQLite: what an error means, what is durable, what is damaged, and copies while somebody writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from simulators import processes
from tablectl.journal.sqlite_file import (
    Connection,
    Durability,
    Log,
    SqliteError,
    Trouble,
    application_of,
    connect,
    connect_for_copy,
    connect_for_reading,
    damage,
    is_empty,
    is_sound,
    make_durable,
    make_private,
    transaction,
    trouble,
    version_of,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a table of three rows and its log."""
    made = tmp_path / "a.db"
    with closing(connect(made)) as connection:
        make_durable(connection, Durability.FULL)
        connection.execute("PRAGMA user_version = 7")
        connection.execute("PRAGMA application_id = 9")
        connection.execute("CREATE TABLE row (number INTEGER PRIMARY KEY) STRICT")
        connection.executemany("INSERT INTO row VALUES (?)", [(1,), (2,), (3,)])
    return made


def numbers(connection: Connection) -> list[int]:
    return [number for (number,) in connection.execute("SELECT number FROM row ORDER BY number")]


def locked(path: Path) -> None:
    with closing(connect(path)) as other, closing(connect(path, busy_s=0)) as mine:
        other.execute("BEGIN IMMEDIATE")
        mine.execute("BEGIN IMMEDIATE")


def full(path: Path) -> None:
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("CREATE TABLE more (bytes BLOB)")
        connection.execute("INSERT INTO more VALUES (zeroblob(100000))")


def for_reading_only(path: Path) -> None:
    with closing(connect_for_reading(path)) as connection:
        connection.execute("INSERT INTO row VALUES (4)")


def away(path: Path) -> None:
    with closing(connect_for_reading(path.with_name("none.db"))):
        pass


def no_database(path: Path) -> None:
    path.write_bytes(b"something else\n" * 100)
    with closing(connect_for_reading(path)):
        pass


def no_such_table(path: Path) -> None:
    with closing(connect(path)) as connection:
        connection.execute("SELECT 1 FROM nothing")


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (locked, Trouble.BUSY),
        (full, Trouble.FULL),
        (for_reading_only, Trouble.NOT_ALLOWED),
        (away, Trouble.NOT_ALLOWED),
        (no_database, Trouble.DAMAGED),
        (no_such_table, Trouble.OTHER),
    ],
)
def test_what_sqlite_says_is_told_in_one_vocabulary(path: Path, act: Callable[[Path], None], expected: Trouble) -> None:
    with pytest.raises(SqliteError) as caught:
        act(path)
    assert trouble(caught.value) is expected


@pytest.mark.parametrize(("durability", "number"), [(Durability.OFF, 0), (Durability.NORMAL, 1), (Durability.FULL, 2)])
def test_a_connection_is_as_durable_as_was_asked(path: Path, durability: Durability, number: int) -> None:
    with closing(connect(path)) as connection:
        make_durable(connection, durability)
        assert connection.execute("PRAGMA synchronous").fetchone() == (number,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_without_a_log_beside_it_has_none(tmp_path: Path) -> None:
    with closing(connect(tmp_path / "a.db")) as connection:
        make_durable(connection, Durability.FULL, Log.ROLLBACK)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_new_file_is_for_its_owner_alone_and_one_that_is_there_stays(tmp_path: Path) -> None:
    made, before = tmp_path / "a.db", os.umask(0)
    try:
        make_private(made)
    finally:
        os.umask(before)
    assert (made.stat().st_mode & 0o777, made.read_bytes()) == (0o600, b"")
    made.write_bytes(b"text")
    make_private(made)
    assert made.read_bytes() == b"text"


def broken_off(connection: Connection) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO row VALUES (4)")
        raise ZeroDivisionError


def test_a_transaction_is_all_or_nothing(path: Path) -> None:
    with closing(connect(path)) as connection:
        with pytest.raises(ZeroDivisionError):
            broken_off(connection)
        assert numbers(connection) == [1, 2, 3]
        with transaction(connection):
            connection.execute("INSERT INTO row VALUES (4)")
        assert numbers(connection) == [1, 2, 3, 4]


def test_a_file_says_whose_it_is_and_of_which_layout(path: Path) -> None:
    with closing(connect_for_reading(path)) as connection:
        assert (version_of(connection), application_of(connection), is_empty(connection)) == (7, 9, False)
    with closing(connect(None)) as connection:
        assert (version_of(connection), application_of(connection), is_empty(connection)) == (0, 0, True)


def test_a_whole_file_has_no_damage_and_a_hurt_one_says_which(path: Path) -> None:
    with closing(connect(path)) as connection:
        assert (damage(connection), is_sound(connection)) == (None, True)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[-4096:-4088] = bytes(8)
    path.write_bytes(content)
    with closing(connect(path)) as connection:
        told = damage(connection)
        assert told is not None
        assert told.startswith("the database is damaged: ")
        assert not is_sound(connection)


def test_a_copy_is_one_snapshot_while_somebody_writes(path: Path) -> None:
    target = path.with_name("copy.db")
    with closing(connect(path)) as writer, closing(connect_for_reading(path)) as source:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO row VALUES (4)")
        with closing(connect_for_copy(target)) as copy:
            source.backup(copy)
        writer.execute("COMMIT")
    assert [file.name for file in path.parent.glob("copy.db*")] == ["copy.db"], "nothing was made beside it"
    with closing(connect_for_reading(target)) as copy:
        assert numbers(copy) == [1, 2, 3]


def test_a_file_that_is_there_is_not_opened_so_that_no_connection_loses_its_lock(tmp_path: Path) -> None:
    """Otherwise another process takes itself for the last one that has it open, and deletes the log that is in use."""
    path = tmp_path / "file.db"
    make_private(path)
    with closing(connect(path)) as first:
        make_durable(first, Durability.FULL)
        first.execute("CREATE TABLE told (number INTEGER)")
        make_private(path)
        told = (
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM told').fetchone())"
        )
        for number in range(2):
            said = processes.run([sys.executable, "-c", told, path], capture_output=True, text=True, check=True)
            assert said.stdout == f"({number},)\n"
            first.execute("INSERT INTO told VALUES (1)")
    assert path.stat().st_mode & 0o777 == 0o600
