"""Keys that end a hand are not next to keys in constant use: neither a finger that slips nor one that bounces annuls a
hand."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tablectl.core.engine.keys import SHORT_CUTS
from tablectl.core.engine.vocabulary import Remedy
from tablectl.games.registry import GAMES
from tablectl.web.screens.games import game_of
from tests.screens import circle_hands, draw_hands, hands
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.controller import Bench, Controller, poker
from tests.screens.serving import serving
from tests.screens.signed_on import WATCHER

SIZES: Final = ((1280, 800), (1024, 600))
#: How far a finger may slip, in CSS pixels: half a key.
SLIPS_PX: Final = 30


@pytest.mark.parametrize("game", GAMES)
def test_no_key_of_the_page_declares_what_may_annul_a_hand(game: str) -> None:
    assert not {key for row in game_of(game).key_rows for key in row} & SHORT_CUTS.keys()


def bench_of(game: str) -> Bench:
    """Somebody is asked, and much can be declared."""
    match game:
        case "texas-bonus":
            bench = Bench()
            bench.lines(hands.BETS + hands.HOLE_CARDS)
        case "texas-poker":
            bench = Bench(poker())
            bench.lines(hands.POKER_BETS + hands.POKER_DEAL)
        case "draw-poker":
            bench = draw_hands.table(draw_hands.OPENED)
        case _:
            bench = circle_hands.table(circle_hands.TO_THE_FLOP, rulebook=game)
    return bench


@pytest.mark.wide
@pytest.mark.browser
@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_finger_that_slips_or_bounces_annuls_no_hand(
    tabs: Tabs, socket_path: Path, game: str, size: tuple[int, int]
) -> None:
    with Controller(socket_path, bench_of(game)), serving(socket_path) as url:
        page = tabs.take(*size, person=WATCHER["croupier"])
        page.goto(f"{url}/croupier?lang=es")
        expect(page.locator("body.followed")).to_have_count(1)
        key = page.locator('.panel [data-key="incident"]')
        place = centre(key)
        key.click()
        cancel = page.locator(".menu .cancel")
        expect(cancel).to_be_visible()
        annuls = page.locator(f".offer.rule.{Remedy.VOID_HAND}")
        assert touched(page, place) not in [line.get_attribute("data-what") for line in annuls.all()]
        assert all(gap(line, cancel, within=page.locator(".menu .offers")) >= SLIPS_PX for line in annuls.all())
        tabs.give_back(page)


def box_of(element: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    box = element.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def centre(element: Locator) -> tuple[float, float]:
    left, top, right, bottom = box_of(element)
    return (left + right) / 2, (top + bottom) / 2


def touched(page: Page, place: tuple[float, float]) -> str | None:
    """Which line of the list lies there now."""
    found: str | None = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y)?.closest('.offer')?.dataset.what ?? null", list(place)
    )
    return found


def gap(one: Locator, other: Locator, *, within: Locator) -> float:
    """Between the edges of two, in CSS pixels. `within`: the list of the one; what is scrolled out of it is no key."""
    left, top, right, bottom = box_of(one)
    _, list_top, _, list_bottom = box_of(within)
    top, bottom = min(max(top, list_top), list_bottom), max(min(bottom, list_bottom), list_top)
    other_left, other_top, other_right, other_bottom = box_of(other)
    across = max(left - other_right, other_left - right, 0.0)
    return max(across, top - other_bottom, other_top - bottom)
