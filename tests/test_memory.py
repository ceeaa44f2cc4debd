"""What the controller has in memory: measured, and said once where it is too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.table.integrity_supervisor import Rounds
from tablectl.table.memory import resident_bytes
from tests.desk import desk


def test_what_a_process_takes_is_in_it() -> None:
    before = resident_bytes()
    taken = bytearray(b"x" * 50_000_000)
    assert resident_bytes() - before > 0.9 * len(taken)


@pytest.mark.system
def test_a_controller_with_too_much_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablectl.table.controller.controller.MEMORY_ALARM_BYTES", 1)
    monkeypatch.setattr("tablectl.table.controller.controller.CLOCK_LOOK_S", 0.01)
    with desk() as table:
        table.start()
        table.until(lambda: table.log.events("much memory") != [], "it is said")
        table.open_hand()
        table.play_on()
        (said,) = table.log.events("much memory")
        assert said["most"] == 1


@pytest.mark.wide
@pytest.mark.system
def test_the_check_in_the_background_is_ended_before_the_controller() -> None:
    with desk() as table:
        table.start(rounds=Rounds(first_s=0.1))

        def scores() -> list[str]:
            return [
                (path.parent / "oom_score_adj").read_text("ascii").strip()
                for path in Path("/proc").glob("[0-9]*/cmdline")
                if str(table.config).encode() in read(path) and b"tablectl.table.integrity_check" in read(path)
            ]

        table.until(lambda: scores() == ["300"], "the integrity check gives itself up first")


def read(cmdline: Path) -> bytes:
    """Empty where the process is gone already."""
    try:
        return cmdline.read_bytes()
    except OSError:
        return b""
