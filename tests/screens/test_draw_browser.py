"""Five-card draw in a real browser: number keys are numbers, and everything that is pressed is on the screen whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.screens import draw_hands as hands
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.controller import Controller
from tests.screens.serving import serving
from tests.screens.test_circle_browser import croupier

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]


def test_fcd_dsc_14_a_number_is_pressed_corrected_and_confirmed(tabs: Tabs, socket_path: Path) -> None:
    with Controller(socket_path, hands.table(hands.OPENED)) as controller, serving(socket_path) as url:
        page = croupier(tabs, url)
        page.click('.numbers [data-key="seat-2"]')
        expect(page.locator("h1").first).to_have_text("Puesto 1: 2 cartas a los descartes")
        page.click('[data-key="cancel"]')
        expect(page.locator("h1").first).to_have_text("Puesto 1: ¿cuántas?")
        page.click('.numbers [data-key="seat-3"]')
        page.click('[data-key="confirm"]')
        expect(page.locator("h1").first).to_have_text("Carta 3 al puesto 1")
        expect(page.locator("#remaining")).to_have_text("37")
        assert [entry["key"] for entry in controller.entered] == ["seat-2", "cancel", "seat-3", "confirm"]


@pytest.mark.parametrize(("width", "height"), [pytest.param(1280, 800, marks=pytest.mark.slow), (1024, 600)])
@pytest.mark.parametrize(
    "lines", [hands.CUT, hands.OPENED, hands.ASKED, hands.NAMED], ids=["cut", "number", "put-away", "settlement"]
)
def test_every_key_and_seat_is_on_the_screen_whole(
    tabs: Tabs, socket_path: Path, lines: str, width: int, height: int
) -> None:
    with Controller(socket_path, hands.table(lines)), serving(socket_path) as url:
        page = croupier(tabs, url, width, height)
        outside = page.evaluate(
            """() => [...document.querySelectorAll('.place, .key, .help button')].filter(node => {
                const {left, top, right, bottom} = node.getBoundingClientRect();
                return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
            }).map(node => node.outerHTML.slice(0, 90))"""
        )
    assert outside == []
