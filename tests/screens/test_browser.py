"""The pages in a real browser: a hand is played by clicking, a mistake is ruled on, a lost connection is seen."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tablectl.core.cards import DECK
from tablectl.core.engine.facts import Setup
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.tilt import Mark, TiltKind, leave, remove
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages
from tests.screens import circle_hands, draw_hands, hands, healths
from tests.screens.browsing import CHROMIUM, Tabs, sign_on
from tests.screens.conftest import Screens
from tests.screens.controller import Bench, Controller, poker, setup
from tests.screens.serving import serving
from tests.screens.signed_on import WATCHER
from tests.wide import once

SIZES: Final = {"croupier": (1280, 800), "pit": (1600, 1000)}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]

#: The bank has shown a card, and a light is gone: the most that stands on a page at once.
DEVICE_LOST = hands.BETS + hands.HOLE_CARDS + "declare bank-card-exposed\nlost light tower cable"
#: How high each key is, looked up and measured at once: a part of the page that is replaced meanwhile has no size.
HEIGHTS = "Array.from(document.querySelectorAll('.key'), (key) => key.getBoundingClientRect().height)"


def opened(tabs: Tabs, url: str, name: str, language: str = "es") -> Page:
    """A page with the screen of this name on it, at its size."""
    page = tabs.take(*SIZES[name], person=WATCHER[name])
    page.goto(f"{url}/{name}?lang={language}")
    return page


def box_of(page: Page, selector: str) -> dict[str, float]:
    """Where an element is. Asked in one go: between two questions a live page may have put another one in its place."""
    box: dict[str, float] = page.evaluate(
        """selector => {
            const {x, y, width, height} = document.querySelector(selector).getBoundingClientRect();
            return {x, y, width, height};
        }""",
        selector,
    )
    return box


def shot(page: Page, name: str, *, full_page: bool = False) -> None:
    """A picture of the page for the README, where one is wanted (`make screenshots`)."""
    wanted = os.environ.get("TABLECTL_SCREENSHOTS")
    if wanted:
        folder = Path(wanted)
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", animations="disabled", full_page=full_page)


def press(page: Page, *keys: str) -> None:
    """Press keys that are live, each one only after the controller has answered the one before, and again where the
    page did not show yet what that led to."""
    for key in keys:
        reply: dict[str, object] = {"error": "prompt-changed"}
        while reply.get("error") == "prompt-changed":
            with page.expect_response("**/enter*") as answer:
                page.locator(f'[data-key="{key}"].live').click()
            reply = answer.value.json()
        assert reply["ok"]


def told(page: Page, text: str) -> None:
    expect(page.locator(".instruction h1")).to_have_text(text)


def test_a_hand_is_played_by_clicking(tabs: Tabs, screens: Screens) -> None:
    croupier = opened(tabs, screens.url, "croupier")
    told(croupier, "Baraje y pulse Nueva mano")
    press(croupier, "new-hand")
    told(croupier, "Hagan juego: apuestas ante")
    form = croupier.locator('form[data-form="bet"]')
    form.locator("#amount-ante").fill("10")
    form.locator("#amount-bonus").fill("2,50")
    form.locator("button[type=submit]").click()
    expect(croupier.locator('.strip [data-seat="1"] .chips')).to_have_text("A 10 B 2,50")
    expect(form.locator('input[value="2"]')).to_be_checked()
    form.locator('[data-fill="amount-ante"]', has_text="25").click()
    form.locator("button[type=submit]").click()
    expect(croupier.locator('.strip [data-seat="2"] .chips')).to_have_text("A 25")
    press(croupier, "no-more-bets")
    told(croupier, "Carta 1 al puesto 1")
    screens.controller.lines(hands.HOLE_CARDS)
    told(croupier, "Puesto 1: ¿apuesta flop (2 × ante) o se retira?")
    press(croupier, "bet")
    told(croupier, "Puesto 2: ¿apuesta flop (2 × ante) o se retira?")
    press(croupier, "fold")
    told(croupier, "Quemar carta")
    screens.controller.lines("draw 4d\ndraw Kd\ndraw Ts\ndraw 6h")
    press(croupier, "bet")
    screens.controller.lines("draw 2c\ndraw 2d")
    press(croupier, "check")
    screens.controller.lines("draw 8c\ndraw 8h")
    told(croupier, "Descubra la banca y pulse Banca")
    press(croupier, "bank")
    told(croupier, "Retire y pague según la lista, después Confirmar")
    pit = opened(tabs, screens.url, "pit")
    for page in (croupier, pit):
        expect(page.locator(".settlement tbody tr")).to_have_count(2)
    press(croupier, "confirm")
    told(croupier, "Baraje y pulse Nueva mano")
    expect(pit.locator(".settlement")).to_have_count(0)
    tabs.give_back(croupier, pit)


def test_a_misdeal_reaches_the_pit_boss_who_rules_on_it(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + hands.VOID + hands.BETS + hands.HOLE_CARDS)
    croupier = opened(tabs, screens.url, "croupier")
    pit = opened(tabs, screens.url, "pit")
    screens.controller.line("draw 9c")
    told(croupier, "¿Se ha visto la carta 7?")
    expect(pit.locator(".held-banner")).to_contain_text("MESA DETENIDA")
    press(croupier, "seen")
    told(croupier, "Espere al jefe de mesa")
    alert = pit.locator("article.incident.ruling")
    expect(alert.locator(".clause")).to_have_text("THB-ERR-4")
    for text in ("Carta antes de tiempo", "la decisión del puesto 1", "una carta", "La carta sacada antes de tiempo"):
        expect(alert).to_contain_text(text)
    shot(croupier, "croupier-held")
    shot(pit, "pit-held")
    alert.locator("input").fill("La han visto dos jugadores")
    alert.locator('[data-remedy="void-hand"]').click()
    expect(pit.locator(".held-banner.void")).to_contain_text("MANO ANULADA")
    told(croupier, "Recoja TODAS las cartas y devuelva las apuestas")
    expect(croupier.locator(".refunds tr")).to_have_count(2)
    ruled = pit.locator('[data-incident="2"]').first
    expect(ruled).to_contain_text("La han visto dos jugadores")
    expect(ruled.locator('[data-act="acknowledge"]')).to_have_count(0)
    expect(pit.locator("details.incident.normal")).to_have_count(1)
    shot(croupier, "croupier-void")
    reason = "La han visto dos jugadores"
    ruling = {"kind": "ruled", "incident": 2, "remedy": "void-hand", "by": "pit-boss", "second": "", "reason": reason}
    assert ruling in screens.controller.entered
    tabs.give_back(croupier, pit)


def test_a_key_that_is_not_live_says_why(tabs: Tabs, screens: Screens) -> None:
    screens.controller.line("press new-hand")
    croupier = opened(tabs, screens.url, "croupier")
    croupier.locator('[data-key="bank"].dead').click(force=True)
    expect(croupier.locator(".refusal")).to_contain_text("Ahora no: Banca")
    tabs.give_back(croupier)


def test_the_next_spot_moves_but_not_where_a_browser_asks_for_less_motion(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS)
    croupier = opened(tabs, screens.url, "croupier")
    expect(croupier.locator(".table .due")).to_be_visible()
    moves = "getComputedStyle(document.querySelector('.table .due')).animationName"
    assert croupier.evaluate(moves) == "none", "as all pages of these tests ask"
    croupier.emulate_media(reduced_motion="no-preference")
    assert croupier.evaluate(moves) == "march"
    croupier.emulate_media(reduced_motion="reduce")
    tabs.give_back(croupier)


@pytest.mark.parametrize("size", once([(1024, 768), (1280, 800), (1366, 768), (1920, 1080)]))
def test_a_refusal_is_read_whole(tabs: Tabs, socket_path: Path, size: tuple[int, int]) -> None:
    bench = Bench(poker())
    bench.lines(hands.POKER_BETS)
    with Controller(socket_path, bench), serving(socket_path) as url:
        croupier = opened(tabs, url, "croupier")
        croupier.set_viewport_size({"width": size[0], "height": size[1]})
        form = croupier.locator('form[data-form="bet"]')
        form.locator('label:has(input[value="3"])').click()
        form.locator("#amount-ante").fill("5")
        form.locator("#amount-txb").fill("2")
        form.locator('[value="standing"]').click()
        expect(croupier.locator(".refusal")).to_contain_text("Falta el consentimiento del jugador")
        refusal, shown = box_of(croupier, ".refusal"), box_of(croupier, ".instruction")
        assert shown["y"] <= refusal["y"]
        assert refusal["y"] + refusal["height"] <= shown["y"] + shown["height"], "it is cut at its bottom"
        tabs.give_back(croupier)


def test_a_person_declares_what_has_no_key(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS)
    croupier = opened(tabs, screens.url, "croupier")
    press(croupier, "incident")
    told(croupier, "¿Qué ha pasado?")
    expect(croupier.locator(".panel")).to_have_count(0)
    croupier.locator('[data-what="unreported-card"]').click()
    told(croupier, "Carta 1 al puesto 3")
    press(croupier, "incident", "cancel")
    told(croupier, "Carta 1 al puesto 3")
    tabs.give_back(croupier)


def test_AMB_17_a_declaration_names_an_earlier_card_by_its_place(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS + "draw As\ndraw 8c\n")
    croupier = opened(tabs, screens.url, "croupier")
    press(croupier, "incident")
    croupier.get_by_text("¿Qué carta?").click()
    cards = croupier.locator('[data-act="declare"][data-declares="face-up-in-shoe"]')
    expect(cards).to_have_count(2)
    expect(cards.first).to_have_class("key live meant")
    expect(croupier.locator(".menu")).not_to_contain_text("As")
    cards.last.click()
    expect(croupier.locator(".panel")).to_have_count(1)
    declared = [entry for entry in screens.controller.entered if entry["kind"] == "declared"]
    assert [entry["drawn"] for entry in declared] == [1]
    expect(croupier.locator("body")).to_contain_text("THB-ERR-2")
    tabs.give_back(croupier)


#: The longest list of each game, and which page of it is looked at.
LISTS: Final[dict[str, tuple[Callable[[], Bench], int]]] = {
    "texas-bonus": (lambda: filled(setup(), hands.BETS + hands.HOLE_CARDS), 1),
    "texas-poker": (lambda: filled(poker(), hands.POKER_BETS + hands.STANDING + hands.POKER_DEAL), 1),
    "circle-holdem": (lambda: circle_hands.table(circle_hands.TO_THE_FLOP), 1),
    "circle-holdem-2": (lambda: circle_hands.table(circle_hands.TO_THE_FLOP), 2),
    "circle-holdem-held": (
        lambda: circle_hands.table(circle_hands.BLINDS + circle_hands.CARDS + "press seat-8\npress call\n"),
        1,
    ),
    "open-holdem": (lambda: circle_hands.table(circle_hands.TO_THE_FLOP, rulebook="open-holdem"), 1),
    "open-holdem-2": (lambda: circle_hands.table(circle_hands.TO_THE_FLOP, rulebook="open-holdem"), 2),
    "draw-poker": (lambda: draw_hands.table(draw_hands.CARDS), 1),
    "draw-poker-opened": (lambda: draw_hands.table(draw_hands.OPENED), 1),
}


def filled(of: Setup, lines: str) -> Bench:
    """A table where this happened."""
    bench = Bench(of)
    bench.lines(lines)
    return bench


@pytest.mark.parametrize("case", once(LISTS))
def test_the_list_of_incidents_fits_its_screen_and_each_choice_is_as_large_as_a_finger(
    tabs: Tabs, socket_path: Path, case: str
) -> None:
    made, page_of_list = LISTS[case]
    bench = made()
    bench.lines("press incident\n" * page_of_list)
    with Controller(socket_path, bench), serving(socket_path) as url:
        for language, question in (("es", "¿Qué ha pasado?"), ("en", "What happened?")):
            croupier = opened(tabs, url, "croupier", language)
            for width, height in ((1280, 800), (1280, 900), (1366, 768), (1920, 1080), (390, 800)):
                croupier.set_viewport_size({"width": width, "height": height})
                told(croupier, question)
                if language == "es":
                    shot(croupier, f"croupier-incidents-{case}-{width}-{height}")
                offers: list[dict[str, float]] = croupier.evaluate(
                    """() => [...document.querySelectorAll('.offer')].map(node => {
                        const {left, top, right, bottom} = node.getBoundingClientRect();
                        return {left, top, right, bottom, hidden: node.scrollHeight - node.clientHeight};
                    })"""
                )
                assert offers
                for box in offers:
                    assert box["bottom"] - box["top"] >= 60
                    assert box["right"] <= width
                    assert box["hidden"] <= 1, "its words are cut off"
                for one, other in combinations(offers, 2):
                    apart = one["right"] <= other["left"] or other["right"] <= one["left"]
                    assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"], (
                        "one lies on another"
                    )
                assert croupier.evaluate("document.documentElement.scrollWidth") <= width
                if width > 760:
                    assert (
                        croupier.evaluate(
                            """() => {
                            const list = document.querySelector('.offers');
                            return list.scrollHeight - list.clientHeight;
                        }"""
                        )
                        <= 0
                    ), f"the last row is cut off at {width} x {height}"
                    ways = box_of(croupier, ".menu .cancel")
                    assert ways["y"] + ways["height"] <= height
                    assert ways["x"] + ways["width"] <= box_of(croupier, ".help .call")["x"]
            tabs.give_back(croupier)


@pytest.mark.wide
def test_TPC_PLY_2_a_standing_bet_is_entered_approved_and_left_out_of_the_second(tabs: Tabs, socket_path: Path) -> None:
    bench = Bench(poker())
    bench.lines(hands.POKER_BETS)
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        croupier, pit = opened(tabs, url, "croupier"), opened(tabs, url, "pit")
        form = croupier.locator('form[data-form="bet"]')
        form.locator('label:has(input[value="3"])').click()
        form.locator("#amount-ante").fill("5")
        form.locator("#amount-txb").fill("2")
        form.locator('[value="standing"]').click()
        expect(croupier.locator(".refusal")).to_contain_text("Falta el consentimiento del jugador")
        form.locator("#consent").check()
        form.locator('[value="standing"]').click()
        expect(croupier.locator(".standing-list")).to_contain_text("espera al jefe de mesa")
        expect(form.locator("#consent")).not_to_be_checked()
        expect(form.locator("#amount-ante")).to_have_value("")
        request = pit.locator("article.incident.ruling")
        expect(request).to_contain_text("Ante 5 €, TXB 2 €")
        shot(pit, "pit-standing-bet")
        request.locator('[data-remedy="approve"]').click()
        expect(croupier.locator('.strip [data-bettor="3/2"]')).to_contain_text("7")
        controller.lines(hands.POKER_DEAL)
        croupier.locator('[data-act="out"][data-bettor="2"]').click()
        expect(croupier.locator('.strip [data-bettor="3/2"].out')).to_have_count(1)
        assert {"kind": "stands-out", "seat": 3, "bettor": 2} in controller.entered
        tabs.give_back(croupier)
        tabs.give_back(pit)


@pytest.mark.parametrize("name", once(["croupier", "pit"]))
@pytest.mark.parametrize(
    "lines",
    [hands.POKER_BETS, hands.POKER_DEAL, hands.POKER_DECISIONS, hands.POKER_END, "declare cards-in-contact"],
    ids=["betting", "decision", "txb", "settlement", "which-seat"],
)
def test_nothing_sticks_out_at_the_side_of_a_phone(tabs: Tabs, socket_path: Path, name: str, lines: str) -> None:
    bench, whole = Bench(poker(seats=9)), hands.POKER_BETS + hands.STANDING + hands.POKER_DEAL + hands.POKER_DECISIONS
    before = (
        (whole + hands.POKER_END).split(lines)[0]
        if lines in whole + hands.POKER_END
        else whole.split("press seat-4")[0]
    )
    bench.lines(before + lines)
    with Controller(socket_path, bench), serving(socket_path) as url:
        page = opened(tabs, url, name)
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator(".status")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        tabs.give_back(page)


def test_an_unread_card_is_named_on_the_screen(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS + hands.HOLE_CARDS + hands.FLOP.replace("draw 6h", "draw ??"))
    screens.controller.lines(hands.TO_THE_RIVER + "press bank")
    croupier = opened(tabs, screens.url, "croupier")
    told(croupier, "¿Qué carta es? flop, carta 3")
    croupier.locator('form[data-form="name"] label:has([value="6"])').click()
    croupier.locator('form[data-form="name"] label:has([value="h"])').click()
    croupier.locator('form[data-form="name"] button[type=submit]').click()
    told(croupier, "Espere al jefe de mesa")
    screens.controller.line("rule 1 approve by pit-boss")
    told(croupier, "Retire y pague según la lista, después Confirmar")
    assert {"kind": "named", "slot": "board.3", "card": "6h", "by": "croupier"} in screens.controller.entered
    tabs.give_back(croupier)


def test_what_is_to_be_decided_stands_above_what_is_paid(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS + hands.HOLE_CARDS + hands.FLOP + hands.TO_THE_RIVER + "press bank")
    pit = opened(tabs, screens.url, "pit")
    expect(pit.locator(".settlement")).to_be_visible()
    assert _top(pit, ".settlement") < _top(pit, ".alerts")
    screens.controller.line("call by croupier")
    expect(pit.locator("article.incident.ruling")).to_be_visible()
    assert _top(pit, ".alerts") < _top(pit, ".settlement")
    tabs.give_back(pit)


def _top(page: Page, selector: str) -> float:
    return box_of(page, selector)["y"]


def test_what_a_person_types_outlives_what_happens_at_the_table(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen")
    pit = opened(tabs, screens.url, "pit")
    pit.locator("#reason-1").fill("A player")
    screens.controller.line("call by croupier")
    expect(pit.locator("article.incident")).to_have_count(2)
    expect(pit.locator("#reason-1")).to_have_value("A player")
    expect(pit.locator("#reason-1")).to_be_focused()
    tabs.give_back(pit)


def test_the_felt_shows_backs_faces_and_where_the_next_card_goes(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + hands.WHOLE + hands.VOID + hands.MID_HAND)
    pit = opened(tabs, screens.url, "pit")
    croupier = opened(tabs, screens.url, "croupier")
    expect(pit.locator('.card.back[data-slot^="seat-"]')).to_have_count(10)
    expect(pit.locator('.card.back[data-slot^="house"]')).to_have_count(2)
    assert [card.get_attribute("data-card") for card in pit.locator(".card.face").all()] == ["Kd", "Ts", "6h"]
    expect(pit.locator('.card[data-slot="board.1"]')).to_have_attribute("aria-label", "rey de diamantes")
    expect(pit.locator('.table .seat[data-seat="3"]')).to_have_attribute("data-state", "folded")
    expect(pit.locator('.table .seat[data-seat="5"]')).to_have_attribute("data-state", "turn")
    shot(pit, "pit")
    shot(croupier, "croupier")
    screens.controller.lines("press all-check")
    expect(pit.locator("[data-due]")).to_have_attribute("data-due", "burn.2")
    tabs.give_back(croupier, pit)


def test_language_is_one_click_and_is_kept(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS)
    croupier = opened(tabs, screens.url, "croupier")
    told(croupier, "Carta 1 al puesto 1")
    croupier.get_by_role("link", name="English").click()
    told(croupier, "Card 1 to seat 1")
    expect(croupier.locator("html")).to_have_attribute("lang", "en")
    croupier.goto(f"{screens.url}/croupier")
    told(croupier, "Card 1 to seat 1")
    assert "Carta 1 al puesto 1" not in croupier.content()
    tabs.give_back(croupier)


@pytest.mark.parametrize("name", SIZES)
def test_a_lost_controller_is_shown_at_once_and_forgotten_when_it_is_back(
    tabs: Tabs, screens: Screens, name: str
) -> None:
    screens.controller.lines(hands.BETS)
    page = opened(tabs, screens.url, name)
    expect(page.locator("#lost-controller")).to_be_hidden()
    screens.controller.stop()
    expect(page.locator("#lost-controller")).to_be_visible()
    expect(page.locator("body.stale")).to_have_count(1)
    screens.bench.line("draw As")
    screens.controller.start()
    expect(page.locator("#lost-controller")).to_be_hidden()
    expect(page.locator("body.stale")).to_have_count(0)
    expect(page.locator("[data-part=prompt]")).to_contain_text("Carta 1 al puesto 3")
    tabs.give_back(page)


def test_lost_screens_are_shown_at_once(tabs: Tabs, socket_path: Path, screens: Screens) -> None:
    screens.controller.lines(hands.BETS)
    with serving(socket_path) as url:
        page = opened(tabs, url, "croupier")
        told(page, "Carta 1 al puesto 1")
        expect(page.locator("#lost-page")).to_be_hidden()
    expect(page.locator("#lost-page")).to_be_visible(timeout=4000)
    expect(page.locator("#lost-page")).to_contain_text("SIN CONEXIÓN")
    shot(page, "croupier-lost")
    tabs.give_back(page)


def test_a_silent_server_is_noticed_although_the_connection_stands(tabs: Tabs, screens: Screens) -> None:
    """The page itself counts the seconds: here its events simply never come."""
    page = tabs.browser.new_page()
    sign_on(page)
    page.route("**/events*", lambda route: route.fulfill(content_type="text/event-stream", body=": nothing\n\n"))
    page.goto(f"{screens.url}/croupier")
    expect(page.locator("#lost-page")).to_be_visible(timeout=5000)
    page.close()


def _clipped(page: Page) -> list[str]:
    """What has more in it than it shows."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("body, main *, header *")].filter((node) => {
            const style = getComputedStyle(node);
            if (node.closest("svg, .hands ol, .choices input") || style.overflowY === "auto") return false;
            return style.overflow !== "visible" && node.clientWidth
                && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1);
        }).map((node) => `${node.tagName}.${node.className}`)"""
    )
    return found


@pytest.mark.parametrize(
    "lines",
    once(
        [
            "press new-hand\nbet 1 bonus 500",
            hands.WHOLE + hands.VOID + hands.MID_HAND,
            hands.WHOLE + "press new-hand",
            hands.BETS + hands.HOLE_CARDS + "press wrong-count\npress seat-1",
            hands.BETS + hands.HOLE_CARDS + hands.FLOP + hands.TO_THE_RIVER + "press bank",
            hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen\npress bank",
            DEVICE_LOST,
        ],
        DEVICE_LOST,
    ),
)
@pytest.mark.parametrize("name", once(SIZES))
def test_nothing_is_clipped_and_keys_are_large_enough(tabs: Tabs, screens: Screens, name: str, lines: str) -> None:
    screens.controller.lines(hands.DEVICES + lines)
    page = tabs.take(*SIZES[name], person=WATCHER[name])
    for language in LANGUAGES:
        page.goto(f"{screens.url}/{name}?lang={language}")
        expect(page.locator("body:not(.stale)")).to_have_count(1)
        expect(page.locator("[data-part=prompt]")).not_to_contain_text("Esperando")
        assert _clipped(page) == [], language
        if name == "croupier":
            assert min(page.evaluate(HEIGHTS)) >= 64, language
    tabs.give_back(page)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("name", SIZES)
def test_a_demo_key_is_said_without_crowding_the_page(tabs: Tabs, socket_path: Path, name: str, language: str) -> None:
    bench = Bench(demo=True)
    bench.lines(hands.DEVICES + "press new-hand\nbet 1 bonus 500\nlost light tower cable")
    with Controller(socket_path, bench), serving(socket_path) as url:
        page = opened(tabs, url, name, language)
        expect(page.locator("body:not(.stale)")).to_have_count(1)
        notice = page.locator(".demo-key")
        expect(notice).to_contain_text({"es": "CLAVE DE DEMOSTRACIÓN", "en": "DEMO KEY"}[language])
        shot(page, f"{name}-demo-key-{language}")
        assert notice.evaluate("(line) => line.getBoundingClientRect().height") <= 24
        assert _clipped(page) == []
        tabs.give_back(page)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("size", [(1280, 800), (1024, 600)])
def test_who_watches_another_croupier_in_a_demo_reads_what_is_asked_whole(
    tabs: Tabs, socket_path: Path, size: tuple[int, int], language: str
) -> None:
    """The most that stands above the instruction: the key of a demonstration, a clock that nobody sets, who deals."""
    bench = Bench(setup(staff=True), demo=True)
    bench.lines(hands.DEVICES + "croupier ana\n" + hands.BETS + hands.HOLE_CARDS + hands.FLOP)
    bench.house = {"clock_synchronised": False}
    with Controller(socket_path, bench), serving(socket_path) as url:
        page = tabs.take(*size, person="croupier")
        page.goto(f"{url}/croupier?lang={language}")
        expect(page.locator(".staff-line")).to_be_visible()
        expect(page.locator(".instruction .turn-now")).to_be_visible()
        shot(page, f"croupier-demo-watched-{language}-{size[0]}")
        assert _clipped(page) == []
        tabs.give_back(page)


@pytest.mark.parametrize("name", SIZES)
def test_what_a_device_complains_of_is_a_line_with_what_to_do_until_it_is_over(
    tabs: Tabs, socket_path: Path, name: str
) -> None:
    bench = Bench()
    bench.lines(hands.DEVICES + hands.BETS + hands.HOLE_CARDS)
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        page = opened(tabs, url, name)
        expect(page.locator("body:not(.stale)")).to_have_count(1)
        notes = page.locator(".notes")
        assert notes.evaluate("(line) => line.getBoundingClientRect().height") == 0
        controller.line("said shuffler mezcladora door-open")
        controller.line("said antennas felt-3 scan-failed 8")
        expect(notes).to_contain_text("PUERTA ABIERTA")
        expect(notes).to_contain_text("Ciérrela.")
        expect(notes).to_contain_text("Fallo de lectura 8")
        shot(page, f"{name}-device-notes")
        assert _clipped(page) == []
        controller.line("said shuffler mezcladora door-closed")
        expect(notes).not_to_contain_text("PUERTA ABIERTA")
        expect(notes).to_contain_text("Fallo de lectura 8")
        tabs.give_back(page)


def test_before_there_is_a_controller_the_page_waits_for_it(tabs: Tabs, socket_path: Path, bench: Bench) -> None:
    with serving(socket_path) as url:
        page = opened(tabs, url, "croupier")
        told(page, "Esperando a la mesa")
        expect(page.locator("#lost-controller")).to_be_visible()
        with Controller(socket_path, bench):
            told(page, "Baraje y pulse Nueva mano")
            expect(page.locator("#lost-controller")).to_be_hidden()
        tabs.give_back(page)


# --- tilt -------------------------------------------------------------------------------------------------------------

FULL: Final = Mark(
    kind=TiltKind.DISK_FULL,
    reason="/var/lib/tablectl/mesa-1/table.db: record 66 could not be written: database or disk is full",
    at="2026-11-21T22:46:52.000000Z",
)


@pytest.mark.parametrize("name", SIZES)
def test_a_tilt_is_shown_while_it_lasts_and_goes_away_with_a_controller(
    tabs: Tabs, screens: Screens, socket_path: Path, name: str
) -> None:
    screens.controller.lines(hands.DEVICES + hands.WHOLE + hands.VOID + hands.MID_HAND)
    page = opened(tabs, screens.url, name)
    banner = page.locator(".tilt-banner")
    expect(page.locator(".card.face")).to_have_count(3)
    expect(banner).to_have_count(0)
    leave(FULL, [socket_path.with_suffix(".tilt")])
    screens.controller.stop()
    expect(banner).to_contain_text("NO SE REPARTE")
    expect(banner).to_contain_text("El disco está lleno")
    expect(banner).to_contain_text(FULL.reason)
    expect(page.locator(".before")).to_contain_text("ANTES DEL PARO")
    expect(page.locator("#lost-controller")).to_be_hidden()
    expect(page.locator("body.stale")).to_have_count(1)
    expect(page.locator(".card.face").first).to_be_visible()
    box = banner.bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"]) == (0, 0, SIZES[name][0])
    assert _clipped(page) == []
    shot(page, f"{name}-tilt")
    screens.controller.start()
    expect(banner).to_have_count(0)
    expect(page.locator("body.stale")).to_have_count(0)
    tabs.give_back(page)


def test_screens_that_start_after_the_tilt_show_it_and_without_its_mark_only_that_nobody_answers(
    tabs: Tabs, socket_path: Path
) -> None:
    place = socket_path.with_suffix(".tilt")
    leave(FULL, [place])
    with serving(socket_path) as url:
        page = opened(tabs, url, "croupier", "en")
        expect(page.locator(".tilt-banner .instruct")).to_contain_text("Stop the game")
        remove([place])
        expect(page.locator(".tilt-banner")).to_have_count(0)
        expect(page.locator("#lost-controller")).to_be_visible()
        tabs.give_back(page)


@pytest.mark.wide
def test_the_page_that_stands_open_at_a_table_where_nobody_is_signed_on_follows_a_tilt(
    tabs: Tabs, screens: Screens, socket_path: Path
) -> None:
    """With the question for a badge, which takes a few seconds; what somebody types meanwhile is left alone."""
    page = tabs.take(1280, 800, person="")
    page.goto(f"{screens.url}/sign-on?lang=es&next=%2Fcroupier")
    banner = page.locator(".tilt-banner")
    expect(page.locator(".digits")).to_be_visible()
    expect(banner).to_have_count(0)
    leave(FULL, [socket_path.with_suffix(".tilt")])
    screens.controller.stop()
    expect(banner).to_contain_text("NO SE REPARTE", timeout=60_000)
    expect(banner).not_to_contain_text(FULL.reason)
    page.locator("#pin").fill("12")
    screens.controller.start()
    with page.expect_response("**/sign-on/badge?*", timeout=60_000):
        pass
    with page.expect_response("**/sign-on/badge?*", timeout=60_000):
        pass
    expect(page.locator("#pin")).to_have_value("12")
    page.locator("#pin").fill("")
    expect(banner).to_have_count(0, timeout=60_000)
    tabs.give_back(page)


# --- a journal that is an older one than before -----------------------------------------------------------------------

OLDER: Final = Picture(connected=True, rolled_back=Path("/var/lib/tablectl/mesa-1/statistics.db.another-journal"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "lines",
    [
        "press new-hand\nbet 1 bonus 500",
        hands.WHOLE + hands.MID_HAND,
        hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen\npress bank",
    ],
)
def test_under_an_older_journal_the_croupier_keeps_instruction_and_keys(
    tabs: Tabs, screens: Screens, lines: str, language: str
) -> None:
    """The controller goes on: whoever restored a backup deals until the evidence was moved away."""
    screens.controller.lines(hands.DEVICES + lines)
    page = opened(tabs, screens.url, "croupier", language)
    expect(page.locator("body:not(.stale)")).to_have_count(1)
    told = Pages().parts("croupier", language, OLDER)["tilt"]
    # The stream goes on, and does not bring this part any more.
    page.evaluate(
        "(told) => { const part = document.querySelector('[data-part=tilt]');"
        " part.removeAttribute('data-part'); part.innerHTML = told; }",
        told,
    )
    expect(page.locator(".tilt-banner")).to_be_visible()
    expect(page.locator(".tilt-banner")).not_to_contain_text("statistics.db")
    expect(page.locator(".key").first).to_be_visible()
    expect(page.locator(".instruction h1")).to_be_visible()
    assert _clipped(page) == []
    assert min(page.evaluate(HEIGHTS)) >= 64
    tabs.give_back(page)


@pytest.mark.wide
def test_under_an_older_journal_the_page_at_which_people_sign_on_stays_as_it_is(tabs: Tabs, screens: Screens) -> None:
    page = tabs.take(1280, 800, person="")
    page.goto(f"{screens.url}/sign-on?lang=es&next=%2Fcroupier")
    expect(page.locator(".digits")).to_be_visible()
    told = Pages().parts("croupier", "es", OLDER)["tilt"]
    page.evaluate("(told) => { document.body.insertAdjacentHTML('afterbegin', told); }", told)
    page.evaluate("() => { window.isTheSame = true; }")
    for _ in range(2):
        with page.expect_response("**/sign-on/badge?*", timeout=60_000):
            pass
    assert page.evaluate("() => window.isTheSame")
    tabs.give_back(page)


# --- resuming ---------------------------------------------------------------------------------------------------------


def test_after_a_restart_the_croupier_confirms_spot_by_spot_what_must_lie_there(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + hands.MID_HAND + "restart")
    croupier, pit = opened(tabs, screens.url, "croupier"), opened(tabs, screens.url, "pit")
    expect(croupier.locator(".resuming h1")).to_have_text("Reanudación")
    expect(pit.locator(".held-banner")).to_contain_text("REANUDACIÓN")
    expect(croupier.locator(".resuming .drawn b")).to_have_text("16")
    cards = {
        "seat-1": "2 cartas",
        "seat-3": "2 cartas",
        "house": "2 cartas",
        "board": "3 cartas",
        "burn": "1 carta",
        "discard": "sin cartas",
    }
    for spot, count in cards.items():
        expect(croupier.locator(f'[data-spot="{spot}"] .number')).to_have_text(count)
    expect(croupier.locator('[data-spot="seat-4"]')).to_have_count(0)
    expect(croupier.locator('[data-spot="seat-3"]')).to_contain_text("Se retiró")
    expect(croupier.locator('[data-spot="seat-1"] .bets')).to_have_text("A 10 B 5 F 20 T 10")
    faces = croupier.locator(".resuming .small-card.face").all()
    assert [card.get_attribute("data-card") for card in faces] == ["Kd", "Ts", "6h"]
    expect(croupier.locator(".resuming .small-card.back")).to_have_count(13)
    heights = croupier.locator(".answer").evaluate_all(
        "(all) => all.map((node) => node.getBoundingClientRect().height)"
    )
    assert len(heights) == 2
    assert min(heights) >= 96
    shot(croupier, "croupier-resuming")
    shot(pit, "pit-resuming")
    press(croupier, "confirm")
    expect(croupier.locator(".resuming")).to_have_count(0)
    told(croupier, "Puesto 5: ¿apuesta turn (1 × ante) o pasa?")
    tabs.give_back(croupier, pit)


def test_a_felt_that_differs_is_the_pit_bosss(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.MID_HAND + "restart")
    croupier, pit = opened(tabs, screens.url, "croupier"), opened(tabs, screens.url, "pit")
    croupier.locator(".answer.differs").click()
    expect(croupier.locator(".called")).to_contain_text("Avisado el jefe de mesa")
    expect(croupier.locator(".answer.differs")).to_be_disabled()
    alert = pit.locator("article.incident.ruling")
    expect(alert).to_contain_text("El tapete no coincide con la pantalla de reanudación")
    alert.locator('[data-remedy="void-hand"][data-needs-reason]').click()
    expect(alert.locator(".no-reason")).to_contain_text("motivo")
    alert.locator(".reason input").fill("cartas de la mano anterior")
    alert.locator('[data-remedy="void-hand"]').click()
    expect(croupier.locator(".resuming")).to_have_count(0)
    told(croupier, "Recoja TODAS las cartas y devuelva las apuestas")
    tabs.give_back(croupier, pit)


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_full_table_resumes_on_one_screen(tabs: Tabs, socket_path: Path, language: str) -> None:
    """Nine seats with every bet, and nothing has to be scrolled to."""
    bench = Bench(setup(seats=9))
    bench.lines("press new-hand")
    bench.lines("\n".join(f"bet {seat} ante 10000 bonus 1250" for seat in range(1, 10)) + "\npress no-more-bets")
    deck = iter(card.code for card in DECK)
    for cards, key in ((20, "all-bet"), (4, "all-bet"), (2, "all-bet")):
        bench.lines("\n".join(f"draw {next(deck)}" for _ in range(cards)) + f"\npress {key}")
    bench.line("restart")
    with Controller(socket_path, bench), serving(socket_path) as url:
        page = opened(tabs, url, "croupier", language)
        expect(page.locator(".resuming tbody tr")).to_have_count(13)
        tall = page.locator(".resuming .list").evaluate("(list) => [list.scrollHeight, list.clientHeight]")
        wide = page.locator(".resuming .list").evaluate("(list) => [list.scrollWidth, list.clientWidth]")
        assert tall[0] <= tall[1]
        assert wide[0] <= wide[1]
        assert _clipped(page) == []
        tabs.give_back(page)


# --- the last hands again ---------------------------------------------------------------------------------------------


def test_the_pit_boss_goes_through_a_hand_step_by_step(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + hands.WHOLE + hands.VOID + hands.MID_HAND)
    pit = opened(tabs, screens.url, "pit")
    pit.locator(".hands .all").click()
    expect(pit.locator(".recall.list tbody tr")).to_have_count(3)
    pit.locator('[data-hand="1"] a').click()
    expect(pit.locator(".card.face")).to_have_count(11)
    assert _clipped(pit) == []
    pit.set_viewport_size({"width": 960, "height": 540})
    assert _clipped(pit) == []
    shot(pit, "pit-recall")
    pit.locator('a[rel="first"]').click()
    expect(pit.locator(".card")).to_have_count(0)
    expect(pit.locator('a[rel="first"]')).to_have_count(0)
    pit.locator('[data-step="12"] a.to').click()
    expect(pit.locator(".card.back")).to_have_count(4)
    expect(pit.locator(".current .happened")).to_contain_text("Sale del sabot la carta 4")
    pit.locator('a[rel="next"]', has_text="Siguiente").click()
    expect(pit.locator(".card.back")).to_have_count(5)
    pit.locator('.ways a[rel="next"]').click()
    expect(pit.locator(".recall h1")).to_contain_text("Mano 2")
    pit.get_by_role("link", name="English").click()
    expect(pit.locator(".recall h1")).to_contain_text("Hand 2")
    tabs.give_back(pit)


def test_the_last_hands_can_be_gone_through_while_the_controller_is_away(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.WHOLE + hands.MID_HAND)
    pit = opened(tabs, screens.url, "pit", "en")
    expect(pit.locator(".card.face")).to_have_count(3)
    screens.controller.stop()
    expect(pit.locator("#lost-controller")).to_be_visible()
    pit.locator('.hands [data-hand="1"] a').click()
    expect(pit.locator(".before")).to_contain_text("This is what the screen heard before.")
    expect(pit.locator(".card.face")).to_have_count(11)
    shot(pit, "pit-recall-remembered")
    tabs.give_back(pit)


def test_the_list_of_what_is_paid_is_whole_on_a_smaller_screen(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.BETS + hands.HOLE_CARDS + hands.FLOP + hands.TO_THE_RIVER + "press bank")
    pit = opened(tabs, screens.url, "pit")
    pit.set_viewport_size({"width": 1400, "height": 900})
    expect(pit.locator(".settlement tbody tr")).to_have_count(2)
    wide = pit.locator("aside").evaluate("(aside) => [aside.scrollWidth, aside.clientWidth]")
    assert wide[0] <= wide[1]
    tabs.give_back(pit)


def test_the_list_of_what_is_paid_shows_its_sums_where_bets_have_names_of_several_words(
    tabs: Tabs, screens: Screens
) -> None:
    """As a game of another package may call them."""
    screens.controller.lines(hands.BETS + hands.HOLE_CARDS + hands.FLOP + hands.TO_THE_RIVER + "press bank")
    page = opened(tabs, screens.url, "croupier")
    expect(page.locator(".settlement tbody tr")).to_have_count(2)
    # At one go: the page may put another list in the place of this one in between.
    inside, sum_ends = page.evaluate("""() => {
        document.querySelectorAll(".settlement thead th:not(:first-child):not(:last-child)").forEach(
            (head) => { head.textContent = "Pareja o más" });
        return [".settlement", ".settlement tbody .sum"].map(
            (place) => document.querySelector(place).getBoundingClientRect().right);
    }""")
    assert 0 < sum_ends <= inside
    tabs.give_back(page)


# --- the technician's page --------------------------------------------------------------------------------------------


def technicians(tabs: Tabs, screens: Screens, language: str = "es") -> Page:
    """The technician's page."""
    page = tabs.take(*SIZES["croupier"], person=WATCHER["technician"])
    page.goto(f"{screens.url}/technician?lang={language}")
    return page


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 390])
def test_the_technicians_page_fits_its_screen_in_all_states_at_once(
    tabs: Tabs, screens: Screens, width: int, language: str
) -> None:
    trouble = "the thread panel-reader has not moved for more than 10 s"
    screens.controller.report = healths.told(healths.ALL_STATES, troubles=[trouble])
    page = technicians(tabs, screens, language)
    page.set_viewport_size({"width": width, "height": 800})
    expect(page.locator("article.health")).to_have_count(len(healths.ALL_STATES))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    above = box_of(page, ".trouble")
    for name in ("panel", "antenna-1", "antenna-2"):
        box = box_of(page, f'[data-device="{name}"]')
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] > above["y"] + above["height"], "it covers nothing"
    picture = "technician" if (language, width) == ("es", 1280) else f"technician-{language}-{width}"
    shot(page, picture, full_page=True)
    tabs.give_back(page)


def test_a_device_that_is_lost_is_seen_at_once_and_the_controller_too(tabs: Tabs, screens: Screens) -> None:
    screens.controller.report = healths.told([healths.ANTENNA])
    page = technicians(tabs, screens)
    expect(page.locator('[data-state="ready"]')).to_have_count(1)
    screens.controller.report = healths.told([healths.PANEL])
    expect(page.locator('[data-state="lost"]')).to_contain_text("unplugged")
    screens.controller.stop()
    expect(page.locator("#lost-controller")).to_be_visible()
    expect(page.locator(".nothing")).to_contain_text("no se sabe")
    tabs.give_back(page)


@pytest.mark.wide
def test_without_a_script_the_page_reloads_itself(tabs: Tabs, screens: Screens) -> None:
    screens.controller.report = healths.told([healths.ANTENNA])
    context = tabs.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_on(page)
    page.goto(f"{screens.url}/technician?lang=es")
    expect(page.locator('[data-state="ready"]')).to_have_count(1)
    screens.controller.report = healths.told([healths.PANEL])
    expect(page.locator('[data-state="lost"]')).to_have_count(1)
    context.close()
