"""The pages of shoes and shuffler name every setting with its default, and every note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from pathlib import Path

import pytest

from drivers.angel_eye import settings as angel_eye
from drivers.line_shoe import driver as line_shoe
from drivers.line_shoe.settings import Word
from drivers.registry import DRIVERS
from drivers.shuffler import driver as shuffler
from drivers.shuffler.messages import Kind
from drivers.transport.serial import NETWORK_LOST_S

DOCS = Path(__file__).parents[2] / "docs" / "devices"
NOTES = {"angel-eye": angel_eye.Note, "line-shoe": line_shoe.Note, "shuffler": shuffler.Note}


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def shown(default: object) -> str:
    value = default.value if isinstance(default, Enum) else default
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "none"
    return f"`{value}`" if isinstance(value, str) else str(value)


@pytest.mark.parametrize("name", NOTES)
def test_every_setting_is_in_the_page_with_its_default(name: str) -> None:
    driver = DRIVERS[name]
    assert driver.settings is not None
    for field in fields(driver.settings):
        value = field.default if field.default_factory is MISSING else field.default_factory()
        assert f"| `{field.name}` | {shown(value)} |" in page(name)
    assert f"| `baud` | {driver.place_defaults['baud']} |" in page(name)
    assert "| `port` |" in page(name)


@pytest.mark.parametrize("name", NOTES)
def test_every_note_is_in_the_page_and_what_was_never_seen(name: str) -> None:
    assert [note.value for note in NOTES[name] if f"`{note}`" not in page(name)] == []
    assert "Never seen on hardware" in page(name)
    assert "not verified on hardware" in DRIVERS[name].not_verified


def test_every_word_and_every_kind_of_line_is_named() -> None:
    assert [word.value for word in Word if f"`{word}`" not in page("line-shoe")] == []
    assert [kind.value for kind in Kind if f"`{kind}`" not in page("shuffler")] == []


def test_the_time_until_a_dead_network_is_noticed_is_said() -> None:
    assert f"**{NETWORK_LOST_S} s**" in page("terminal-servers")
