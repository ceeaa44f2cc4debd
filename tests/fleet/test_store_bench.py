"""What `python -m simulators.fleet.store_bench` measures is really kept, found and verified, in each store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulators.fleet import store_bench
from simulators.fleet.hands import lap_of
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import PitSection
from tests.fleet.postgres import Cluster
from tests.journal.journals import WHOLE_HAND, written


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PitSection]:
    if request.param == "sqlite":
        yield PitSection(store=tmp_path / "pit.db")
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    with cluster.database() as name:
        yield PitSection(database=cluster.conninfo(name))


def test_what_is_measured_was_kept_found_and_verified(
    settings: PitSection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_bench, "BARE", 1_000)
    monkeypatch.setattr(store_bench, "FINDS", 20)
    written(tmp_path / "table.db", WHOLE_HAND * 3)
    found = store_bench.measured(settings, lap_of(tmp_path / "table.db"), records=2_000, tables=2, copies=3)
    assert (found.records, found.found_among, found.faults) == (2_000, 8_000, [])
    assert found.store == ("postgresql" if settings.database else "sqlite")
    assert min(found.kept_per_s, found.bare_per_s, found.verified_per_s, found.find_p99_ms) > 0
    with opened(settings) as store:
        assert [store.head(table).position.seq for table in store.tables()] == 8 * [1_000]
