"""The pages of shoes and shuffler name every word of theirs, and how soon a dead network is noticed."""

from __future__ import annotations

from pathlib import Path

from drivers.line_shoe.settings import Word
from drivers.shuffler.messages import Kind
from drivers.transport.serial import NETWORK_LOST_S

DOCS = Path(__file__).parents[2] / "docs" / "devices"


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def test_every_word_and_every_kind_of_line_is_named() -> None:
    assert [word.value for word in Word if f"`{word}`" not in page("line-shoe")] == []
    assert [kind.value for kind in Kind if f"`{kind}`" not in page("shuffler")] == []


def test_the_time_until_a_dead_network_is_noticed_is_said() -> None:
    assert f"**{NETWORK_LOST_S} s**" in page("terminal-servers")
