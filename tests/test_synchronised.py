"""Whether the clock is synchronised, by what chrony and systemd-timesyncd leave on a machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tablectl.table.synchronised import CHRONY, TIMESYNCD, Synchronised, synchronised

#: What `chronyc -c tracking` of chrony 4.3 (Debian 12) said, before and after its first source answered.
BEFORE = "7F7F0101,,10,0.000000000,0.0,0.0,0.0,0.000,0.000,0.000,0.000000000,0.000000000,0.0,Not synchronised\n"
AFTER = (
    "C0000201,192.0.2.1,3,1795382000.123456789,-0.000012,0.000034,0.000056,-7.1,0.001,0.02,0.001,0.0002,64.3,Normal\n"
)


def no_client(_command: Sequence[str]) -> str | None:
    return None


def test_without_a_time_service_nobody_sets_the_clock(tmp_path: Path) -> None:
    assert synchronised(tmp_path, no_client) is Synchronised.NOBODY


def test_timesyncd_leaves_a_file_when_a_server_answered(tmp_path: Path) -> None:
    (tmp_path / TIMESYNCD).mkdir(parents=True)
    assert synchronised(tmp_path, no_client) is Synchronised.NOT_YET
    (tmp_path / TIMESYNCD / "synchronized").touch()
    assert synchronised(tmp_path, no_client) is Synchronised.YES


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (BEFORE, Synchronised.NOT_YET),
        (AFTER, Synchronised.YES),
        (AFTER.replace("Normal", "Insert second"), Synchronised.YES),
        ("", Synchronised.NOT_YET),
        (None, Synchronised.NOT_YET),
    ],
    ids=["before", "after", "a leap second", "nothing", "no answer"],
)
def test_chrony_is_asked(said: str | None, expected: Synchronised, tmp_path: Path) -> None:
    (tmp_path / CHRONY).mkdir(parents=True)
    asked: list[Sequence[str]] = []

    def client(command: Sequence[str]) -> str | None:
        asked.append(command)
        return said

    assert synchronised(tmp_path, client) is expected
    assert asked == [("chronyc", "-c", "tracking")]
