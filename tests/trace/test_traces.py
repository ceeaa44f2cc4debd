"""Every trace in `tests/traces`, through its driver: the facts that follow and what is written, compared exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tablectl.ops.trace.entry import WRITTEN
from tablectl.ops.trace.text import TraceText, parse
from tablectl.table.devices.trace_check import wrong_with

FOLDER = Path(__file__).parents[1] / "traces"
PATHS = sorted(FOLDER.glob("*.trace"))


def text_of(path: Path) -> TraceText:
    return parse(path.read_text(encoding="utf-8"))


#: Whatever is written to a device.
WRITES: Final = {kind.value for kind in WRITTEN}


def written_at(path: Path) -> int | None:
    """The first line of a trace at which something was written to the device; None where it is never told anything."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((n for n, line in enumerate(lines) if line[:1].isdigit() and line.split()[1] in WRITES), None)


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


@pytest.mark.parametrize("path", [path for path in PATHS if written_at(path) is not None], ids=lambda path: path.stem)
def test_a_trace_with_one_byte_changed_in_what_was_written_is_told(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    at = written_at(path)
    assert at is not None
    moment, kind, *data = lines[at].split()
    lines[at] = " ".join([moment, kind, *data[:-1], f"{int(data[-1], 16) ^ 1:02X}"])
    [told, *_] = wrong_with(parse("\n".join(lines)))
    assert "DIFFERS: wanted" in told
