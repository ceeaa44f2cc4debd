"""The write-ahead log cut off at any byte, as a power cut may leave it: the journal is a prefix of the true one that
has every record whose frames were whole, and the table goes on from there.

SQLite writes a record as a few frames after each other; a record that was acknowledged has all of them on the disk.
What a disk makes of the bytes after the last synced one is its own affair, so the tail is also zeros, noise, one bad
sector in the middle, and what an older log left in the same place.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.core.engine import facts as f
from tablectl.journal.store import PAGE_BYTES, Store, Stored
from tablectl.journal.verify import verify
from tests.engine.tables import fingerprint
from tests.journal.journals import WHOLE, Writer, hand_facts

#: SQLite's file format: a log has a header, then frames of a header and a page.
LOG_HEADER: Final = 32
FRAME: Final = 24 + PAGE_BYTES
SECTOR: Final = 512


@dataclass(frozen=True, kw_only=True)
class Kill:
    """What a writer left behind that was killed: some records in the file, the newest only in the log."""

    file: bytes
    log: bytes
    #: the log before the newest records were written: it lay in the same place
    older_log: bytes
    #: the memory that SQLite shares between processes; it survives a process, not a power cut
    index: bytes
    facts: list[f.Fact]
    records: list[Stored]
    #: how many of the records are in the file, whatever becomes of the log
    in_file: int
    #: of each record in the log: where its last frame ends
    ends: list[int]
    #: what the table remembers after so many records
    tables: list[object]

    def whole(self, log: bytes) -> int:
        """How many records this log and the file have, where it is the true one up to the first byte that differs."""
        return self.in_file + sum(log[:end] == self.log[:end] for end in self.ends)


@cache
def kill(in_file: int, in_log: int) -> Kill:
    """So many records of a hand in the file and in the log. With none in the file, the tables too are in the log."""
    setup, facts = hand_facts(WHOLE)
    with temporary_folder() as name:
        path = Path(name) / "table.db"
        log = path.with_name("table.db-wal")
        tables: list[object] = [None]
        ends: list[int] = []
        older = b""
        with Writer(path, setup) as writer:
            for seq, fact in enumerate(facts[: in_file + in_log], start=1):
                writer.enter(fact)
                tables.append(fingerprint(writer.table.state))
                if seq == in_file:
                    older = log.read_bytes()
                    with closing(sqlite3.connect(path)) as connection:
                        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                elif seq > in_file:
                    ends.append(log.stat().st_size)
            made = Kill(
                file=path.read_bytes(),
                log=log.read_bytes(),
                older_log=older,
                index=path.with_name("table.db-shm").read_bytes(),
                facts=facts,
                records=list(writer.store.records()),
                in_file=in_file,
                ends=ends,
                tables=tables,
            )
    assert len(made.log) == ends[-1]
    assert (len(made.log) - LOG_HEADER) % FRAME == 0
    return made


# --- what a disk makes of the rest ------------------------------------------------------------------------------------

Damage = Callable[[Kill, int], bytes]


def cut(left: Kill, at: int) -> bytes:
    """The rest is not there."""
    return left.log[:at]


def zeros(left: Kill, at: int) -> bytes:
    """The rest was given room and never written."""
    return left.log[:at].ljust(len(left.log), b"\0")


def noise(left: Kill, at: int) -> bytes:
    """The rest is anything."""
    return left.log[:at] + random.Random(at).randbytes(len(left.log) - at)


def bad_sector(left: Kill, at: int) -> bytes:
    """What is after one sector is on the disk, the sector is not."""
    return left.log[:at] + random.Random(at).randbytes(SECTOR) + left.log[at + SECTOR :]


def older(left: Kill, at: int) -> bytes:
    """The rest is that of the older log in the same place, all of which is in the file by now."""
    return left.log[:at] + left.older_log[at:]


# --- the test ---------------------------------------------------------------------------------------------------------


def goes_on(left: Kill, log: bytes, folder: Path, index: bytes | None = None) -> None:
    """Open what is left, check it, write on, and read it once more."""
    path = folder / "table.db"
    path.write_bytes(left.file)
    path.with_name("table.db-wal").write_bytes(log)
    if index is not None:
        path.with_name("table.db-shm").write_bytes(index)
    n_whole = left.whole(log)
    setup = hand_facts(WHOLE)[0]
    with Writer(path, setup) as writer:
        found = list(writer.store.records())
        assert found == left.records[:n_whole]
        assert verify(found).fault is None
        again = writer.recover()
        assert (fingerprint(again.state) if again is not None else None) == left.tables[n_whole]
        writer.enter(left.facts[n_whole])
    with closing(Store.read(path)) as store:
        after = list(store.records())
    assert after[:-1] == found
    assert verify(after) == verify([*found, after[-1]])
    assert verify(after).fault is None
    path.unlink()


def offsets_to_try(left: Kill) -> Iterable[int]:
    """Each border of a frame with its neighbours, and some between."""
    borders = range(LOG_HEADER, len(left.log) + 1, FRAME)
    near = {at + by for at in (0, LOG_HEADER - 8, *borders) for by in (-1, 0, 1)}
    return sorted(at for at in {*near, *range(0, len(left.log), 2749)} if 0 <= at <= len(left.log))


#: A new journal of which nothing is in the file yet, not even its tables; one in the middle of a hand.
NEW: Final = (0, 2)
IN_PLAY: Final = (12, 3)


@pytest.mark.parametrize("damage", [cut, zeros, noise, bad_sector, older])
@pytest.mark.parametrize("journal", [NEW, IN_PLAY])
def test_a_log_torn_at_the_border_of_a_frame_or_between_loses_no_whole_record(
    journal: tuple[int, int], damage: Damage, tmp_path: Path
) -> None:
    left = kill(*journal)
    found = set()
    for at in offsets_to_try(left):
        log = damage(left, at)
        goes_on(left, log, tmp_path)
        found.add(left.whole(log))
    assert found == set(range(left.in_file, len(left.records) + 1)), "some records were never cut off"


def test_the_index_of_the_longer_log_misleads_nobody(tmp_path: Path) -> None:
    left = kill(*IN_PLAY)
    for at in offsets_to_try(left):
        goes_on(left, cut(left, at), tmp_path, index=left.index)


def test_this_is_what_a_killed_writer_leaves(tmp_path: Path) -> None:
    """The newest records are in the log alone: without it they are gone, so the tests above cut what matters."""
    left = kill(*IN_PLAY)
    assert left.whole(b"") == left.in_file == 12
    assert left.whole(left.log) == len(left.records) == 15
    assert left.whole(left.log[:-1]) == 14
    assert kill(*NEW).whole(b"") == 0
    path = tmp_path / "table.db"
    path.write_bytes(left.file)
    with closing(Store.read(path)) as store:
        assert store.newest == 12


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_log_cut_off_at_any_byte_loses_no_whole_record(tmp_path: Path) -> None:
    left = kill(12, 2)
    for at in range(len(left.log) + 1):
        goes_on(left, cut(left, at), tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("journal", "damage"), [((0, 1), cut), *(((12, 2), damage) for damage in (zeros, noise, bad_sector, older))]
)
def test_a_log_torn_at_any_seventh_byte_loses_no_whole_record(
    journal: tuple[int, int], damage: Damage, tmp_path: Path
) -> None:
    """Seven has no factor in common with the length of a frame, so different places of each frame have their turn."""
    left = kill(*journal)
    for at in range(0, len(left.log) + 1, 7):
        goes_on(left, damage(left, at), tmp_path)
