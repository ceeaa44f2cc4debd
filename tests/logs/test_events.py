"""docs/logs.md has a line for every event that the code says, at the level at which it says it, and no other."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import Final

from tablectl.ops.logs.begin import Process
from tablectl.ops.logs.choice import FORMAT_NAME, LEVEL_NAME, Format, Level
from tablectl.ops.logs.handler import ABOUT, LOST, REPEATED
from tablectl.ops.logs.line import LIBRARY, LINE_MOST, STABLE
from tablectl.ops.logs.repeats import BURST, WINDOW_S
from tablectl.ops.logs.safe import NEVER_FIELDS, TEXT_MOST
from tests.logs.said_in_code import ROOT, calls, trees

PAGE: Final = (ROOT / "docs" / "logs.md").read_text(encoding="utf-8")
ROW: Final = re.compile(r"^\| `([^`]+)` \| ([a-z, ]+) \| ([a-z ]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
#: What the log says of itself and of libraries, at whatever level it comes.
OF_THE_LOG: Final = {
    LIBRARY: {"warning", "error"},
    REPEATED: {"info", "warning", "error"},
    LOST: {"warning"},
}
#: The only modules that have to do with `logging` themselves: those that make the log, and the one that silences it.
MAKERS: Final = ("tablectl/ops/log.py", "tablectl/ops/logs/", "tablectl/notifications/apprise_client.py")


def test_every_event_has_its_line_with_its_levels_and_no_other_has_one() -> None:
    said: dict[str, set[str]] = defaultdict(set)
    for call in calls():
        for event in call.events:
            said[event].add(call.level)
    told = {event: set(levels.split(", ")) for event, levels, *_ in ROW.findall(PAGE)}
    assert told == dict(said) | OF_THE_LOG
    assert len(ROW.findall(PAGE)) == len(told), "an event stands there twice"


def test_an_event_is_a_word_that_stands_there() -> None:
    """Otherwise nobody could look it up."""
    assert [call.where for call in calls() if not call.events] == []


def test_no_call_has_a_field_that_every_line_has_or_that_is_named_like_a_secret() -> None:
    wrong = [(call.where, name) for call in calls() for name in call.fields if name in {*STABLE, *NEVER_FIELDS}]
    assert wrong == []


def test_what_tells_repeats_apart_are_fields_that_there_are() -> None:
    fields = {name for call in calls() for name in call.fields}
    # These stand in what is handed on as a whole, with two stars.
    assert set(ABOUT) - fields <= {"id", "target"}


def test_everything_goes_through_the_log() -> None:
    loggers = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, tree in trees()
        if not path.relative_to(ROOT).as_posix().startswith(MAKERS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and _imports(node) & {"logging", "structlog"}
    ]
    assert loggers == []


def _imports(node: ast.Import | ast.ImportFrom) -> set[str]:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return {name.partition(".")[0] for name in names}


def test_the_page_has_the_settings_the_fields_and_the_figures_of_the_program() -> None:
    levels = ", ".join(f"`{level.value}`" for level in Level)
    formats = ", ".join(f"`{value.value}`" for value in Format)
    assert f"| `{LEVEL_NAME}` | {levels}" in PAGE
    assert f"| `{FORMAT_NAME}` | {formats}" in PAGE
    words = " ".join(PAGE.split())
    assert "Five fields" in words
    for name in (*STABLE, *(process.value for process in Process)):
        assert f"`{name}`" in words
    for level in Level:
        assert f"`<{level.priority}>` {level.value}" in words
    assert f"cut at {TEXT_MOST} characters" in words
    assert f"longer than {LINE_MOST} says" in words
    assert (BURST, WINDOW_S) == (5, 600.0), "the page says five times and ten minutes"
    assert "is said five times; then it is held back and told as a number every ten minutes" in words
