"""What a disk, a program or a person changed at the pit server is found, in however many spans it is looked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from simulators.fleet.casino import enrolled
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.verification import SPAN, Verified, spans, together, verify, verify_all
from tablectl.journal.store import BEGINNING, Position
from tests.fleet.chains import RESTORED, Chain
from tests.fleet.test_store import AT, Server, served

#: Records 1 to 300 are a chunk, those after it are rows.
RECORDS: Final = 400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pit.db"


@pytest.fixture
def server(path: Path) -> Iterator[Server]:
    with closing(SqliteStore.open(path)) as store:
        made = served(store, RECORDS)
        made.send(1, 300)
        made.send(301, RECORDS)
        yield made


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        assert file.execute(sql).rowcount == 1


SIZES: Final = pytest.mark.parametrize("size", [1, 7, 100, SPAN])


@SIZES
def test_what_is_intact_is_so_in_spans_of_any_size(server: Server, size: int) -> None:
    assert verify(server.store, server.table, size) == Verified(records=RECORDS, signatures=RECORDS // 10)


@SIZES
def test_a_journal_that_was_restored_is_verified_where_it_goes_on(server: Server, size: int) -> None:
    server.chain.back_to(350)
    server.chain.add(kind=RESTORED)
    server.chain.add(29)
    server.send(351, 380)
    assert verify(server.store, server.table, size) == Verified(records=380, signatures=38)


@SIZES
@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (
            "UPDATE records SET public = CAST(replace(public, 'a', 'b') AS BLOB) WHERE seq = 333",
            (332, "that came"),
        ),
        ("UPDATE records SET signature = zeroblob(64) WHERE seq = 330", (329, "record 330 is not signed by the table")),
        ("UPDATE records SET hash = zeroblob(32) WHERE seq = 399", (398, "record 399 is not the one that came")),
        ("DELETE FROM records WHERE seq = 350", (349, "record 350 is missing")),
        ("DELETE FROM records WHERE seq = 400", (399, "record 400 is missing")),
        ("DELETE FROM chunks", (0, "record 1 is missing")),
        ("UPDATE chunks SET packed = CAST('no batch' AS BLOB)", (0, "after record 0 cannot be read: not compressed")),
        ("UPDATE epochs SET head_hash = zeroblob(32)", (400, "the head says another record 400")),
        ("UPDATE epochs SET head_seq = 401", (400, "record 401 is missing")),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(
    server: Server, path: Path, size: int, sql: str, found: tuple[int, str]
) -> None:
    change(path, sql)
    told = verify(server.store, server.table, size)
    records, fault = found
    assert fault in told.fault
    assert (told.records, told.signatures) == (records, records // 10)


def test_the_spans_of_a_journal_are_all_of_it() -> None:
    for head in (0, 1, 9, 10, 11, 25):
        found = spans(Position(head, b"h"), 10)
        assert [seq for span in found for seq in range(span.after, span.to)] == list(range(head))
        assert [span.ends for span in found] == [b""] * (len(found) - 1) + [b"h"]


def test_all_tables_are_verified_by_other_processes(path: Path, server: Server) -> None:
    chain = Chain()
    chain.add(30)
    other = Server(server.store, chain, "mesa-2")
    other.send(1, 30)
    empty = enrolled(server.store, "mesa-3", bytes(32), AT)
    change(path, f"DELETE FROM records WHERE seq = 22 AND table_id = {other.table.id}")
    tables = (server.table, other.table, empty)
    heads = [(table, server.store.head(table).position) for table in tables]
    assert heads[2][1] == BEGINNING
    found = list(verify_all(PitSection(store=path), heads, size=100))
    assert [table.name for table, _, _ in found] == ["mesa-1"] * 4 + ["mesa-2", "mesa-3"]
    said = [together(part for of, _, part in found if of == table) for table in tables]
    assert said == [
        Verified(records=RECORDS, signatures=40),
        Verified(records=21, signatures=2, fault="record 22 is missing"),
        Verified(),
    ]


def test_a_store_that_cannot_be_opened_is_a_fault_of_each_table(path: Path, server: Server) -> None:
    heads = [(server.table, server.store.head(server.table).position)]
    ((_, _, found),) = verify_all(PitSection(store=path.parent / "gone" / "pit.db"), heads)
    assert "cannot be read" in found.fault
