"""What a store keeps is what the tables sent, each record once, whatever comes how often and in which order."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from simulators.fleet.casino import enrolled
from simulators.fleet.next_release import NextSqliteStore
from tablectl.fleet import batches
from tablectl.fleet.batches import CheckedBatch
from tablectl.fleet.certificates import Shown
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Case, Head
from tablectl.fleet.pit import backup, ingest
from tablectl.fleet.pit.ingest import Arrived, Ingest, Taken
from tablectl.fleet.pit.ingest_counts import REFUSED
from tablectl.fleet.pit.postgres_store import PostgresStore
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.sql_store import Row, SqlStore
from tablectl.fleet.pit.sqlite_store import SqliteStore, Upgrades, copy_file
from tablectl.fleet.pit.store import (
    CHUNK_LEAST,
    QUARANTINED_MOST,
    Code,
    KeptRecord,
    KnownTable,
    PitStore,
    Quarantined,
    StoreUnusable,
)
from tests.fleet.chains import RESTORED, Chain
from tests.fleet.postgres import Cluster

AT = "2026-11-28T10:00:00.000000Z"
LATER = "2026-11-28T11:00:00.000000Z"


@pytest.fixture(autouse=True, scope="module")
def _at_once() -> Iterator[None]:
    """A transaction waits for no other batches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ingest, "TOGETHER_S", 0.0)
        yield


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    if request.param == "sqlite":
        with closing(SqliteStore.open(tmp_path / "pit.db")) as sqlite:
            yield sqlite
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        with cluster.database() as name, closing(PostgresStore.open(cluster.conninfo(name))) as postgres:
            yield postgres


class Server:
    """A store with its ingest, and one table that sends."""

    def __init__(self, store: PitStore, chain: Chain, name: str = "mesa-1") -> None:
        self.store, self.chain = store, chain
        self.table = enrolled(store, name, chain.signer.public, AT)

    def at(self, store: PitStore) -> Server:
        """The same table, which sends to another store that knows it."""
        other = copy(self)
        other.store = store
        return other

    def arrived(self, body: bytes) -> Arrived:
        batch = batches.checked(batches.unpacked(body), self.chain.witness)
        return Arrived(table=self.table, batch=batch, body=body, at=AT)

    def take(self, body: bytes) -> Taken:
        keeping = Ingest(self.store)
        keeping.start()
        answer = keeping.take(self.arrived(body))
        keeping.stop()
        return answer.result()

    def send(self, first: int, last: int) -> Taken:
        return self.take(self.chain.body(first, last))

    def holds(self, chain: Chain) -> None:
        """The records of this chain, and no others."""
        kept = list(self.store.records(self.table))
        assert [(record.seq, record.public, record.hash) for record in kept] == [
            (stored.seq, stored.public, stored.hash) for stored in chain.records
        ]
        assert [record.signature for record in kept] == [stored.signature or b"" for stored in chain.records]
        assert [record.epoch for record in kept] == chain.epochs
        assert self.store.head(self.table).position == chain.newest
        assert self.store.head(self.table).epoch == (chain.epochs[-1] if chain.epochs else Epoch())


def served(store: PitStore, count: int) -> Server:
    chain = Chain()
    chain.add(count)
    return Server(store, chain)


def test_each_of_the_four_cases(store: PitStore) -> None:
    server = served(store, 60)
    assert server.send(1, 20).case is Case.APPENDED
    assert server.send(5, 20).case is Case.DUPLICATE
    assert server.send(22, 30).case is Case.GAP
    again = server.send(11, 40)
    assert (again.case, again.new, again.head.position) == (Case.APPENDED, 20, (40, server.chain.records[39].hash))
    server.chain.back_to(30)
    server.chain.add(20, text="another past")
    fork = server.send(25, 50)
    assert (fork.case, fork.seq, fork.head.position.seq) == (Case.FORK, 31, 40)
    (kept,) = store.quarantined()
    assert (kept.table, kept.seq, kept.flaw, kept.body) == ("mesa-1", 31, "fork", server.chain.body(25, 50))
    assert server.send(41, 50).case is Case.FORK


def test_batches_wait_for_others_until_they_are_worth_a_transaction(
    store: PitStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "TOGETHER_S", 3600.0)
    server = served(store, 2 * ingest.ENOUGH)
    keeping = Ingest(store)
    keeping.start()
    for first in (1, 1 + ingest.ENOUGH):
        numbers = range(first, first + ingest.ENOUGH)
        answers = [keeping.take(server.arrived(server.chain.body(number, number))) for number in numbers]
        assert [answer.result(60).new for answer in answers] == ingest.ENOUGH * [1]
    assert sum(keeping.counts.transactions) == 2
    monkeypatch.setattr(ingest, "TOGETHER_S", 0.0)
    keeping.stop()


def test_what_is_taken_is_counted_by_case_and_a_store_that_takes_nothing_is_told(
    store: PitStore, mocker: MockerFixture
) -> None:
    server = served(store, 40)
    keeping = Ingest(store)
    keeping.start()
    for first, last in ((1, 20), (5, 20), (22, 30), (11, 40)):
        keeping.take(server.arrived(server.chain.body(first, last))).result()
    keeping.quarantine(Quarantined(at=AT, table="mesa-1", seq=0, flaw="shape", why="none", body=b"none")).result()
    counts = keeping.counts
    assert counts.batches == {"appended": 2, "duplicate": 1, "gap": 1, REFUSED: 1}
    assert (counts.records, sum(counts.transactions), counts.is_writable) == (40, 5, True)
    assert counts.seconds > 0
    full = mocker.patch.object(store, "writing", side_effect=StoreUnusable("the disk is full"))
    with pytest.raises(StoreUnusable):
        keeping.take(server.arrived(server.chain.body(1, 20))).result()
    assert keeping.counts == counts.not_kept()
    mocker.stop(full)
    keeping.take(server.arrived(server.chain.body(1, 20))).result()
    assert keeping.counts.is_writable
    keeping.stop()


def test_rows_that_are_not_packed_are_counted(store: SqlStore) -> None:
    server = served(store, 40)
    assert store.rows() == 0
    server.send(1, 40)
    store._run("ANALYZE")
    assert store.rows() == 40
    assert store.pack(server.table, before="9999-12-31T23:59:59.999999Z") == 40
    store._run("ANALYZE")
    assert store.rows() == 0


def test_what_begins_in_the_middle_or_is_of_another_journal_is_not_taken(store: PitStore) -> None:
    server = served(store, 20)
    assert server.send(2, 10).case is Case.GAP
    assert server.send(1, 10).case is Case.APPENDED
    other = Chain()
    other.signer = server.chain.signer
    other.add(20, text="another table")
    assert server.take(other.body(1, 20)).case is Case.FORK
    server.chain.back_to(10)
    server.holds(server.chain)


def test_a_journal_that_was_restored_goes_on_in_a_new_epoch_and_the_old_records_stay(store: PitStore) -> None:
    server = served(store, 50)
    server.send(1, 50)
    server.chain.back_to(30)
    server.chain.add(2, kind="opened")
    server.chain.add(kind=RESTORED)
    server.chain.add(20)
    epoch = server.chain.epoch
    assert server.take(server.chain.body(31, 53, epoch=epoch)).case is Case.APPENDED
    assert store.head(server.table).epoch == epoch
    assert [record.seq for record in store.records(server.table)] == list(range(1, 54))
    newest, older = store.heads(server.table)
    assert (newest.epoch, newest.position.seq, older.position.seq) == (epoch, 53, 50)
    as_it_was = list(store.records(server.table, epoch=older.epoch))
    assert [record.seq for record in as_it_was] == list(range(1, 51))
    assert as_it_was[-1].hash == older.position.hash
    assert store.hash_of(server.table, 40) == server.chain.records[39].hash
    hands = store.hands(server.table, 4)
    assert [(hand.epoch.restores, hand.first, hand.last) for hand in hands] == [(1, 31, 40), (0, 31, 40)]


def test_a_new_epoch_without_a_note_of_a_restore_is_a_fork(store: PitStore) -> None:
    server = served(store, 50)
    server.send(1, 50)
    server.chain.back_to(30)
    server.chain.add(20, text="another past")
    assert server.take(server.chain.body(31, 50, epoch=server.chain.epoch.after_restore())).case is Case.FORK
    assert server.take(server.chain.body(31, 50)).case is Case.FORK


def test_who_was_cloned_before_a_restore_is_a_fork_afterwards(store: PitStore) -> None:
    server = served(store, 50)
    server.send(1, 50)
    server.chain.add(kind=RESTORED)
    server.chain.add(5)
    assert server.send(51, 56).case is Case.APPENDED
    server.chain.back_to(50)
    server.chain.epoch = server.chain.epochs[-1]
    server.chain.add(5, text="the clone")
    assert server.send(51, 55).case is Case.FORK


def test_two_tables_do_not_see_each_other(store: PitStore) -> None:
    first, second = served(store, 30), Chain()
    second.add(40)
    other = Server(store, second, "mesa-2")
    first.send(1, 30)
    other.send(1, 40)
    first.holds(first.chain)
    other.holds(second)


def test_a_table_is_enrolled_once_and_revoked(store: PitStore) -> None:
    server = served(store, 1)
    with pytest.raises(StoreUnusable, match="mesa-1"):
        enrolled(store, "mesa-1", bytes(32), AT)
    assert store.revoke("mesa-1", LATER)
    assert not store.revoke("mesa-1", LATER)
    assert not store.revoke("mesa-9", LATER)
    assert store.tables() == (msgspec.structs.replace(server.table, revoked=LATER),)


def test_a_hand_is_found_where_it_goes_on_in_another_batch(store: PitStore) -> None:
    server = served(store, 45)
    server.send(1, 14)
    server.send(15, 45)
    (hand,) = store.hands(server.table, 2)
    assert (hand.first, hand.last) == (11, 20)
    assert [record.seq for record in store.records(server.table, after=10, to=20)] == list(range(11, 21))
    assert store.hands(server.table, 99) == ()


#: Rows of twenty tables, as SQL that both databases read.
_MANY: Final = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO"
_FILL: Final = {
    f"{_MANY} hands SELECT 1000 + i % 20, 0, i / 20, i, i, 'x', 'y' FROM n": 0,
    f"{_MANY} chunks SELECT 1000 + i % 20, 0, i, i, ?, ? FROM n": 2,
    f"{_MANY} records SELECT 1000 + i % 20, 0, i, i, 'k', 'x', 'y', ?, ?, 0, ? FROM n": 3,
}


def test_a_hand_is_found_by_keys_alone_however_many_there_are(store: SqlStore, mocker: MockerFixture) -> None:
    """What the databases say of their way to the rows: they never look through a table, nor through all of one's."""
    server = served(store, 350)
    server.send(1, 300)
    server.send(301, 350)
    is_sqlite = isinstance(store, SqliteStore)
    for sql, bodies in _FILL.items():
        store._run(sql, [b""] * bodies)
    store._run("ANALYZE")
    plans: list[str] = []
    every = store._all

    def explained(sql: str, params: Sequence[object] = ()) -> list[Row]:
        plan = every(f"EXPLAIN {'QUERY PLAN ' if is_sqlite else ''}{sql}", params)
        plans.append("\n".join(str(row[-1]) for row in plan))
        return every(sql, params)

    mocker.patch.object(store, "_all", side_effect=explained)
    (hand,) = store.hands(server.table, 31)
    assert [record.seq for record in store.records(server.table, after=hand.first - 1, to=hand.last)] == [
        *range(301, 311)
    ]
    assert store.hash_of(server.table, 299) == server.chain.records[298].hash
    assert len(plans) > 5
    looked_through = re.compile(r"SCAN (hands|chunks|records)|Seq Scan on (hands|chunks|records)")
    assert [plan for plan in plans if looked_through.search(plan)] == []
    assert re.search(r"SEARCH hands .*table_id=\? AND hand=\?|Index Cond: .*table_id = .* AND \(hand = ", plans[0])


def test_rows_are_packed_and_nothing_of_them_is_lost(store: PitStore) -> None:
    server = served(store, 1_300)
    for first in range(1, 1_001, 50):
        server.send(first, first + 49)
    server.send(1_001, 1_300)
    server.chain.back_to(1_300)
    assert store.pack(server.table, before=AT) == 0
    assert store.pack(server.table, before=LATER) == 1_000
    assert store.pack(server.table, before=LATER) == 0
    server.holds(server.chain)
    assert store.hash_of(server.table, 777) == server.chain.records[776].hash
    server.chain.add(10)
    assert server.send(1_290, 1_310).new == 10
    server.holds(server.chain)


def test_a_record_that_was_too_long_stays_withheld_when_it_is_packed(store: PitStore) -> None:
    server = served(store, 3)
    server.chain.add(text="y" * batches.RECORD_BYTES_MOST)
    server.chain.add(6)
    server.send(1, 10)
    store.pack(server.table, before=LATER)
    kept = list(store.records(server.table))
    assert [record.hash for record in kept] == [stored.hash for stored in server.chain.records]
    assert [not record.public for record in kept] == [number == 3 for number in range(10)]


def test_what_was_quarantined_is_kept_in_its_order(store: PitStore) -> None:
    for seq in (7, 3):
        with store.writing() as writing:
            writing.quarantine(Quarantined(at=AT, table="mesa-1", seq=seq, flaw="chain", why="wrong", body=b"\0\1"))
    assert [(found.seq, found.body) for found in store.quarantined()] == [(7, b"\0\1"), (3, b"\0\1")]


def test_the_same_fork_is_kept_once_and_no_table_fills_the_disk_with_nonsense(store: PitStore) -> None:
    found = Quarantined(at=AT, table="mesa-1", seq=7, flaw="fork", why="known", body=b"1")
    others = [msgspec.structs.replace(found, seq=seq, body=b"2") for seq in range(1, QUARANTINED_MOST + 50)]
    with store.writing() as writing:
        for one in (found, found, *others):
            writing.quarantine(one)
        writing.quarantine(msgspec.structs.replace(found, table="mesa-2"))
    kept = list(store.quarantined())
    assert len(kept) == QUARANTINED_MOST + 1
    assert [one.body for one in kept if one.seq == 7] == [b"1", b"1"]
    assert kept[-1].table == "mesa-2"


def test_what_the_store_breaks_on_is_told_to_who_waits_and_the_next_batch_is_taken(
    store: PitStore, mocker: MockerFixture
) -> None:
    server = served(store, 20)
    mocker.patch.object(store, "append", side_effect=ZeroDivisionError("a bug"))
    with pytest.raises(StoreUnusable, match="ZeroDivisionError: a bug"):
        server.send(1, 10)
    mocker.stopall()
    assert server.send(1, 20).new == 20


def test_a_batch_that_the_store_breaks_on_keeps_nobody_elses_back(store: SqlStore, mocker: MockerFixture) -> None:
    server, chain = served(store, 20), Chain()
    chain.add(10)
    other, append = Server(store, chain, "mesa-2"), store.append

    def breaks(table: KnownTable, batch: CheckedBatch, new_from: int, body: bytes, at: str) -> Head:
        if table.name == "mesa-2":
            raise ZeroDivisionError("a bug")
        return append(table, batch, new_from, body, at)

    mocker.patch.object(store, "append", side_effect=breaks)
    keeping = Ingest(store)
    arrived = [server.arrived(server.chain.body(1, 10)), other.arrived(chain.body(1, 10))]
    answers = [keeping.take(one) for one in (*arrived, server.arrived(server.chain.body(11, 20)))]
    keeping.start()
    keeping.stop()
    assert [answer.exception() is None for answer in answers] == [True, False, True]
    server.holds(server.chain)


def test_a_transaction_that_fails_keeps_nothing(store: PitStore) -> None:
    server = served(store, 20)
    with pytest.raises(ZeroDivisionError):
        _append_and_fail(store, server)
    assert list(store.records(server.table)) == []
    assert server.send(1, 20).new == 20


def _append_and_fail(store: PitStore, server: Server) -> None:
    with store.writing() as writing:
        writing.append(server.table, server.chain.batch(1, 20), 1, server.chain.body(1, 20), AT)
        raise ZeroDivisionError


def test_batches_of_one_transaction_see_each_other(store: PitStore) -> None:
    server = served(store, 60)
    with store.writing() as writing:
        for first, last in ((1, 15), (16, 30)):
            writing.append(server.table, server.chain.batch(first, last), first, server.chain.body(first, last), AT)
        assert writing.head(server.table).position.seq == 30
        assert writing.hash_of(server.table, 12) == server.chain.records[11].hash
        writing.append(server.table, server.chain.batch(31, 45), 31, server.chain.body(31, 45), AT)
    server.chain.back_to(45)
    server.holds(server.chain)
    (hand,) = store.hands(server.table, 2)
    assert (hand.first, hand.last) == (11, 20)


def test_rows_that_are_packed_while_they_are_read_are_read_from_their_chunk(
    store: SqlStore, mocker: MockerFixture
) -> None:
    server = served(store, 60)
    server.send(1, 60)
    rows = store._rows

    def packed_before(table: KnownTable, epoch: Epoch, after: int, to: int) -> list[KeptRecord]:
        store.pack(table, before=LATER)
        return rows(table, epoch, after, to)

    mocker.patch.object(store, "_rows", side_effect=packed_before)
    assert [record.seq for record in store.records(server.table)] == list(range(1, 61))


def test_a_file_of_another_version_is_named_with_what_to_do(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path / "pit.db").close()
    with closing(sqlite3.connect(tmp_path / "pit.db")) as file:
        file.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreUnusable, match=r"pit\.db: a pit server's file of version 1; .* name another file"):
        SqliteStore.open(tmp_path / "pit.db")


def test_a_server_that_runs_goes_on_while_its_file_becomes_that_of_the_next_release(tmp_path: Path) -> None:
    path = tmp_path / "pit.db"
    with closing(SqliteStore.open(path)) as store:
        server = served(store, 60)
        server.send(1, 20)
        for _ in range(2):  # the second one finds it done
            with closing(NextSqliteStore.open(path)) as later:
                assert later._all("SELECT DISTINCT later FROM records") == [(None,)]
        assert server.send(21, 60).new == 40
        server.holds(server.chain)
    with pytest.raises(StoreUnusable, match=r"file of version 3; this program reads .* none after 2, .* another"):
        SqliteStore.open(path)


def test_the_next_release_makes_a_new_file_as_it_leaves_an_older_one(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path / "old.db").close()
    schemas = []
    for name in ("old.db", "new.db"):
        with closing(NextSqliteStore.open(tmp_path / name)) as store:
            schemas.append(store._all("SELECT name, sql FROM sqlite_master ORDER BY name"))
    assert schemas[0] == schemas[1]


class BrokenStore(NextSqliteStore):
    upgrades: ClassVar[Upgrades] = (*NextSqliteStore.upgrades, ("DROP TABLE missing",))


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pit.db"
    SqliteStore.open(path).close()
    with pytest.raises(StoreUnusable, match="of version 2, and version 4 is needed: no such table: missing"):
        BrokenStore.open(path)
    with closing(SqliteStore.open(path)) as store, pytest.raises(StoreUnusable, match="no such column"):
        store._all("SELECT later FROM records")


def test_a_copy_of_an_earlier_release_is_put_back_and_brought_to_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore.open(tmp_path / "pit.db")) as store:
        served(store, 20).send(1, 20)
    copy_file(tmp_path / "pit.db", tmp_path / "copy")
    monkeypatch.setattr(SqliteStore, "upgrades", NextSqliteStore.upgrades)
    with pytest.raises(StoreUnusable, match=r"earlier release \(version 2\); .* to version 3 when it starts"):
        SqliteStore.read(tmp_path / "copy")
    section = PitSection(store=tmp_path / "there.db")
    assert backup.restore(section, tmp_path / "copy", at="2026-12-01T00:00:00.000000Z").records == 20
    SqliteStore.read(tmp_path / "there.db").close()


def shown(name: str = "mesa-1", *, key: bytes = b"k" * 32, year: int = 2027) -> Shown:
    return Shown(name=name, key=key, begins=datetime(2026, 1, 1, tzinfo=UTC), ends=datetime(year, 2, 1, tzinfo=UTC))


def test_a_code_enrols_one_table_once(store: PitStore) -> None:
    journal, secret = bytes(range(32)), b"s" * 32
    assert store.code("mesa-1") is None
    store.add_code(Code(name="mesa-1", secret=b"older", until=AT))
    code = Code(name="mesa-1", secret=secret, key=journal, until=LATER)
    store.add_code(code)
    store.add_code(Code(name="mesa-2", secret=b"other", until=LATER))
    assert store.code("mesa-1") == code
    assert [store.count_try("mesa-1") for _ in range(3)] == [1, 2, 3]
    assert store.count_try("mesa-9") == 0
    assert not store.enrol("mesa-1", journal, shown(), AT, secret=b"older")
    assert store.tables() == ()
    assert store.enrol("mesa-1", journal, shown(), AT, secret=secret)
    assert not store.enrol("mesa-1", journal, shown(key=b"x" * 32), AT, secret=secret)
    (table,) = store.tables()
    assert (table.key, table.certificate_key, table.since) == (journal, b"k" * 32, AT)
    assert table.certificate_until == "2027-02-01T00:00:00.000000Z"
    assert store.code("mesa-1") is None
    assert store.code("mesa-2") is not None


def test_a_table_is_enrolled_again_with_the_key_of_its_journal_alone(store: PitStore) -> None:
    assert store.enrol("mesa-1", b"j" * 32, shown(), AT)
    assert store.enrol("mesa-1", b"j" * 32, shown(key=b"n" * 32, year=2028), LATER)
    (table,) = store.tables()
    assert (table.certificate_key, table.since) == (b"n" * 32, AT)
    store.renewed(table, shown(key=b"n" * 32, year=2029))
    assert store.tables()[0].certificate_until.startswith("2029-")
    store.add_code(Code(name="mesa-1", secret=b"s", until=LATER))
    with pytest.raises(StoreUnusable, match="another journal"):
        store.enrol("mesa-1", b"i" * 32, shown(), AT, secret=b"s")
    assert store.code("mesa-1") is not None, "what fails uses no code up"
    store.revoke("mesa-1", LATER)
    with pytest.raises(StoreUnusable, match="revoked"):
        store.enrol("mesa-1", b"j" * 32, shown(), AT, secret=b"s")
    assert store.tables()[0].certificate_key == b"n" * 32


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "pit.db").write_bytes(b"no database at all, but long enough to be one" * 100)
    with pytest.raises(StoreUnusable, match=r"pit\.db"):
        SqliteStore.open(tmp_path / "pit.db")


Step: TypeAlias = tuple[str, int | tuple[int, int]]

#: What a table's uplink, or the network between, does next; the numbers are taken modulo what there is.
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.integers(1, 2 * CHUNK_LEAST)),
        st.tuples(st.just("send"), st.tuples(st.integers(0, 300), st.integers(1, 500))),
        st.tuples(st.just("restore"), st.integers(1, 60)),
        st.tuples(st.just("pack"), st.just(0)),
    ),
    max_size=25,
)


@given(steps=STEPS)
def test_after_anything_that_a_table_and_the_network_do_the_store_has_a_beginning_of_the_journal(
    steps: list[Step],
) -> None:
    """Batches come again, late, in part and too early; the journal is restored; rows are packed."""
    _holds_after(steps, served(SqliteStore.in_memory(), 1))


@pytest.fixture(scope="module")
def postgres(cluster: Cluster) -> Iterator[PostgresStore]:
    with cluster.database() as name, closing(PostgresStore.open(cluster.conninfo(name))) as store:
        yield store


@pytest.mark.wide
@given(steps=STEPS)
def test_after_anything_that_a_table_and_the_network_do_postgresql_has_it_too(
    postgres: PostgresStore, steps: list[Step]
) -> None:
    chain = Chain()
    chain.add()
    _holds_after(steps, Server(postgres, chain, f"mesa-{len(postgres.tables())}"))


def _holds_after(steps: list[Step], server: Server) -> None:
    store, chain = server.store, server.chain
    for what, how in steps:
        if what == "play" and isinstance(how, int):
            chain.add(how)
        elif what == "pack":
            store.pack(server.table, before=LATER)
        elif what == "restore" and isinstance(how, int):
            _restore(server, how)
        elif isinstance(how, tuple):
            back, count = how
            head = store.head(server.table)
            first = max(1, min(head.position.seq + 2, len(chain.records)) - back)
            last = min(first + count - 1, len(chain.records))
            # A batch has one epoch, as the uplink makes it.
            last = max(seq for seq in range(first, last + 1) if chain.epochs[seq - 1] == chain.epochs[first - 1])
            taken = server.send(first, last)
            assert taken.case is not Case.FORK or chain.epochs[first - 1] < head.epoch, taken
    _send_the_rest(server)
    server.holds(chain)


def _restore(server: Server, back: int) -> None:
    """To an earlier record that the server has or has not, with the note; what follows is sent at once, as the uplink
    does once it has compared the two."""
    chain = server.chain
    _send_the_rest(server)
    chain.back_to(max(1, len(chain.records) - back))
    chain.epoch = server.store.head(server.table).epoch
    first = len(chain.records) + 1
    chain.add(kind=RESTORED)
    assert server.send(first, first).case is Case.APPENDED


def _send_the_rest(server: Server) -> None:
    while (head := server.store.head(server.table).position.seq) < len(server.chain.records):
        epochs = server.chain.epochs
        last = min(head + batches.RECORDS_MOST, len(epochs))
        last = max(seq for seq in range(head + 1, last + 1) if epochs[seq - 1] == epochs[head])
        assert server.send(head + 1, last).case is Case.APPENDED
