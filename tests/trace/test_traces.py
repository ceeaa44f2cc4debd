"""Every trace in `tests/traces`, through its driver: the facts that follow and what is written, compared exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from drivers.registry import DRIVERS
from tablectl.ops.trace.entry import WRITTEN
from tablectl.ops.trace.text import TraceText, parse
from tablectl.table.devices.trace_check import wrong_with
from tablectl.table.devices.trace_replay import protocol_of

FOLDER = Path(__file__).parents[1] / "traces"
PATHS = sorted(FOLDER.glob("*.trace"))


def text_of(path: Path) -> TraceText:
    return parse(path.read_text(encoding="utf-8"))


#: Devices that are never told anything.
LISTENED_TO: Final = ("angel-eye", "line-shoe", "shuffler")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_trace_is_played_as_it_stands(path: Path) -> None:
    assert list(wrong_with(text_of(path))) == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_trace_says_what_it_shows_whose_bytes_it_has_and_which_facts_follow(path: Path) -> None:
    text = text_of(path)
    source = path.read_text(encoding="utf-8").splitlines()[1]
    assert text.title
    assert source.startswith(("# Bytes: ", "# Recorded from our simulator"))
    assert text.facts
    assert path.stem.startswith(text.head.driver.partition("-")[0])


def test_every_kind_of_device_has_a_trace() -> None:
    """One for each driver; models of one family share its code, so one of them stands for all."""
    kinds = {type(protocol_of(text_of(path).head)) for path in PATHS}
    there = {
        type(driver.make("any", {"port": "/x"} if "port" in driver.place.__dataclass_fields__ else {}, None)[1])
        for driver in DRIVERS.values()
    }
    assert kinds == there
    assert len(PATHS) >= 15


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_trace_with_one_byte_changed_in_what_was_written_is_told(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    kinds = {kind.value for kind in WRITTEN}
    at = next((n for n, line in enumerate(lines) if line[:1].isdigit() and line.split()[1] in kinds), None)
    if at is None:
        assert text_of(path).head.driver in LISTENED_TO
        return
    moment, kind, *data = lines[at].split()
    lines[at] = " ".join([moment, kind, *data[:-1], f"{int(data[-1], 16) ^ 1:02X}"])
    [told, *_] = wrong_with(parse("\n".join(lines)))
    assert "DIFFERS: wanted" in told
