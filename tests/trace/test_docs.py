"""The page on traces: its example is a trace, and it names every word and every setting."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tablectl.config.schema import keys
from tablectl.config.sections import FILE_BYTES, FILES, TraceSection
from tablectl.ops.trace.entry import Kind
from tablectl.ops.trace.text import parse
from tablectl.table.devices.trace_check import wrong_with

PAGE = (Path(__file__).parents[2] / "docs" / "traces.md").read_text(encoding="utf-8")


def test_the_example_is_a_trace_and_is_played_as_it_stands() -> None:
    begin = PAGE.index("    # what it shows")
    example = textwrap.dedent(PAGE[begin : PAGE.index("\n\n", begin)])
    assert list(wrong_with(parse(example))) == []


def test_every_word_and_every_setting_is_there() -> None:
    for kind in Kind:
        assert f"`{kind.value}`" in PAGE, kind
    for key in keys(TraceSection):
        assert f"\n    {key} = " in PAGE, key
    assert f"file_bytes = {FILE_BYTES} " in PAGE
    assert f"files = {FILES} " in PAGE
