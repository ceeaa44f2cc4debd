"""A circle game in a real browser: what is pressed and typed there reaches the controller as the fact that it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tablectl.i18n.languages import LANGUAGES
from tests.screens import circle_hands as hands
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.controller import Bench, Controller
from tests.screens.serving import serving

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
PRE = hands.BLINDS + hands.CARDS


def croupier(tabs: Tabs, url: str, width: int = 1280, height: int = 800) -> Page:
    page = tabs.take(width, height)
    page.goto(f"{url}/croupier?lang=es")
    return page


def test_a_round_is_played_with_keys_sizes_and_the_amount_field(tabs: Tabs, socket_path: Path) -> None:
    with Controller(socket_path, hands.table(PRE)) as controller, serving(socket_path) as url:
        page = croupier(tabs, url)
        page.click('[data-key="call"]')
        expect(page.locator("h1").first).to_have_text("Puesto 6: habla")
        page.click('[data-size="least"]')
        page.click('[data-form="act"] [value="raise"]')
        expect(page.locator("h1").first).to_have_text("Puesto 8: habla")
        page.fill("#amount-to", "8,50")
        page.click('[data-form="act"] [value="raise"]')
        expect(page.locator("h1").first).to_have_text("Puesto 1: habla")
        expect(page.locator("#amount-to")).to_have_value("")
        page.click('[data-key="cancel"]')
        expect(page.locator("h1").first).to_have_text("Puesto 8: habla")
        page.click('[data-key="seat-2"]')
        expect(page.locator("h1").first).to_have_text("Puesto 2: fuera de turno")
        tabs.give_back(page)
        told = [
            (entry["kind"], entry.get("key") or entry.get("action"), entry.get("to")) for entry in controller.entered
        ]
    assert told == [
        ("pressed", "call", None),
        ("acted", "raise", 400),
        ("acted", "raise", 850),
        ("pressed", "cancel", None),
        ("pressed", "seat-2", None),
    ]


@pytest.mark.parametrize("size", [(1280, 800), (1024, 600)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_whose_turn_it_is_what_he_may_do_and_who_is_in_which_pot_is_seen_at_once(
    tabs: Tabs, socket_path: Path, language: str, size: tuple[int, int]
) -> None:
    lines = hands.TO_THE_FLOP + hands.FLOP_BETS + hands.TURN + "act bet 2000\n"
    with Controller(socket_path, hands.table(lines)), serving(socket_path) as url:
        page = tabs.take(*size)
        page.goto(f"{url}/croupier?lang={language}")
        expect(page.locator(".pots tr[data-pot]")).to_have_count(2)
        # Looked up and measured at once: a part of the page that is replaced meanwhile has no size.
        hidden, outside = page.evaluate(
            """() => {
                const bottom = document.querySelector("aside .scroll").getBoundingClientRect().bottom;
                const right = document.querySelector(".box.pots").getBoundingClientRect().right;
                const cells = [...document.querySelectorAll(".pots tr td")];
                const boxes = cells.map((cell) => cell.getBoundingClientRect());
                const hidden = boxes.filter((box) => box.bottom > bottom);
                const outside = boxes.filter((box) => box.right > right);
                return [hidden.length, outside.length];
            }"""
        )
        assert hidden == 0, "no scroll to see who is in the pot"
        assert outside == 0
        cut = page.locator(".key .size").evaluate_all(
            "(all) => all.filter((node) => node.scrollWidth > node.parentElement.clientWidth)"
            ".map((node) => node.textContent)"
        )
        assert cut == [], "what a key does stands on it whole"
        ends = page.locator(".key").evaluate_all(
            "(all) => all.filter((node) => node.scrollHeight > node.clientHeight + 1).map((node) => node.textContent)"
        )
        assert ends == []
        said, pot = page.evaluate(
            """() => {
                const range = document.createRange();
                range.selectNodeContents(document.querySelector(".instruction h1"));
                return [range.getBoundingClientRect().right,
                    document.querySelector(".pot-now").getBoundingClientRect().left];
            }"""
        )
        assert said + 16 <= pot, "the pot stands apart from the sentence"
        tabs.give_back(page)


def test_what_was_called_aloud_is_not_asked_for_again_at_the_settlement(tabs: Tabs, socket_path: Path) -> None:
    with Controller(socket_path, hands.table(hands.SHOWN)), serving(socket_path) as url:
        page = croupier(tabs, url)
        expect(page.locator(".deliver tr[data-seat]").first).to_be_visible()
        expect(page.locator(".instruction .aloud")).to_have_count(0)
        tabs.give_back(page)


def test_chips_are_entered_as_they_were_seen(tabs: Tabs, socket_path: Path) -> None:
    with Controller(socket_path, hands.table(PRE)) as controller, serving(socket_path) as url:
        page = croupier(tabs, url)
        page.click("#chips-seen summary")
        page.fill("#chips-amount", "5")
        page.check("#chips-single")
        page.select_option("#chips-said", "raise")
        page.fill("#chips-said-to", "8")
        with page.expect_response("**/enter**"):
            page.click('[data-form="chips"] button')
        tabs.give_back(page)
        told = controller.entered[-1]
    assert told == {"kind": "put-in", "seat": 4, "chips": 500, "is_single": True, "said": "raise", "said_to": 800}


def test_between_hands_players_chips_and_button_are_entered(tabs: Tabs, socket_path: Path) -> None:
    with Controller(socket_path, hands.table()) as controller, serving(socket_path) as url:
        page = croupier(tabs, url)
        for press in ('[data-act="player"][data-what="takes"]', '[data-act="button"]'):
            page.click('.people label:has([value="3"])')
            with page.expect_response("**/enter**"):
                page.click(press)
            expect(page.locator('[data-part="seats"] [data-seat="3"]')).to_have_attribute("data-state", "there")
        page.click('.people label:has([value="3"])')
        page.fill("#stack-amount", "200")
        with page.expect_response("**/enter**"):
            page.click('[data-form="people"] [type="submit"]')
        expect(page.locator('[data-seat="3"] .stack')).to_have_text("200")
        tabs.give_back(page)
        told = [dict(entry) for entry in controller.entered]
    assert told == [
        {"kind": "moved", "seat": 3, "what": "takes"},
        {"kind": "button-placed", "seat": 3},
        {"kind": "stacked", "seat": 3, "amount": 20000},
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tile_of_a_hand_says_whole_who_won_it(tabs: Tabs, socket_path: Path, language: str) -> None:
    with Controller(socket_path, hands.table(hands.SHOWN + "press confirm\n")), serving(socket_path) as url:
        page = tabs.take(1280, 800)
        page.goto(f"{url}/pit?lang={language}")
        expect(page.locator(".hands li .result")).to_contain_text("puesto 4" if language == "es" else "Seat 4")
        cut = page.evaluate(
            """() => [...document.querySelectorAll('.hands li .result, .hands li .result span')]
                .filter(node => node.scrollWidth > node.clientWidth && getComputedStyle(node).display !== 'inline')
                .map(node => node.outerHTML)"""
        )
        tabs.give_back(page)
    assert cut == []


def test_thl_gen_7_the_clause_of_the_reminder_is_a_badge_of_one_line(tabs: Tabs, socket_path: Path) -> None:
    with (
        Controller(socket_path, hands.table(hands.BLINDS + "press no-more-bets\ndraw As\n")),
        serving(socket_path) as url,
    ):
        page = croupier(tabs, url)
        expect(page.locator(".reminder .clause")).to_have_text("THL-GEN-7")
        # In one look: between two, the page may have been drawn anew.
        page.wait_for_function(
            """() => {
                const height = document.querySelector('.reminder .clause')?.getBoundingClientRect().height;
                return 0 < height && height < 24;
            }"""
        )
        tabs.give_back(page)


@pytest.mark.parametrize(("width", "height"), [pytest.param(1280, 800, marks=pytest.mark.slow), (1024, 600)])
@pytest.mark.parametrize("lines", ["", PRE + "press call\n", hands.SHOWN], ids=["closed", "round", "settlement"])
def test_every_key_and_seat_is_on_the_screen_whole(
    tabs: Tabs, socket_path: Path, lines: str, width: int, height: int
) -> None:
    bench: Bench = hands.table(lines)
    with Controller(socket_path, bench), serving(socket_path) as url:
        page = croupier(tabs, url, width, height)
        outside = page.evaluate(
            """() => [...document.querySelectorAll('.place:not(rect), .key, .help button')].filter(node => {
                const {left, top, right, bottom} = node.getBoundingClientRect();
                return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
            }).map(node => node.outerHTML.slice(0, 90))"""
        )
        cut = page.evaluate(
            """() => [...document.querySelectorAll('.place .bottom')]
                .filter(node => node.scrollWidth > node.clientWidth)
                .map(node => node.innerText)"""
        )
        tabs.give_back(page)
    assert outside == []
    assert cut == []
