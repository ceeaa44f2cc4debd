"""Real tables deal while uplinks, pit servers, database and broker are killed: each record is there once."""

from __future__ import annotations

from typing import Final

import pytest

from simulators.fleet.debian import NotInstalled
from simulators.fleet.kill_test import Compared, Record, compared, killed

RECORDS: Final[list[Record]] = [(seq, b"public %d" % seq, bytes([seq]) * 32, b"") for seq in range(1, 6)]


def test_the_same_records_at_both_ends_are_the_same() -> None:
    assert compared(RECORDS, RECORDS) == Compared(written=5, there=5)


def test_a_record_that_is_not_there_is_lost() -> None:
    assert compared(RECORDS, [*RECORDS[:2], *RECORDS[3:]]) == Compared(written=5, there=4, lost=1, is_same=False)


def test_a_record_that_came_twice_is_counted() -> None:
    found = compared(RECORDS, [*RECORDS, RECORDS[1]])
    assert found == Compared(written=5, there=6, twice=1, is_same=False)


def test_a_record_with_other_bytes_is_another_one() -> None:
    changed = [*RECORDS[:4], (5, b"public 6", RECORDS[4][2], b"")]
    assert compared(RECORDS, changed) == Compared(written=5, there=5, is_same=False)


@pytest.mark.system
@pytest.mark.wide
@pytest.mark.parametrize("among", [(), ("postgres",), ("postgres", "mqtt")], ids="-".join)
def test_whatever_is_killed_while_tables_deal_each_record_is_there_once(among: tuple[str, ...]) -> None:
    """Short; `make bench-fleet` has 100 kills and 20 tables."""
    try:
        found = killed(is_postgres="postgres" in among, is_mqtt="mqtt" in among, tables=2, kills=6, speed=5.0, seed=1)
    except NotInstalled as no:
        pytest.skip(str(no))
    assert found.wrong == []
    assert sum(found.kills.values()) == 6
    assert found.there == found.written > 50
    assert (found.lost, found.twice) == (0, 0)
