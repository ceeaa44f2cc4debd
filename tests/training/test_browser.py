"""The training page in a real browser: an exercise solved by touch alone, and a card dealt by keys alone."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.screens.browsing import CHROMIUM, PATIENCE_MS, Tabs, running
from tests.screens.test_browser import press, shot
from tests.training.serving import training

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.system,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
#: The least size of what a finger has to hit, in CSS pixels.
TARGET_PX = 60
EXERCISE = "texas-bonus/face-up-in-the-shoe"
#: Each place with its box, of one moment: the felt is drawn anew whenever the table says something.
PLACES = """() => Object.fromEntries(
    [...document.querySelectorAll('[id^="spot-"]')].map((node) => [node.id, node.getBoundingClientRect().toJSON()]))"""


@pytest.fixture(scope="module")
def tabs() -> Iterator[Tabs]:
    with running() as found:
        yield found


@contextmanager
def touching(tabs: Tabs, url: str, width: int = 1280, height: int = 800) -> Iterator[Page]:
    """A page that has fingers and nothing else."""
    context = tabs.browser.new_context(has_touch=True, viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.goto(url)
    try:
        yield page
    finally:
        context.close()


def deal(page: Page, spot: str, cards: int) -> None:
    """Tap the shoe, tap the place."""
    page.tap("#shoe")
    expect(page.locator(".in-hand .card.chosen")).to_have_count(1)
    page.tap(f"#spot-{spot}", position={"x": 30, "y": 12})
    expect(page.locator(f'[data-spot="{spot}"]')).to_have_attribute("data-count", str(cards))


def test_an_exercise_is_solved_by_touch_alone(tabs: Tabs, tmp_path: Path) -> None:
    with training(tmp_path, EXERCISE) as url, touching(tabs, f"{url}/training?lang=es") as page:
        points = page.locator(".points")
        expect(points).to_have_text("0 / 6")
        expect(page.locator('[data-spot="seat-2"] .card.face')).to_have_attribute("data-face", "9c")
        expect(page.locator("#key-incident")).to_have_attribute("data-lamp", "blue")
        page.tap("#key-incident")
        page.tap('.menu-of-panel [data-what="face-up-in-shoe"]')
        expect(points).to_have_text("2 / 6")
        page.tap('[data-spot="seat-2"] .card')
        page.tap("#spot-discard", position={"x": 30, "y": 12})
        expect(page.locator('[data-spot="discard"]')).to_have_attribute("data-count", "1")
        deal(page, "seat-2", 1)
        deal(page, "house", 1)
        deal(page, "seat-1", 2)
        deal(page, "seat-2", 2)
        expect(page.locator("#to-result")).to_be_visible()
        page.tap("#to-result")
        expect(page.locator(".score b")).to_have_text("6 / 6")
        assert page.locator("[data-departure]").count() == 0


def shown_links(page: Page) -> list[str]:
    """Where one can go from here."""
    found: list[str] = page.locator("a[href]:visible").evaluate_all("(all) => all.map((node) => node.href)")
    return found


def by_hand(table: Page, croupier: Page, *spots: str) -> None:
    """One card after the other out of the shoe; the controller has heard each before the next."""
    for spot in spots:
        remaining = int(croupier.locator("#remaining").inner_text())
        cards = int(table.locator(f'[data-spot="{spot}"]').get_attribute("data-count") or "")
        deal(table, spot, cards + 1)
        expect(croupier.locator("#remaining")).to_have_text(str(remaining - 1))


def test_a_whole_hand_is_dealt_at_the_free_table_with_the_real_pages(tabs: Tabs, tmp_path: Path) -> None:
    with training(tmp_path) as url, touching(tabs, f"{url}/training?lang=es") as table:
        opened = {}
        table.tap("#tab-cables")
        for name in ("croupier", "pit"):
            with table.expect_popup() as popup:
                table.tap(f'.real a[href^="/{name}"]')
            opened[name] = popup.value
        croupier, pit = opened["croupier"], opened["pit"]
        for page in opened.values():
            expect(page.locator("body.followed")).to_be_visible()
            for address in shown_links(page):
                assert page.request.get(address).status == 200, address
        press(croupier, "new-hand")
        form = croupier.locator('form[data-form="bet"]')
        form.locator("#amount-ante").fill("10")
        form.locator("button[type=submit]").click()
        expect(croupier.locator('.strip [data-seat="1"] .chips')).to_have_text("A 10")
        press(croupier, "no-more-bets")
        by_hand(table, croupier, "seat-1", "house", "seat-1", "house")
        press(croupier, "bet")
        by_hand(table, croupier, "burn", "board", "board", "board")
        press(croupier, "check")
        by_hand(table, croupier, "burn", "board")
        press(croupier, "check")
        by_hand(table, croupier, "burn", "board")
        press(croupier, "bank")
        shot(croupier, "training-croupier")
        shot(pit, "training-pit")
        press(croupier, "confirm")
        expect(croupier.locator('[data-key="new-hand"].live')).to_be_visible()
        expect(pit.locator(".hands")).to_contain_text("1")
        assert pit.locator("article.incident").count() == 0
        for page in opened.values():
            assert page.url.startswith(f"{url}/")
            assert "sign-on" not in page.url
        pit.locator('[data-hand="1"] a').tap()
        expect(pit.locator("h1, h2").first).to_be_visible()
        assert pit.url.startswith(f"{url}/pit/hands/1")


def top_of(page: Page, selector: str) -> float:
    """Where it stands; a part that is swapped in this moment is none yet."""
    found = page.wait_for_function("(of) => document.querySelector(of)?.getBoundingClientRect().top", arg=selector)
    top: float = found.json_value()
    return top


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 600)])
def test_the_felt_shows_bets_and_who_is_out_and_no_key_moves(
    tabs: Tabs, tmp_path: Path, width: int, height: int
) -> None:
    with training(tmp_path) as url, touching(tabs, f"{url}/training?lang=en", width, height) as page:
        tops = [top_of(page, "#key-confirm")]
        page.tap("#key-new-hand")
        page.tap("#tab-screen")
        place = page.locator('#in-screen form[data-form="bet"] button[type=submit].main')
        expect(place).to_be_in_viewport(ratio=1)
        for seat in (1, 2):
            page.locator(f'#in-screen .choices label:has([value="{seat}"])').tap()
            page.locator("#amount-ante").fill("10")
            place.tap()
            expect(page.locator(f'[data-spot="seat-{seat}"] .stands')).to_contain_text("10")
        page.tap("#tab-panel")
        tops.append(top_of(page, "#key-confirm"))
        expect(page.locator("#key-seat-1 .meaning")).to_have_text("take back")
        page.tap("#key-no-more-bets")
        for spot, cards in (("seat-1", 1), ("seat-2", 1), ("house", 1), ("seat-1", 2), ("seat-2", 2), ("house", 2)):
            deal(page, spot, cards)
        expect(page.locator('.instruction[data-instruction="ask-seat"]')).to_be_visible()
        tops.append(top_of(page, "#key-confirm"))
        expect(page.locator('[data-spot="seat-1"]')).to_have_class("spot seat turn")
        expect(page.locator("#spot-seat-1")).to_have_accessible_name("Seat 1, 2 cards, To act, Ante €10")
        shot(page, "training-turn")
        page.tap("#key-fold")
        expect(page.locator('[data-spot="seat-1"]')).to_have_class("spot seat out")
        expect(page.locator('[data-spot="seat-1"] .stands')).to_have_text("Folded")
        expect(page.locator('[data-spot="seat-2"]')).to_have_class("spot seat turn")
        for _ in range(3):
            page.tap("#shoe")
        expect(page.locator('.instruction[data-instruction="answer"]')).to_be_visible()
        tops.append(top_of(page, "#key-confirm"))
        assert max(tops) - min(tops) < 1, tops
        expect(page.locator(".in-hand .card")).to_have_count(3)
        ends = page.locator(".in-hand, .in-hand .card").evaluate_all(
            "(all) => all.map((node) => node.getBoundingClientRect().right)"
        )
        assert max(ends) == ends[0], "no card sticks out"


def test_an_address_that_is_none_is_said_to_be_none(tabs: Tabs, tmp_path: Path) -> None:
    with training(tmp_path) as url:
        page = tabs.take(1280, 800)
        for path in ("/nowhere", "/sign-on", "/pit/hands/99", "/pit/nowhere", "/events?page=nowhere"):
            assert page.request.get(f"{url}{path}").status == 404, path
        tabs.give_back(page)


@pytest.mark.slow
def test_the_first_departure_is_shown_with_its_clause(tabs: Tabs, tmp_path: Path) -> None:
    with training(tmp_path, EXERCISE) as url, touching(tabs, f"{url}/training?lang=en") as page:
        deal(page, "house", 1)
        expect(page.locator("[data-off]")).to_be_visible()
        page.tap("#finish")
        expect(page.locator("[data-departure]")).to_have_attribute("data-departure", "THB-ERR-2")
        expect(page.locator("[data-departure] .clause")).to_have_text("THB-ERR-2")
        expect(page.locator(".score")).to_have_attribute("data-points", "0")


def test_a_card_is_dealt_turned_and_put_back_by_keys_alone(tabs: Tabs, tmp_path: Path) -> None:
    with training(tmp_path, "texas-bonus/early-card") as url:
        page = tabs.take(1280, 800)
        page.goto(f"{url}/training?lang=en")
        cards = page.locator(".in-hand .card")
        expect(cards).to_have_count(1)
        page.focus("#card-c7")
        page.keyboard.press("Enter")
        expect(cards).to_have_class("card back chosen")
        page.focus('[data-do="flip"]')
        page.keyboard.press("Enter")
        expect(page.locator(".in-hand .card.face")).to_have_count(1)
        page.focus("#where")
        page.select_option("#where", "burn")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator('[data-spot="burn"]')).to_have_attribute("data-count", "1")
        page.focus("#tab-panel")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#in-screen")).to_be_visible()
        tabs.give_back(page)


@pytest.mark.slow
def test_a_card_is_dragged_from_the_shoe_to_a_seat(tabs: Tabs, tmp_path: Path) -> None:
    with training(tmp_path, "circle-holdem/wrong-seat") as url:
        page = tabs.take(1280, 800)
        page.goto(f"{url}/training?lang=en")
        page.drag_and_drop('[data-spot="seat-1"] .card >> nth=0', '[data-ground="seat-9"]')
        expect(page.locator('[data-spot="seat-9"]')).to_have_attribute("data-count", "1")
        page.drag_and_drop("#shoe", '[data-ground="seat-8"]')
        expect(page.locator('[data-spot="seat-8"]')).to_have_attribute("data-count", "1")
        page.drag_and_drop('[data-spot="seat-8"] .card', "#shoe")
        expect(page.locator('[data-spot="seat-8"]')).to_have_attribute("data-count", "0")
        tabs.give_back(page)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), pytest.param(1600, 1000, marks=pytest.mark.slow)])
def test_whatever_a_finger_has_to_hit_is_large_enough_and_in_sight(
    tabs: Tabs, tmp_path: Path, width: int, height: int
) -> None:
    with training(tmp_path, "draw-poker/card-too-few") as url:
        page = tabs.take(width, height)
        page.goto(f"{url}/training?lang=es")
        expect(page.locator(".spot .card").first).to_be_visible()
        small = page.evaluate(
            """(least) => [...document.querySelectorAll('.left button, .tabs button, #in-panel button, .question .act')]
                .filter((node) => node.offsetParent && !node.closest('.lying') && !node.closest('[hidden]'))
                .map((node) => [node.id || node.className, node.getBoundingClientRect()])
                .filter(([, box]) => box.width < least || box.height < least || box.right > innerWidth)
                .map(([name, box]) => `${name} ${box.width}x${box.height}`)""",
            TARGET_PX,
        )
        cards = page.evaluate("[...document.querySelectorAll('.lying .card')].map((node) => node.offsetWidth)")
        tabs.give_back(page)
    assert small == []
    assert min(cards) >= TARGET_PX


@pytest.mark.parametrize(
    "path", ["/training", *(pytest.param(path, marks=pytest.mark.slow) for path in ("/", "/training/result"))]
)
def test_nothing_of_it_shuts_anybody_out(tabs: Tabs, tmp_path: Path, path: str) -> None:
    """Contrast, labels, roles, as axe-core sees them; the status line is that of the real pages."""
    with training(tmp_path, EXERCISE) as url:
        context = tabs.browser.new_context(bypass_csp=True, viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(f"{url}{path}?lang=es")
        expect(page.locator("h1").first).to_be_visible()
        axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
        found = axe.run(page, context={"exclude": [[".status"]]}).response["violations"]
        context.close()
    assert [(violation["id"], violation["nodes"][0]["html"]) for violation in found] == []


@pytest.mark.wide
@pytest.mark.parametrize("size", [(1024, 768), (820, 1180), (768, 1024), (844, 390)])
def test_at_the_size_of_a_tablet_no_place_lies_on_another_one(
    tabs: Tabs, tmp_path: Path, size: tuple[int, int]
) -> None:
    width, height = size
    with training(tmp_path) as url, touching(tabs, f"{url}/training?lang=es", width, height) as page:
        expect(page.locator("#spot-seat-1")).to_be_visible()
        boxes = page.evaluate(PLACES)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert len(boxes) > 7
    assert all(box["width"] and box["height"] for box in boxes.values()), f"each of them is seen: {boxes}"
    assert [(one, other) for one, other in combinations(boxes, 2) if overlap(boxes[one], boxes[other])] == []


def overlap(one: FloatRect, other: FloatRect) -> bool:
    is_beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
    is_above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
    return not (is_beside or is_above)
