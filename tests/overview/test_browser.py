"""The overview in a real browser: on a wall, on a desk and on a phone, live, and when the server is gone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tablectl.core.public_table.table_state import TableState
from tablectl.fleet.pit.presence import SILENT_S
from tablectl.i18n.languages import LANGUAGES
from tests.overview.halls import Hall, evening, served
from tests.screens.browsing import CHROMIUM, Tabs, running
from tests.screens.test_pictures import small
from tests.screens.test_pit_browser import COUNT_TONES
from tests.wide import once

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]

#: A wall, a desk and a phone, and how many tables each of them shows.
SIZES: Final = {"wall": (1920, 1080, 60), "desk": (1280, 800, 12), "phone": (390, 844, 12)}
PICTURES: Final = Path(__file__).parents[2] / "docs" / "images" / "overview"
#: Asked for at once: the tables are drawn anew while a test looks.
CUT_NAMES: Final = """() => [...document.querySelectorAll(".spot header h3")]
    .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.innerText)"""
LOWEST_PX: Final = """() => Math.max(
    ...[...document.querySelectorAll(".spot")].map((table) => table.getBoundingClientRect().bottom))"""
WANTED: Final = os.environ.get("TABLECTL_SCREENSHOTS", "")


@pytest.fixture(scope="module")
def tabs() -> Iterator[Tabs]:
    with running() as found:
        yield found


def opened(tabs: Tabs, url: str, size: str, language: str = "en") -> Page:
    width, height, _ = SIZES[size]
    page = tabs.take(width, height, "")
    page.goto(f"{url}/?lang={language}")
    expect(page.locator("body.followed")).to_be_visible()
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", once(SIZES))
def test_everything_can_be_read_in_every_size_and_language(tabs: Tabs, size: str, language: str) -> None:
    """Nothing is wider than the screen, every table has its name and its state, and axe finds nothing serious."""
    width, height, n_tables = SIZES[size]
    hall = evening(n_tables)
    with hall.live(), served(hall.floor) as url:
        page = opened(tabs, url, size, language)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".spot header h3").count() == n_tables
        assert page.evaluate(CUT_NAMES) == []
        if size == "wall":
            assert page.evaluate(LOWEST_PX) <= height, "all tables are on the wall"
        found = Axe().run(page).response["violations"]
        serious = [(rule["id"], rule["nodes"][0]["html"][:120]) for rule in found if rule["impact"] in _SERIOUS]
        assert serious == []
        if WANTED:
            folder = Path(WANTED)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{size}-{language}.png").write_bytes(small(page.screenshot(animations="disabled")))
        tabs.give_back(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_tables_are_on_the_wall_when_the_network_is_gone(tabs: Tabs, language: str) -> None:
    width, height, n_tables = SIZES["wall"]
    hall = evening(n_tables)
    hall.later(SILENT_S + 1, *range(1, n_tables + 1))
    with served(hall.floor) as url:
        hall.floor.look()
        page = opened(tabs, url, "wall", language)
        assert page.locator(".spot.is-unknown").count() == n_tables
        assert page.evaluate(LOWEST_PX) <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        tabs.give_back(page)


_SERIOUS: Final = ("serious", "critical")


def test_what_happens_at_a_table_is_seen_without_a_touch(tabs: Tabs) -> None:
    hall = Hall(6)
    with hall.live(), served(hall.floor) as url:
        page = opened(tabs, url, "desk")
        hall.called(2, 75)
        spot = page.locator('[data-table="Mesa 2"]')
        expect(spot.locator(".is")).to_have_text("HELD")
        expect(page.locator('[data-alarm="Mesa 2 incident-1"] .title')).to_have_text("The pit boss is asked for")
        expect(page.locator('[data-alarm="Mesa 2 incident-1"] time')).to_contain_text("1:")
        tabs.give_back(page)


def test_a_call_is_marked_and_counted_in_the_title_of_the_window(tabs: Tabs) -> None:
    hall = Hall(3)
    with hall.live(), served(hall.floor) as url:
        page = opened(tabs, url, "desk")
        hall.called(2, 1)
        expect(page.locator(".pit-call.fresh")).to_contain_text("Mesa 2")
        expect(page).to_have_title("⚠ 1 · Casino de Ejemplo · All tables")
        tabs.give_back(page)


def test_a_call_sounds_once_and_the_sound_can_be_muted(tabs: Tabs) -> None:
    hall = Hall(4)
    with hall.live(), served(hall.floor) as url:
        page = tabs.browser.new_page()
        page.add_init_script(COUNT_TONES)
        page.goto(f"{url}/?lang=en")
        expect(page.locator("body.followed")).to_be_visible()
        page.locator("h1").click()
        hall.called(2, 1)
        expect(page.locator("body")).to_have_attribute("data-tones", "xx")
        hall.hear(3, hall.playing(8))
        switch = page.locator("#sound-switch")
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "false")
        expect(switch.locator(".is")).to_have_text("off")
        hall.called(4, 1)
        expect(page.locator(".pit-call")).to_have_count(2)
        expect(page.locator("body")).to_have_attribute("data-tones", "xx")
        page.close()


def test_a_silent_table_is_drawn_as_unknown_over_what_it_said(tabs: Tabs) -> None:
    hall = Hall(3)
    with hall.live(), served(hall.floor) as url:
        page = opened(tabs, url, "desk")
        spot = page.locator('[data-table="Mesa 1"]')
        game = spot.locator(".game").inner_text()
        hall.wait(SILENT_S + 1)
        hall.hear(2, msgspec.structs.replace(hall.playing(2), state=TableState.PLAYING))
        expect(spot.locator(".is")).to_have_text("UNKNOWN")
        expect(spot.locator(".game")).to_have_text(game)
        expect(page.locator('[data-table="Mesa 2"] .is')).to_have_text("Playing")
        tabs.give_back(page)


def test_a_server_that_is_gone_is_seen_and_one_that_is_back_too(tabs: Tabs) -> None:
    hall = Hall(3)
    with hall.live():
        with served(hall.floor) as url:
            page = opened(tabs, url, "desk")
            expect(page.locator("#lost")).to_be_hidden()
            port = int(url.rpartition(":")[2])
        expect(page.locator("#lost")).to_be_visible()
        expect(page.locator("body")).to_have_class("overview-page followed stale")
        expect(page.locator("#lost-since")).to_contain_text("21:20:")
        hall.called(2)
        with served(hall.floor, port=port):
            expect(page.locator("#lost")).to_be_hidden()
            expect(page.locator('[data-table="Mesa 2"] .is')).to_have_text("HELD")
            tabs.give_back(page)


def test_pictures_of_the_document_are_there() -> None:
    wanted = {f"{size}-{language}.png" for size in SIZES for language in LANGUAGES}
    assert {path.name for path in PICTURES.iterdir()} == wanted
    text = (PICTURES.parents[1] / "fleet.md").read_text(encoding="utf-8")
    assert all(f"images/overview/{name}" in text for name in wanted)
