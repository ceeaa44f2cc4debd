"""Each line of the registry has a page: what works, settings, wiring, and what was never seen on hardware.

What a page says of its settings' defaults, notes and ids is held against the driver by the tests beside this one.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from drivers.entry import Driver, UsbPlace
from drivers.registry import DRIVERS

PAGES = Path(__file__).parents[2] / "docs" / "devices"
FEATURES = (PAGES.parent / "features.md").read_text(encoding="utf-8")
#: A model whose page is that of another one, of which it is made.
PAGE_OF = {"rfid-shoe-feig": "feig.md"}
#: Pages about what several of them are used for, and about none of them.
USES = frozenset({"badges.md"})


def page_of(driver: Driver) -> tuple[str, str]:
    """Its name and its text."""
    found = {
        path.name: text
        for path in PAGES.glob("*.md")
        if path.name not in USES
        if f"`{driver.id}`" in (text := path.read_text(encoding="utf-8")) or f'"{driver.id}"' in text
    }
    name = PAGE_OF.get(driver.id) or next(iter(found))
    assert set(found) == {name} or driver.id in PAGE_OF, f"pages on {driver.id}: {sorted(found)}"
    return name, found[name]


@pytest.mark.parametrize("driver", DRIVERS.values(), ids=lambda each: each.id)
def test_a_driver_has_a_page_that_says_what_works_and_what_was_never_seen(driver: Driver) -> None:
    _, text = page_of(driver)
    table = re.search(r"^\|.*\|\n\|[-|]+\|\n", text, re.MULTILINE)
    assert table is not None, "no support table"
    assert table.start() < (text + "\n## Settings").index("\n## Settings"), "it comes first"
    assert re.search("ever seen on hardware", text)


@pytest.mark.parametrize("driver", DRIVERS.values(), ids=lambda each: each.id)
def test_a_page_shows_how_the_device_is_connected_and_configured(driver: Driver) -> None:
    name, text = page_of(driver)
    if driver.place is not UsbPlace:
        assert "\n## Wiring\n" in text
        assert "[[device]]" in text
    own = fields(driver.settings) if driver.settings is not None else ()
    for field in (*fields(driver.place), *own):
        assert f"`{field.name}`" in text, f"{name}: {field.name}"


@pytest.mark.parametrize("driver", DRIVERS.values(), ids=lambda each: each.id)
def test_a_driver_says_in_the_log_what_was_never_verified(driver: Driver) -> None:
    assert "not verified on hardware" in driver.not_verified


def test_every_page_is_linked_from_the_page_about_features() -> None:
    assert [path.name for path in PAGES.glob("*.md") if f"devices/{path.name}" not in FEATURES] == []
