"""What a store keeps is what the tables sent, each record once, whatever comes how often and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from tablectl.fleet import batches
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Case
from tablectl.fleet.pit.ingest import Arrived, Ingest, Taken
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.store import (
    CHUNK_LEAST,
    QUARANTINED_MOST,
    KnownTable,
    PitStore,
    Quarantined,
    StoreUnusable,
)
from tests.fleet.chains import RESTORED, Chain

AT = "2026-11-28T10:00:00.000000Z"
LATER = "2026-11-28T11:00:00.000000Z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PitStore]:
    made = SqliteStore.open(tmp_path / "pit.db")
    yield made
    made.close()


class Server:
    """A store with its ingest, and one table that sends."""

    def __init__(self, store: PitStore, chain: Chain, name: str = "mesa-1") -> None:
        self.store, self.chain = store, chain
        self.table = store.add_table(name, chain.signer.public, AT)

    def take(self, body: bytes) -> Taken:
        batch = batches.checked(batches.unpacked(body), self.chain.witness)
        ingest = Ingest(self.store)
        ingest.start()
        answer = ingest.take(Arrived(table=self.table, batch=batch, body=body, at=AT))
        ingest.stop()
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
        store.add_table("mesa-1", bytes(32), AT)
    assert store.revoke("mesa-1", LATER)
    assert not store.revoke("mesa-1", LATER)
    assert not store.revoke("mesa-9", LATER)
    assert store.tables() == (
        KnownTable(id=server.table.id, name="mesa-1", key=server.chain.signer.public, since=AT, revoked=LATER),
    )


def test_a_hand_is_found_where_it_goes_on_in_another_batch(store: PitStore) -> None:
    server = served(store, 45)
    server.send(1, 14)
    server.send(15, 45)
    (hand,) = store.hands(server.table, 2)
    assert (hand.first, hand.last) == (11, 20)
    assert [record.seq for record in store.records(server.table, after=10, to=20)] == list(range(11, 21))
    assert store.hands(server.table, 99) == ()


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


def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "pit.db").write_bytes(b"no database at all, but long enough to be one" * 100)
    with pytest.raises(StoreUnusable, match=r"pit\.db"):
        SqliteStore.open(tmp_path / "pit.db")


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
    steps: list[tuple[str, int | tuple[int, int]]],
) -> None:
    """Batches come again, late, in part and too early; the journal is restored; rows are packed."""
    store = SqliteStore.in_memory()
    server, chain = served(store, 1), None
    chain = server.chain
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
