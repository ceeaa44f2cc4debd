"""Every backup that is none, or not this table's: refused whole, with what it means and what to do; nothing is lost."""

from __future__ import annotations

import hashlib
import json
import resource
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablectl.cli.main import main
from tablectl.journal.keys import make_keys
from tablectl.journal.public_keys import public_pem
from tablectl.ops.backup.manifest import FORMAT
from tests.backup.tables import Table, flip, records_in
from tests.backup.test_restore import refused, restored
from tests.journal.journals import SIGNER, WHOLE_HAND, sat

Captured = pytest.CaptureFixture[str]


def test_a_backup_that_was_cut_off_anywhere_is_refused(archive: Path, new: Table, capsys: Captured) -> None:
    text = archive.read_bytes()
    for size in [0, 1, 100, *range(1000, len(text), len(text) // 40), len(text) - 1]:
        archive.write_bytes(text[:size])
        said = refused(archive, new, capsys, status=2)
        assert "no backup, or one that was cut off" in said
        assert "take another one" in said


def test_a_backup_with_any_changed_byte_is_refused_or_says_the_same(
    table: Table, archive: Path, tmp_path: Path, capsys: Captured
) -> None:
    """A byte that says nothing (a date, an unused field) may be another one; then all files are what they were."""
    text = archive.read_bytes()
    n_refused = 0
    places = [
        *range(0, 600, 7),
        *range(600, len(text) - 2000, len(text) // 60),
        *range(len(text) - 2000, len(text), 17),
    ]
    for at in places:
        archive.write_bytes(text)
        flip(archive, at)
        folder = tmp_path / f"look-{at}"
        status = main(["restore", str(archive), "--to", str(folder)])
        assert status in (0, 1, 2), at
        if status == 0:
            assert records_in(folder / "table.db") == table.records()
            assert (folder / "sealing.key").read_bytes() == table.places.key.read_bytes()
            shutil.rmtree(folder)
        else:
            n_refused += 1
            assert not folder.exists()
    assert n_refused > len(places) // 2
    capsys.readouterr()


Change = Callable[[dict[str, Any], dict[str, bytes]], None]


def repacked(archive: Path, change: Change) -> None:
    """Somebody takes the archive apart and packs another one, with hashes that fit."""
    with zipfile.ZipFile(archive) as old:
        files = {name: old.read(name) for name in old.namelist()}
    told = json.loads(files.pop("manifest.json"))
    change(told, files)
    for file in told.get("files", []):
        if file["name"] in files:
            content = files[file["name"]]
            file["sha256"], file["size_bytes"] = hashlib.sha256(content).hexdigest(), len(content)
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("manifest.json", json.dumps(told))
        for name, content in files.items():
            made.writestr(name, content)


def newer_format(told: dict[str, Any], _: dict[str, bytes]) -> None:
    told["format"] = FORMAT + 1
    told["something-new"] = True


def another_title(told: dict[str, Any], _: dict[str, bytes]) -> None:
    told["title"] = "Mesa 9"


def a_file_more(_: dict[str, Any], files: dict[str, bytes]) -> None:
    files["more.db"] = b""


def a_file_less(_: dict[str, Any], files: dict[str, bytes]) -> None:
    del files["people.db"]


def a_name_that_leads_away(told: dict[str, Any], files: dict[str, bytes]) -> None:
    told["files"][0]["name"] = "../../evil.db"
    files["../../evil.db"] = files.pop("notifications.db")


def a_volume_less(told: dict[str, Any], files: dict[str, bytes]) -> None:
    told["files"] = [file for file in told["files"] if file["name"] != "table-0002.db"]
    del files["table-0002.db"]


def the_end_cut_off(told: dict[str, Any], files: dict[str, bytes]) -> None:
    told["files"] = [file for file in told["files"] if file["name"] != "table-0003.db"]
    del files["table-0003.db"]


def a_record_changed(_: dict[str, Any], files: dict[str, bytes]) -> None:
    assert files["table.db"].count(b'"amounts":{"ante":1000}') > 0
    files["table.db"] = files["table.db"].replace(b'"amounts":{"ante":1000}', b'"amounts":{"ante":9000}')


def accounts_that_are_none(_: dict[str, Any], files: dict[str, bytes]) -> None:
    files["people.db"] = files["people.db"][:4096] + bytes(len(files["people.db"]) - 4096)


def no_manifest_at_all(told: dict[str, Any], _: dict[str, bytes]) -> None:
    told.clear()


@pytest.mark.parametrize(
    ("change", "ends"),
    [
        (newer_format, (2, "a newer version made it; install that one here, then restore")),
        (another_title, (2, "the backup of 'Mesa 9', but")),
        (a_file_more, (1, "its files are not those of its manifest")),
        (a_file_less, (1, "its files are not those of its manifest")),
        (a_name_that_leads_away, (1, "names of files")),
        (a_volume_less, (1, "the journal's volumes")),
        (the_end_cut_off, (1, "the journal in it is another one than its manifest says")),
        (a_record_changed, (1, "the journal is not intact: record")),
        (accounts_that_are_none, (1, "people.db: the database is damaged")),
        (no_manifest_at_all, (1, "its manifest is none that this program writes")),
    ],
    ids=lambda one: one.__name__ if callable(one) else "",
)
def test_a_backup_that_somebody_changed_is_refused_whole(
    change: Change, ends: tuple[int, str], table: Table, archive: Path, capsys: Captured
) -> None:
    repacked(archive, change)
    status, what = ends
    assert what in refused(archive, table, capsys, "--replace", status=status)


def test_a_file_that_was_exchanged_for_another_one_is_seen_by_its_hash(
    table: Table, archive: Path, capsys: Captured
) -> None:
    """Of the same length, in an archive that is well made: no checksum of the archive itself says so."""
    with zipfile.ZipFile(archive) as old:
        files = {name: old.read(name) for name in old.namelist()}
    files["notifications.db"] = files["notifications.db"][:-1] + b"x"
    with zipfile.ZipFile(archive, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    said = refused(archive, table, capsys, "--replace", status=1)
    assert "notifications.db is not what was put there" in said
    assert "take an older backup" in said


def test_the_backup_of_another_table_is_refused(table: Table, tmp_path: Path, capsys: Captured) -> None:
    other = Table(tmp_path / "other")
    other.configured()
    sat(other.places, WHOLE_HAND)
    said = refused(other.back_up(tmp_path / "others"), table, capsys, "--replace", status=2)
    assert "the backup of another table" in said


def test_a_key_from_a_trusted_source_has_to_have_signed_it(
    archive: Path, new: Table, tmp_path: Path, capsys: Captured
) -> None:
    other = make_keys(tmp_path / "other.key", tmp_path / "other.sign", demo=False).signer
    published = tmp_path / "published.pem"
    published.write_bytes(public_pem(other.public))
    said = refused(archive, new, capsys, "--key", str(published), status=2)
    assert "or name the right key with --key" in said
    published.write_bytes(public_pem(SIGNER.public))
    assert restored(archive, new, "--key", str(published)) == 0


@pytest.mark.parametrize("what", ["nothing", "a folder", "text", "another archive"])
def test_what_is_no_backup_is_said(what: str, new: Table, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "it"
    if what == "a folder":
        path.mkdir()
    elif what == "text":
        path.write_text("hello", encoding="utf-8")
    elif what == "another archive":
        with zipfile.ZipFile(path, "w") as made:
            made.writestr("letter.txt", "hello")
    said = refused(path, new, capsys, status=2)
    assert str(path) in said


@contextmanager
def little_room() -> Iterator[None]:
    """No file may be longer than this: a full disk for whoever writes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_without_room_for_a_restore_is_said_and_nothing_is_left(
    table: Table, archive: Path, new: Table, capsys: Captured
) -> None:
    for where in (table, new):
        with little_room():
            said = refused(archive, where, capsys, "--replace", status=2)
        assert "nothing was touched; look at its room and owner" in said
        assert restored(archive, where, "--replace") == 0


def test_a_disk_without_room_for_a_backup_is_said_and_nothing_is_left(
    table: Table, tmp_path: Path, capsys: Captured
) -> None:
    archives = tmp_path / "archives"
    with little_room():
        assert main(["backup", str(table.config), str(archives)]) == 2
    assert "room" in capsys.readouterr().err
    assert [path.name for path in archives.iterdir()] == [".mesa-1.lock"]
    table.back_up(archives)
