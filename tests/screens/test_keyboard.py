"""The pages without a mouse: Tab reaches everything, one sees where one is, keys work, and nothing holds one fast."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.screens import hands
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.conftest import Screens
from tests.screens.shown import SHOWN, Shown, each_page
from tests.screens.stages import Stages

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
#: States in which each kind of control is there, on each kind of page.
WALKED: Final = frozenset(
    {
        "sign-on-at-table",
        "account-secrets",
        "people-accounts",
        "croupier-nobody",
        "croupier-bets",
        "croupier-incidents",
        "croupier-resume",
        "croupier-circle-people",
        "croupier-circle-speak",
        "pit-held",
        "pit-at-play",
        "pit-shelf",
        "pit-statistics-figures",
        "pit-limits-in-force",
        "pit-hands-hand-end",
        "technician-decks-register",
        "technician-panel-keys",
        "auditor-find-newest",
        "auditor-open-hand-to-sign",
        "index-training",
        "training-exercise",
    }
)
#: How often Tab stops in one control, at most: at the fields of a day and time.
_PARTS_OF_ONE: Final = 8
#: What Tab has to reach: of a group of choices the one that is chosen, the others are the arrows'.
CONTROLS: Final = """() => {
    window.numbered = [...document.querySelectorAll('button, a[href], input, select, summary, [tabindex="0"]')]
        .filter(node => !node.disabled && node.checkVisibility() && (node.type !== 'radio' || node.checked));
    return window.numbered.map(node => node.outerHTML.slice(0, 100));
}"""
#: Which of them has the focus now, and whether it can be seen: an outline, on it or on what stands for it.
FOCUSED: Final = """() => {
    const active = document.activeElement;
    const shown = active.type === 'radio' ? active.nextElementSibling : active;
    const style = getComputedStyle(shown);
    return {
        number: window.numbered.indexOf(active),
        is_body: active === document.body,
        is_seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
        what: active.outerHTML.slice(0, 100),
    };
}"""


def focused(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(FOCUSED)
    return found


@pytest.mark.parametrize("shown", each_page(state for state in SHOWN if state.name in WALKED))
def test_tab_reaches_every_control_and_shows_where_it_is_and_leaves_again(
    tabs: Tabs, stages: Stages, shown: Shown
) -> None:
    with shown.opened(tabs, stages) as page_in:
        page = page_in("es")
        controls: list[str] = page.evaluate(CONTROLS)
        assert controls
        reached: list[int] = []
        for _ in range(_PARTS_OF_ONE * (len(controls) + 1)):
            page.keyboard.press("Tab")
            at = focused(page)
            if at["is_body"] or at["number"] in reached[-1:]:
                continue  # after the last one, or a part of the same: a day has fields of its own
            if at["number"] in reached:
                break
            assert at["is_seen"], f"no outline: {at['what']}"
            reached.append(at["number"])
        missed = [controls[number] for number in range(len(controls)) if number not in reached]
        assert missed == []
        page.keyboard.press("Shift+Tab")
        assert focused(page)["number"] != reached[0], "one is held at the end"


def test_every_state_that_is_walked_is_there() -> None:
    assert {shown.name for shown in SHOWN} >= WALKED


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_of_the_panel_is_pressed_with_the_keyboard_and_keeps_the_focus(
    tabs: Tabs, screens: Screens, key: str
) -> None:
    page = tabs.take(1280, 800)
    page.goto(f"{screens.url}/croupier?lang=es")
    expect(page.locator('[data-key="new-hand"].live')).to_be_visible()
    page.locator('[data-key="new-hand"]').focus()
    page.keyboard.press(key)
    expect(page.locator('[data-key="new-hand"].dead')).to_be_visible()
    assert page.evaluate("document.activeElement.dataset.key") == "new-hand"
    tabs.give_back(page)


def test_the_focus_stays_where_it_is_while_the_table_plays_on(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000")
    page = tabs.take(1280, 800)
    page.goto(f"{screens.url}/croupier?lang=es")
    amount = page.locator("#amount-ante")
    amount.focus()
    page.keyboard.type("12")
    screens.controller.line("bet 3 ante 1000")
    expect(page.locator('.strip [data-seat="3"] .chips')).to_contain_text("10")
    page.keyboard.type("5")
    expect(amount).to_have_value("125")
    page.locator('[data-fill="amount-ante"]').first.focus()
    screens.controller.line("bet 4 ante 1000")
    expect(page.locator('.strip [data-seat="4"] .chips')).to_contain_text("10")
    assert page.evaluate("document.activeElement.dataset.fill") == "amount-ante"
    tabs.give_back(page)


def test_a_choice_of_seats_is_made_with_the_arrows_and_outlives_the_play(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + "press new-hand")
    page = tabs.take(1280, 800)
    page.goto(f"{screens.url}/croupier?lang=es")
    page.locator('input[name="seat"][value="1"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator('input[name="seat"][value="3"]')).to_be_checked()
    screens.controller.line("bet 5 ante 1000")
    expect(page.locator('.strip [data-seat="5"] .chips')).to_contain_text("10")
    expect(page.locator('input[name="seat"][value="3"]')).to_be_checked()
    assert page.evaluate("document.activeElement.value") == "3"
    tabs.give_back(page)


def test_the_pit_boss_rules_with_the_keyboard(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen")
    page = tabs.take(1600, 1000)
    page.goto(f"{screens.url}/pit?lang=es")
    expect(page.locator("article.incident.ruling")).to_be_visible()
    page.locator("article.incident.ruling input").focus()
    page.keyboard.type("vista")
    page.locator('article.incident.ruling [data-remedy="void-hand"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".held-banner.void")).to_be_visible()
    assert screens.controller.entered[-1]["reason"] == "vista"
    tabs.give_back(page)
