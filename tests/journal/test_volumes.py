"""A journal in several files is one journal: the numbers, the chain, the hands and the recovery go on through all."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.cli.main import main
from tablectl.core.events.codec import encode_json
from tablectl.games.registry import rulebook_of
from tablectl.journal.journal import Journal
from tablectl.journal.places import Places
from tablectl.journal.recovery import replay
from tablectl.journal.store import BEGINNING, JournalUnusable, Position, Store, Stored, chained
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.journal.verify import Verification, Wrong, verify
from tablectl.journal.volumes import VolumeSet, beginning_of, open_last, present, volume_path, volumes
from tablectl.journal.writer import RecordWriter, volume_closed
from tablectl.ops.unsealing import catch_up
from tests.engine.tables import fingerprint
from tests.journal.journals import KEYS, START_US, WHOLE_HAND, Sitting, keep_keys, places, records, sat

Captured = pytest.CaptureFixture[str]
N_HANDS = 4


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """A table whose volumes end with the hand in which they have twenty records."""
    keep_keys(tmp_path)
    return places(tmp_path, volume_records=20)


def files(where: Places) -> list[Path]:
    return [volume_path(where.journal, number) for number in range(1, N_HANDS + 2)]


def all_records(where: Places) -> list[Stored]:
    with closing(VolumeSet(where.journal)) as volume_set:
        return list(volume_set.records())


def kinds(stored: list[Stored]) -> list[str]:
    return [json.loads(record.public)["fact"]["kind"] for record in stored]


# --- the rotation ---------------------------------------------------------------------------------------------------


def test_after_the_last_hand_of_a_volume_the_next_one_begins(where: Places) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    assert list(volumes(where.journal)) == files(where)
    for number, path in enumerate(files(where), 1):
        told = kinds(records(path))
        assert (told[0] == "volume-opened") is (number > 1)
        assert (told[-1] == "volume-closed") is (number <= N_HANDS)
        assert {"volume-opened", "volume-closed"}.isdisjoint(told[1:-1])
    assert kinds(records(files(where)[-1])) == ["volume-opened"]


def test_numbers_chain_and_signatures_go_on_through_all_volumes(where: Places) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    stored = all_records(where)
    assert [record.seq for record in stored] == list(range(1, len(stored) + 1))
    verdict = verify(stored, key=KEYS.signer.public)
    assert (verdict.fault, verdict.records, verdict.hands) == (None, len(stored), N_HANDS)
    assert verdict.signatures == 1 + N_HANDS + 2 * N_HANDS + 1, "start, hands, volumes, and the format note"


def test_a_volume_says_itself_what_it_follows(where: Places) -> None:
    sat(where, WHOLE_HAND * 2)
    last = records(files(where)[0])[-1]
    assert beginning_of(files(where)[0]) == BEGINNING
    assert beginning_of(files(where)[1]) == Position(last.seq, last.hash)
    assert verify(records(files(where)[1]), start=Position(last.seq, last.hash)).fault is None


def test_a_hand_is_never_torn_between_two_volumes(where: Places) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    of_hand: dict[int, set[Path]] = {}
    for path in files(where):
        played = [record for record in records(path) if not record.decoded().is_note]
        for stored in played:
            of_hand.setdefault(stored.hand, set()).add(path)
    assert all(len(paths) == 1 for paths in of_hand.values())


def test_a_closed_volume_is_never_written_again(where: Places) -> None:
    sat(where, WHOLE_HAND * 2)
    before = [records(path) for path in files(where)[:2]]
    sat(where, WHOLE_HAND)
    assert [records(path) for path in files(where)[:2]] == before


def test_two_controllers_are_refused_in_every_volume(where: Places) -> None:
    with Sitting(where) as sitting:
        sitting.lines("restart" + WHOLE_HAND)
        assert sitting.journal.store.path == files(where)[1]
        with pytest.raises(JournalUnusable, match="another controller writes this journal"):
            open_last(where.journal)
    store, number = open_last(where.journal)
    store.close()
    assert number == 2


def test_room_is_kept_for_the_volume_that_is_written_only(where: Places) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    assert [path.with_name(f"{path.name}.reserve").exists() for path in files(where)] == [False] * N_HANDS + [True]


# --- recovery -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_lines", [0, 1, 3, 9, 23])
def test_a_table_recovers_in_a_later_volume_as_it_was(where: Places, n_lines: int) -> None:
    lines = WHOLE_HAND.split("\n")
    with Sitting(where) as sitting:
        sitting.lines("restart" + WHOLE_HAND * 2 + "\n".join(lines[: n_lines + 1]))
        before, prompt = fingerprint(sitting.table.state), sitting.table.prompt()
    with Sitting(where) as again:
        assert fingerprint(again.table.state) == before
        assert again.table.prompt() == prompt
        again.lines("\n".join(lines[n_lines + 1 :]))
    verdict = verify(all_records(where))
    assert (verdict.fault, verdict.hands) == (None, 3)


def closed_without_a_next_one(where: Places) -> None:
    volume_path(where.journal, 2).unlink()


def next_one_without_a_byte(where: Places) -> None:
    volume_path(where.journal, 2).write_bytes(b"")


def next_one_without_a_table(where: Places) -> None:
    volume_path(where.journal, 2).unlink()
    with closing(sqlite3.connect(volume_path(where.journal, 2))) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def next_one_without_a_trigger(where: Places) -> None:
    next_one_without_a_table(where)
    with closing(Store.open(volume_path(where.journal, 2))):
        pass
    with closing(sqlite3.connect(volume_path(where.journal, 2))) as connection:
        connection.execute("DROP TRIGGER record_is_never_deleted")
        connection.execute("DROP INDEX record_boundary")
        connection.execute("PRAGMA user_version = 0")


def next_one_without_a_record(where: Places) -> None:
    volume_path(where.journal, 2).unlink()
    Store.open(volume_path(where.journal, 2)).close()


STEPS: tuple[Callable[[Places], None], ...] = (
    closed_without_a_next_one,
    next_one_without_a_byte,
    next_one_without_a_table,
    next_one_without_a_trigger,
    next_one_without_a_record,
)


@pytest.mark.parametrize("power_cut", STEPS)
def test_a_rotation_in_which_the_power_failed_is_finished_at_the_next_start(
    where: Places, power_cut: Callable[[Places], None]
) -> None:
    sat(where, WHOLE_HAND)
    whole = all_records(where)
    power_cut(where)
    assert all_records(where) == whole[:-1], "to a reader the volume is not there yet"
    with Sitting(where) as sitting:
        sitting.lines("restart" + WHOLE_HAND)
        assert sitting.journal.store.damage() is None
    stored = all_records(where)
    assert stored[: len(whole) - 1] == whole[:-1]
    assert kinds(stored)[len(whole) - 2 : len(whole)] == ["volume-closed", "volume-opened"]
    verdict = verify(stored)
    assert (verdict.fault, verdict.hands) == (None, 2)


@pytest.mark.parametrize("power_cut", STEPS)
def test_a_rotation_may_fail_twice_and_the_prompt_is_the_same(
    where: Places, power_cut: Callable[[Places], None]
) -> None:
    sat(where, WHOLE_HAND)
    prompts = [json.loads(record.public)["prompt"] for record in all_records(where)]
    power_cut(where)
    sat(where, "")
    power_cut_again = [json.loads(record.public)["prompt"] for record in all_records(where)]
    assert power_cut_again[: len(prompts)] == prompts


def test_the_power_may_fail_between_the_hand_and_the_end_of_its_volume(where: Places) -> None:
    sat(places(where.journal.parent), WHOLE_HAND)
    assert kinds(all_records(where))[-2:] == ["pressed", "format"]
    sat(where, WHOLE_HAND)
    assert len(volumes(where.journal)) == 2
    assert verify(all_records(where)).fault is None


# --- a volume that is missing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_volume_that_is_missing_between_two_is_named(where: Places, number: int, capsys: Captured) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    path = volume_path(where.journal, number)
    path.unlink()
    there = volume_path(where.journal, number + 1)
    assert number not in present(where.journal)
    told = f"{path}: this volume is missing, {there} is there"
    for opened in (VolumeSet, open_last, volumes):
        with pytest.raises(JournalUnusable, match=told):
            opened(where.journal)
    assert main(["journal", "verify", str(where.journal)]) == 1
    said = capsys.readouterr()
    assert told in said.out + said.err
    assert not path.exists(), "nobody made it anew"


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_the_first_volumes_may_be_in_an_archive(where: Places, gone: int, capsys: Captured) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    every = all_records(where)
    for path in files(where)[:gone]:
        path.rename(path.with_name(f"archived-{path.name}"))
    kept = all_records(where)
    assert kept == every[-len(kept) :]
    assert main(["journal", "verify", str(where.journal)]) == 0
    assert main(["journal", "volumes", str(where.journal)]) == 0
    assert f"to {gone} are not here" in capsys.readouterr().out
    sat(where, WHOLE_HAND)
    assert all_records(where)[: len(kept)] == kept
    assert not volume_path(where.journal, 1).exists(), "nobody made it anew"
    assert main(["journal", "verify", str(where.journal)]) == 0


def test_a_volume_of_another_journal_is_found_out(where: Places, tmp_path: Path) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    (tmp_path / "other").mkdir()
    keep_keys(tmp_path / "other")
    other = places(tmp_path / "other", volume_records=20)
    sat(other, WHOLE_HAND * N_HANDS)
    files(other)[2].rename(files(where)[2])
    with closing(VolumeSet(where.journal)) as volume_set:
        verification = Verification()
        rows = (one for store in volume_set.stores for page in store.pages() for one in page)
        assert not verification.take(rows)
    fault = verification.verdict().fault
    assert fault is not None
    assert (fault.seq, fault.wrong) == (records(files(where)[2])[0].seq, Wrong.CHANGED)


def test_files_that_are_called_alike_are_no_volumes(where: Places, tmp_path: Path) -> None:
    sat(where, WHOLE_HAND)
    for name in ("table-2.db", "table-0003.db.damaged-1", "table-0003.copy", "other-0003.db", "table-0003.db-wal"):
        (tmp_path / name).write_bytes(b"")
    assert list(volumes(where.journal)) == files(where)[:2]


# --- all volumes as one ----------------------------------------------------------------------------------------------


def test_a_shelf_reads_all_volumes_as_one(where: Places) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    every = [record for path in files(where) for record in records(path)]
    with closing(VolumeSet(where.journal)) as volume_set:
        for after in range(len(every) + 2):
            assert list(volume_set.records(after=after)) == every[after:]
        for hand in range(1, N_HANDS + 2):
            assert list(volume_set.records(hand=hand)) == [stored for stored in every if stored.hand == hand]
        boundaries = [stored.seq for stored in every if stored.boundary]
        assert [volume_set.last_boundary(n) for n in range(1, len(boundaries) + 2)] == [*reversed(boundaries), 0]
        for seq in range(1, len(every) + 2):
            before = [boundary for boundary in boundaries if boundary < seq]
            assert volume_set.boundary_before(seq) == (before[-1] if before else 0)


def test_a_shelf_finds_the_volumes_that_come_later(where: Places) -> None:
    with Sitting(where) as sitting:
        sitting.line("restart")
        with closing(VolumeSet(where.journal)) as volume_set:
            for _ in range(N_HANDS):
                sitting.lines(WHOLE_HAND)
                assert [record.seq for record in volume_set.records()][-1] == sitting.journal.store.newest
            assert len(volume_set.stores) == N_HANDS + 1


def test_a_reader_does_not_stumble_over_a_volume_that_is_just_being_made(where: Places) -> None:
    sat(where, WHOLE_HAND)
    whole = all_records(where)
    second = volume_path(where.journal, 2)
    kept = second.read_bytes()
    second.write_bytes(b"")
    with closing(VolumeSet(where.journal)) as volume_set:
        assert [record.seq for record in volume_set.records()] == [stored.seq for stored in whole[:-1]]
        second.write_bytes(kept)
        assert list(volume_set.records()) == whole
        assert list(volume_set.records(after=len(whole) - 1)) == whole[-1:]


def test_a_shelf_without_a_journal_says_so(tmp_path: Path) -> None:
    for base in (tmp_path / "table.db", tmp_path / "none" / "table.db"):
        with pytest.raises(JournalUnusable, match="there is no such journal"):
            VolumeSet(base)


def test_one_hand_is_replayed_whichever_volume_it_is_in(where: Places, capsys: Captured) -> None:
    sat(where, WHOLE_HAND * N_HANDS)
    with closing(VolumeSet(where.journal)) as volume_set:
        every = list(replay(volume_set, KEYS.vault, rulebook_of))
        assert not [replayed.stored.seq for replayed in every if replayed.differs]
        assert sum(replayed.stored.boundary for replayed in every) == N_HANDS
        for hand in range(1, N_HANDS + 1):
            one = list(replay(volume_set, KEYS.vault, rulebook_of, hand=hand))
            assert [replayed.stored.seq for replayed in one] == [e.stored.seq for e in every if e.stored.hand == hand]
            assert not [replayed.stored.seq for replayed in one if replayed.differs]
    assert main(["journal", "replay", str(where.journal), "--hand", "3"]) == 0
    assert "replayed: 24 records, 1 closed hand, decisions, prompts and carries as recorded" in capsys.readouterr().out


def test_volumes_are_listed_with_what_is_in_them_and_how_long_they_are_kept(where: Places, capsys: Captured) -> None:
    sat(where, WHOLE_HAND * 2)
    assert main(["journal", "volumes", str(where.journal)]) == 0
    day, until = "2020-01-01", "2030-01-01"
    assert capsys.readouterr().out.splitlines() == [
        f"   {number}  {path}  records {first} to {last}, {day} to {day}, {state}; keep until {until} at least"
        for number, path, first, last, state in (
            (1, files(where)[0], 1, 27, "closed"),
            (2, files(where)[1], 28, 53, "closed"),
            (3, files(where)[2], 54, 54, "open"),
        )
    ]


def test_only_the_writer_of_a_volume_goes_on_in_the_next_one(where: Places) -> None:
    sat(where, WHOLE_HAND)
    with (
        closing(Store.read(where.journal)) as store,
        pytest.raises(JournalUnusable, match="opened for reading, no volume can follow it"),
    ):
        store.go_on_in(volume_path(where.journal, 3))
    assert not volume_path(where.journal, 3).exists()


def test_a_volume_that_was_closed_by_hand_is_followed_all_the_same(where: Places) -> None:
    sat(places(where.journal.parent), WHOLE_HAND)
    with closing(Store.open(where.journal)) as store:
        RecordWriter(store, KEYS).note(volume_closed(START_US, 1), hand=1)
    sat(where, WHOLE_HAND)
    assert verify(all_records(where)).fault is None
    assert len(volumes(where.journal)) == 3


@pytest.mark.parametrize("number", [2, 3])
def test_a_copy_of_the_journal_under_a_volumes_name_is_no_volume(where: Places, number: int) -> None:
    where = places(where.journal.parent)
    sat(where, WHOLE_HAND)
    if number == 3:
        where = places(where.journal.parent, volume_records=20)
        sat(where, WHOLE_HAND)
    before = all_records(where)
    stray = volume_path(where.journal, number)
    assert not stray.exists()
    shutil.copy(where.journal, stray)
    for opened in (VolumeSet, open_last):
        with pytest.raises(JournalUnusable, match=f"{stray}: it does not go on where .* ends"):
            opened(where.journal)
    stray.unlink()
    assert all_records(where) == before


def test_nothing_stands_after_the_end_of_a_volume(where: Places) -> None:
    sat(where, WHOLE_HAND)
    first = records(files(where)[0])
    opened = json.loads(records(files(where)[1])[0].public)
    last = first[-1]
    assert kinds(first)[-1] == "volume-closed"
    public = encode_json({**opened, "fact": {"kind": "pressed", "key": "bank"}, "seq": last.seq + 1})
    public = encode_json({name: value for name, value in json.loads(public).items() if name not in ("carry", "keys")})
    after = replace(
        last, seq=last.seq + 1, hand=opened["hand"], public=public, hash=chained(last.hash, public), signature=None
    )
    fault = verify([*first, after]).fault
    assert fault is not None
    assert (fault.seq, fault.wrong) == (last.seq + 1, Wrong.CHANGED)
    assert "does not begin with it" in fault.what


# --- the archive ------------------------------------------------------------------------------------------------------


def archived(path: Path, folder: Path) -> list[Stored]:
    """What somebody has who took the file of a volume, and nothing beside it."""
    folder.mkdir()
    return records(Path(shutil.copy(path, folder)))


@contextmanager
def looked_at(path: Path, *statements: str) -> Iterator[None]:
    """Another program has this volume open: the integrity check, the screens."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
        for statement in (*statements, "SELECT count(*) FROM record"):
            reader.execute(statement).fetchone()
        yield


def test_the_file_of_a_closed_volume_has_all_of_it_whoever_has_it_open(where: Places, tmp_path: Path) -> None:
    sat(where, WHOLE_HAND)
    second = files(where)[1]
    with looked_at(second):
        sat(where, WHOLE_HAND)
        assert kinds(records(second))[-1] == "volume-closed"
        assert archived(second, tmp_path / "archive") == records(second)


def test_what_a_reader_held_back_goes_into_the_file_at_the_next_start(where: Places, tmp_path: Path) -> None:
    sat(where, WHOLE_HAND)
    second = files(where)[1]
    with looked_at(second, "BEGIN"):
        sat(where, WHOLE_HAND)
        assert len(archived(second, tmp_path / "too-early")) < len(records(second))
    with looked_at(second):
        sat(where, "")
        assert archived(second, tmp_path / "archive") == records(second)


# --- a disk that is away ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_keys", [True, False])
def test_a_journal_that_is_gone_is_not_begun_anew_beside_its_copy(
    where: Places, tmp_path: Path, *, has_keys: bool
) -> None:
    """The disk was replaced: what is typed too early leaves nothing in the way of what brings everything back."""
    sat(where, WHOLE_HAND)
    catch_up(where)
    kept = tmp_path / "the disk"
    kept.mkdir()
    gone = [*volumes(where.journal), *([] if has_keys else [where.key, where.signing_key])]
    for path in gone:
        path.rename(kept / path.name)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(Tilt, match=r"there is no journal, and .* is the second copy of one") as tilt:
        Journal.open(where, software="a program")
    assert tilt.value.kind is TiltKind.COPY
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    for path in gone:
        (kept / path.name).rename(path)
    sat(where, WHOLE_HAND)
