"""The second copy: everything the journal has, a little later, in a file that is only ever added to."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path

import pytest

from tablectl.journal import copy as second_copy
from tablectl.journal.copy import (
    CopyDiffers,
    SecondCopy,
    append,
    check_joins,
    check_torn,
    copies,
    is_torn,
    last_of,
    read_copy,
)
from tablectl.journal.lines import NoLine, line_with_box
from tablectl.journal.log_head import LogHead
from tablectl.journal.places import Places
from tablectl.journal.store import BEGINNING, GENESIS, Position, Store, Stored
from tablectl.journal.verify import compare
from tablectl.journal.verify_full import verify_full
from tablectl.journal.volumes import VolumeSet, volume_path
from tests.journal.journals import SIGNER, WHOLE_HAND, Sitting, keep_keys, places, sat
from tests.journal.mutations import rewritten
from tests.waiting import until

SOON_S = 30.0


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """A table with one volume, and its copy in a folder of its own."""
    keep_keys(tmp_path)
    return on_a_disk(places(tmp_path), tmp_path / "disk")


@pytest.fixture
def in_volumes(tmp_path: Path) -> Places:
    """The same with a volume a hand."""
    keep_keys(tmp_path)
    return on_a_disk(places(tmp_path, volume_records=20), tmp_path / "disk")


def on_a_disk(where: Places, disk: Path) -> Places:
    disk.mkdir()
    return Places(
        journal=where.journal,
        key=where.key,
        signing_key=where.signing_key,
        copy=disk / "table.copy",
        volume_records=where.volume_records,
    )


class Heard:
    """A log whose words can be waited for."""

    def __init__(self) -> None:
        self.lost = threading.Event()
        self.back = threading.Event()
        self.said: list[tuple[str, dict[str, object]]] = []

    def info(self, event: str, **fields: object) -> None:
        self.said.append((event, fields))
        self.back.set()

    def warning(self, event: str, **fields: object) -> None:
        self.said.append((event, fields))

    def error(self, event: str, **fields: object) -> None:
        self.said.append((event, fields))
        self.lost.set()


@contextmanager
def following(where: Places, log: Heard, newest: LogHead | None = None) -> Iterator[LogHead]:
    """The copy is written meanwhile, and complete afterwards."""
    newest = newest if newest is not None else LogHead()
    follower = SecondCopy(where, newest, log)
    follower.start()
    try:
        yield newest
    finally:
        newest.close()
        follower.close(SOON_S)


def copied(where: Places) -> list[Stored]:
    return list(chain.from_iterable(map(read_copy, copies(where.copy))))


def journal_of(where: Places) -> list[Stored]:
    with closing(VolumeSet(where.journal)) as volume_set:
        return list(volume_set.records())


def follow_once(where: Places) -> None:
    log = Heard()
    with following(where, log):
        pass
    assert not log.said


# --- it follows -----------------------------------------------------------------------------------------------------


def test_the_copy_of_a_finished_journal_says_the_same(where: Places) -> None:
    sat(where, WHOLE_HAND * 3)
    follow_once(where)
    assert copied(where) == journal_of(where)
    assert compare(journal_of(where), copied(where)) is None


def test_the_copy_follows_a_journal_that_grows(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_copy, "LATER_S", 0.0)
    log = Heard()
    with Sitting(where) as sitting:
        sitting.line("restart")
        with following(where, log) as newest:
            for part in filter(None, (WHOLE_HAND * 2).split("\n")):
                sitting.line(part)
                newest.publish(sitting.journal.store.end)
    assert copied(where) == journal_of(where)
    assert not log.said


def test_the_copy_goes_on_where_it_ended(where: Places) -> None:
    for hands in range(1, 4):
        sat(where, WHOLE_HAND)
        follow_once(where)
        assert copied(where) == journal_of(where)
        assert len(copied(where)) == 25 * hands + 1  # the note after the first one


def test_the_copy_has_a_file_a_volume(in_volumes: Places) -> None:
    for hands in range(1, 4):
        sat(in_volumes, WHOLE_HAND)
        follow_once(in_volumes)
        assert len(copies(in_volumes.copy)) == hands + 1
    assert copied(in_volumes) == journal_of(in_volumes)
    with closing(VolumeSet(in_volumes.journal)) as volume_set:
        for number, store in enumerate(volume_set.stores, 1):
            assert list(read_copy(volume_path(in_volumes.copy, number))) == list(store.records())


def test_the_copy_follows_through_a_rotation(in_volumes: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_copy, "LATER_S", 0.0)
    log = Heard()
    with Sitting(in_volumes) as sitting:
        sitting.line("restart")
        with following(in_volumes, log) as newest:
            for part in filter(None, (WHOLE_HAND * 4).split("\n")):
                sitting.line(part)
                newest.publish(sitting.journal.store.end)
    assert copied(in_volumes) == journal_of(in_volumes)
    assert len(copies(in_volumes.copy)) == 5
    assert not log.said


def test_nobody_but_its_owner_reads_the_copy(where: Places) -> None:
    """The sealed parts are in it."""
    sat(where, "")
    follow_once(where)
    assert where.copy.stat().st_mode & 0o077 == 0


def test_bytes_once_written_never_change(in_volumes: Places) -> None:
    before: dict[Path, bytes] = {}
    for _ in range(4):
        sat(in_volumes, WHOLE_HAND)
        follow_once(in_volumes)
        for path, text in before.items():
            assert path.read_bytes().startswith(text)
        before = {path: path.read_bytes() for path in copies(in_volumes.copy)}


# --- torn lines -----------------------------------------------------------------------------------------------------


def test_a_line_that_the_power_tore_is_completed_at_every_byte(where: Places) -> None:
    sat(where, "press new-hand")
    follow_once(where)
    whole = where.copy.read_bytes()
    opened, second = journal_of(where)
    first = whole.index(b"\n") + 1
    for n in range(first, len(whole)):
        where.copy.write_bytes(whole[:n])
        assert is_torn(where.copy) is (n > first)
        assert last_of(where.copy) == Position(1, opened.hash)
        append(where.copy, [second], before=Position(1, opened.hash), is_first=False)
        assert where.copy.read_bytes() == whole


@pytest.mark.parametrize("n_from_the_end", [1, 2, 60, 700])
@pytest.mark.parametrize("number", [1, 2])
def test_the_follower_completes_what_is_torn(in_volumes: Places, number: int, n_from_the_end: int) -> None:
    sat(in_volumes, WHOLE_HAND if number == 2 else "")
    follow_once(in_volumes)
    path = volume_path(in_volumes.copy, number)
    whole = path.read_bytes()
    path.write_bytes(whole[:-n_from_the_end])
    follow_once(in_volumes)
    assert path.read_bytes() == whole
    assert copied(in_volumes) == journal_of(in_volumes)


def test_a_torn_line_of_something_else_is_never_completed_and_never_cut(where: Places) -> None:
    sat(where, WHOLE_HAND)
    follow_once(where)
    whole = where.copy.read_bytes()
    for torn in (whole[:-1] + b"\x0b", whole + b"x"):
        where.copy.write_bytes(torn)
        with (
            closing(VolumeSet(where.journal)) as volume_set,
            pytest.raises(NoLine, match="not the beginning of record"),
        ):
            check_torn(where.copy, volume_set)
        sat(where, "")
        log = Heard()
        with following(where, log):
            assert log.lost.wait(SOON_S)
        assert "not the beginning of the next record" in str(log.said)
        assert where.copy.read_bytes() == torn


def test_a_torn_end_that_is_the_beginning_of_the_next_record_is_right(in_volumes: Places) -> None:
    sat(in_volumes, WHOLE_HAND)
    follow_once(in_volumes)
    last = volume_path(in_volumes.copy, 2)
    whole = last.read_bytes()
    with closing(VolumeSet(in_volumes.journal)) as volume_set:
        for n in range(0, len(whole) + 1, 7):
            last.write_bytes(whole[:n])
            check_torn(in_volumes.copy, volume_set)
            if n:
                last.write_bytes(whole[: n - 1] + bytes([whole[n - 1] ^ 1]))
                with pytest.raises(NoLine):
                    check_torn(in_volumes.copy, volume_set)


# --- a disk that goes and comes -------------------------------------------------------------------------------------


def test_a_disk_that_is_gone_is_said_once_and_caught_up_with_when_it_is_back(
    where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_copy, "RETRY_S", 0.001)
    disk = where.copy.parent
    sat(where, WHOLE_HAND)
    follow_once(where)
    log, newest = Heard(), LogHead(Position(26, GENESIS))
    away = disk.rename(disk.with_name("away"))
    with following(where, log, newest):
        assert log.lost.wait(SOON_S)
        sat(where, WHOLE_HAND)
        newest.publish(Position(50, GENESIS))
        away.rename(disk)
        assert log.back.wait(SOON_S)
    assert [event for event, _ in log.said] == ["second copy lost", "second copy back"]
    assert log.said[0][1]["reason"] == f"{where.copy}: No such file or directory; is the copy's disk mounted?"
    assert copied(where) == journal_of(where)


def test_a_disk_that_comes_back_at_the_moment_in_which_a_new_copy_is_begun_is_not_written_twice(
    where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its copy is there when the file is opened, and was not when it was looked for."""
    sat(where, WHOLE_HAND)
    follow_once(where)
    good = where.copy.read_bytes()
    where.copy.unlink()
    really_open = os.open

    def comes_back(path: Path, flags: int, mode: int) -> int:
        where.copy.write_bytes(good)
        return really_open(path, flags, mode)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(os, "open", comes_back)
        with pytest.raises(FileExistsError):
            append(where.copy, journal_of(where))
    assert where.copy.read_bytes() == good


def test_an_empty_folder_where_the_copys_disk_was_is_a_lost_copy_until_the_disk_is_back(
    where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_copy, "RETRY_S", 0.001)
    disk = where.copy.parent
    sat(where, WHOLE_HAND)
    follow_once(where)
    log, newest = Heard(), LogHead(Position(26, GENESIS))
    with following(where, log, newest):
        caught_up(where, log, newest, 27)
        away = disk.rename(disk.with_name("away"))
        disk.mkdir()
        sat(where, WHOLE_HAND)
        newest.publish(Position(52, GENESIS))
        assert log.lost.wait(SOON_S)
        assert verify_full(where.journal, where.copy).end.seq == 52, "no tilt"
        assert not list(disk.iterdir()), "no copy that begins inside, and none on another disk"
        disk.rmdir()
        away.rename(disk)
        assert log.back.wait(SOON_S)
    assert [event for event, _ in log.said] == ["second copy lost", "second copy back"]
    assert "is the copy's disk mounted?" in str(log.said[0])
    assert copied(where) == journal_of(where)


def caught_up(where: Places, log: Heard, newest: LogHead, seq: int) -> None:
    """The follower has written one record more, so it runs; nothing was said."""
    sat(where, "")
    newest.publish(Position(seq, GENESIS))
    until(lambda: len(copied(where)) == seq)
    assert not log.said


def test_a_volume_is_never_begun_in_an_empty_folder_where_the_copys_disk_was(
    in_volumes: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_copy, "RETRY_S", 0.001)
    disk = in_volumes.copy.parent
    sat(in_volumes, WHOLE_HAND)
    second = volume_path(in_volumes.journal, 2)
    later = second.rename(second.with_suffix(".later"))
    closed = len(journal_of(in_volumes))
    log, newest = Heard(), LogHead()
    with following(in_volumes, log, newest):
        until(lambda: len(copied(in_volumes)) == closed)
        away = disk.rename(disk.with_name("away"))
        disk.mkdir()
        later.rename(second)
        newest.publish(Position(closed + 1, GENESIS))
        assert log.lost.wait(SOON_S)
        assert not list(disk.iterdir())
        disk.rmdir()
        away.rename(disk)
        assert log.back.wait(SOON_S)
    assert copied(in_volumes) == journal_of(in_volumes)


def test_only_the_first_record_of_a_volume_makes_a_file(where: Places) -> None:
    sat(where, WHOLE_HAND)
    opened, second, third, *_ = journal_of(where)
    with pytest.raises(FileNotFoundError):
        append(where.copy, [second], before=Position(1, opened.hash), is_first=False)
    assert not where.copy.exists()
    append(where.copy, [opened])
    one = where.copy.read_bytes()
    for follows, stored in ((2, third), (1, third), (0, opened)):
        before = Position(follows, journal_of(where)[follows - 1].hash) if follows else BEGINNING
        with pytest.raises(NoLine):
            append(where.copy, [stored], before=before, is_first=follows == 0)
        assert where.copy.read_bytes() == one
    append(where.copy, [second, third], before=Position(1, opened.hash), is_first=False)
    assert copied(where) == journal_of(where)[:3]


def test_nothing_is_added_to_a_copy_that_ends_with_another_record_than_the_journals(where: Places) -> None:
    sat(where, WHOLE_HAND)
    forked = rewritten(journal_of(where), 9, SIGNER)[:12]
    where.copy.write_bytes(b"".join(line_with_box(stored) + b"\n" for stored in forked))
    before = where.copy.read_bytes()
    log = Heard()
    with following(where, log):
        assert log.lost.wait(SOON_S)
    assert where.copy.read_bytes() == before
    assert "it ends with record 12, which record 13 of the journal does not follow" in str(log.said)


def test_a_folder_in_the_copys_place_is_said_in_words(where: Places) -> None:
    sat(where, WHOLE_HAND)
    where.copy.mkdir()
    log = Heard()
    with following(where, log):
        assert log.lost.wait(SOON_S)
    assert log.said[0][1]["reason"] == f"{where.copy}: Is a directory; a folder stands where the copy belongs"
    assert verify_full(where.journal, where.copy).end.seq == 26, "no tilt"
    joins(where)


@pytest.mark.parametrize("n_behind", [0, 30])
def test_a_copy_whose_first_volume_is_in_an_archive_goes_on(in_volumes: Places, n_behind: int) -> None:
    sat(in_volumes, WHOLE_HAND * 3)
    follow_once(in_volumes)
    in_volumes.copy.unlink()
    assert verify_full(in_volumes.journal, in_volumes.copy).end.seq == len(journal_of(in_volumes))
    sat(in_volumes, WHOLE_HAND if n_behind else "")
    follow_once(in_volumes)
    assert copied(in_volumes) == [stored for stored in journal_of(in_volumes) if stored.seq > 27]
    assert verify_full(in_volumes.journal, in_volumes.copy).end.seq == len(journal_of(in_volumes))


def test_a_follower_leaves_no_gap_where_the_journals_first_volumes_are_in_an_archive(in_volumes: Places) -> None:
    sat(in_volumes, WHOLE_HAND * 3)
    follow_once(in_volumes)
    for number in (2, 3, 4):
        volume_path(in_volumes.copy, number).unlink()
    for number in (1, 2):
        volume_path(in_volumes.journal, number).unlink()
    before = copied(in_volumes)
    log = Heard()
    with following(in_volumes, log):
        assert log.lost.wait(SOON_S)
    assert copied(in_volumes) == before
    assert "does not follow" in str(log.said)


def test_a_follower_that_finds_no_disk_ends_all_the_same(where: Places) -> None:
    sat(where, WHOLE_HAND)
    where.copy.parent.rmdir()
    log = Heard()
    with following(where, log):
        assert log.lost.wait(SOON_S)
    assert not where.copy.exists()


def test_a_copy_that_became_something_else_is_lost_and_left_alone(where: Places) -> None:
    sat(where, WHOLE_HAND)
    where.copy.write_bytes(b"notes of the shift\n")
    log = Heard()
    with following(where, log):
        assert log.lost.wait(SOON_S)
    assert where.copy.read_bytes() == b"notes of the shift\n"
    assert "no line of a journal" in str(log.said)


def test_a_copy_whose_middle_file_is_gone_gets_no_record_twice(in_volumes: Places) -> None:
    sat(in_volumes, WHOLE_HAND * 3)
    follow_once(in_volumes)
    volume_path(in_volumes.copy, 2).unlink()
    before = {path: path.read_bytes() for path in in_volumes.copy.parent.iterdir()}
    log = Heard()
    with following(in_volumes, log):
        assert log.lost.wait(SOON_S)
    assert {path: path.read_bytes() for path in in_volumes.copy.parent.iterdir()} == before
    assert "table-0002.copy: this volume is missing" in str(log.said)


def test_a_journal_that_cannot_be_read_is_said_too(where: Places) -> None:
    sat(where, WHOLE_HAND)
    where.journal.write_bytes(b"no database at all" * 300)
    for beside in ("-wal", "-shm"):
        where.journal.with_name(where.journal.name + beside).unlink(missing_ok=True)
    log = Heard()
    with following(where, log):
        assert log.lost.wait(SOON_S)
    assert "file is not a database" in str(log.said)


# --- at a start -----------------------------------------------------------------------------------------------------


def joins(where: Places) -> None:
    with closing(Store.read(where.journal)) as store:
        check_joins(where.copy, store)


def cut(where: Places, n: int) -> None:
    """The journal as it was with its first n records."""
    kept = journal_of(where)[:n]
    for path in where.journal.parent.glob("table.db*"):
        path.unlink()
    with closing(Store.open(where.journal)) as store:
        store.take_over(kept)


def test_a_copy_that_is_behind_joins_at_every_record(where: Places) -> None:
    sat(where, WHOLE_HAND)
    joins(where)
    follow_once(where)
    lines = where.copy.read_bytes().splitlines(keepends=True)
    for n in range(len(lines) + 1):
        where.copy.write_bytes(b"".join(lines[:n]))
        joins(where)


def test_a_journal_that_was_cut_does_not_join_its_copy(where: Places) -> None:
    sat(where, WHOLE_HAND)
    follow_once(where)
    for n in (24, 7, 1, 0):
        cut(where, n)
        told = f"it has record 26, the journal ends with {n}: its end was cut off, or it is another one; .*restore"
        with pytest.raises(CopyDiffers, match=told):
            joins(where)


def test_another_record_at_the_copys_end_does_not_join(where: Places) -> None:
    sat(where, WHOLE_HAND)
    for n in range(1, 26):
        forked = rewritten(journal_of(where), n - 1, SIGNER)[:n]
        where.copy.write_bytes(b"".join(line_with_box(stored) + b"\n" for stored in forked))
        with pytest.raises(CopyDiffers, match=f"record {n} is another one there than in the journal"):
            joins(where)


def test_a_last_line_that_cannot_be_read_does_not_join(where: Places) -> None:
    sat(where, WHOLE_HAND)
    follow_once(where)
    where.copy.write_bytes(where.copy.read_bytes() + b"x\n")
    with pytest.raises(CopyDiffers, match="no line of a journal: it does not end in a hash"):
        joins(where)


def test_a_copy_with_a_missing_file_does_not_join(in_volumes: Places) -> None:
    sat(in_volumes, WHOLE_HAND * 2)
    follow_once(in_volumes)
    volume_path(in_volumes.copy, 2).unlink()
    with pytest.raises(CopyDiffers, match="this volume is missing"):
        joins(in_volumes)


def test_a_disk_that_is_not_there_is_no_reason_not_to_deal(where: Places) -> None:
    sat(where, WHOLE_HAND)
    where.copy.parent.rmdir()
    joins(where)
    where.copy.parent.write_bytes(b"a file where the folder was")
    joins(where)
