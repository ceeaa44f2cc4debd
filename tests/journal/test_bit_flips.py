"""One bit of a journal's file is turned: a verification ends with a sentence, whichever bit it was, and says that the
journal is good only where all that can be read of it is as before: SQLite's files have bytes that mean nothing."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.journal.lines import line
from tablectl.journal.places import Places
from tests.commands.test_journal import Captured, journal_of, keep
from tests.journal.journals import WHOLE_HAND, in_memory, keep_keys, places, sat
from tests.journal.mutations import every_flip

N: Final = 26
#: Where the texts of the schema stand: SQLite repeats them in its own messages, where they may be no text any more.
SCHEMA: Final = range(400, 1024)


@pytest.fixture
def where(tmp_path: Path) -> Places:
    keep_keys(tmp_path)
    made = places(tmp_path)
    sat(made, WHOLE_HAND)
    keep(made.copy, journal_of(made))
    return made


def in_the_schema() -> Iterator[tuple[int, int]]:
    yield from ((at, 6) for at in range(16))  # the mark of the database's format
    yield from ((at, 7) for at in SCHEMA if at % 11 == 0)


def anywhere(size: int, count: int, seed: int) -> Iterator[tuple[int, int]]:
    chance = random.Random(seed)
    yield from ((chance.randrange(size), chance.randrange(8)) for _ in range(count))


def judged(where: Places, good: bytes, at: int, bit: int, capsys: Captured) -> None:
    """A journal that is not intact is told with its first bad record, and with what its copy has."""
    spoilt = bytearray(good)
    spoilt[at] ^= 1 << bit
    for name in ("-wal", "-shm"):
        where.journal.with_name(f"{where.journal.name}{name}").unlink(missing_ok=True)
    where.journal.write_bytes(spoilt)
    status = main(["journal", "verify", str(where.journal)])
    said = capsys.readouterr()
    found = f"byte {at}, bit {bit}: {status} {said.out}{said.err}"
    if status == 0:
        assert f"intact: {N} records" in said.out, found
        assert read(where.journal) == read(kept(where.journal, good)), f"{found}: only what nobody reads may differ"
        return
    assert status == 1, found
    assert f"{where.copy}: intact: {N} records" in said.out, found
    names_one = re.search(r"(NOT INTACT|DIFFER): record \d+: ", said.out)
    assert names_one or f"each of its {N} records is good by itself" in said.out, found


def kept(journal: Path, good: bytes) -> Path:
    path = journal.with_name("good.db")
    path.write_bytes(good)
    return path


def read(path: Path) -> list[object]:
    """Everything in a journal's file that any program can ask SQLite for."""
    asked = ("PRAGMA user_version", "PRAGMA application_id", "SELECT * FROM sqlite_master", "SELECT * FROM record")
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        return [connection.execute(text).fetchall() for text in asked]


#: The end of the head, and the head of the first page: what sort of page it is, and where its cells are.
PAGE_HEADS: Final = (*range(92, 108), *range(1024, 1040))
#: Where the numbers of format and application stand in the head of an SQLite file (sqlite.org/fileformat2.html, 1.3).
FORMAT_AT: Final = range(60, 64)
APPLICATION_AT: Final = range(68, 72)


@pytest.mark.parametrize("at", [*FORMAT_AT, *APPLICATION_AT])
def test_a_bit_of_the_numbers_in_the_head_is_damage_and_no_other_program(
    where: Places, at: int, capsys: Captured
) -> None:
    good = where.journal.read_bytes()
    for bit in range(8):
        judged(where, good, at, bit, capsys)
        assert main(["journal", "verify", str(where.journal)]) == 1
        said = capsys.readouterr().out
        assert "NOT INTACT: record 1: damaged: " in said
        assert "its tables are those of this program" in said


@pytest.mark.wide
def test_a_number_that_leads_back_to_where_the_reader_was_is_not_followed_for_ever(
    where: Places, capsys: Captured
) -> None:
    """SQLite looks for what comes after a record in the page that stands before it."""
    good = where.journal.read_bytes()
    for at in PAGE_HEADS:
        for bit in range(8):
            judged(where, good, at, bit, capsys)


def test_a_bit_of_the_schema_never_ends_in_a_traceback(where: Places, capsys: Captured) -> None:
    good = where.journal.read_bytes()
    for at, bit in in_the_schema():
        judged(where, good, at, bit, capsys)


@pytest.mark.wide
def test_a_bit_anywhere_never_ends_in_a_traceback(where: Places, capsys: Captured) -> None:
    good = where.journal.read_bytes()
    for at, bit in anywhere(len(good), 150, seed=1):
        judged(where, good, at, bit, capsys)


@pytest.mark.wide
def test_bits_all_over_the_file_end_in_a_sentence() -> None:
    """Some of those of `python -m tests.journal.mutations --flips`, which turns every one."""
    with in_memory() as folder:
        ended, missed = every_flip(Path(folder), parts=1499)
    assert missed == []
    assert ended.total() > 100


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_bits_anywhere_never_end_in_a_traceback(where: Places, seed: int, capsys: Captured) -> None:
    good = where.journal.read_bytes()
    for at, bit in anywhere(len(good), 1000, seed=seed):
        judged(where, good, at, bit, capsys)


def judged_copy(where: Places, good: bytes, at: int, bit: int, capsys: Captured) -> None:
    """Each byte of a copy is one of a record: the journal is said to be good, and the copy not."""
    spoilt = bytearray(good)
    spoilt[at] ^= 1 << bit
    where.copy.write_bytes(spoilt)
    status = main(["journal", "verify", str(where.journal)])
    said = capsys.readouterr()
    found = f"byte {at}, bit {bit}: {status} {said.out}{said.err}"
    assert status == 1, found
    assert f"{where.journal}: intact: {N} records" in said.out, found


def test_a_bit_anywhere_in_the_copy_is_found(where: Places, capsys: Captured) -> None:
    good = where.copy.read_bytes()
    for at, bit in anywhere(len(good), 100, seed=1):
        judged_copy(where, good, at, bit, capsys)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_bits_anywhere_in_the_copy_are_found(where: Places, capsys: Captured) -> None:
    good = where.copy.read_bytes()
    for at, bit in anywhere(len(good), 2000, seed=2):
        judged_copy(where, good, at, bit, capsys)


def test_of_lines_whose_first_one_is_none_the_number_follows_from_the_next(where: Places, capsys: Captured) -> None:
    for name, first in (("begins.jsonl", 1), ("inside.jsonl", 7)):
        path = where.journal.with_name(name)
        keep(path, journal_of(where)[first - 1 :], line)
        path.write_bytes(path.read_bytes().replace(b'"hash"', b'"hush"', 2))
        assert main(["journal", "verify", str(path)]) == 1
        assert f"{path}: NOT INTACT: record {first}: damaged: " in capsys.readouterr().out
