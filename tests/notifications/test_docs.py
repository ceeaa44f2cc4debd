"""docs/notifications.md names everything that can be set, told and found, and its figures are the program's."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from tablectl.config.notifications import Target
from tablectl.config.sections import GONE_S, TIMEOUT_S, What
from tablectl.notifications.apprise_client import MAIL_HEADER, WEB_HEADER, trouble_with
from tablectl.notifications.outbox import State
from tablectl.notifications.sender import FIRST_PAUSE_S, LATE_S, LONGEST_PAUSE_S

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "notifications.md").read_text(encoding="utf-8")
UNIT = (ROOT / "systemd" / "tablectl-notifications@.service").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", [*What, *State])
def test_everything_that_is_told_and_every_state_has_its_line(word: str) -> None:
    assert f"\n| {word} | " in PAGE


@pytest.mark.parametrize("key", [field.name for field in fields(Target)])
def test_every_key_is_there(key: str) -> None:
    assert re.search(rf"^    {key} = ", PAGE, re.MULTILINE)


def test_the_figures_are_those_of_the_program() -> None:
    assert f"more than {LATE_S} s" in PAGE
    assert f"after {FIRST_PAUSE_S} s, {2 * FIRST_PAUSE_S} s, {4 * FIRST_PAUSE_S} s … up to {LONGEST_PAUSE_S} s" in PAGE
    assert f"controller_gone_s = {GONE_S} " in PAGE
    assert f"timeout_s = {TIMEOUT_S} " in PAGE
    assert f"`{WEB_HEADER}" in PAGE
    assert f"`{MAIL_HEADER}" in PAGE
    assert int(re.findall(r"^TimeoutStopSec=(\d+)s$", UNIT, re.MULTILINE)[0]) > TIMEOUT_S


def test_the_examples_are_addresses_that_work() -> None:
    examples = re.findall(r'^    url = "(\w+://[^"]+)"', PAGE, re.MULTILINE)
    assert [example.partition(":")[0] for example in examples] == ["jsons", "ntfys", "mailtos"]
    assert [trouble_with(example) for example in examples] == [None] * 3
