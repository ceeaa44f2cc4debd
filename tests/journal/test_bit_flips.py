"""One bit of a journal's file is turned: a verification ends with a sentence, whichever bit it was."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.journal.lines import line
from tablectl.journal.places import Places
from tests.commands.test_journal import Captured, journal_of, keep
from tests.journal.journals import WHOLE_HAND, keep_keys, places, sat

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
        return
    assert f"{where.copy}: intact: {N} records" in said.out, found
    if status == 1:
        names_one = re.search(r"(NOT INTACT|DIFFER): record \d+: ", said.out)
        assert names_one or f"each of its {N} records is good by itself" in said.out, found
    else:  # a bit of the number that says which version wrote the file, of another table's name, of the file's kind
        assert status == 2, found
        assert re.search("a (newer|older) version wrote it|a database with a table|no journal", said.err), found


def test_a_bit_of_the_schema_never_ends_in_a_traceback(where: Places, capsys: Captured) -> None:
    good = where.journal.read_bytes()
    for at, bit in in_the_schema():
        judged(where, good, at, bit, capsys)


def test_a_bit_anywhere_never_ends_in_a_traceback(where: Places, capsys: Captured) -> None:
    good = where.journal.read_bytes()
    for at, bit in anywhere(len(good), 150, seed=1):
        judged(where, good, at, bit, capsys)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_bits_anywhere_never_end_in_a_traceback(where: Places, seed: int, capsys: Captured) -> None:
    good = where.journal.read_bytes()
    for at, bit in anywhere(len(good), 1000, seed=seed):
        judged(where, good, at, bit, capsys)


def test_of_lines_whose_first_one_is_none_the_number_follows_from_the_next(where: Places, capsys: Captured) -> None:
    for name, first in (("begins.jsonl", 1), ("inside.jsonl", 7)):
        path = where.journal.with_name(name)
        keep(path, journal_of(where)[first - 1 :], line)
        path.write_bytes(path.read_bytes().replace(b'"hash"', b'"hush"', 2))
        assert main(["journal", "verify", str(path)]) == 1
        assert f"{path}: NOT INTACT: record {first}: damaged: " in capsys.readouterr().out
