"""A copy of the pit server's store is whole, and put back it is known to have less than was acknowledged."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from simulators.fleet.casino import enrolled
from tablectl.fleet.pit.backup import back_up, restore
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.store import Code, Restores, StoreUnusable
from tablectl.fleet.pit.verification import Verified, verify
from tablectl.fleet.uplink.state import Link
from tests.desk import Desk
from tests.fleet.linked import enrol, have_the_same, running
from tests.fleet.pits import Pit
from tests.fleet.postgres import Cluster
from tests.fleet.test_commands import run
from tests.fleet.test_store import AT, LATER, served
from tests.waiting import until

RECORDS: Final = 400


class Places:
    """Where a store is, and an empty one to which it is put back."""

    def __init__(self, settings: PitSection, other: PitSection) -> None:
        self.settings, self.other = settings, other


@pytest.fixture(params=["sqlite", "postgres"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Places]:
    if request.param == "sqlite":
        yield Places(PitSection(store=tmp_path / "pit.db"), PitSection(store=tmp_path / "other.db"))
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    with cluster.database() as name, cluster.database("empty") as other:
        yield Places(PitSection(database=cluster.conninfo(name)), PitSection(database=cluster.conninfo(other)))


def test_a_copy_is_put_back_with_all_that_was_durable_and_the_next_epoch_of_the_server(
    places: Places, tmp_path: Path
) -> None:
    path = tmp_path / "copy"
    with opened(places.settings) as store:
        server = served(store, RECORDS + 20)
        server.send(1, 300)
        server.send(301, RECORDS)
        store.add_code(Code(name="mesa-2", secret=bytes(32), key=b"", until=LATER))
        assert back_up(places.settings, path) == path.stat().st_size
        assert path.stat().st_mode & 0o077 == 0
        server.send(RECORDS + 1, RECORDS + 20)
        assert store.restores() == Restores(count=0, last="")
    found = restore(places.other, path, LATER)
    assert (found.tables, found.records, found.restores) == (1, RECORDS, Restores(count=1, last=LATER))
    with opened(places.other) as store:
        assert verify(store, server.table) == Verified(records=RECORDS, signatures=40)
        assert store.code("mesa-2") is None
        assert store.tables() == (server.table,)
        again = server.at(store)
        assert again.send(RECORDS + 1, RECORDS + 20).new == 20
        server.chain.back_to(RECORDS + 20)
        again.holds(server.chain)
        enrolled(store, "mesa-3", bytes(32), AT)
        assert back_up(places.other, tmp_path / "next") > 0


def test_a_store_that_is_in_use_is_not_overwritten_nor_is_a_copy(places: Places, tmp_path: Path) -> None:
    path = tmp_path / "copy"
    with opened(places.settings) as store:
        server = served(store, 20)
        server.send(1, 20)
    back_up(places.settings, path)
    before = path.read_bytes()
    with pytest.raises(StoreUnusable, match=r"already; (end the server, and move|make an empty one)"):
        restore(places.settings, path, LATER)
    with pytest.raises(StoreUnusable, match="name a new file"):
        back_up(places.settings, path)
    with opened(places.settings) as store:
        assert store.restores().count == 0
        server.at(store).holds(server.chain)
    assert path.read_bytes() == before


def test_a_copy_that_was_cut_off_is_not_put_back(places: Places, tmp_path: Path) -> None:
    path = tmp_path / "copy"
    with opened(places.settings) as store:
        served(store, RECORDS).send(1, RECORDS)
    back_up(places.settings, path)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(StoreUnusable):
        restore(places.other, path, LATER)
    assert not places.other.store.exists()
    assert not list(tmp_path.glob("*unfinished*"))


@pytest.mark.wide
def test_a_copy_is_consistent_while_records_come(places: Places, tmp_path: Path) -> None:
    with opened(places.settings) as store:
        server = served(store, 2_000)
        is_sending = threading.Event()

        def sends() -> None:
            for first in range(1, 2_001, 20):
                server.send(first, first + 19)
                is_sending.set()

        sending = threading.Thread(target=sends)
        sending.start()
        assert is_sending.wait(30)
        back_up(places.settings, tmp_path / "copy")
        sending.join()
        restore(places.other, tmp_path / "copy", LATER)
        with opened(places.other) as other:
            found = verify(other, server.table)
    assert not found.fault
    assert 0 < found.records <= 2_000


def test_what_is_no_copy_is_named(tmp_path: Path, cluster: Cluster) -> None:
    settings = PitSection(store=tmp_path / "pit.db")
    (tmp_path / "text").write_text("no copy", encoding="utf-8")
    with pytest.raises(StoreUnusable, match="not a file that `tablectl pit backup` made"):
        restore(settings, tmp_path / "text", LATER)
    with pytest.raises(StoreUnusable, match="No such file"):
        restore(settings, tmp_path / "nothing", LATER)
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE other (a)")
    with pytest.raises(StoreUnusable, match="not a pit server's file"):
        restore(settings, tmp_path / "other", LATER)
    with cluster.database("empty") as name, pytest.raises(StoreUnusable, match="the other kind of store"):
        restore(PitSection(database=cluster.conninfo(name)), tmp_path / "other", LATER)
    with pytest.raises(StoreUnusable, match="name a file that this user can write"):
        back_up(settings, tmp_path / "nowhere" / "copy")


def test_a_damaged_store_is_not_copied_over(tmp_path: Path) -> None:
    settings = PitSection(store=tmp_path / "pit.db")
    with opened(settings) as store:
        served(store, 20).send(1, 20)
    with closing(sqlite3.connect(settings.store)) as file, file:
        file.execute("DELETE FROM records WHERE seq = 20")
    with pytest.raises(StoreUnusable, match="mesa-1: record 20 is missing; nothing was copied"):
        back_up(settings, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.usefixtures("soon")
def test_a_table_that_was_acknowledged_further_says_so_and_sends_the_rest_again(table: Desk, pit: Pit) -> None:
    config = pit.folder / "pit.toml"
    config.write_text("[pit]\n", encoding="utf-8")
    enrol(table, pit)
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        copied = table.newest
        assert "bytes, read again and whole" in run("pit", "backup", config, pit.folder / "copy")
        table.open_hand()
        table.play_on()
        until(lambda: uplink.status.acked == table.newest > copied)
    pit.stop()
    pit.forget()
    told = run("pit", "restore", config, pit.folder / "copy")
    assert told.startswith(f"tables: 1, records: {copied}; epoch 1 of this server\n")
    pit.start()
    with running(table, pit) as uplink:
        until(lambda: uplink.status.acked == table.newest)
        assert uplink.status.link is Link.LOST_RECORDS
        assert f"and has {copied}" in uplink.status.why
    have_the_same(table, pit)
    assert "restored from a backup 20" in run("pit", "tables", config)
