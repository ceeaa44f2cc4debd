"""Whether the clock is synchronised, by what chrony and systemd-timesyncd leave on a machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tablectl.table.synchronised import CHRONY, TIMESYNCD, Synchronised, synchronised

#: What `chronyc -c tracking` of chrony 4.3 (Debian 12) said, before and after its first source answered.
BEFORE = (
    "00000000,,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,1.000000000,1.000000000,0.0,"
    "Not synchronised\n"
)
AFTER = (
    "7F000001,127.0.0.1,2,1795505285.808053834,-0.000001544,-0.000000024,0.000000102,0.018,-0.000,0.036,0.000005410,"
    "0.000002336,2.0,Normal\n"
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
