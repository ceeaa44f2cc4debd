"""What the environment asks of the log, and where the log goes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tablectl.ops.logs.choice import Choice, Level, NotUnderstood, choice, goes_to_journal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_word_it_is_info_in_json_and_text_on_a_terminal() -> None:
    assert choice({}, io.StringIO()) == Choice()
    assert choice({}, Terminal()) == Choice(is_text=True, has_colours=True)


@pytest.mark.parametrize("level", Level)
def test_a_level_is_taken_in_any_case(level: Level) -> None:
    for word in (level.value, level.value.upper(), f" {level.value} "):
        assert choice({"TABLECTL_LOG": word}, io.StringIO()) == Choice(level=level)


@pytest.mark.parametrize(("word", "elsewhere", "terminal"), [("json", False, False), ("text", True, True)])
def test_a_form_that_is_asked_for_is_taken_everywhere(word: str, *, elsewhere: bool, terminal: bool) -> None:
    wanted = {"TABLECTL_LOG_FORMAT": word}
    assert choice(wanted, io.StringIO()).is_text is elsewhere
    assert choice(wanted, Terminal()).is_text is terminal


def test_what_is_not_understood_is_told_and_the_default_taken() -> None:
    found = choice({"TABLECTL_LOG": "loud", "TABLECTL_LOG_FORMAT": "xml"}, io.StringIO())
    assert found == Choice(
        not_understood=(
            NotUnderstood(name="TABLECTL_LOG", value="loud", taken="info"),
            NotUnderstood(name="TABLECTL_LOG_FORMAT", value="xml", taken="auto"),
        )
    )


def test_the_journal_is_known_by_device_and_inode(tmp_path: Path) -> None:
    with (tmp_path / "a").open("w") as mine, (tmp_path / "b").open("w") as other:
        at = (tmp_path / "a").stat()
        named = {"JOURNAL_STREAM": f"{at.st_dev}:{at.st_ino}"}
        assert goes_to_journal(named, mine)
        assert choice(named, mine).has_priority
        assert not goes_to_journal(named, other), "it was redirected, and the variable is still there"
        assert not choice(named, other).has_priority
        assert not goes_to_journal({}, mine)
    for wrong in ("", ":", f"{at.st_ino}:{at.st_dev}", f"{at.st_dev}", "x:y", f"{at.st_dev}:{at.st_ino}:"):
        with (tmp_path / "a").open("w") as mine:
            assert not goes_to_journal({"JOURNAL_STREAM": wrong}, mine), wrong


def test_a_stream_that_is_closed_or_no_file_is_not_the_journal(tmp_path: Path) -> None:
    at = tmp_path.stat()
    named = {"JOURNAL_STREAM": f"{at.st_dev}:{at.st_ino}"}
    closed = (tmp_path / "a").open("w")
    closed.close()
    assert choice(named, closed) == Choice()
    assert choice(named, io.StringIO()) == Choice()


def test_priorities_are_those_of_journald() -> None:
    assert {level.value: level.priority for level in Level} == {"error": 3, "warning": 4, "info": 6, "debug": 7}
