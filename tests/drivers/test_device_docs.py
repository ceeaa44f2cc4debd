"""The pages on devices name every model, every setting with its default, and every id."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from enum import Enum
from pathlib import Path

import pytest

from drivers.entry import Driver
from drivers.registry import DRIVERS

PAGES = Path(__file__).parents[2] / "docs" / "devices"
PAGE_OF = {"panel": ("xkeys.md", "streamdeck.md", "modbus-panel.md"), "light": ("lights.md",)}
DOCUMENTED = [driver for driver in DRIVERS.values() if driver.role in PAGE_OF]


def page(driver: Driver) -> str:
    """The one page that has this model in its table or in its first lines."""
    found = [
        text for name in PAGE_OF[driver.role] if f"{driver.id}`" in (text := _text(name)) or f'"{driver.id}"' in text
    ]
    assert len(found) == 1, f"pages on {driver.id}: {len(found)}"
    return found[0]


def _text(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def default(value: object) -> str:
    match value:
        case Enum():
            return f'`"{value.value}"`'
        case bool():
            return str(value).lower()
        case _:
            return str(value)


@pytest.mark.parametrize("driver", DOCUMENTED, ids=lambda each: each.id)
def test_a_model_has_a_page_with_its_ids(driver: Driver) -> None:
    text = page(driver)
    for vendor, product in driver.usb_ids:
        assert re.search(rf"\b{vendor:04x}\b", text), f"{driver.id}: {vendor:04x}"
        assert f"{product:04x}" in text, f"{driver.id}: {product:04x}"


@pytest.mark.parametrize("driver", DOCUMENTED, ids=lambda each: each.id)
def test_every_setting_is_on_its_page_with_its_default(driver: Driver) -> None:
    text = page(driver)
    for field in fields(driver.settings) if driver.settings is not None else ():
        row = re.search(rf"^\| `{field.name}` \| ([^|]+) \|", text, re.MULTILINE)
        assert row is not None, f"{driver.id}: {field.name}"
        assert field.default is not MISSING
        if field.default not in ("", -1):
            assert row[1] == default(field.default)


@pytest.mark.parametrize("driver", DOCUMENTED, ids=lambda each: each.id)
def test_where_a_device_is_plugged_in_is_on_its_page(driver: Driver) -> None:
    for field in fields(driver.place):
        assert f"`{field.name}`" in page(driver), f"{driver.id}: {field.name}"


@pytest.mark.parametrize("name", [name for names in PAGE_OF.values() for name in names])
def test_a_page_says_what_was_never_seen_on_hardware(name: str) -> None:
    assert "ever seen on hardware here" in _text(name)


@pytest.mark.parametrize("driver", DOCUMENTED, ids=lambda each: each.id)
def test_a_driver_says_what_was_never_verified_on_hardware(driver: Driver) -> None:
    assert "not verified on hardware" in driver.not_verified
