"""`tablectl backup`: what is in it, that it is consistent while the table deals, and which older ones go."""

from __future__ import annotations

import fcntl
import json
import re
import sqlite3
import stat
import threading
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.games.registry import rulebook_of
from tablectl.journal.keys import load_keys, make_keys
from tablectl.journal.recovery import replay
from tablectl.journal.store import Store
from tablectl.journal.volumes import VolumeSet, volume_path
from tablectl.ops.backup.archive import Archive
from tablectl.ops.backup.inventory import KINDS, What
from tablectl.ops.backup.keeping import keep
from tablectl.ops.backup.restoring import look
from tablectl.ops.backup.taking import Made, Wanted, back_up
from tablectl.ops.backup.wrong import Refused
from tablectl.table.disk_space import read_backup_report, size_of
from tests.backup.tables import Table, flip, seen
from tests.journal.journals import START_US, WHOLE_HAND, Sitting, changed, sat

Captured = pytest.CaptureFixture[str]
ALL = Wanted(keys=True, statistics=False)
SECOND_US = 1_000_000
#: Longer than a hand takes.
LONG_S = 30.0


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    return tmp_path / "archives"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def made_at(table: Table, folder: Path, second: int) -> Made:
    return back_up(load(table.config), folder, ALL, at_us=second * SECOND_US)


# --- what is in it ----------------------------------------------------------------------------------------------------


def test_everything_of_the_table_is_in_one_file_that_says_what_it_is(
    table: Table, archives: Path, capsys: Captured
) -> None:
    path = table.back_up(archives)
    assert re.fullmatch(r"mesa-1-\d{8}T\d{6}Z\.zip", path.name)
    said = capsys.readouterr().out
    last = table.records()[-1]
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist()[0] == "manifest.json"
        told = json.loads(archive.read("manifest.json"))
        files = {file["name"]: file for file in told["files"]}
        assert set(archive.namelist()) == {"manifest.json", *files}
        assert archive.read("configuration.toml") == table.config.read_bytes()
        assert archive.read("sealing.key") == table.places.key.read_bytes()
        assert archive.read("signing.key") == table.places.signing_key.read_bytes()
    assert {file["what"] for file in files.values()} == {
        What.OUTBOX,
        What.ACCOUNTS,
        What.REGISTER,
        What.SEALING_KEY,
        What.SIGNING_KEY,
        What.PUBLIC_KEY,
        What.CONFIG,
        What.JOURNAL,
    }
    assert (told["journal"]["newest"], told["journal"]["hash"]) == (last.seq, last.hash.hex())
    assert told["journal"]["volumes"] == 3
    assert files["sealing.key"]["owner"]["mode"] == 0o600
    assert f"up to record {last.seq}, 2 closed hands" in said


def test_an_archive_is_for_its_owner_alone_and_nothing_else_is_left(table: Table, archives: Path) -> None:
    path = table.back_up(archives)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(archives.stat().st_mode) == 0o700
    assert sorted(archive.name for archive in archives.iterdir()) == [".mesa-1.lock", path.name]


def test_a_backup_changes_nothing_of_the_table(table: Table, archives: Path) -> None:
    before = seen(table.folder)
    table.back_up(archives)
    assert seen(table.folder) == before


def test_a_backup_that_keeps_so_many_reports_its_folder_and_no_other_does(table: Table, archives: Path) -> None:
    journal = table.places.journal
    table.back_up(archives.with_name("once"))
    assert read_backup_report(journal) is None
    path = table.back_up(archives, "--keep", "7")
    told = read_backup_report(journal)
    assert told is not None
    assert (told.folder, told.archive_bytes, told.n_archives, told.keep) == (
        str(archives),
        path.stat().st_size,
        len(list(archives.glob("*.zip"))),
        7,
    )
    assert told.journal_bytes == size_of(journal) > 0


def test_keys_can_be_left_out_and_the_archive_says_so(table: Table, archives: Path, capsys: Captured) -> None:
    path = table.back_up(archives, "--without-keys")
    said = capsys.readouterr().out
    secrets = {kind.member for kind in KINDS.values() if kind.is_secret}
    with zipfile.ZipFile(path) as archive:
        assert not secrets & set(archive.namelist())
    assert table.places.key.read_bytes().split()[-1] not in path.read_bytes()
    assert "not in it: sealing-key: left out (--without-keys): keep it in a safe" in said
    assert "not in it: signing-key: left out" in said


def test_keys_that_systemd_keeps_are_named_as_missing(table: Table, archives: Path, capsys: Captured) -> None:
    text = table.config.read_text(encoding="utf-8")
    keys = '\n[journal]\nkey = "credential:mesa-1.key"\nsigning_key = "credential:mesa-1.sign"\n'
    table.config.write_text(text + keys, encoding="utf-8")
    path = table.back_up(archives)
    with Archive.open(path) as archive:
        assert {missing.what for missing in archive.manifest.missing} >= {What.SEALING_KEY, What.SIGNING_KEY}
    assert "a credential of systemd, which no file of the table holds" in capsys.readouterr().out


def test_statistics_come_where_they_are_asked_for(table: Table, archives: Path) -> None:
    with closing(sqlite3.connect(table.folder / "statistics.db")) as base:
        base.execute("CREATE TABLE counted (hand INTEGER)")
    with Archive.open(table.back_up(archives, "--statistics")) as archive:
        assert What.STATISTICS in {file.what for file in archive.manifest.files}


def test_a_table_that_never_began_has_nothing_to_back_up(tmp_path: Path, archives: Path, capsys: Captured) -> None:
    new = Table(tmp_path / "new")
    new.configured()
    assert main(["backup", str(new.config), str(archives)]) == 2
    assert "there is no journal yet" in capsys.readouterr().err
    assert names(archives) == []


# --- it is checked ----------------------------------------------------------------------------------------------------


def change_a_record(table: Table) -> None:
    changed(table.places.journal, ("UPDATE record SET hand = 7 WHERE seq = 5", ()))


def break_the_accounts(table: Table) -> None:
    path = table.folder / "people.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes()[:4096] + bytes(3 * 4096))


def test_a_table_that_is_not_intact_gives_no_backup_and_says_where(
    table: Table, archives: Path, capsys: Captured
) -> None:
    change_a_record(table)
    assert main(["backup", str(table.config), str(archives)]) == 1
    said = capsys.readouterr().out
    assert f"NO BACKUP WAS MADE: {table.places.journal}: the journal is not intact: record 5: changed" in said
    assert names(archives) == []


def test_accounts_that_are_damaged_give_no_backup(table: Table, archives: Path, capsys: Captured) -> None:
    break_the_accounts(table)
    assert main(["backup", str(table.config), str(archives)]) in (1, 2)
    told = capsys.readouterr()
    assert str(table.folder / "people.db") in told.out + told.err
    assert names(archives) == []


@pytest.mark.parametrize("name", ["table.key", "table.sign"])
def test_another_tables_key_is_no_key_of_this_journal(
    name: str, table: Table, archives: Path, tmp_path: Path, capsys: Captured
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    make_keys(other / "table.key", other / "table.sign", demo=False)
    (table.folder / name).write_bytes((other / name).read_bytes())
    assert main(["backup", str(table.config), str(archives)]) == 1
    said = capsys.readouterr().out
    assert f"{table.folder / name}: " in said
    assert "another table's key" in said
    assert names(archives) == []


def test_a_register_sealed_with_another_key_gives_no_backup(table: Table, archives: Path, capsys: Captured) -> None:
    with closing(sqlite3.connect(table.folder / "decks.db", isolation_level=None)) as base:
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            base.execute(f"DROP TRIGGER {name}")
        base.execute("UPDATE event SET sealed = x'00' WHERE seq = 1")
    assert main(["backup", str(table.config), str(archives)]) == 1
    assert "restore the register" in capsys.readouterr().out


def test_two_backups_of_one_table_are_not_made_at_once(table: Table, archives: Path, capsys: Captured) -> None:
    archives.mkdir()
    with (archives / ".mesa-1.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(["backup", str(table.config), str(archives)]) == 2
    assert "another backup of mesa-1 is being made there" in capsys.readouterr().err


def test_what_a_killed_backup_left_is_never_taken_for_one_and_goes(table: Table, archives: Path) -> None:
    half = archives / ".mesa-1.making"
    half.mkdir(parents=True)
    (half / "unnamed").write_bytes(b"half an archive")
    made = [made_at(table, archives, second) for second in (1, 2)]
    assert not half.exists()
    assert keep(made[-1], 1).removed == (made[0].path,)


def test_a_folder_that_takes_no_file_is_said(table: Table, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert main(["backup", str(table.config), str(tmp_path / "file" / "archives")]) == 2
    assert "no backup was made" in capsys.readouterr().err


# --- while the table deals --------------------------------------------------------------------------------------------


BACKUPS = 10
#: More than are dealt while a backup is made.
HANDS_A_BACKUP = 40
HANDS_WAITED_FOR = 4


class Dealer(threading.Thread):
    """A real writer that deals hand after hand, through new volumes, until it is told to stop."""

    def __init__(self, table: Table) -> None:
        super().__init__(name="dealer", daemon=True)
        self._table = table
        self._is_enough = threading.Event()
        self._allowed = threading.Semaphore(0)
        self._dealt = threading.Semaphore(0)

    def run(self) -> None:
        with Sitting(self._table.places) as sitting:
            sitting.line("restart")
            while self._allowed.acquire(timeout=LONG_S) and not self._is_enough.is_set():
                sitting.lines(WHOLE_HAND)
                if sitting.journal.is_between_volumes:
                    sitting.journal.next_volume(START_US, sitting.table.carry())
                self._dealt.release()

    def is_dealing(self) -> bool:
        """So many hands more; waits for the first that are dealt from now on, so that all backups together see a new
        volume however fast they are made."""
        while self._dealt.acquire(blocking=False):
            pass  # dealt before
        self._allowed.release(HANDS_A_BACKUP)
        return all(self._dealt.acquire(timeout=LONG_S) for _ in range(HANDS_WAITED_FOR))

    def stop(self) -> None:
        self._is_enough.set()
        self._allowed.release()
        self.join(LONG_S)


@pytest.mark.wide
def test_each_backup_of_a_table_that_deals_all_the_time_is_a_beginning_of_its_journal(
    archives: Path, tmp_path: Path
) -> None:
    table = Table(tmp_path / "dealing", volume_records=500)
    table.furnished(WHOLE_HAND)
    dealer = Dealer(table)
    dealer.start()
    made = []
    try:
        for second in range(BACKUPS):
            assert dealer.is_dealing()
            made.append(made_at(table, archives, second))
    finally:
        dealer.stop()
    every = table.records()
    ends = [backup.manifest.journal.newest for backup in made]
    assert ends == sorted(set(ends)), "the table went on between them"
    assert ends[-1] < len(every)
    volumes = {backup.manifest.journal.volumes for backup in made}
    assert len(volumes) > 1, "and through several volumes"
    keys_of_all = set()
    for backup in made:
        folder = tmp_path / "looked-at" / backup.path.stem
        folder.parent.mkdir(exist_ok=True)
        with Archive.open(backup.path) as archive:
            chain = look(archive, folder, key=None)
        keys_of_all.add((folder / "sealing.key").read_bytes())
        keys = load_keys(folder / "sealing.key", folder / "signing.key")
        with closing(VolumeSet(folder / "table.db")) as volume_set:
            assert list(volume_set.records()) == every[: chain.newest]
            if backup is made[-1]:  # the records of all others are the first of these
                assert not [one.stored.seq for one in replay(volume_set, keys.vault, rulebook_of) if one.differs]
    assert len(keys_of_all) == 1


def test_a_volume_that_was_only_just_made_is_left_for_the_next_backup(table: Table, archives: Path) -> None:
    """The power may fail, or a backup come, between a new file and its first record."""
    Store.open(volume_path(table.places.journal, 4), follows=table.end, guard=table.folder / "other").close()
    with Archive.open(table.back_up(archives)) as archive:
        assert archive.manifest.journal.volumes == 3


# --- which stay -------------------------------------------------------------------------------------------------------


def test_as_many_good_ones_stay_as_were_asked_for_the_newest(table: Table, archives: Path) -> None:
    made = [made_at(table, archives, second) for second in range(5)]
    kept = keep(made[-1], 2)
    assert names(archives) == sorted(backup.path.name for backup in made[-2:])
    assert set(kept.removed) == {backup.path for backup in made[:3]}


def test_a_damaged_one_counts_for_nothing_and_stays(table: Table, archives: Path) -> None:
    made = [made_at(table, archives, second) for second in range(4)]
    made[2].path.write_bytes(made[2].path.read_bytes()[:-1000])
    middle = made[1].path.stat().st_size // 2
    flip(made[1].path, middle)
    kept = keep(made[3], 2)
    assert kept.removed == ()
    assert len(kept.left) == 2
    assert names(archives) == sorted(backup.path.name for backup in made)


def test_what_is_not_its_own_is_never_removed(table: Table, archives: Path, tmp_path: Path) -> None:
    """Neither by its name nor by what it says of itself."""
    other = Table(tmp_path / "other")
    other.configured()
    sat(other.places, WHOLE_HAND)
    others = made_at(other, archives, 1)
    made = [made_at(table, archives, second) for second in (2, 3)]
    strange = [archives / "mesa-1-notes.zip", archives / "mesa-10-20260101T000000Z.zip", archives / "mesa-1-old.txt"]
    for path in strange:
        path.write_bytes(b"mine")
    kept = keep(made[-1], 1)
    assert kept.removed == (made[0].path,)
    assert kept.left == (f"{others.path}: the backup of another table (Mesa de prueba)",)
    assert all(path.exists() for path in (*strange, others.path, made[1].path))


def test_the_one_that_was_just_made_stays_whatever_the_clock_says(table: Table, archives: Path) -> None:
    late, early = made_at(table, archives, 5000), made_at(table, archives, 1)
    assert keep(early, 1).removed == (late.path,)
    assert names(archives) == [early.path.name]


@pytest.mark.parametrize("most", ["0", "-1"])
def test_at_least_one_stays(most: str, table: Table, archives: Path, capsys: Captured) -> None:
    assert main(["backup", str(table.config), str(archives), "--keep", most]) == 2
    assert "at least 1 stays" in capsys.readouterr().err
    assert not archives.exists()


def test_the_command_says_which_went(table: Table, archives: Path, capsys: Captured) -> None:
    old = made_at(table, archives, 1)
    assert main(["backup", str(table.config), str(archives), "--keep", "1"]) == 0
    assert f"{old.path}: removed, 1 newer ones are good" in capsys.readouterr().out
    assert len(names(archives)) == 1


def test_a_second_backup_of_the_same_second_is_refused(table: Table, archives: Path) -> None:
    made_at(table, archives, 1)
    with pytest.raises(Refused, match="of this second already"):
        made_at(table, archives, 1)
