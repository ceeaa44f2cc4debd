"""The journal's file: append-only, durable, one writer, any number of readers."""

from __future__ import annotations

import errno
import fcntl
import os
import pwd
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_mock import MockerFixture

from simulators import processes
from tablectl.journal.sqlite_file import beside
from tablectl.journal.store import (
    BEGINNING,
    FORMAT,
    GENESIS,
    PAGE,
    PAGE_BYTES,
    RESERVE_BYTES,
    JournalUnusable,
    NotOurs,
    Store,
    chained,
    guarded,
    kind_of,
    tell_holder,
)
from tablectl.journal.tilt import TiltKind
from tests.journal.journals import WHOLE_HAND, records, written

if TYPE_CHECKING:
    from sqlite3 import _Parameters


def append(store: Store, text: str, *, hand: int = 1, closes: bool = False) -> None:
    store.append(hand=hand, boundary=closes, public=text.encode(), sealed=None)


def test_a_record_is_there_for_another_connection_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    writer = Store.open(tmp_path / "a.db")
    reader = Store.read(tmp_path / "a.db")
    for number in range(1, 4):
        append(writer, f"record {number}")
        assert [stored.public for stored in reader.records(after=number - 1)] == [f"record {number}".encode()]
    reader.close()
    writer.close()


def test_the_file_is_written_ahead_and_synced_at_each_record(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    # The settings are those of the writer's connection: nobody else can see them.
    asked = [store._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    store.close()
    assert asked == ["wal", 2]


def test_each_record_is_chained_to_the_one_before(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    append(store, "one")
    append(store, "two")
    store.close()
    again = Store.open(tmp_path / "a.db")
    append(again, "three")
    again.close()
    before = GENESIS
    for seq, (stored, text) in enumerate(zip(records(tmp_path / "a.db"), ("one", "two", "three"), strict=True), 1):
        before = chained(before, text.encode())
        assert (stored.seq, stored.public, stored.hash) == (seq, text.encode(), before)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET public = x'00' WHERE seq = 1",
        "UPDATE record SET sealed = NULL",
        "UPDATE record SET seq = 99 WHERE seq = 2",
        "DELETE FROM record WHERE seq = 2",
        "DELETE FROM record",
    ],
)
def test_a_record_is_never_changed_and_never_deleted(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND)
    before = records(path)
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="the journal is append-only"):
        connection.execute(statement)
    connection.close()
    assert records(path) == before


@pytest.mark.parametrize(
    "values",
    ["0, 1, 0, x'00', zeroblob(32), NULL", "9, 1, 2, x'00', zeroblob(32), NULL", "9, 1, 0, x'00', zeroblob(31), NULL"],
)
def test_a_record_that_cannot_be_one_is_refused_by_the_file_itself(tmp_path: Path, values: str) -> None:
    Store.open(tmp_path / "a.db").close()
    connection = sqlite3.connect(tmp_path / "a.db")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(f"INSERT INTO record (seq, hand, boundary, public, hash, sealed) VALUES ({values})")
    connection.close()


def test_a_reader_writes_nothing(tmp_path: Path) -> None:
    written(tmp_path / "a.db", "press new-hand")
    reader = Store.read(tmp_path / "a.db")
    with pytest.raises(JournalUnusable, match="record 3 could not be written"):
        append(reader, "x")
    assert reader.newest == 2
    reader.close()
    assert len(records(tmp_path / "a.db")) == 2


def test_a_lock_that_a_starting_process_inherited_from_a_killed_writer_is_waited_for(tmp_path: Path) -> None:
    """Between its fork and its exec, a process has every open file of the one that started it."""
    path = tmp_path / "a.db"
    Store.open(path).close()
    inherited = os.open(beside(path, ".lock"), os.O_RDWR)
    fcntl.flock(inherited, fcntl.LOCK_EX)
    executes = threading.Timer(0.2, os.close, (inherited,))
    executes.start()
    with closing(Store.open(path)) as store:
        assert store.newest == 0
    executes.join()


def test_a_second_writer_is_refused_and_told_who_the_first_one_is(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    first = Store.open(path)
    append(first, "one")
    with pytest.raises(
        JournalUnusable, match=r"another controller writes this journal .process \d+.; one table has one"
    ):
        Store.open(path)
    append(first, "two")
    first.close()
    second = Store.open(path)
    assert second.newest == 2
    second.close()


def test_the_lock_of_a_writer_that_was_killed_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom tablectl.journal.store import Store\n"
        "store = Store.open(Path(sys.argv[1]))\n"
        "store.append(hand=1, boundary=False, public=b'one', sealed=None)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert processes.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    store = Store.open(path)
    assert store.newest == 1
    store.close()


def test_a_file_of_something_else_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_text("notes of the shift, which are no database at all\n" * 100, encoding="utf-8")
    for opened in (Store.open, Store.read):
        with pytest.raises(JournalUnusable, match="file is not a database"):
            opened(path)
    assert path.read_text(encoding="utf-8").startswith("notes of the shift")


def test_a_database_of_another_program_is_no_journal_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE wages (name TEXT)")
    connection.close()
    before = path.read_bytes()
    for opened in (Store.open, Store.read):
        with pytest.raises(JournalUnusable, match="a table 'wages'; is it a journal of tablectl"):
            opened(path)
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_format_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, "press new-hand")
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    for opened in (Store.open, Store.read):
        with pytest.raises(JournalUnusable, match=f"format {FORMAT + 1}, .* was changed, or a newer version wrote it"):
            opened(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE INDEX of_that_format ON record (hand)")
    for opened in (Store.open, Store.read):
        with pytest.raises(NotOurs, match=f"format {FORMAT + 1}, this program writes {FORMAT}: a newer version"):
            opened(path)


def test_a_reader_of_pages_out_of_order_ends(tmp_path: Path, mocker: MockerFixture) -> None:
    """In a damaged file SQLite may give the same rows again and again."""
    path = tmp_path / "a.db"
    written(path, "press new-hand")
    with closing(Store.read(path)) as store:
        mocker.patch.object(store, "_rows", return_value=[(1, 1, 0, b"{}", bytes(32), None, None)])
        for read in (store.records(), store.newest_first()):
            with pytest.raises(JournalUnusable, match="its pages are not in order"):
                list(read)


def test_a_journal_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable, match="there is no such journal"):
        Store.read(tmp_path / "a.db")
    assert not list(tmp_path.iterdir())


def test_a_journal_without_a_folder_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable, match="No such file or directory; check the folder"):
        Store.open(tmp_path / "none" / "a.db")


def test_a_lock_that_was_refused_is_free_when_the_reason_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_text("no database, whatever it is called", encoding="utf-8")
    with pytest.raises(JournalUnusable):
        Store.open(path)
    path.unlink()
    Store.open(path).close()


def test_records_come_in_pages_and_none_is_left_out(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    for number in range(2 * PAGE + 3):
        append(store, str(number), hand=number // 100 + 1)
    assert [int(stored.public) for stored in store.records()] == list(range(2 * PAGE + 3))
    assert [int(stored.public) for stored in store.records(after=PAGE)] == list(range(PAGE, 2 * PAGE + 3))
    assert [int(stored.public) for stored in store.records(hand=2)] == list(range(100, 200))
    assert [int(stored.public) for stored in store.newest_first()] == list(reversed(range(2 * PAGE + 3)))
    store.close()


def test_a_reader_that_stopped_half_way_keeps_no_old_page_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = Store.open(path)
    for number in range(PAGE + 3):
        append(store, str(number))
    reader = Store.read(path)
    half_read = reader.records()
    assert next(half_read).seq == 1
    append(store, "one more")
    connection = sqlite3.connect(path)
    busy, in_log, moved = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    connection.close()
    assert (busy, in_log, moved) == (0, 0, 0)
    assert [stored.seq for stored in half_read] == list(range(2, PAGE + 5))
    reader.close()
    store.close()


def test_the_end_of_a_hand_is_found_from_the_end(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    for hand in range(1, 4):
        append(store, "in play", hand=hand)
        append(store, "closed", hand=hand, closes=True)
    append(store, "in play", hand=4)
    assert [store.last_boundary(hands) for hands in (1, 2, 3, 4)] == [6, 4, 2, 0]
    assert store.hash_before(6) == [*store.records()][4].hash
    assert store.hash_before(0) == GENESIS
    store.close()


# --- what it means for the table ------------------------------------------------------------------------------------


class SmallDisk(sqlite3.Connection):
    """SQLite on a disk with so much room and no more; the room of the reserve is there when the reserve is gone."""

    reserve: Path
    pages: int
    reserve_pages: int

    def execute(self, sql: str, parameters: _Parameters = (), /) -> sqlite3.Cursor:
        room = self.pages if self.reserve.exists() else self.pages + self.reserve_pages
        super().execute(f"PRAGMA max_page_count = {room}")
        return super().execute(sql, parameters)


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Store]:
    """A journal with one record, on a disk that is full as soon as one more page is wanted."""
    path = tmp_path / "a.db"
    with closing(Store.open(path)) as store:
        append(store, "one")
    connection = sqlite3.connect(path, isolation_level=None, factory=SmallDisk)
    assert isinstance(connection, SmallDisk)
    connection.reserve = tmp_path / "a.db.reserve"
    connection.pages, connection.reserve_pages = 0, 0
    connection.pages = int(connection.execute("PRAGMA page_count").fetchone()[0])
    connection.reserve_pages = 8 * (4096 // PAGE_BYTES)
    store = Store(connection, path, BEGINNING)
    yield store
    store.close()


LONG = 3 * 4096 * "x"


def test_room_for_the_last_words_is_kept_as_long_as_a_journal_is_open(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "a.db")) as store:
        assert not store.is_reserve_spent
        kept = (tmp_path / "a.db.reserve").stat()
        assert kept.st_size == 1_048_576, "a megabyte, as docs/journal.md says"
        assert kept.st_blocks * 512 >= 1_048_576, "allocated, not only promised"


def test_the_record_that_meets_the_full_disk_is_kept_once(full: Store, tmp_path: Path) -> None:
    append(full, LONG)
    assert full.is_reserve_spent
    assert not (tmp_path / "a.db.reserve").exists()
    assert [(record.seq, record.public) for record in records(full.path)] == [(1, b"one"), (2, LONG.encode())]
    append(full, "small, it fits")
    assert full.newest == 3


def test_the_next_full_disk_is_the_end_and_nothing_is_half_written(full: Store) -> None:
    append(full, LONG)
    before = records(full.path)
    for _ in range(2):
        with pytest.raises(JournalUnusable, match="record 3 could not be written: database or disk is full") as caught:
            append(full, 8 * LONG)
        assert caught.value.kind is TiltKind.DISK_FULL
        assert full.newest == 2
        assert records(full.path) == before
    assert full.damage() is None


def test_a_record_for_which_the_reserve_is_too_small_is_refused_whole(full: Store, tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable) as caught:
        append(full, 20 * LONG)
    assert caught.value.kind is TiltKind.DISK_FULL
    assert [record.public for record in records(full.path)] == [b"one"]
    assert not (tmp_path / "a.db.reserve").exists()


def test_a_reserve_that_was_spent_is_kept_anew_at_the_next_start(full: Store, tmp_path: Path) -> None:
    append(full, LONG)
    full.close()
    with closing(Store.open(tmp_path / "a.db")) as store:
        assert not store.is_reserve_spent
        assert (tmp_path / "a.db.reserve").stat().st_size == RESERVE_BYTES


def test_a_disk_that_became_read_only_keeps_its_reserve(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "a.db")) as store:
        append(store, "one")
        store._connection.execute("PRAGMA query_only = 1")
        with pytest.raises(
            JournalUnusable, match="record 2 could not be written: attempt to write a readonly"
        ) as caught:
            append(store, "two")
        assert caught.value.kind is TiltKind.READ_ONLY
        assert not store.is_reserve_spent
        assert (tmp_path / "a.db.reserve").exists()
        assert store.newest == 1


def no_folder(path: Path) -> Store:
    return Store.open(path.with_name("none") / "a.db")


def folder_instead(path: Path) -> Store:
    path.mkdir()
    return Store.open(path)


def reserve_is_a_folder(path: Path) -> Store:
    path.with_name("a.db.reserve").mkdir()
    return Store.open(path)


def lock_is_a_folder(path: Path) -> Store:
    path.with_name("a.db.lock").mkdir()
    return Store.open(path)


def no_database(path: Path) -> Store:
    path.write_bytes(b"no database at all" * 300)
    return Store.open(path)


def newer(path: Path) -> Store:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    return Store.open(path)


@pytest.mark.parametrize(
    ("opened", "kind"),
    [
        (no_folder, TiltKind.READ_ONLY),
        (folder_instead, TiltKind.READ_ONLY),
        (reserve_is_a_folder, TiltKind.READ_ONLY),
        (lock_is_a_folder, TiltKind.READ_ONLY),
        (no_database, TiltKind.DAMAGED),
        (newer, TiltKind.DAMAGED),
    ],
)
def test_a_journal_that_cannot_be_opened_says_of_which_kind_that_is(
    tmp_path: Path, opened: Callable[[Path], Store], kind: TiltKind
) -> None:
    with pytest.raises(JournalUnusable) as caught:
        opened(tmp_path / "a.db")
    assert caught.value.kind is kind


def test_a_second_writer_is_known_to_the_first_one_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    tell_holder(path)  # nobody holds it: there is nobody to tell
    with closing(Store.open(path)) as store:
        assert store.refused_writers() == ()
        tell_holder(path)
        tell_holder(path)
        user = pwd.getpwuid(os.getuid()).pw_name
        assert store.refused_writers() == (f"process {os.getpid()}, user {user}",) * 2
        assert store.refused_writers() == ()
        with pytest.raises(JournalUnusable, match=rf"\(process {os.getpid()}\)"):
            Store.open(path)
    Store.open(path).close()


@pytest.mark.parametrize("left", [b"\xff\x00\n", b"1 99999999999999999999\n", b"-1 0\n", b"12\n", b"7 4000000\n"])
def test_whatever_a_second_writer_leaves_the_first_one_writes_on(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "a.db"
    with closing(Store.open(path)) as store:
        with beside(path, ".lock").open("ab") as lock:
            lock.write(left)
        [said] = store.refused_writers()
        assert said.isprintable()
        assert len(said) < 60


def test_the_lock_s_file_stays_small_however_often_a_second_writer_comes(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(Store.open(path)) as store:
        for _ in range(2_000):
            tell_holder(path)
        assert beside(path, ".lock").stat().st_size < 5_000
        assert 100 < len(store.refused_writers()) < 2_000


def test_a_second_writer_is_a_second_controller(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "a.db")):
        for other in (Store.open, lambda path: guarded(path).__enter__()):
            with pytest.raises(JournalUnusable) as caught:
                other(tmp_path / "a.db")
            assert caught.value.kind is TiltKind.TWO_CONTROLLERS
    with guarded(tmp_path / "a.db"), pytest.raises(JournalUnusable, match="another controller writes this journal"):
        Store.open(tmp_path / "a.db")
    Store.open(tmp_path / "a.db").close()


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, TiltKind.DISK_FULL),
        (errno.EDQUOT, TiltKind.DISK_FULL),
        (errno.EROFS, TiltKind.READ_ONLY),
        (errno.EACCES, TiltKind.READ_ONLY),
        (errno.EIO, TiltKind.READ_ONLY),
    ],
)
def test_what_the_system_says_of_a_disk_is_of_a_kind(number: int, kind: TiltKind) -> None:
    assert kind_of(OSError(number, "")) is kind


def test_a_page_of_garbage_is_damage_for_whoever_reads_it_and_for_the_check(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND * 3)
    good = path.read_bytes()
    with closing(Store.read(path)) as store:
        assert store.damage() is None
    found = []
    for page in range(1, len(good) // 4096):
        path.write_bytes(good[: page * 4096] + b"\xa5" * 4096 + good[(page + 1) * 4096 :])
        try:
            with closing(Store.read(path)) as store:
                assert store.damage() is not None
                list(store.records())
        except JournalUnusable as wrong:
            found.append(wrong.kind)
    assert found
    assert set(found) == {TiltKind.DAMAGED}


def test_a_journal_that_is_being_made_is_blank_until_it_has_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"")
    assert Store.is_blank(path)
    Store.open(path).close()
    assert not Store.is_blank(path)
    for bad in (tmp_path / "none.db", tmp_path):
        with pytest.raises(JournalUnusable, match=r"unable to open database file|found a folder; would be right"):
            Store.is_blank(bad)


def test_records_written_elsewhere_are_taken_over_all_or_none(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    stored = records(tmp_path / "a.db")
    with closing(Store.open(tmp_path / "b.db")) as store, pytest.raises(JournalUnusable, match="could not be written"):
        store.take_over([*stored, stored[3]])
    assert records(tmp_path / "b.db") == []
    with closing(Store.open(tmp_path / "b.db")) as store:
        store.take_over(stored)
    assert records(tmp_path / "b.db") == stored


def test_a_trigger_that_swallows_records_is_noticed_at_the_first_one(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(Store.open(path)) as store:
        append(store, "one")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("CREATE TRIGGER x BEFORE INSERT ON record BEGIN SELECT RAISE(IGNORE); END")
        with pytest.raises(JournalUnusable, match="the file did not take record 2; somebody changed its schema"):
            append(store, "two")
        assert store.newest == 1
        assert store.damage() == "the trigger x is not as this program makes it: somebody opened the file to change it"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("CREATE TRIGGER x BEFORE INSERT ON record BEGIN SELECT RAISE(IGNORE); END", "the trigger x is not as"),
        ("CREATE INDEX y ON record (hand)", "the index y is not as"),
        ("CREATE VIEW z AS SELECT 1", "the view z is not as"),
        ("DROP TRIGGER record_is_never_deleted", "the trigger record_is_never_deleted is gone"),
        ("DROP INDEX record_boundary", "the index record_boundary is gone"),
    ],
)
def test_a_file_whose_schema_was_changed_is_not_written_and_not_mended(tmp_path: Path, change: str, told: str) -> None:
    path = tmp_path / "a.db"
    with closing(Store.open(path)) as store:
        append(store, "one")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(change)
    for _ in range(2):
        with pytest.raises(JournalUnusable, match=told) as caught:
            Store.open(path)
        assert caught.value.kind is TiltKind.DAMAGED
    assert [record.public for record in records(path)] == [b"one"], "it can be read all the same"


def test_a_file_that_another_program_holds_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablectl.journal.store.BUSY_S", 0.0)
    path = tmp_path / "a.db"
    with closing(Store.open(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalUnusable, match="another program holds the file for writing") as caught:
            append(store, "one")
        assert caught.value.kind is TiltKind.READ_ONLY
        other.execute("ROLLBACK")
        append(store, "one")


def test_only_its_owner_can_read_a_journal(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "a.db")) as store:
        append(store, "one")
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
            ("a.db", "a.db-wal", "a.db-shm", "a.db.lock", "a.db.reserve"), 0o600
        )
