"""`tablectl restore`: a table from its backup, on the same machine and on a new one; and every backup that is none."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import stat
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from simulators import processes
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.journal.copy import CopyDiffers, check_joins, last_of
from tablectl.journal.deck_register import Register
from tablectl.journal.journal import Journal
from tablectl.journal.keys import make_keys
from tablectl.journal.restored import place_of
from tablectl.journal.seal import Vault
from tablectl.journal.store import Store, guarded
from tablectl.journal.verify_full import verify_full
from tablectl.people.file import PeopleFile
from tablectl.table.controller.controller import EXIT_OK
from tests.backup.tables import Table, records_in, seen
from tests.journal.journals import KEY, SETUP, WHOLE_HAND, Sitting, keep_keys, sat
from tests.journal.mortal import Scripted, config
from tests.journal.test_copy import Heard, following

Captured = pytest.CaptureFixture[str]
#: How the unfinished hand of `HANDS` goes on.
GOES_ON = "draw Qh\ndraw Kd\n"
#: And how it ends.
HAND_ENDS = "draw Qh" + WHOLE_HAND.partition("draw Qh")[2]


def restored(archive: Path, table: Table, *options: str) -> int:
    return main(["restore", str(archive), "--config", str(table.config), *options])


def refused(archive: Path, table: Table, capsys: Captured, *options: str, status: int) -> str:
    """What was said of it; nothing was touched."""
    before = seen(table.folder) if table.folder.exists() else {}
    capsys.readouterr()
    assert restored(archive, table, *options) == status
    assert (seen(table.folder) if table.folder.exists() else {}) == before
    assert not [path for path in table.folder.glob(".*") if path.is_dir()]
    told = capsys.readouterr()
    return told.out + told.err


# --- a good one -------------------------------------------------------------------------------------------------------


def test_a_new_machine_gets_the_whole_table(table: Table, archive: Path, new: Table, capsys: Captured) -> None:
    last = table.records()[-1]
    assert restored(archive, new) == 0
    said = capsys.readouterr().out
    assert new.records() == table.records()
    assert f"3 volumes up to record {last.seq} (hand 3, 2 closed hands), intact" in said
    assert f"hash of record {last.seq}: {last.hash.hex()}" in said
    for name in ("mesa-1.toml", "table.key", "table.sign", "table.pub"):
        assert (new.folder / name).read_bytes() == (table.folder / name).read_bytes()
    with Register(new.folder / "decks.db", Vault(KEY)) as register:
        assert [deck.name for deck in register.decks] == ["rojo 1"]
    with closing(PeopleFile(new.folder / "people.db")) as people:
        assert 1 in people.series
    assert load(new.config).journal == new.places.journal
    assert sorted(path.name for path in new.folder.iterdir() if "restoring" in path.name) == []


def test_an_unfinished_hand_goes_on_where_it_was(archive: Path, new: Table, capsys: Captured) -> None:
    assert restored(archive, new) == 0
    n = len(new.records())
    with Sitting(new.places) as sitting:
        assert sitting.table.state.in_play
        sitting.line("restart")
        sitting.lines(GOES_ON)
    assert len(new.records()) == n + 3
    main(["journal", "verify", str(new.places.journal)])
    assert f"{new.places.journal}: intact: {n + 3} records" in capsys.readouterr().out


def open_end(table: Table) -> tuple[int, str]:
    """The newest signed record of a table, and what is said of those after it."""
    stored = table.records()
    signed = max(record.seq for record in stored if record.signature is not None)
    return signed, f"  open end: records {signed + 1} to {stored[-1].seq} are not signed yet: its hand was not over"


def test_an_end_that_is_not_signed_yet_is_taken_and_on_record_in_the_backup(
    table: Table, new: Table, tmp_path: Path, capsys: Captured
) -> None:
    archive = table.back_up(tmp_path / "open")
    signed, said = open_end(table)
    assert said in capsys.readouterr().out.splitlines()
    with zipfile.ZipFile(archive) as made:
        assert json.loads(made.read("manifest.json"))["journal"]["signed_to"] == signed
    assert main(["restore", str(archive), "--config", str(new.config)]) == 0
    assert said in capsys.readouterr().out.splitlines()


def test_a_signed_end_is_none(table: Table, tmp_path: Path, capsys: Captured) -> None:
    sat(table.places, "")
    table.back_up(tmp_path / "signed")
    assert "open end" not in capsys.readouterr().out


def test_a_backup_of_the_version_before_did_not_say_it_and_is_restored(
    table: Table, new: Table, tmp_path: Path, capsys: Captured
) -> None:
    archive, older = table.back_up(tmp_path / "new"), tmp_path / "older.zip"
    with zipfile.ZipFile(archive) as made, zipfile.ZipFile(older, "w", zipfile.ZIP_STORED) as target:
        for info in made.infolist():
            content = made.read(info)
            if info.filename == "manifest.json":
                told = json.loads(content)
                del told["journal"]["signed_to"]
                content = json.dumps(told).encode()
            target.writestr(info, content)
    capsys.readouterr()
    assert main(["restore", str(older), "--config", str(new.config)]) == 0
    assert open_end(table)[1] in capsys.readouterr().out.splitlines(), "what is restored was looked at"


def test_the_real_controller_starts_with_it_and_makes_the_second_copy_anew(archive: Path, new: Table) -> None:
    assert restored(archive, new, "--by", "marta") == 0
    n, end = len(new.records()), new.end
    assert Scripted(config(new.folder, SETUP), []).run() == EXIT_OK
    every = new.records()
    kinds = [json.loads(stored.public)["fact"]["kind"] for stored in every[n:]]
    felt = "the croupier confirmed the felt of the open hand"
    assert kinds == ["opened", "restored", "open-end", "pressed", "stopped"], felt
    note = json.loads(every[n + 1].public)["fact"]
    assert (note["records"], note["hash"], note["by"]) == (end.seq, end.hash.hex(), "marta")
    assert note["made"] < note["when"]
    assert every[n + 1].signature is not None
    assert not place_of(new.places.journal).exists()
    assert last_of(new.places.copy) == new.end
    assert verify_full(new.places.journal, new.places.copy).end == new.end


def test_a_restore_is_on_record_though_what_it_left_cannot_be_read(archive: Path, new: Table) -> None:
    assert restored(archive, new) == 0
    place_of(new.places.journal).write_text("{", encoding="utf-8")
    assert Scripted(config(new.folder, SETUP), []).run() == EXIT_OK
    notes = [json.loads(record.public)["fact"] for record in new.records() if b'"kind":"restored"' in record.public]
    assert [(note["records"], note["hash"], note["by"]) for note in notes] == [(0, "", "")]
    assert Scripted(config(new.folder, SETUP), []).run() == EXIT_OK
    assert sum(b'"kind":"restored"' in record.public for record in new.records()) == 1, "once, not at every start"


def test_a_start_takes_an_end_that_is_not_signed_yet_and_records_it(table: Table, archive: Path, new: Table) -> None:
    first, last = open_end(table)[0] + 1, table.end.seq
    assert restored(archive, new) == 0
    for _ in range(2):
        assert Scripted(config(new.folder, SETUP), []).run() == EXIT_OK
    facts = [json.loads(record.public)["fact"] for record in new.records()]
    found = [fact for fact in facts if fact["kind"] == "open-end"]
    assert found == [{"kind": "open-end", "first": first, "last": last}], "once: the next start finds a signed end"
    assert facts[last]["kind"] == "opened"


def test_before_the_first_closed_hand_a_start_says_it_in_the_log_alone(tmp_path: Path) -> None:
    table = Table(tmp_path / "young")
    table.furnished("press new-hand\nbet 1 ante 1000\n")
    assert Scripted(config(table.folder, SETUP), []).run() == EXIT_OK
    assert not any(b'"kind":"open-end"' in record.public for record in table.records())


def test_what_a_restore_left_goes_only_when_it_is_on_record(
    archive: Path, new: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert restored(archive, new) == 0

    def no_power(_journal: Path) -> None:
        raise OSError(errno.EIO, "Input/output error", "table.db.restored")

    with monkeypatch.context() as patched:
        patched.setattr("tablectl.journal.restored.on_record", no_power)
        assert Scripted(config(new.folder, SETUP), []).run() != EXIT_OK
    assert place_of(new.places.journal).exists()


def test_modes_are_those_of_the_backup_on_a_new_machine(table: Table, new: Table, tmp_path: Path) -> None:
    table.places.journal.chmod(0o640)
    table.folder.chmod(0o2750)
    assert restored(table.back_up(tmp_path / "more"), new) == 0
    assert stat.S_IMODE(new.places.journal.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.places.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(new.folder.stat().st_mode) == 0o2750


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_files_belong_to_whom_they_belonged(table: Table, new: Table, tmp_path: Path) -> None:
    for path in (table.folder, *table.folder.iterdir()):
        os.chown(path, 4711, 4712)
    assert restored(table.back_up(tmp_path / "more"), new) == 0
    for path in (new.folder, new.places.journal, new.places.key, new.places.journal.with_name("table.db.lock")):
        assert (path.stat().st_uid, path.stat().st_gid) == (4711, 4712), path


def test_what_is_there_is_not_overwritten(table: Table, archive: Path, capsys: Captured) -> None:
    table.plays()
    said = refused(archive, table, capsys, status=2)
    assert str(table.places.journal) in said
    assert "--replace moves them aside" in said


def test_what_was_there_is_moved_aside_with_its_log(table: Table, archive: Path, capsys: Captured) -> None:
    backed_up = table.records()
    table.plays()
    old = seen(table.folder)
    assert restored(archive, table, "--replace") == 0
    said = capsys.readouterr().out
    assert table.records() == backed_up
    kept = {
        set_aside.name.partition(".before-restore-")[0]: set_aside
        for set_aside in table.folder.glob("*.before-restore-*Z")
    }
    assert {"table.db", "table-0002.db", "table-0003.db", "people.db", "decks.db", "notifications.db"} == set(kept)
    for name, path in kept.items():
        assert path.read_bytes() == old[name][0]
        assert f"{path}: what was there, kept as it was" in said
    capsys.readouterr()
    main(["journal", "verify", str(table.places.journal)])
    assert f"{table.places.journal}: intact: " in capsys.readouterr().out


def test_volumes_that_came_after_the_backup_are_moved_aside_too(table: Table, archive: Path, capsys: Captured) -> None:
    table.plays(HAND_ENDS)
    table.plays()
    assert table.places.journal.with_name("table-0004.db").exists()
    assert restored(archive, table, "--replace") == 0
    assert sorted(path.name for path in table.folder.glob("table*.db")) == [
        "table-0002.db",
        "table-0003.db",
        "table.db",
    ]
    capsys.readouterr()
    main(["journal", "verify", str(table.places.journal)])
    assert f"{table.places.journal}: intact: " in capsys.readouterr().out


def test_statistics_that_know_more_than_the_journal_are_made_anew(table: Table, archive: Path) -> None:
    with closing(sqlite3.connect(table.folder / "statistics.db")) as base:
        base.execute("CREATE TABLE counted (hand INTEGER)")
    assert restored(archive, table, "--replace") == 0
    assert not (table.folder / "statistics.db").exists()


def test_the_configuration_that_is_there_says_where_everything_belongs(archive: Path, new: Table) -> None:
    new.folder.mkdir()
    new.configured()
    text = new.config.read_text(encoding="utf-8") + '\n[journal]\npath = "disk/mesa.db"\n'
    new.config.write_text(text, encoding="utf-8")
    assert restored(archive, new) == 0
    assert sorted(path.name for path in (new.folder / "disk").glob("*.db")) == [
        "mesa-0002.db",
        "mesa-0003.db",
        "mesa.db",
    ]
    assert new.config.read_text(encoding="utf-8") == text


def test_a_backup_without_keys_wants_them_from_the_safe(
    table: Table, new: Table, tmp_path: Path, capsys: Captured
) -> None:
    archive = table.back_up(tmp_path / "more", "--without-keys")
    assert restored(archive, new) == 0
    assert f"{new.places.key}: NOT THERE: bring this key from the safe" in capsys.readouterr().out
    keep_keys(new.folder)
    with closing(Journal.open(new.places, software="")) as journal:
        assert journal.store.newest == len(table.records())


def test_keys_that_are_there_have_to_be_the_tables(table: Table, new: Table, tmp_path: Path, capsys: Captured) -> None:
    archive = table.back_up(tmp_path / "more", "--without-keys")
    new.folder.mkdir()
    make_keys(new.places.key, new.places.signing_key, demo=False)
    assert "another table's key" in refused(archive, new, capsys, status=1)


# --- to look at it ----------------------------------------------------------------------------------------------------


def test_a_backup_can_be_looked_at_without_touching_anything(
    table: Table, archive: Path, tmp_path: Path, capsys: Captured
) -> None:
    before = seen(table.folder)
    folder = tmp_path / "look"
    assert main(["restore", str(archive), "--to", str(folder)]) == 0
    assert seen(table.folder) == before
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert records_in(folder / "table.db") == table.records()
    assert main(["restore", str(archive), "--to", str(folder)]) == 2
    assert "there already" in capsys.readouterr().err


# --- who is in the way ------------------------------------------------------------------------------------------------


def test_nothing_is_restored_under_a_controller_that_runs(table: Table, archive: Path, capsys: Captured) -> None:
    with guarded(table.places.journal):
        said = refused(archive, table, capsys, "--replace", status=2)
    assert "another controller writes this journal" in said
    assert "systemctl stop 'tablectl*@mesa-1.service'" in said


def test_nothing_is_restored_under_screens_that_run(table: Table, archive: Path, capsys: Captured) -> None:
    """In a process of their own: the kernel tells nobody of its own locks."""
    program = (
        "import sys; from pathlib import Path; from tablectl.people.file import PeopleFile\n"
        "file = PeopleFile(Path(sys.argv[1])); print(file.id, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(table.folder / "people.db")]
    with processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as screens:
        assert screens.stdout is not None
        assert screens.stdout.readline()
        said = refused(archive, table, capsys, "--replace", status=2)
        assert f"process {screens.pid} has it open" in said
        screens.communicate()
    assert restored(archive, table, "--replace") == 0


# --- the second copy --------------------------------------------------------------------------------------------------


def copied(table: Table) -> None:
    """All records of the journal, as its second copy has them: one file a volume."""
    with following(table.places, Heard()):
        pass


def test_a_second_copy_that_has_more_brings_it_back(table: Table, archive: Path, capsys: Captured) -> None:
    backed_up = len(table.records())
    table.plays(GOES_ON)
    copied(table)
    every = table.records()
    assert restored(archive, table, "--replace") == 0
    more = len(every) - backed_up
    command = f"tablectl journal restore {table.places.copy} {table.places.journal}"
    said = capsys.readouterr().out
    assert f"the second copy goes on to record {len(every)}, {more} records after the backup" in said
    assert command in said
    with (
        pytest.raises(CopyDiffers, match="brings the records back"),
        closing(Store.read(table.places.journal)) as store,
    ):
        check_joins(table.places.copy, store)
    assert main(command.split()[1:]) == 0
    assert table.records() == every


def test_a_second_copy_that_is_behind_catches_up(table: Table, tmp_path: Path, capsys: Captured) -> None:
    copied(table)
    table.plays(GOES_ON)
    archive = table.back_up(tmp_path / "more")
    assert restored(archive, table, "--replace") == 0
    assert "the second copy has nothing that the backup has not" in capsys.readouterr().out


def test_a_second_copy_that_parted_from_it_is_said(table: Table, archive: Path, capsys: Captured) -> None:
    """Somebody let the table go on after another restore, and the copy with it."""
    copied(table)
    lines = table.places.copy.with_name("table-0003.copy")
    assert lines.exists()
    other = Table(table.folder.with_name("other"))
    other.furnished()
    copied(other)
    for path in other.folder.glob("table*.copy"):
        (table.folder / path.name).write_bytes(path.read_bytes())
    assert restored(archive, table, "--replace") == 0
    assert "THE SECOND COPY DOES NOT GO ON WHERE THE BACKUP ENDS" in capsys.readouterr().out


def test_a_machine_without_a_copy_is_told_what_may_be_missing(archive: Path, new: Table, capsys: Captured) -> None:
    assert restored(archive, new) == 0
    assert "there is no second copy: what was recorded after record" in capsys.readouterr().out
