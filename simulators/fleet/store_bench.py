"""`python -m simulators.fleet.store_bench PIT.TOML`: how fast the store of a pit server is, without a network.

Whole batches of real records are checked (hashes, signatures) and kept in transactions, as the server does it; beside
them the same records go into a bare table of the same database, as fast as that takes rows and unchecked. Then hands
are looked for, and all is verified. Prints one JSON object. For a store that is not used for anything else.

`--copies` shows how hands are found among many more records than there is time to make: the database copies what it
has under the names of other tables.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import msgspec
import psycopg

from simulators.fleet.__main__ import lap_from
from simulators.fleet.casino import enrolled
from simulators.fleet.hands import Lap
from simulators.fleet.tables import SimulatedTable
from tablectl.core.timestamps import time_text
from tablectl.fleet import batches
from tablectl.fleet.batches import CheckedRecord
from tablectl.fleet.pit.ingest import TOGETHER
from tablectl.fleet.pit.opening import conninfo, opened
from tablectl.fleet.pit.settings import PitSection, load_pit
from tablectl.fleet.pit.store import KnownTable, PitStore
from tablectl.fleet.pit.verification import together, verify_all
from tablectl.journal.clock import now_us
from tablectl.journal.signing import Witness
from tablectl.journal.sqlite_file import Durability, make_durable

#: So many records go into the bare table: enough for its pace.
BARE: Final = 100_000
#: So many hands are looked for.
FINDS: Final = 500

#: What is kept of a table: its columns after the number of the table.
_COPIED: Final = {
    "epochs": "restores, origin, after_seq, head_seq, head_hash, head_at",
    "records": "restores, seq, hand, kind, at, received, public, signature, length, hash",
    "chunks": "restores, first_seq, last_seq, last_hash, packed",
    "hands": "restores, hand, first_seq, last_seq, began, ended",
}
_COLUMNS: Final = "table_id, seq, hand, kind, at, public, signature, hash"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured. Rates are records a second of one process; times to find a hand are in milliseconds."""

    store: str
    records: int
    found_among: int
    hands: int
    mean_bytes: float
    kept_per_s: int
    bare_per_s: int
    verified_per_s: int
    find_p50_ms: float
    find_p99_ms: float
    faults: list[str]


def main(words: Sequence[str] | None = None) -> int:
    """As the module says; exit status 1 where something that was kept is not intact."""
    parser = argparse.ArgumentParser(prog="python -m simulators.fleet.store_bench", description=__doc__)
    parser.add_argument("pit", metavar="PIT.TOML", type=Path, help="the pit server's configuration")
    parser.add_argument("--records", type=int, default=1_000_000, metavar="N", help="in all (default %(default)s)")
    parser.add_argument("--tables", type=int, default=10, metavar="N", help="of so many tables (default %(default)s)")
    parser.add_argument(
        "--copies", type=int, default=0, metavar="N", help="of each table before hands are looked for (default: none)"
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="take the hands of this journal; none: deal some")
    args = parser.parse_args(words)
    settings = load_pit(args.pit)
    lap = lap_from(args.journal)
    found = measured(settings, lap, records=args.records, tables=args.tables, copies=args.copies)
    sys.stdout.write(f"{msgspec.json.encode(found).decode()}\n")
    return 1 if found.faults else 0


def measured(settings: PitSection, lap: Lap, *, records: int, tables: int, copies: int = 0) -> Kept:
    """Keep, copy, find, verify."""
    with opened(settings) as store:
        sources = dict(_enrolled(store, lap, tables))
        pace = _Pace()
        at_once = min(TOGETHER, -(-records // (tables * batches.RECORDS_MOST)))
        while pace.records < records:
            for table, source in sources.items():
                _keep(store, table, list(islice(_bodies(source), at_once)), pace)
        hands = min(source.place.hand for source in sources.values())
        _copy(settings, copies, max(table.id for table in store.tables()))
        times_ms = _found(store, store.tables(), hands)
        heads = [(table, store.head(table).position) for table in sources]
    bare_per_s = _bare(settings, lap)
    began_s = time.perf_counter()
    parts = [(table.name, part) for table, _, part in verify_all(settings, heads)]
    verified_s = time.perf_counter() - began_s
    every = together(part for _, part in parts)
    return Kept(
        store="postgresql" if settings.database else "sqlite",
        records=pace.records,
        found_among=pace.records * (1 + copies),
        hands=hands * tables,
        mean_bytes=round(lap.mean_bytes, 1),
        kept_per_s=round(pace.records / pace.seconds),
        bare_per_s=bare_per_s,
        verified_per_s=round(every.records / verified_s),
        find_p50_ms=round(statistics.median(times_ms), 2),
        find_p99_ms=round(statistics.quantiles(times_ms, n=100)[98], 2),
        faults=[f"{name}: {part.fault}" for name, part in parts if part.fault],
    )


class _Pace:
    """How many records were kept, in how many seconds: without the time in which they were made."""

    def __init__(self) -> None:
        self.records = 0
        self.seconds = 0.0

    @contextmanager
    def counted(self, records: int) -> Iterator[None]:
        """These take the time of what is done in it."""
        began_s = time.perf_counter()
        yield
        self.seconds += time.perf_counter() - began_s
        self.records += records


def _enrolled(store: PitStore, lap: Lap, count: int) -> Iterator[tuple[KnownTable, SimulatedTable]]:
    there = len(store.tables())
    for number in range(there + 1, there + count + 1):
        source = _source(f"bench-{number:04}", lap)
        yield enrolled(store, source.name, source.signer.public, time_text(now_us())), source


def _source(name: str, lap: Lap) -> SimulatedTable:
    return SimulatedTable.seeded(name, lap, hashlib.sha256(name.encode()).digest())


def _bodies(source: SimulatedTable) -> Iterator[bytes]:
    while True:
        source.add(batches.RECORDS_MOST, time_text(now_us()))
        batch = source.batch()
        assert batch is not None, "records wait"
        source.acknowledged(batch.last)
        yield batch.body


def _keep(store: PitStore, table: KnownTable, bodies: Sequence[bytes], pace: _Pace) -> None:
    """In one transaction, as the server keeps what waits."""
    witness, at = Witness(table.key), time_text(now_us())
    size = sum(len(batches.unpacked(body).records) for body in bodies)
    with pace.counted(size):
        checked = [batches.checked(batches.unpacked(body), witness) for body in bodies]
        with store.writing() as writing:
            writing.hold([table])
            for batch, body in zip(checked, bodies, strict=True):
                writing.append(table, batch, batch.first, body, at)


def _copy(settings: PitSection, copies: int, last: int) -> None:
    """Each table so many times more, with all that is kept of it; `last`: the highest number of a table."""
    with psycopg.connect(conninfo(settings)) if settings.database else sqlite3.connect(settings.store) as connection:
        for number in range(1, copies + 1):
            beyond = number * last
            connection.execute(
                f"INSERT INTO tables SELECT id + {beyond}, name || '-copy-{number}', key, since, revoked,"
                f" certificate_key, certificate_until FROM tables WHERE id <= {last}"
            )
            for name, columns in _COPIED.items():
                connection.execute(
                    f"INSERT INTO {name} (table_id, {columns}) SELECT table_id + {beyond}, {columns} FROM {name}"
                    f" WHERE table_id <= {last}"
                )
            connection.commit()
    connection.close()


def _found(store: PitStore, tables: Sequence[KnownTable], hands: int) -> list[float]:
    """How long it takes to read all records of a hand, in milliseconds, for hands taken by chance."""
    dice, times_ms = random.Random(1), []
    for _ in range(FINDS):
        table, number = dice.choice(tables), dice.randrange(1, hands)
        began_s = time.perf_counter()
        (hand,) = store.hands(table, number)
        records = list(store.records(table, after=hand.first - 1, to=hand.last))
        times_ms.append(1_000 * (time.perf_counter() - began_s))
        assert len(records) == hand.last - hand.first + 1, "all of it is there"
    return times_ms


# --- the same records in a bare table -------------------------------------------------------------------------------


def _bare(settings: PitSection, lap: Lap) -> int:
    """Records a second: no chain, no signature, no index but the key."""
    source = _source("bare", lap)
    rows, pace = [], _Pace()
    for body in islice(_bodies(source), BARE // batches.RECORDS_MOST):
        batch = batches.checked(batches.unpacked(body), Witness(source.signer.public))
        rows += [_row(record) for record in batch.records]
    size = TOGETHER * batches.RECORDS_MOST
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    with _bare_postgres(settings) if settings.database else _bare_sqlite(settings) as into:
        for part in parts:
            with pace.counted(len(part)):
                into(part)
    return round(pace.records / pace.seconds)


Row: TypeAlias = tuple[int, int, int, str, str, bytes, bytes, bytes]


def _row(record: CheckedRecord) -> Row:
    sent = record.sent
    return (1, record.seq, record.hand, record.kind, record.at, sent.public, sent.signature, record.hash)


@contextmanager
def _bare_sqlite(settings: PitSection) -> Iterator[Callable[[Sequence[Row]], None]]:
    """`executemany` in transactions that are as durable as the store's."""
    with (
        TemporaryDirectory(dir=settings.store.parent) as folder,
        closing(sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)) as connection,
    ):
        make_durable(connection, Durability.FULL)
        connection.execute(f"CREATE TABLE bare ({_COLUMNS}, PRIMARY KEY (table_id, seq)) WITHOUT ROWID")

        def into(rows: Sequence[Row]) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            connection.execute("COMMIT")

        yield into


@contextmanager
def _bare_postgres(settings: PitSection) -> Iterator[Callable[[Sequence[Row]], None]]:
    """Binary COPY."""
    with psycopg.connect(conninfo(settings)) as connection:
        connection.execute(
            "CREATE TABLE bench_bare (table_id int4, seq int8, hand int8, kind text, at text, public bytea,"
            " signature bytea, hash bytea, PRIMARY KEY (table_id, seq))"
        )
        connection.commit()

        def into(rows: Sequence[Row]) -> None:
            with connection.cursor() as cursor, cursor.copy("COPY bench_bare FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(["int4", "int8", "int8", "text", "text", "bytea", "bytea", "bytea"])
                for row in rows:
                    copy.write_row(row)
            connection.commit()

        try:
            yield into
        finally:
            connection.execute("DROP TABLE bench_bare")


if __name__ == "__main__":
    sys.exit(main())
