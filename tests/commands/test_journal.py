"""`tablectl journal`: what an auditor reads, whatever was done to the journal, its copy or the stream that was kept."""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from simulators import processes
from tablectl.cli.commands import journal_end
from tablectl.cli.main import main
from tablectl.core.events.notes import Stopped
from tablectl.games.registry import rulebook_of
from tablectl.journal import file_magic
from tablectl.journal.copy import copies, read_copy
from tablectl.journal.journal import Journal
from tablectl.journal.keys import make_keys
from tablectl.journal.lines import line, line_with_box
from tablectl.journal.places import Places
from tablectl.journal.public_keys import fingerprint, load_public, whole_fingerprint
from tablectl.journal.store import TRIGGERS, Store, Stored
from tablectl.journal.verify_full import verify_full
from tablectl.journal.volumes import VolumeSet, volume_path, volumes
from tests.engine.tables import fingerprint as state_of
from tests.journal.journals import KEYS, SIGNER, START_US, WHOLE_HAND, Sitting, changed, keep_keys, places, sat
from tests.journal.mutations import FORGER, rewritten
from tests.other_user import passable_folder

Captured = pytest.CaptureFixture[str]
N = 50
SHIPPED = Path(__file__).parents[2] / "config" / "mesa-1.toml"


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """Two hands in one volume, and a copy."""
    keep_keys(tmp_path)
    made = places(tmp_path)
    sat(made, WHOLE_HAND * 2)
    keep(made.copy, journal_of(made))
    return made


@pytest.fixture
def in_volumes(tmp_path: Path) -> Places:
    """Three hands in three volumes, a fourth volume begun, and a copy of each."""
    return _in_volumes(tmp_path)


def _in_volumes(folder: Path) -> Places:
    keep_keys(folder)
    made = places(folder, volume_records=20)
    sat(made, WHOLE_HAND * 3)
    with closing(VolumeSet(made.journal)) as volume_set:
        for number, store in enumerate(volume_set.stores, 1):
            keep(volume_path(made.copy, number), list(store.records()))
    return made


def keep(path: Path, stored: Sequence[Stored], how: Callable[[Stored], bytes] = line_with_box) -> None:
    path.write_bytes(b"".join(how(record) + b"\n" for record in stored))


def journal_of(where: Places) -> list[Stored]:
    with closing(VolumeSet(where.journal)) as volume_set:
        return list(volume_set.records())


def tool(capsys: Captured, *words: object) -> tuple[int, str]:
    """Exit status, and everything that was said."""
    status = main(["journal", *map(str, words)])
    said = capsys.readouterr()
    return status, said.out + said.err


# --- verify: journal and copy ---------------------------------------------------------------------------------------


def test_journal_and_copy_that_say_the_same_are_intact(where: Places, capsys: Captured) -> None:
    status, said = tool(capsys, "verify", where.journal, "--key", where.public_key)
    assert status == 0
    assert said.splitlines() == [
        f"{where.journal}: intact: {N} records, 2 closed hands, 18 revealed cards as committed, 4 signatures",
        f"  signed end: record {N} is signed",
        f"  signed with {whole_fingerprint(SIGNER.public)} (the key that was given)",
        f"{where.copy}: the same up to record {N}",
    ]


def test_a_journal_that_is_not_there_is_named_before_its_key(tmp_path: Path, capsys: Captured) -> None:
    assert main(["journal", "replay", str(tmp_path / "nope.db")]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'nope.db'}: there is no such journal\n"


def test_a_verification_says_how_far_it_came_beside_what_it_found(where: Places, capsys: Captured) -> None:
    assert main(["journal", "verify", str(where.journal), "--progress"]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        f"progress journal 0 of {N}",
        f"progress journal {N} of {N}",
        f"progress copy 0 of {N}",
    ]
    assert "progress" not in said.out
    assert main(["journal", "verify", str(where.journal)]) == 0
    assert capsys.readouterr() == (said.out, "")


def test_several_hands_leave_in_one_archive_and_none_where_one_is_missing(
    where: Places, tmp_path: Path, capsys: Captured
) -> None:
    archive = tmp_path / "both.zip"
    assert tool(capsys, "export", where.journal, "--hand", 1, "--to", 2, "--bundle", archive)[0] == 0
    with zipfile.ZipFile(archive) as both:
        assert both.namelist() == ["CHECK.txt", "hand-1.zip", "hand-2.zip"]
        alone = tmp_path / "alone.zip"
        tool(capsys, "export", where.journal, "--hand", 2, "--bundle", alone)
        with zipfile.ZipFile(alone) as one, zipfile.ZipFile(io.BytesIO(both.read("hand-2.zip"))) as of_both:
            assert one.read("records.jsonl") == of_both.read("records.jsonl")
    status, said = tool(capsys, "export", where.journal, "--hand", 1, "--to", 3, "--bundle", tmp_path / "more.zip")
    assert (status, "no hand 3" in said) == (2, True)
    assert not (tmp_path / "more.zip").exists()


LANGUAGE_OF_THE_PAGE: dict[str, tuple[tuple[str, ...], str | None, str]] = {
    "a house that chose none": ((), None, "es"),
    "the table's first": ((), "en", "en"),
    "a file that is wrong": ((), "broken", "es"),
    "chosen": (("--language", "en"), None, "en"),
    "chosen, not the table's": (("--language", "es"), "en", "es"),
}


@pytest.mark.parametrize("case", LANGUAGE_OF_THE_PAGE)
def test_the_page_of_an_archive_is_in_the_language_that_is_asked_for_or_else_the_tables_first(
    where: Places, capsys: Captured, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    words, first, expected = LANGUAGE_OF_THE_PAGE[case]
    run, config = where.journal.parent / "run", where.journal.parent / "mesa-1.toml"
    monkeypatch.setattr(journal_end, "RUN", run)
    if first is not None:
        (run / "mesa-1").mkdir(parents=True)
        told = {"config": str(config), "socket": "none.sock", "journal": str(where.journal)}
        (run / "mesa-1" / "controller.json").write_text(json.dumps(told), encoding="utf-8")
        shipped = SHIPPED.read_text(encoding="utf-8")
        config.write_text(shipped.replace('["es", "en"]', f'["{first}", "es"]'), encoding="utf-8")
    archive = where.journal.parent / "one.zip"
    assert tool(capsys, "export", where.journal, "--hand", 1, "--bundle", archive, *words)[0] == 0
    with zipfile.ZipFile(archive) as one:
        assert f'<html lang="{expected}">' in one.read("hand-1.html").decode()


def test_a_language_that_there_is_not_is_refused(where: Places, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        tool(capsys, "export", where.journal, "--hand", 1, "--bundle", "--language", "qz")
    assert ended.value.code == 2
    assert "'es', 'en'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [("--hand", 2, "--to", 1, "--bundle"), ("--hand", 1, "--to", 2), ("--to", 2, "--phh")]
)
def test_several_hands_are_from_one_to_a_later_one_and_go_into_an_archive(
    where: Places, capsys: Captured, words: tuple[object, ...]
) -> None:
    assert tool(capsys, "export", where.journal, *words)[0] == 2


def test_a_copy_elsewhere_is_named(where: Places, tmp_path: Path, capsys: Captured) -> None:
    other = where.copy.rename(tmp_path / "other")
    assert "there is no second copy" in tool(capsys, "verify", where.journal)[1]
    assert f"{other}: the same up to record {N}" in tool(capsys, "verify", where.journal, "--copy", other)[1]


@pytest.mark.parametrize(("is_orderly", "is_named", "status"), [(True, True, 1), (False, True, 0), (True, False, 0)])
def test_a_copy_that_was_named_and_is_gone_is_a_difference_after_an_orderly_stop(
    where: Places, capsys: Captured, *, is_orderly: bool, is_named: bool, status: int
) -> None:
    """Of a table that runs or crashed, and of a journal that somebody was given, nobody can say that it had one."""
    where.copy.unlink()
    if is_orderly:
        with Sitting(where) as sitting:
            sitting.line("restart")
            sitting.journal.note(Stopped(at_us=START_US + 3_600_000_000, why="SIGTERM"))
    named = ("--copy", where.copy) if is_named else ()
    found, said = tool(capsys, "verify", where.journal, *named)
    assert found == status
    assert said.count("there is no second copy") == 1
    assert ("THE COPY IS GONE: the controller ended in order" in said) is (status == 1)


@pytest.mark.parametrize("n", [0, 1, 25, 48])
def test_a_copy_that_is_behind_is_said(where: Places, n: int, capsys: Captured) -> None:
    keep(where.copy, journal_of(where)[:n])
    status, said = tool(capsys, "verify", where.journal)
    assert status == int(N - n > 6), "a second passes from record to record, and a crash explains five"
    assert f"{where.copy}: the same up to record {n}, {N - n} behind the journal" in said


def test_a_torn_end_of_the_copy_is_compared_too(where: Places, capsys: Captured) -> None:
    whole = where.copy.read_bytes()
    where.copy.write_bytes(whole[:-1])
    assert tool(capsys, "verify", where.journal)[0] == 0
    where.copy.write_bytes(whole[:-1] + b"\x0b")
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"not the beginning of record {N}" in said


@pytest.mark.parametrize("n", [1, 25, 48])
def test_a_journal_that_was_cut_is_found_out_by_its_copy(where: Places, n: int, capsys: Captured) -> None:
    changed(where.journal, ("DELETE FROM record WHERE seq > ?", (n,)))
    made_whole(where.journal)
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"{where.copy}: JOURNAL AND COPY DIFFER: record {n + 1}: truncated: the copy has it" in said


def made_whole(path: Path) -> None:
    """As somebody does it who does not want to be noticed: the triggers stand there again."""
    Store.open(path).close()


@pytest.mark.parametrize("first", [0, 1, 30, 48])
def test_a_fork_is_named_where_it_begins(where: Places, first: int, capsys: Captured) -> None:
    keep(where.copy, rewritten(journal_of(where), first, SIGNER))
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"JOURNAL AND COPY DIFFER: record {first + 1}: forked: journal and copy go on differently from here" in said


def test_a_changed_copy_is_no_fork(where: Places, capsys: Captured) -> None:
    text = where.copy.read_bytes().splitlines(keepends=True)
    text[9] = text[9].replace(b'"hand":1', b'"hand":3')
    where.copy.write_bytes(b"".join(text))
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert "JOURNAL AND COPY DIFFER: record 10: changed: in the copy" in said


def test_a_line_that_is_none_is_named(where: Places, capsys: Captured) -> None:
    text = where.copy.read_bytes().splitlines(keepends=True)
    where.copy.write_bytes(b"".join([*text[:9], b"notes\n", *text[10:]]))
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"NOT INTACT: {where.copy}, line 10: no line of a journal" in said


def test_a_journal_signed_by_another_key_is_found_out_by_the_known_one(
    where: Places, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "other").mkdir()
    other = places(tmp_path / "other")
    sat(other, WHOLE_HAND)
    status, said = tool(capsys, "verify", other.journal, "--key", where.public_key)
    assert status == 1
    assert "NOT INTACT: record 1: signed by another key: it names another key than the key that was given" in said
    status, said = tool(capsys, "verify", other.journal)
    assert status == 0
    assert whole_fingerprint(load_public(other.public_key)) in said
    assert whole_fingerprint(SIGNER.public) not in said


def test_what_is_not_signed_yet_is_said(where: Places, capsys: Captured) -> None:
    sat(where, "press new-hand\nbet 1 ante 1000\n")
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"  open end: records {N + 2} to {N + 3} are not signed yet" in said


def test_of_a_changed_journal_the_copy_is_verified_by_itself_too(where: Places, capsys: Captured) -> None:
    changed(where.journal, ("UPDATE record SET hand = 3 WHERE seq = 10", ()))
    made_whole(where.journal)
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"{where.journal}: NOT INTACT: record 10: changed" in said
    assert f"{where.copy}: intact: {N} records" in said
    text = where.copy.read_bytes().splitlines(keepends=True)
    where.copy.write_bytes(b"".join([*text[:9], *text[10:]]))
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"{where.copy}: NOT INTACT: record 10: missing" in said


@pytest.mark.parametrize("text", [b"\xa5" * 5000, b"SQLite format 3\0 and nothing else"])
def test_of_a_journal_that_cannot_be_read_the_copy_is_verified_all_the_same(
    where: Places, text: bytes, capsys: Captured
) -> None:
    where.journal.write_bytes(text)
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"{where.copy}: intact: {N} records" in said


def test_where_both_are_intact_and_differ_both_verdicts_are_said(where: Places, capsys: Captured) -> None:
    keep(where.copy, rewritten(journal_of(where), 30, SIGNER))
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert f"{where.journal}: intact: {N} records" in said
    assert f"{where.copy}: JOURNAL AND COPY DIFFER: record 31: forked" in said
    assert f"{where.copy}: intact: {N} records" in said


def test_a_copy_that_cannot_be_read_is_said_in_words(where: Places, capsys: Captured) -> None:
    where.copy.unlink()
    where.copy.mkdir()
    status, said = tool(capsys, "verify", where.journal)
    assert status == 2
    assert f"{where.journal}: intact: {N} records" in said
    assert f"{where.copy}: found a folder; would be right: the path of a journal" in said


def test_a_reader_who_has_seen_enough_is_no_fault_of_the_journal(where: Places) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-u", "-m", "tablectl", "journal", "verify", str(where.journal)]
    try:
        ended = processes.run(command, stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    finally:
        os.close(write)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_demo_key_is_said_loudly(tmp_path: Path, capsys: Captured) -> None:
    where = places(tmp_path)
    make_keys(where.key, where.signing_key, demo=True)
    sat(where, WHOLE_HAND)
    keep(where.copy, journal_of(where))
    for path in (where.journal, where.copy):
        status, said = tool(capsys, "verify", path)
        assert status == 0
        assert "  DEMO KEY: anybody could have written and signed this; no evidence of a real table" in said


# --- verify: the file itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_a_trigger_that_is_gone_is_named(where: Places, trigger: str, capsys: Captured) -> None:
    with closing(sqlite3.connect(where.journal)) as connection:
        connection.execute(f"DROP TRIGGER {trigger}")
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert said.splitlines()[:2] == [
        f"{where.journal}: NOT INTACT: the trigger {trigger} is gone: somebody opened the file to change it",
        f"{where.journal}: each of its {N} records is good by itself",
    ]


def test_an_index_that_lies_is_found(where: Places, capsys: Captured) -> None:
    """A boundary that is not in the index is one from which nobody can replay."""
    with closing(sqlite3.connect(where.journal)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'record_boundary'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    text = bytearray(where.journal.read_bytes())
    text[root * size - 2] ^= 0x01
    where.journal.write_bytes(text)
    status, said = tool(capsys, "verify", where.journal)
    assert status == 1
    assert "NOT INTACT: the database is damaged: " in said


def test_every_page_that_is_overwritten_is_found(where: Places, capsys: Captured) -> None:
    good = where.journal.read_bytes()
    n_pages = len(good) // 4096
    assert n_pages > 10
    for page in range(n_pages):
        where.journal.write_bytes(good[: page * 4096] + b"\xa5" * 4096 + good[(page + 1) * 4096 :])
        status, said = tool(capsys, "verify", where.journal)
        assert status in {1, 2}, f"page {page}"
        assert re.search("NOT INTACT|malformed|not a database", said)


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        (b"", 1, "no record in it"),
        (b"no line of anything", 2, "this is no journal, nor the rest of one; would be right: the path of a journal"),
        (b"notes of the shift\n", 2, "this is no journal, nor the rest of one; would be right: the path of a journal"),
        (b"SQLite format 3\0 and nothing else", 1, "NOT INTACT: record 1: damaged: "),
    ],
)
def test_what_is_no_journal_is_never_intact(
    tmp_path: Path, text: bytes, status: int, told: str, capsys: Captured
) -> None:
    (tmp_path / "a.db").write_bytes(text)
    ended, said = tool(capsys, "verify", tmp_path / "a.db")
    assert (ended, told in said) == (status, True), said


@pytest.mark.parametrize("kept", ["table.db", "table.copy"])
@pytest.mark.parametrize("damaged_bytes", [16, 100, 4096])
def test_a_journal_or_copy_whose_beginning_is_damaged_is_one_wherever_it_was_brought(
    where: Places, tmp_path: Path, kept: str, damaged_bytes: int, capsys: Captured
) -> None:
    text = (where.journal.parent / kept).read_bytes()
    other = tmp_path / "alone" / "evidence.bin"
    other.parent.mkdir()
    other.write_bytes(b"\xa5" * damaged_bytes + text[damaged_bytes:])
    status, said = tool(capsys, "verify", other)
    assert (status, "NOT INTACT: " in said) == (1, True), said


@pytest.mark.parametrize("beside", ["table.copy", "table.pub", "table.db-wal", "table-0002.db"])
def test_a_journal_that_was_overwritten_where_it_lay_is_not_intact(
    tmp_path: Path, beside: str, capsys: Captured
) -> None:
    (tmp_path / "table.db").write_bytes(b"\xa5" * 10_000 + b"\n")
    assert tool(capsys, "verify", tmp_path / "table.db")[0] == 2
    (tmp_path / beside).touch()
    status, said = tool(capsys, "verify", tmp_path / "table.db")
    assert (status, "NOT INTACT: " in said) == (1, True), said


def test_remains_are_found_where_two_blocks_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rest"
    for before in range(260, 300):
        monkeypatch.setattr(file_magic, "_BLOCK_BYTES", 300)
        path.write_bytes(b"x" * before + b',"hash":"' + b"0" * 64 + b'"')
        assert file_magic.was_journal(path)


def test_the_papers_of_this_program_are_no_journal(capsys: Captured) -> None:
    for name in ("README.md", "pyproject.toml", "tests/hands/texas-bonus/THB-ERR-4-between-hands.hand"):
        assert tool(capsys, "verify", Path(__file__).parents[2] / name)[0] == 2


def test_what_is_not_there_or_no_file_ends_with_2(tmp_path: Path, capsys: Captured) -> None:
    right = "the path of a journal, as `journal.path` names it, of its copy, or of stream lines"
    for path, found in ((tmp_path / "none.db", "no such file"), (tmp_path, "a folder")):
        assert tool(capsys, "verify", path) == (2, f"{path}: found {found}; would be right: {right}\n")


# --- verify: lines --------------------------------------------------------------------------------------------------


def test_a_copy_is_verified_by_itself(where: Places, capsys: Captured) -> None:
    status, said = tool(capsys, "verify", where.copy, "--key", where.public_key)
    assert status == 0
    assert f"{where.copy}: intact: {N} records, 2 closed hands, 18 revealed cards as committed, 4 signatures" in said
    text = where.copy.read_bytes().splitlines(keepends=True)
    where.copy.write_bytes(b"".join([*text[:9], *text[10:]]))
    status, said = tool(capsys, "verify", where.copy)
    assert status == 1
    assert "NOT INTACT: record 10: missing: the next one there is 11" in said


def test_a_box_that_was_exchanged_in_a_copy_is_found(where: Places, capsys: Captured) -> None:
    text = where.copy.read_bytes()
    box = re.search(rb'"box":"(....)', text)
    assert box is not None
    at = box.start(1)
    where.copy.write_bytes(text[:at] + bytes(reversed(text[at : at + 4])) + text[at + 4 :])
    status, said = tool(capsys, "verify", where.copy)
    assert status == 1
    assert "changed: its sealed part is not the one that was put there" in said


def test_the_stream_that_somebody_kept_is_verified(where: Places, tmp_path: Path, capsys: Captured) -> None:
    status, said = tool(capsys, "show", where.journal, "--json")
    assert status == 0
    stream = tmp_path / "stream"
    stream.write_text(said, encoding="utf-8")
    status, said = tool(capsys, "verify", stream)
    assert status == 0
    assert f"{stream}: intact: {N} records, 2 closed hands, 18 revealed cards as committed, 4 signatures" in said
    stream.write_bytes(stream.read_bytes().replace(b'"seat":1', b'"seat":2', 1))
    status, said = tool(capsys, "verify", stream)
    assert status == 1
    assert "changed: its hash does not follow" in said


def test_a_stream_that_begins_after_a_hand_needs_the_tables_key(
    where: Places, tmp_path: Path, capsys: Captured
) -> None:
    stream = tmp_path / "stream"
    keep(stream, journal_of(where)[24:], line)
    status, said = tool(capsys, "verify", stream)
    assert status == 1
    assert "record 25: missing: the lines begin here; name the table's public key with --key" in said
    status, said = tool(capsys, "verify", stream, "--key", where.public_key)
    assert status == 0
    assert f"{stream}: intact: 25 records, 1 closed hand, 9 revealed cards as committed, 2 signatures" in said
    assert "  begins after record 25: what was before is not looked at here" in said
    (tmp_path / "other").mkdir()
    other = places(tmp_path / "other")
    sat(other, "")
    status, said = tool(capsys, "verify", stream, "--key", other.public_key)
    assert status == 1
    assert "record 25: signed by another key: the first line is not signed with that key" in said


def test_a_stream_cannot_begin_inside_a_hand(where: Places, tmp_path: Path, capsys: Captured) -> None:
    sat(where, "press new-hand\n")
    sat(where, "bet 1 ante 1000\n")
    stream = tmp_path / "stream"
    for first in (10, N + 2):  # not signed at all; signed, since the controller started there
        keep(stream, journal_of(where)[first:], line)
        status, said = tool(capsys, "verify", stream, "--key", where.public_key)
        assert status == 1
        assert "not signed with that key" in said or "begin inside a hand" in said
        assert ("begin inside a hand" in said) is (first == N + 2)


# --- verify: several volumes ----------------------------------------------------------------------------------------


def test_all_volumes_and_their_copies_are_one(in_volumes: Places, capsys: Captured) -> None:
    for path in (in_volumes.journal, in_volumes.copy):
        status, said = tool(capsys, "verify", path, "--key", in_volumes.public_key)
        assert status == 0
        assert f"{path}: intact: 80 records, 3 closed hands, 27 revealed cards as committed, 11 signatures" in said
        assert (f"{in_volumes.copy}: the same up to record 80" in said) is (path == in_volumes.journal)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_one_volume_is_verified_by_itself(in_volumes: Places, number: int, capsys: Captured) -> None:
    for base in (in_volumes.journal, in_volumes.copy):
        status, said = tool(capsys, "verify", volume_path(base, number), "--key", in_volumes.public_key)
        assert status == 0
        assert re.search(r"  begins after record \d+: what was before is not looked at here", said)


@pytest.mark.parametrize("number", [2, 3])
def test_a_missing_file_of_journal_or_copy_is_named(in_volumes: Places, number: int, capsys: Captured) -> None:
    gone = volume_path(in_volumes.copy, number)
    gone.unlink()
    for path in (in_volumes.journal, in_volumes.copy):
        status, said = tool(capsys, "verify", path)
        assert status == 1
        assert f"{gone}: this volume is missing" in said


@pytest.mark.parametrize("n_journal", [0, 1, 2])
@pytest.mark.parametrize("n_copy", [0, 1, 2])
def test_first_volumes_that_are_in_an_archive_are_no_difference(
    in_volumes: Places, n_journal: int, n_copy: int, capsys: Captured
) -> None:
    with closing(VolumeSet(in_volumes.journal)) as volume_set:
        starts = [store.follows.seq for store in volume_set.stores]
    for base, n in ((in_volumes.journal, n_journal), (in_volumes.copy, n_copy)):
        for number in range(1, n + 1):
            volume_path(base, number).unlink()
    status, said = tool(capsys, "verify", in_volumes.journal)
    assert status == 0, said
    assert f"{in_volumes.copy}: the same up to record 80" in said
    after = starts[max(n_journal, n_copy)]
    assert (f"  compared from after record {after}: what was before is not in both" in said) is (after > 0)
    assert verify_full(in_volumes.journal, in_volumes.copy).end.seq == 80


def test_what_differs_after_an_archived_volume_is_found(in_volumes: Places, capsys: Captured) -> None:
    second = volume_path(in_volumes.copy, 2)
    in_volumes.copy.unlink()
    text = second.read_bytes().splitlines(keepends=True)
    second.write_bytes(b"".join(text[1:]))
    status, said = tool(capsys, "verify", in_volumes.journal)
    assert status == 1
    assert "JOURNAL AND COPY DIFFER: record 1: missing" in said
    second.write_bytes(b"".join([*text[:5], *text[6:]]))
    status, said = tool(capsys, "verify", in_volumes.journal)
    assert status == 1
    assert "JOURNAL AND COPY DIFFER: record 33: missing" in said


# --- restore --------------------------------------------------------------------------------------------------------


def rows_of(where: Places) -> dict[Path, list[Stored]]:
    with closing(VolumeSet(where.journal)) as volume_set:
        return {store.path: list(store.records()) for store in volume_set.stores}


def state(where: Places) -> object:
    journal = Journal.open(where, software="")
    with closing(journal):
        table = journal.recover(rulebook_of)
        assert table is not None
        return state_of(table.state), table.prompt()


@pytest.mark.parametrize("name", ["where", "in_volumes"])
def test_a_journal_is_made_again_of_its_copy(name: str, request: pytest.FixtureRequest, capsys: Captured) -> None:
    where: Places = request.getfixturevalue(name)
    sat(where, "press new-hand\nbet 1 ante 1000\n")
    keep(copies(where.copy)[-1], list(rows_of(where).values())[-1])
    before, table = rows_of(where), state(where)
    n = len(journal_of(where))
    for path in volumes(where.journal):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        path.write_bytes(path.read_bytes()[:5000])
    broken = {path: path.read_bytes() for path in volumes(where.journal)}
    status, said = tool(capsys, "restore", where.copy, where.journal, "--key", where.public_key)
    assert status == 0
    for path, text in broken.items():
        kept = path.with_name(f"{path.name}.damaged-1")
        assert kept.read_bytes() == text
        assert f"{kept}: the old journal, kept as it was" in said
    assert f"{where.journal}: restored: {n} records" in said
    assert rows_of(where) == before
    assert "NOT INTACT" not in tool(capsys, "verify", where.journal)[1]
    assert state(where) == table
    assert not [file.name for file in where.journal.parent.iterdir() if "restoring" in file.name]


def test_a_restored_journal_goes_on(in_volumes: Places, capsys: Captured) -> None:
    for path in in_volumes.journal.parent.glob("table*.db*"):
        path.unlink()
    assert tool(capsys, "restore", in_volumes.copy, in_volumes.journal)[0] == 0
    sat(in_volumes, WHOLE_HAND)
    said = tool(capsys, "verify", in_volumes.journal)[1]
    assert f"{in_volumes.journal}: intact: " in said
    assert "4 closed hands" in said


def test_a_journal_is_restored_where_there_is_none(where: Places, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "new").mkdir()
    status, said = tool(capsys, "restore", where.copy, tmp_path / "new" / "table.db")
    assert (status, said) == (0, f"{tmp_path / 'new' / 'table.db'}: restored: {N} records, 2 closed hands, intact\n")
    with closing(VolumeSet(tmp_path / "new" / "table.db")) as volume_set:
        assert list(volume_set.records()) == journal_of(where)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(".lock")}


def drop_a_line(where: Places) -> None:
    text = where.copy.read_bytes().splitlines(keepends=True)
    where.copy.write_bytes(b"".join([*text[:9], *text[10:]]))


def change_a_line(where: Places) -> None:
    where.copy.write_bytes(where.copy.read_bytes().replace(b'"seat":1', b'"seat":2', 1))


def lose_the_boxes(where: Places) -> None:
    keep(where.copy, list(chain.from_iterable(map(read_copy, copies(where.copy)))), line)


def spoil_a_line(where: Places) -> None:
    where.copy.write_bytes(where.copy.read_bytes().replace(b"\n", b" \n", 1))


def sign_anew(where: Places) -> None:
    keep(where.copy, rewritten(journal_of(where), 3, FORGER))


def empty(where: Places) -> None:
    where.copy.write_bytes(b"")


@pytest.mark.parametrize(
    "damage", [drop_a_line, change_a_line, lose_the_boxes, spoil_a_line, sign_anew, empty], ids=lambda one: one.__name__
)
def test_nothing_is_restored_of_a_copy_that_is_not_intact(
    where: Places, damage: Callable[[Places], None], capsys: Captured
) -> None:
    damage(where)
    before = contents(where.journal.parent)
    status, said = tool(capsys, "restore", where.copy, where.journal)
    assert status == 1
    assert f"{where.copy}: NOT RESTORED: " in said
    assert said.endswith("nothing was touched\n")
    assert contents(where.journal.parent) == before


def test_nothing_is_restored_of_a_copy_with_a_gap_or_of_none(in_volumes: Places, capsys: Captured) -> None:
    volume_path(in_volumes.copy, 2).unlink()
    before = contents(in_volumes.journal.parent)
    status, said = tool(capsys, "restore", in_volumes.copy, in_volumes.journal)
    assert (status, "this volume is missing" in said) == (1, True)
    status, said = tool(capsys, "restore", in_volumes.copy.with_name("none"), in_volumes.journal)
    assert (status, "there is no such copy" in said) == (2, True)
    assert contents(in_volumes.journal.parent) == before


def test_nothing_is_restored_under_a_controller_that_runs(where: Places, capsys: Captured) -> None:
    with closing(Journal.open(where, software="")):
        before = contents(where.journal.parent)
        status, said = tool(capsys, "restore", where.copy, where.journal)
        assert status == 2
        assert "another controller writes this journal" in said
        assert contents(where.journal.parent) == before


def test_a_journal_with_a_missing_volume_is_restored(in_volumes: Places, capsys: Captured) -> None:
    before = rows_of(in_volumes)
    volume_path(in_volumes.journal, 2).unlink()
    assert tool(capsys, "restore", in_volumes.copy, in_volumes.journal)[0] == 0
    assert rows_of(in_volumes) == before
    assert volume_path(in_volumes.journal, 4).with_name("table-0004.db.damaged-1").exists()


def test_a_second_restore_keeps_both_old_journals(where: Places, capsys: Captured) -> None:
    for number in (1, 2):
        assert tool(capsys, "restore", where.copy, where.journal)[0] == 0
        assert where.journal.with_name(f"table.db.damaged-{number}").exists()


def test_a_record_whose_line_is_torn_is_said_to_be_lost(where: Places, capsys: Captured) -> None:
    where.copy.write_bytes(where.copy.read_bytes()[:-9])
    gone(where)
    status, said = tool(capsys, "restore", where.copy, where.journal)
    assert status == 0
    assert f"{where.copy}: its last line is torn, that record is lost; put the copy aside" in said
    assert f"restored: {N - 1} records" in said


def gone(where: Places) -> None:
    for path in where.journal.parent.glob("table*.db*"):
        path.unlink()


@pytest.mark.parametrize("name", ["where", "in_volumes"])
@pytest.mark.parametrize("n", [1, 24, 25, 26, 27, 48])
@pytest.mark.parametrize("is_torn", [False, True])
def test_what_only_the_old_journal_still_has_is_taken_over(
    name: str, n: int, request: pytest.FixtureRequest, capsys: Captured, *, is_torn: bool
) -> None:
    where: Places = request.getfixturevalue(name)
    before, lines = rows_of(where), cut_copy(where, n)
    if is_torn:
        with copies(where.copy)[-1].open("ab") as file:
            file.write(lines[n][:70])
    status, said = tool(capsys, "restore", where.copy, where.journal)
    assert status == 0
    assert f"restored: {len(lines)} records: {n} from the copy, {len(lines) - n} that only the old journal had" in said
    assert "lost" not in said
    assert rows_of(where) == before
    assert "NOT INTACT" not in tool(capsys, "verify", where.journal)[1]


def cut_copy(where: Places, n: int) -> list[bytes]:
    """The copy has only the first records; all lines as they were."""
    lines: list[bytes] = []
    for path in copies(where.copy):
        text = path.read_bytes().splitlines(keepends=True)
        kept = text[: max(0, n - len(lines))]
        lines += text
        if kept:
            path.write_bytes(b"".join(kept))
        else:
            path.unlink()
    return lines


def test_of_an_old_journal_that_disagrees_nothing_is_taken_over_and_it_is_said(where: Places, capsys: Captured) -> None:
    told = (
        f"{where.journal}: of the old journal NOT taken over, and not in the copy: records 41 to {N}: its record 7 is"
    )
    kept = journal_of(where)
    cut_copy(where, 40)
    for statement in ("DELETE FROM record WHERE seq = 7", "UPDATE record SET hand = 3 WHERE seq = 7"):
        for path in where.journal.parent.glob("table.db*"):
            path.unlink()
        with closing(Store.open(where.journal)) as store:
            store.take_over(kept)
        changed(where.journal, (statement, ()))
        status, said = tool(capsys, "restore", where.copy, where.journal)
        assert (status, told in said) == (0, True), said
        assert journal_of(where) == kept[:40]


def test_of_an_old_journal_that_breaks_after_the_copy_the_good_part_is_taken_over(
    where: Places, capsys: Captured
) -> None:
    kept = journal_of(where)
    cut_copy(where, 40)
    changed(where.journal, ("UPDATE record SET hand = 3 WHERE seq = 45", ()))
    status, said = tool(capsys, "restore", where.copy, where.journal)
    assert status == 0
    assert "restored: 44 records: 40 from the copy, 4 that only the old journal had" in said
    assert f"NOT taken over, and not in the copy: records 45 to {N}: record 45: changed" in said
    assert journal_of(where) == kept[:44]


def test_an_old_journal_that_cannot_be_read_is_said(where: Places, capsys: Captured) -> None:
    gone(where)
    where.journal.write_bytes(b"no database at all" * 300)
    status, said = tool(capsys, "restore", where.copy, where.journal)
    assert status == 0
    assert f"{where.journal}: could not be read whole (" in said
    assert f"it may have had more records after {N}" in said


@pytest.mark.parametrize("has_pub", [True, False])
def test_another_tables_copy_is_refused_with_both_fingerprints(
    where: Places, tmp_path: Path, capsys: Captured, *, has_pub: bool
) -> None:
    (tmp_path / "other").mkdir()
    other = places(tmp_path / "other")
    sat(other, WHOLE_HAND)
    keep(other.copy, journal_of(other))
    if not has_pub:
        where.public_key.unlink()
    before = contents_without_index(where)
    status, said = tool(capsys, "restore", other.copy, where.journal)
    assert status == 1
    assert f"{other.copy}: NOT RESTORED: it is signed with {fingerprint(load_public(other.public_key))}, " in said
    assert fingerprint(SIGNER.public) in said
    assert said.endswith("nothing was touched\n")
    assert contents_without_index(where) == before
    status, said = tool(capsys, "restore", other.copy, where.journal, "--key", other.public_key)
    assert status == 0


def contents_without_index(where: Places) -> dict[str, bytes]:
    """What reading a journal may leave beside it, an empty log and its index, says nothing."""
    there = {path.name: path.read_bytes() for path in where.journal.parent.glob("table.*")}
    return {name: text for name, text in there.items() if not name.endswith(("-shm", "-wal", ".lock"))}


def test_a_restored_journal_has_the_mode_of_the_old_one_and_is_private_where_there_was_none(
    in_volumes: Places, capsys: Captured
) -> None:
    volumes(in_volumes.journal)[-1].chmod(0o640)
    assert tool(capsys, "restore", in_volumes.copy, in_volumes.journal)[0] == 0
    assert {path.stat().st_mode & 0o777 for path in volumes(in_volumes.journal)} == {0o640}
    gone(in_volumes)
    assert tool(capsys, "restore", in_volumes.copy, in_volumes.journal)[0] == 0
    assert {path.stat().st_mode & 0o777 for path in volumes(in_volumes.journal)} == {0o600}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("has_old", [True, False])
def test_a_journal_that_root_restores_belongs_to_whom_the_old_one_belonged(capsys: Captured, *, has_old: bool) -> None:
    with passable_folder() as folder:
        in_volumes = _in_volumes(folder)
        if has_old:
            for path in volumes(in_volumes.journal):
                os.chown(path, 4321, 4322)
        else:
            gone(in_volumes)
            for path in (folder, *folder.iterdir()):
                os.chown(path, 4321, 4322)
        assert tool(capsys, "restore", in_volumes.copy, in_volumes.journal)[0] == 0
        for path in (*volumes(in_volumes.journal), in_volumes.journal.with_name("table.db.lock")):
            assert (path.stat().st_uid, path.stat().st_gid) == (4321, 4322)


def test_intact_volumes_before_the_copys_first_one_stay_where_they_are(in_volumes: Places, capsys: Captured) -> None:
    before = rows_of(in_volumes)
    in_volumes.copy.unlink()
    status, said = tool(capsys, "restore", in_volumes.copy, in_volumes.journal)
    assert status == 0
    assert f"{in_volumes.journal}: intact, left where it is; the copy begins after it" in said
    assert rows_of(in_volumes) == before
    assert tool(capsys, "verify", in_volumes.journal)[0] == 0


# --- show -----------------------------------------------------------------------------------------------------------


def test_the_shown_lines_are_the_public_stream(in_volumes: Places, capsys: Captured) -> None:
    status, said = tool(capsys, "show", in_volumes.journal, "--json")
    assert status == 0
    assert said.encode().splitlines() == [line(stored) for stored in journal_of(in_volumes)]
    status, said = tool(capsys, "show", in_volumes.journal, "--json", "--hand", 2)
    assert status == 0
    assert said.encode().splitlines() == [line(stored) for stored in journal_of(in_volumes) if stored.hand == 2]


def test_notes_are_shown_for_people_too(in_volumes: Places, capsys: Captured) -> None:
    status, said = tool(capsys, "show", in_volumes.journal)
    assert status == 0
    assert re.search(r"^ +26  2020-01-01T\S+  hand 2  format needs=0\.2\.0 number=3$", said, re.MULTILINE)
    assert re.search(r"^ +27  2020-01-01T\S+  hand 2  volume-closed volume=1$", said, re.MULTILINE)
    assert re.search(r"^ +28  2020-01-01T\S+  hand 2  volume-opened follows=.* volume=2$", said, re.MULTILINE)


def test_the_keys_of_these_tests_are_the_tables(where: Places) -> None:
    assert load_public(where.public_key) == KEYS.signer.public
