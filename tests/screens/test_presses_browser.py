"""A finger that bounces on the croupier's page decides for one seat, and what is refused stays to be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tablectl.i18n.texts import load_texts
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.controller import Bench, Controller
from tests.screens.serving import serving
from tests.screens.signed_on import PASSWORD, WATCHER

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
#: Longer than a browser under load needs from one touch to the next.
LONG_MS: Final = 60_000
SEATS: Final = "press new-hand\nbet 1 ante 1000\nbet 3 ante 2000\nbet 5 ante 1000\npress no-more-bets\n"
CARDS: Final = "".join(f"draw {card}\n" for card in ("As", "7d", "Qd", "9c", "Ah", "7h", "Qh", "9d"))
FOLD: Final = '[data-key="fold"]'
ASKED: Final = "Puesto {}: ¿apuesta flop (2 × ante) o se retira?"
#: Somebody signed on at the pit's page: a record that leaves the prompt as it is.
SIGNED_ON: Final[dict[str, object]] = {
    "id": "0" * 32,
    "number": 1,
    "when": "2026-11-23T00:00:00.000000Z",
    "what": "signed-on",
    "who": "luis",
    "role": "pit-boss",
    "about": "",
    "granted": True,
}
SAID: Final = "#said-text > span:first-child"


@contextmanager
def at_table(
    tabs: Tabs, socket_path: Path, *, repeat_ms: int, language: str = "es"
) -> Iterator[tuple[Page, Controller]]:
    """The croupier's page while seat 1 of three is asked."""
    bench = Bench()
    bench.repeat_ms = repeat_ms
    bench.lines(SEATS + CARDS)
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        page = tabs.take(1280, 800, person=WATCHER["croupier"])
        page.goto(f"{url}/croupier?lang={language}")
        expect(page.locator("body.followed")).to_have_count(1)
        yield page, controller
        tabs.give_back(page)


def asked(page: Page, seat: int) -> None:
    expect(page.locator(".instruction h1")).to_have_text(ASKED.format(seat))


def keys(controller: Controller) -> list[object]:
    return [entry["key"] for entry in controller.entered if entry["kind"] == "pressed"]


def said(name: str, language: str) -> str:
    catalogue, _, key = name.partition(".")
    return load_texts("tablectl.web.screens").text(catalogue, key, language)


@pytest.mark.parametrize("repeat_ms", [0, 300])
def test_two_touches_at_one_prompt_are_one_fold(tabs: Tabs, socket_path: Path, repeat_ms: int) -> None:
    with at_table(tabs, socket_path, repeat_ms=repeat_ms) as (page, controller):
        page.evaluate(f"for (const n of [1, 2]) document.querySelector('{FOLD}').click()")
        expect(page.locator(SAID)).to_have_text(said("error.prompt-changed", "es"))
        asked(page, 3)
        assert keys(controller) == ["fold"]


AGAIN: Final = """
() => {
  const part = document.querySelector('[data-part="keys"]');
  swap("keys", part.innerHTML + "<i id=swapped></i>");
}
"""


class Mouse:
    """Of whoever sits at a desk."""

    def __init__(self, page: Page) -> None:
        self._mouse = page.mouse

    def down(self, x: float, y: float) -> None:
        self._mouse.move(x, y)
        self._mouse.down()

    def up(self) -> None:
        self._mouse.up()


class Finger:
    """Of whoever stands at a screen."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def down(self, x: float, y: float) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})

    def up(self) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def pressed_down(page: Page, by: type[Mouse | Finger]) -> Mouse | Finger:
    """On the key, and not lifted yet."""
    box = page.locator(FOLD).bounding_box()
    assert box is not None
    found = by(page)
    found.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    return found


@pytest.mark.parametrize("by", [Mouse, Finger])
def test_a_press_counts_also_where_the_key_is_replaced_before_it_is_lifted(
    tabs: Tabs, socket_path: Path, by: type[Mouse | Finger]
) -> None:
    with at_table(tabs, socket_path, repeat_ms=0) as (page, controller):
        finger = pressed_down(page, by)
        page.evaluate(AGAIN)
        expect(page.locator("#swapped"), "what comes waits for the finger").to_have_count(0)
        finger.up()
        asked(page, 3)
        assert keys(controller) == ["fold"]


@pytest.mark.parametrize("by", [Mouse, Finger])
def test_a_press_at_a_prompt_that_ends_before_it_is_lifted_is_refused_in_words(
    tabs: Tabs, socket_path: Path, by: type[Mouse | Finger]
) -> None:
    with at_table(tabs, socket_path, repeat_ms=0) as (page, controller):
        finger = pressed_down(page, by)
        controller.line("press fold")
        asked(page, 3)
        finger.up()
        expect(page.locator(SAID)).to_have_text(said("error.prompt-changed", "es"))
        assert keys(controller) == []


def test_a_key_that_is_held_down_keeps_its_part_only_for_a_while(tabs: Tabs, socket_path: Path) -> None:
    with at_table(tabs, socket_path, repeat_ms=0) as (page, _):
        pressed_down(page, Mouse)
        page.evaluate(AGAIN)
        expect(page.locator("#swapped")).to_have_count(1)


def test_bets_name_the_prompt_of_the_page_and_are_refused_at_another_one(tabs: Tabs, socket_path: Path) -> None:
    bench = Bench()
    bench.lines("press new-hand\n")
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        page = tabs.take(1280, 800, person=WATCHER["croupier"])
        page.goto(f"{url}/croupier?lang=es")
        expect(page.locator("body.followed")).to_have_count(1)
        form = page.locator('form[data-form="bet"]')
        amount, send = form.locator("input[inputmode]").first, form.locator('button:not([type="button"])').first
        amount.fill("10")
        page.evaluate("document.querySelector('.instruction').dataset.since = '1'")
        send.click()
        expect(page.locator(SAID)).to_have_text(said("error.prompt-changed", "es"))
        expect(amount, "what was typed stays").to_have_value("10")
        assert controller.entered == []
        page.evaluate("document.querySelector('.instruction').dataset.since = '2'")
        send.click()
        expect(amount).to_have_value("")
        assert [entry["kind"] for entry in controller.entered] == ["bets"]
        tabs.give_back(page)


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_touch_that_comes_again_when_the_next_seat_is_asked_is_dropped_and_said(
    tabs: Tabs, socket_path: Path, language: str
) -> None:
    with at_table(tabs, socket_path, repeat_ms=LONG_MS, language=language) as (page, controller):
        page.locator(FOLD).click()
        expect(page.locator('.instruction[data-asked="3"]')).to_have_count(1)
        page.locator(FOLD).click()
        expect(page.locator(SAID)).to_have_text(said("refusal.repeated-key", language))
        page.locator('[data-key="bet"]').click()
        expect(page.locator('.instruction[data-asked="5"]')).to_have_count(1)
        expect(page.locator("#said"), "the next entry was taken").to_be_hidden()
        assert keys(controller) == ["fold", "bet"]


def test_the_same_place_is_the_same_touch_whatever_key_is_there(tabs: Tabs, socket_path: Path) -> None:
    with at_table(tabs, socket_path, repeat_ms=LONG_MS) as (page, controller):
        bet, fold = page.locator('[data-key="bet"]').bounding_box(), page.locator(FOLD).bounding_box()
        assert bet is not None
        assert fold is not None
        left, right = sorted((bet, fold), key=lambda box: box["x"])
        edge, middle = right["x"], left["y"] + left["height"] / 2
        assert 0 <= edge - left["x"] - left["width"] < 16, "they are neighbours"
        page.mouse.click(edge - 14, middle)
        expect(page.locator('.instruction[data-asked="3"]')).to_have_count(1)
        page.mouse.click(edge + 3, middle)
        expect(page.locator(SAID)).to_have_text(said("refusal.repeated-key", "es"))
        assert len(keys(controller)) == 1


def test_after_its_time_the_same_key_is_another_press(tabs: Tabs, socket_path: Path) -> None:
    with at_table(tabs, socket_path, repeat_ms=1) as (page, controller):
        page.locator(FOLD).click()
        asked(page, 3)
        page.locator(FOLD).click()
        asked(page, 5)
        expect(page.locator("#said")).to_be_hidden()
        assert keys(controller) == ["fold", "fold"]


def test_a_key_of_a_panel_that_was_dropped_is_said_on_the_page(tabs: Tabs, socket_path: Path) -> None:
    with at_table(tabs, socket_path, repeat_ms=300) as (page, controller):
        controller.line("said panel panel repeated-key 4")
        refusal = page.locator(".instruction .refusal")
        expect(refusal).to_contain_text(said("refusal.repeated-key", "es"))
        expect(page.locator(".incident, .alarm"), "it is no alarm").to_have_count(0)


# --- what was refused -------------------------------------------------------------------------------------------------


def test_a_refusal_stays_until_the_next_entry_is_taken(tabs: Tabs, socket_path: Path) -> None:
    with at_table(tabs, socket_path, repeat_ms=300) as (page, controller):
        page.locator('[data-key="new-hand"]').click(force=True)
        refusal = page.locator('.instruction [data-refusal="not-live"]')
        expect(refusal).to_be_visible()
        controller.line("back panel panel")
        controller.note("access", **SIGNED_ON)
        controller.line("acknowledge device-panel by luis")
        expect(page.locator("[data-role=panel]")).to_have_count(1)
        expect(refusal).to_be_visible()
        page.locator(FOLD).click()
        asked(page, 3)
        expect(refusal).to_have_count(0)


def test_a_refusal_that_was_put_away_does_not_come_back_with_the_part_it_stands_in(
    tabs: Tabs, socket_path: Path
) -> None:
    with at_table(tabs, socket_path, repeat_ms=300) as (page, controller):
        page.locator('[data-key="new-hand"]').click(force=True)
        refusal = page.locator('.instruction [data-refusal="not-live"]')
        refusal.locator("[data-put-away]").click()
        expect(refusal).to_be_hidden()
        page.reload()
        expect(refusal, "a page that is opened anew knows nothing of that").to_be_visible()
        refusal.locator("[data-put-away]").click()
        controller.line("lost panel panel unplugged")
        controller.line("press new-hand")
        expect(refusal, "another one is another").to_be_visible()


def test_what_could_not_be_entered_stays_until_it_is_put_away(tabs: Tabs, socket_path: Path) -> None:
    with at_table(tabs, socket_path, repeat_ms=300) as (page, _):
        page.evaluate(f"for (const n of [1, 2]) document.querySelector('{FOLD}').click()")
        expect(page.locator(SAID)).to_be_visible()
        page.clock.install()
        page.clock.run_for("10:00")
        expect(page.locator(SAID)).to_be_visible()
        page.locator("#said-away").click()
        expect(page.locator("#said")).to_be_hidden()


@pytest.mark.parametrize(("language", "says"), [("es", "Esos límites no están autorizados"), ("en", "not authorised")])
def test_limits_above_the_band_are_refused_aloud_and_what_was_typed_stays(
    tabs: Tabs, socket_path: Path, language: str, says: str
) -> None:
    with Controller(socket_path, Bench()) as controller, serving(socket_path) as url:
        page = tabs.take(1280, 800, person=WATCHER["pit"])
        page.goto(f"{url}/pit/limits?lang={language}")
        most = page.locator('tr[data-bet="ante"] input[name="most"]')
        for amount in ("500", "150"):
            most.fill(amount)
            page.locator('input[name="second-name"]').fill("everybody")
            page.locator('input[name="second-secret"]').fill(PASSWORD)
            if amount == "500":
                page.locator(".house-limits button.main").click()
                expect(page.locator(SAID)).to_contain_text(says)
                controller.note("access", **SIGNED_ON)
                page.clock.install()
                page.clock.run_for("10:00")
                expect(page.locator(SAID)).to_be_visible()
                expect(most).to_have_value("500")
        with page.expect_navigation():
            page.locator(".house-limits button.main").click()
        expect(page.locator("#said")).to_be_hidden()
        expect(page.locator('tr[data-bet="ante"] .coming, tr[data-bet="ante"] .in-force')).to_contain_text("150")
        tabs.give_back(page)


# --- amounts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "typed", "echo"),
    [
        ("es", "1.000", "1.000 €"),
        ("es", "2,5", "2,50 €"),
        ("en", "1,000", "€1,000"),
        ("en", "1.000", "Write it like this: 1,250.50"),
        ("es", "2.50", "Escríbalo así: 1.250,50"),
    ],
)
def test_an_amount_is_said_again_with_its_currency_before_it_is_entered(
    tabs: Tabs, socket_path: Path, language: str, typed: str, echo: str
) -> None:
    bench = Bench()
    bench.line("press new-hand")
    with Controller(socket_path, bench) as controller, serving(socket_path) as url:
        pit = tabs.take(1280, 800, person=WATCHER["pit"])
        pit.goto(f"{url}/pit/float?lang={language}")
        page = tabs.take(1280, 800, person=WATCHER["croupier"])
        page.goto(f"{url}/croupier?lang={language}")
        for shown, field in ((pit, 'input[name="amount"]'), (page, "#amount-ante")):
            shown.locator(field).fill(typed)
            expect(shown.locator(f"{field} ~ output.echo")).to_have_text(echo)
        controller.line("bet 3 ante 500")
        expect(page.locator('.strip [data-seat="3"] .chips')).to_contain_text("5")
        expect(page.locator("#amount-ante")).to_have_value(typed)
        expect(page.locator("#amount-ante ~ output.echo"), "also after the part was sent anew").to_have_text(echo)
        tabs.give_back(page, pit)


def test_a_quick_amount_is_said_again_too_and_nothing_of_an_empty_field(tabs: Tabs, socket_path: Path) -> None:
    bench = Bench()
    bench.line("press new-hand")
    with Controller(socket_path, bench), serving(socket_path) as url:
        page = tabs.take(1280, 800, person=WATCHER["croupier"])
        page.goto(f"{url}/croupier?lang=es")
        expect(page.locator("body.followed")).to_have_count(1)
        page.locator('[data-fill="amount-ante"]', has_text="25").click()
        echo = page.locator("#amount-ante ~ output.echo")
        expect(echo).to_have_text("25 €")
        page.locator("#amount-ante").fill("")
        expect(echo).to_have_text("")
        tabs.give_back(page)
