"""The page on USB says what there is to configure and what a technician reads."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from drivers.entry import UsbPlace
from tablectl.config.reader import Reader
from tablectl.config.usb import usb_match

PAGE = (Path(__file__).parents[3] / "docs" / "devices" / "usb.md").read_text(encoding="utf-8")


def test_the_list_on_the_page_is_right() -> None:
    example = re.search(r"^    \[usb\]\n(?:    .*\n)+", PAGE, re.MULTILINE)
    assert example is not None
    allow = tomllib.loads(example[0])["usb"]["allow"]
    found = [usb_match(Reader(Path("mesa.toml")), entry, "usb.allow") for entry in allow]
    assert [match and match.product_id for match in found] == [0xC31C, 0x6001]


@pytest.mark.parametrize("name", [field.name for field in fields(UsbPlace)])
def test_what_tells_two_of_a_model_apart_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize(
    "words", ["in use by process", "reads this port too", "USB is not watched", "on hardware here"]
)
def test_what_a_technician_reads_is_on_the_page(words: str) -> None:
    assert words in " ".join(PAGE.split())
