"""What each choice would do stands beside its button before the pit boss presses it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.screens import hands
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.conftest import Screens
from tests.screens.test_browser import shot
from tests.screens.test_pit_browser import opened, sticks_out

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
AT_THE_SETTLEMENT: Final = hands.WHOLE.removesuffix("press confirm\n") + "call by ana\n"
FIVE_SEATS: Final = hands.MID_HAND + "call by ana\n"


def told(page: Page, remedy: str) -> dict[str, list[str]]:
    """The rows of the small table beside a button, as a person reads them in the first language."""
    rows = page.locator(f'li:has([data-remedy="{remedy}"]) .preview tr[data-sum]')
    found: dict[str, list[str]] = rows.evaluate_all(
        """(rows) => Object.fromEntries(rows.map((row) => [row.cells[0].firstChild.textContent.trim(),
            [...row.querySelectorAll(".chip")].map((chip) => chip.textContent.trim())]))"""
    )
    return found


def fate(page: Page, remedy: str) -> str | None:
    return page.locator(f'li:has([data-remedy="{remedy}"]) .preview').get_attribute("data-fate")


@pytest.mark.parametrize("size", [(1600, 1000), (1024, 768)])
@pytest.mark.parametrize(
    ("language", "money"),
    [
        ("es", {"Se devuelve": ["Puesto 3 60 €"], "Se recupera": ["Puesto 1 180 €"]}),
        ("en", {"Paid back": ["Seat 3 €60"], "Taken back": ["Seat 1 €180"]}),
    ],
)
def test_a_void_at_the_settlement_says_seat_by_seat_what_goes_back_before_it_is_pressed(
    tabs: Tabs, screens: Screens, language: str, money: dict[str, list[str]], size: tuple[int, int]
) -> None:
    screens.controller.lines("croupier ana\n" + hands.DEVICES + AT_THE_SETTLEMENT)
    page = opened(tabs, screens.url, size=size, language=language)
    expect(page.locator(".preview")).to_have_count(2)
    assert (fate(page, "void-hand"), told(page, "void-hand")) == ("void", money)
    assert (fate(page, "continue"), told(page, "continue")) == ("goes-on", {})
    shot(page, f"previews-settlement-{language}-{size[0]}")
    assert sticks_out(page) == []
    tabs.give_back(page)


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 800), (1024, 600), (390, 844)])
def test_many_seats_have_room(tabs: Tabs, screens: Screens, size: tuple[int, int]) -> None:
    screens.controller.lines("croupier ana\n" + hands.DEVICES + FIVE_SEATS)
    page = opened(tabs, screens.url, size=size)
    expect(page.locator(".preview")).to_have_count(2)
    assert told(page, "void-hand") == {
        "Se devuelve": ["Puesto 1 45 €", "Puesto 2 75 €", "Puesto 3 6 €", "Puesto 5 312,50 €", "Puesto 6 45 €"]
    }
    # In one step: the page may be drawn anew while somebody waits for it to stand still, and once without what was
    # asked for too late.
    page.wait_for_function(
        "() => { const all = [...document.querySelectorAll('.preview')]; all.at(-1)?.scrollIntoView();"
        " return all.length === 2; }"
    )
    shot(page, f"previews-five-{size[0]}")
    assert sticks_out(page) == []
    tabs.give_back(page)


@pytest.mark.parametrize(("language", "said"), [("es", "Escriba antes el motivo"), ("en", "Write the reason first")])
def test_a_remedy_that_takes_a_reason_says_so_and_waits_for_it(
    tabs: Tabs, screens: Screens, language: str, said: str
) -> None:
    screens.controller.lines("croupier ana\n" + hands.DEVICES + FIVE_SEATS)
    page = opened(tabs, screens.url, language=language)
    alert = page.locator("article.incident.ruling")
    void, reason = alert.locator('[data-remedy="void-hand"]'), alert.locator(".reason input")
    expect(alert.locator("[data-needs-reason]")).to_have_count(1)
    void.click()
    expect(alert.locator(".no-reason")).to_contain_text(said)
    expect(reason).to_be_focused()
    shot(page, f"previews-reason-{language}")
    assert sticks_out(page) == []
    reason.fill("asked for by the player")
    void.click()
    expect(page.locator(".preview")).to_have_count(0)
    tabs.give_back(page)


def test_a_preview_goes_with_its_choice(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines("croupier ana\n" + hands.DEVICES + FIVE_SEATS)
    page = opened(tabs, screens.url)
    expect(page.locator(".preview")).to_have_count(2)
    alert = page.locator("article.incident.ruling")
    alert.locator(".reason input").fill("asked for by the player")
    alert.locator('[data-remedy="void-hand"]').click()
    expect(page.locator(".preview")).to_have_count(0)
    tabs.give_back(page)
