"""The bench of a table beside an uplink goes through each kind of pit server: here shortly, without asking how long."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from simulators.fleet.programs import Program
from simulators.fleet.table_bench import BenchTables, Pit
from simulators.stage.stage import temporary_folder
from tablectl.fleet.uplink.state import Link, Remembered, StateFile
from tests.handbook.pages import ROOT
from tests.waiting import until


def test_an_uplink_is_measured_with_the_priority_that_it_has_at_a_table(tmp_path: Path) -> None:
    unit = (ROOT / "systemd" / "tablectl-uplink@.service").read_text(encoding="utf-8")
    assert "\nCPUSchedulingPolicy=idle\nCPUWeight=idle\n" in unit
    with Program(tmp_path / "log", ("sleep", "60"), is_idle=True) as program:
        until(lambda: os.sched_getscheduler(program.pid) == os.SCHED_IDLE)


@pytest.mark.wide
@pytest.mark.system
def test_each_table_deals_whatever_its_pit_server_does_and_its_uplink_says_what_that_is() -> None:
    with temporary_folder() as name, BenchTables(Path(name)) as tables:

        def said(pit: Pit) -> Remembered:
            return StateFile(Path(name) / pit.name.lower() / "uplink.json").read()

        found = tables.reactions(3)
        assert [reaction.pit for reaction in found] == list(Pit)
        assert {reaction.cards for reaction in found} == {12}
        assert all(reaction.p99_us >= reaction.p50_us > 0 for reaction in found)
        assert tables.play(2.0) > 0
        assert tables.rest(2.0) >= 0
        healthy, dead, lying, refusing = (said(pit).status for pit in (Pit.HEALTHY, Pit.DEAD, Pit.LYING, Pit.REFUSING))
        assert healthy is not None
        assert healthy.link is Link.SENDING
        assert dead is not None
        assert dead.link is Link.AWAY
        assert lying is not None
        assert lying.link in (Link.AWAY, Link.LOST_RECORDS)
        assert refusing is not None
        assert refusing.link in (Link.UNKNOWN_SERVER, Link.FORK, Link.NOT_ADMITTED, Link.LOST_RECORDS)
        until(lambda: said(Pit.HEALTHY).acked > 0)
