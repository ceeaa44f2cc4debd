"""The page of each reader of tags names every setting with its default, and every note."""

from __future__ import annotations

from dataclasses import MISSING, fields
from enum import Enum
from pathlib import Path

import pytest

from drivers import reader
from drivers.feig import driver as feig
from drivers.pepper import driver as pepper
from drivers.pn532 import driver as pn532
from drivers.registry import DRIVERS
from drivers.rfid_shoe import driver as rfid_shoe

DOCS = Path(__file__).parents[2] / "docs" / "devices"
NOTES = {"pn532": pn532.Note, "feig": feig.Note, "pepper": pepper.Note}


def shown(default: object) -> str:
    value = default.value if isinstance(default, Enum) else default
    if isinstance(value, bool):
        return str(value).lower()
    return f"`{value}`" if isinstance(value, str) else str(value)


@pytest.mark.parametrize("name", NOTES)
def test_every_setting_is_in_the_page_with_its_default(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text("utf-8")
    driver = DRIVERS[name]
    assert driver.settings is not None
    for field in (*fields(driver.place), *fields(driver.settings)):
        default = driver.place_defaults.get(field.name, "" if field.default is MISSING else field.default)
        row = f"| `{field.name}` | {shown(default)} |" if default != "" else f"| `{field.name}` |"
        assert row in page


@pytest.mark.parametrize("name", NOTES)
def test_every_note_is_in_the_page(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text("utf-8")
    for note in (*NOTES[name], reader.UNANSWERED):
        assert f"`{note}`" in page


def test_the_notes_of_a_shoe_and_what_was_never_seen_are_named() -> None:
    page = (DOCS / "pn532.md").read_text("utf-8")
    assert all(f"`{note}`" in page for note in rfid_shoe.Note)
    for name in NOTES:
        assert "Never seen on hardware" in (DOCS / f"{name}.md").read_text("utf-8")
