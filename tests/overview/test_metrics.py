"""What Prometheus reads of the pit server, and who may."""

from __future__ import annotations

import socket
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from tablectl.core.timestamps import time_text
from tablectl.fleet.pit.ingest_counts import BUCKETS_S, IngestCounts
from tablectl.fleet.pit.store import NotTaken, Reached
from tablectl.ops.connections import Limits, listen
from tablectl.web.overview.metrics import pit_metrics
from tablectl.web.overview.viewers import add_viewer
from tests.fleet.pits import Pit
from tests.overview.halls import Hall, served
from tests.overview.test_viewers import client, door
from tests.screens.test_technician import samples


def of(hall: Hall, counts: IngestCounts | None = None) -> dict[tuple[str, tuple[str, ...]], float]:
    return samples(pit_metrics(hall.picture, counts or IngestCounts()).decode())


def test_tables_are_counted_as_the_overview_draws_them() -> None:
    hall = Hall(5)
    hall.later(30, 4, 5)
    hall.called(2)
    found = of(hall)
    assert [found[("tablectl_pit_tables", (state,))] for state in ("unknown", "held", "tilt")] == [2, 1, 0]
    assert sum(value for (name, _), value in found.items() if name == "tablectl_pit_tables") == 5


def test_how_late_the_latest_table_is_and_what_was_not_taken() -> None:
    hall = Hall(3)
    assert of(hall)[("tablectl_pit_records_late_seconds", ())] == 0
    for name, late_s in (("Mesa 1", 60), ("Mesa 2", 4_000)):
        newest_at = time_text(hall.now_us - late_s * 1_000_000)
        hall.reached[name] = Reached(table=name, restores=0, seq=1, newest_at=newest_at, came_at=newest_at)
    hall.not_taken = (
        NotTaken(table="Mesa 3", flaw="fork", seq=9, at=time_text(hall.now_us), count=2),
        NotTaken(table="Mesa 3", flaw="chain", seq=9, at=time_text(hall.now_us), count=3),
    )
    hall.later(4)
    found = of(hall)
    assert found[("tablectl_pit_records_late_seconds", ())] == pytest.approx(4_004, abs=1)
    taken = [found[("tablectl_pit_quarantined_total", (f"Mesa {number}",))] for number in (1, 3)]
    assert taken == [0, 5], "a table of which everything was taken is there, so that its first is seen"


def test_what_the_ingest_counts_is_told() -> None:
    counts = IngestCounts().kept({"appended": 2, "refused": 1}, 700, 0.02).kept({"fork": 1}, 0, 30.0)
    found = of(Hall(1), counts)
    assert found[("tablectl_pit_records_total", ())] == 700
    cases = ("appended", "duplicate", "gap", "fork", "refused")
    assert [found[("tablectl_pit_batches_total", (case,))] for case in cases] == [2, 0, 0, 1, 1]
    bucket = "tablectl_pit_transaction_seconds_bucket"
    assert [found[(bucket, (bound,))] for bound in ("0.01", "0.025", str(BUCKETS_S[-1]), "+Inf")] == [0, 1, 1, 2]
    assert found[("tablectl_pit_transaction_seconds_sum", ())] == pytest.approx(30.02)
    assert found[("tablectl_pit_store_writable", ())] == 1
    assert of(Hall(1), counts.not_kept())[("tablectl_pit_store_writable", ())] == 0
    assert counts.not_kept().kept({}, 0, 0.1).is_writable


def test_who_was_not_let_in_is_counted() -> None:
    before = of(Hall(1))
    names = [("tablectl_pit_refused_connections_total", (limit,)) for limit in ("all", "address")]
    with (
        closing(listen("127.0.0.1", 0, Limits(of_one_address=0))) as bound,
        socket.create_connection(bound.getsockname()),
        pytest.raises(ConnectionAbortedError),
    ):
        bound.accept()
    after = of(Hall(1))
    assert [after[name] - before[name] for name in names] == [0, 1]


def test_on_this_machine_anybody_reads_them_with_the_servers_certificate(tmp_path: Path) -> None:
    files = Pit(tmp_path)
    counts = IngestCounts().kept({"appended": 1}, 12, 0.1)
    with served(Hall(1).floor, door=door(files, host="127.0.0.1"), counts=lambda: counts) as url:
        answer = httpx2.get(f"{url}/metrics", verify=False)
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = samples(answer.text)
    assert found[("tablectl_pit_records_total", ())] == 12
    assert found[("tablectl_pit_certificate_end_timestamp_seconds", ())] > 1_700_000_000


def test_from_elsewhere_they_need_a_viewers_token(tmp_path: Path) -> None:
    files = Pit(tmp_path)
    token = add_viewer(files.folder / "viewers", "prometheus")
    with served(Hall(1).floor, door=door(files)) as url, client(files) as browser:
        for said in ({}, {"Authorization": "Bearer guess"}, {"Authorization": f"Basic {token}"}):
            answer = browser.get(f"{url}/metrics", headers=said)
            assert (answer.status_code, answer.text) == (401, "")
        assert "tablectl_pit_tables" in browser.get(f"{url}/metrics", headers={"Authorization": f"Bearer {token}"}).text
        assert browser.get(f"{url}/", headers={"Authorization": f"Bearer {token}"}).status_code == 303, "for this alone"


def test_rows_that_are_not_packed_are_those_that_the_store_says() -> None:
    picture = replace(Hall(1).picture, rows=4_711)
    assert samples(pit_metrics(picture, IngestCounts()).decode())[("tablectl_pit_rows", ())] == 4_711
