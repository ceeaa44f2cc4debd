"""Rows are packed while the server runs: soon after its start, in small steps, and only where it may."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pytest_mock import MockerFixture

from tablectl.fleet.batches import CheckedBatch
from tablectl.fleet.heads import Head
from tablectl.fleet.pit import packing
from tablectl.fleet.pit.ingest import Ingest
from tablectl.fleet.pit.packing import OLDER_THAN_HOURS, Packing, older_than
from tablectl.fleet.pit.service import PitService
from tablectl.fleet.pit.sql_store import SqlStore
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.store import KnownTable, StoreUnusable
from tablectl.journal.clock import now_us
from tablectl.journal.signing import Signer
from tests.fleet.test_store import Server, served
from tests.waiting import until

#: The rows of `served` came at ten; this is a day later, and a second.
A_DAY_LATER_US = 1_795_946_401_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore.open(tmp_path / "pit.db")) as made:
        yield made


def rows_of(store: SqlStore) -> int:
    ((count,),) = store._all("SELECT count(*) FROM records")
    return int(count)


def sent(store: SqlStore, count: int) -> Server:
    server = served(store, count)
    for first in range(1, count + 1, 100):
        server.send(first, first + 99)
    return server


def test_what_came_a_day_ago_is_packed_by_the_server_and_what_came_later_is_not(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "EACH_S", 0.01)
    server = sent(store, 1_200)
    at = [A_DAY_LATER_US - 2_000_000]
    service = PitService(
        keeping=store, reading=store, signer=Signer(Ed25519PrivateKey.generate()), now_us=lambda: at[0]
    )
    looked = threading.Event()
    pack_some = store.pack_some

    def counted(table: KnownTable, *, before: str) -> int:
        looked.set()
        return pack_some(table, before=before)

    monkeypatch.setattr(store, "pack_some", counted)
    service.start()
    assert looked.wait(30)
    assert rows_of(store) == 1_200
    at[0] = A_DAY_LATER_US
    until(lambda: rows_of(store) == 0)
    service.stop()
    server.holds(server.chain)


def test_a_batch_waits_for_one_chunk_and_not_for_all(store: SqliteStore, mocker: MockerFixture) -> None:
    """While the first chunk is packed a batch arrives: it is next."""
    server = sent(store, 1_500)
    server.chain.add(10)
    order: list[str] = []
    is_packing, goes_on = threading.Event(), threading.Event()
    pack_some, append = store.pack_some, store.append

    def packs(table: KnownTable, *, before: str) -> int:
        order.append("chunk")
        is_packing.set()
        assert goes_on.wait(30)
        return pack_some(table, before=before)

    def appends(table: KnownTable, batch: CheckedBatch, new_from: int, body: bytes, at: str) -> Head:
        order.append("batch")
        return append(table, batch, new_from, body, at)

    mocker.patch.object(store, "pack_some", side_effect=packs)
    mocker.patch.object(store, "append", side_effect=appends)
    ingest = Ingest(store)
    packer = Packing(store, ingest, lambda: A_DAY_LATER_US)
    ingest.start()
    packer.start()
    assert is_packing.wait(30)
    answer = ingest.take(server.arrived(server.chain.body(1_501, 1_510)))
    until(lambda: ingest._writer._work_queue.qsize() == 1)
    goes_on.set()
    assert answer.result(30).new == 10
    until(lambda: rows_of(store) == 0)
    packer.stop()
    ingest.stop()
    assert order[:3] == ["chunk", "batch", "chunk"]


def test_a_store_that_cannot_pack_now_is_tried_again(
    store: SqliteStore, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "EACH_S", 0.01)
    sent(store, 100)
    fails = [StoreUnusable("away"), StoreUnusable("away")]
    pack_some = store.pack_some

    def packs(table: KnownTable, *, before: str) -> int:
        if fails:
            raise fails.pop()
        return pack_some(table, before=before)

    mocker.patch.object(store, "pack_some", side_effect=packs)
    ingest = Ingest(store)
    ingest.start()
    packer = Packing(store, ingest, lambda: A_DAY_LATER_US)
    packer.start()
    until(lambda: rows_of(store) == 0)
    packer.stop()
    ingest.stop()
    assert not fails


def test_where_the_database_does_not_let_it_the_server_packs_nothing(
    store: SqliteStore, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    mocker.patch.object(SqliteStore, "may_pack", new_callable=mocker.PropertyMock, return_value=False)
    packs = mocker.patch.object(store, "pack_some")
    service = PitService(keeping=store, reading=store, signer=Signer(Ed25519PrivateKey.generate()), now_us=now_us)
    sent(store, 100)
    service.start()
    service.stop()
    packs.assert_not_called()


def test_how_long_ago_is_a_time() -> None:
    assert older_than(A_DAY_LATER_US, OLDER_THAN_HOURS) == "2026-11-28T10:00:01.000000Z"
    assert older_than(A_DAY_LATER_US, 0.5) == "2026-11-29T09:30:01.000000Z"
