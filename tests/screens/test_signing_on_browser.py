"""Signing on in a real browser: by touch, by keys, without script; two persons; and the end of a session."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tablectl.people.administration import Administration
from tests.screens import hands
from tests.screens.browsing import CHROMIUM, Tabs
from tests.screens.conftest import Screens
from tests.screens.signed_on import PASSWORD, PIN
from tests.screens.test_browser import shot
from tests.screens.test_signing_on import BADGE, BY, House, house

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]


def at_sign_on(tabs: Tabs, url: str, width: int = 1280, height: int = 800) -> Page:
    page = tabs.take(width, height, person="")
    page.goto(f"{url}/croupier?lang=es")
    expect(page).to_have_url(f"{url}/sign-on?next=%2Fcroupier%3Flang%3Des&lang=es")
    return page


def test_a_croupier_signs_on_by_touch_alone(tabs: Tabs, socket_path: Path) -> None:
    with house(socket_path) as found:
        page = at_sign_on(tabs, found.url)
        page.locator(".tile", has_text="Croupier").click()
        for digit in f"9{PIN}"[:1]:
            page.locator(f'[data-digit="{digit}"]').click()
        page.locator(".erase").click()
        for digit in PIN:
            page.locator(f'[data-digit="{digit}"]').click()
        shot(page, "sign-on")
        sizes = page.locator(".digits button, .tile span").evaluate_all(
            "(all) => all.map((node) => node.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"
        )
        assert min(sizes) >= 64
        page.locator(".digits .go").click()
        expect(page).to_have_url(f"{found.url}/croupier")
        assert found.api.entered == [{"enter": "croupier croupier", "by": "croupier"}]
        tabs.give_back(page)


def test_a_croupier_signs_on_by_keys_alone(tabs: Tabs, socket_path: Path) -> None:
    with house(socket_path) as found:
        page = at_sign_on(tabs, found.url)
        page.locator(".tile input").first.focus()
        page.keyboard.press("Space")
        page.locator("#pin").focus()
        page.keyboard.type(PIN)
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{found.url}/croupier")
        tabs.give_back(page)


def test_the_page_that_waits_goes_on_by_itself_when_a_badge_is_shown(tabs: Tabs, socket_path: Path) -> None:
    with house(socket_path) as found:
        Administration(found.people).add_badge("croupier", BADGE, by=BY)
        page = at_sign_on(tabs, found.url)
        found.note("badge-shown", badge=BADGE)
        expect(page).to_have_url(f"{found.url}/croupier")
        tabs.give_back(page)


def test_without_script_the_forms_work(tabs: Tabs, socket_path: Path) -> None:
    with house(socket_path) as found:
        context = tabs.browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{found.url}/pit?lang=es")
        expect(page.locator(".digits")).to_be_hidden()
        page.fill("#name", "pit-boss")
        page.fill("#password", PASSWORD)
        page.locator(".desk-side button").click()
        expect(page).to_have_url(f"{found.url}/pit")
        page.goto(f"{found.url}/sign-off?lang=es")
        page.locator("main button").click()
        expect(page.locator(".sign-on")).to_be_visible()
        page.locator(".tile", has_text="Croupier").click()
        page.fill("#pin", PIN)
        page.locator(".go-plain").click()
        expect(page).to_have_url(f"{found.url}/croupier")
        context.close()


def test_a_page_whose_account_is_shut_goes_to_the_sign_on(tabs: Tabs, screens: Screens) -> None:
    page = tabs.take(1280, 800, person="pit-boss")
    page.goto(f"{screens.url}/pit?lang=es")
    expect(page.locator("#lost-page")).to_be_hidden()
    Administration(screens.people).set_disabled("pit-boss", disabled=True, by=BY)
    expect(page).to_have_url(f"{screens.url}/sign-on?next=%2Fpit%3Flang%3Des")
    tabs.give_back(page)


def raised(found: House, *, two_persons: list[str]) -> None:
    """An incident waits for the pit boss, and says which remedies two persons sign."""
    found.decide(
        "incident-raised",
        incident=1,
        clause="THB-ERR-4",
        severity="alert",
        expected="decision",
        observed="card",
        chooser="pit-boss",
        remedies=["void-hand", "continue"],
        draw=None,
        two_persons=two_persons,
    )


def test_a_ruling_of_two_asks_for_the_second_one_before_it_is_sent(tabs: Tabs, socket_path: Path) -> None:
    with house(socket_path, hands.BETS) as found:
        raised(found, two_persons=["void-hand"])
        page = tabs.take(1600, 1000, person="pit-boss")
        page.goto(f"{found.url}/pit?lang=es")
        page.locator("#reason-1").fill("La antena mintió")
        button = page.locator('[data-remedy="void-hand"]')
        expect(page.locator("li", has=button)).to_contain_text("Dos personas")
        expect(page.locator("li:has([data-remedy=continue])")).not_to_contain_text("Dos personas")
        button.click()
        dialog = page.locator("#second-person")
        expect(dialog).to_be_visible()
        expect(page.locator("#second-name")).to_be_focused()
        page.fill("#second-name", "manager")
        page.fill("#second-secret", "wrong")
        dialog.locator("button[type=submit]").click()
        expect(page.locator("#second-says")).to_contain_text("La segunda firma no vale")
        expect(page.locator("#second-secret")).to_have_value("")
        shot(page, "pit-second-person")
        assert found.api.entered == []
        page.fill("#second-secret", PASSWORD)
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        assert [entry["enter"] for entry in found.api.entered] == [
            "rule 1 void-hand by pit-boss+manager La antena mintió"
        ]
        page.locator('[data-remedy="continue"]').click()
        expect(dialog).to_be_hidden()
        tabs.give_back(page)


def test_whoever_does_not_deal_here_is_told_and_takes_the_table_with_one_key(tabs: Tabs, socket_path: Path) -> None:
    with house(socket_path) as found:
        page = tabs.take(1280, 800, person="croupier")
        page.goto(f"{found.url}/croupier?lang=es")
        expect(page.locator(".staff-line")).to_contain_text("No hay croupier en la mesa. Usted es croupier.")
        shot(page, "croupier-takes-table")
        expect(page.locator('.keys [aria-disabled="false"]')).to_have_count(0)
        page.locator('.keys [data-key="new-hand"]').click(force=True)
        expect(page.locator("#said-text")).to_contain_text("tome la mesa antes de anotar nada")
        with page.expect_response("**/enter*"):
            page.locator(".staff-line button").click()
        assert found.api.entered == [{"enter": "croupier croupier", "by": "croupier"}]
        found.bench.lines("croupier luis")
        page.locator('.keys [data-key="new-hand"]').click(force=True)
        expect(page.locator("#said")).to_be_visible()
        found.api.record(found.bench.records[-1])
        expect(page.locator(".staff-line")).to_contain_text("En la mesa está luis")
        expect(page.locator("#said")).to_be_hidden()
        tabs.give_back(page)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("path", ["/sign-on", "/people", "/account", "/sign-off", "/"])
@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 390])
def test_nothing_sticks_out_at_the_side(tabs: Tabs, screens: Screens, path: str, width: int, language: str) -> None:
    page = tabs.take(width, 800)
    page.goto(f"{screens.url}{path}?lang={language}")
    expect(page.locator("main")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shot(page, f"accounts{path.replace('/', '-')}-{language}-{width}", full_page=True)
    tabs.give_back(page)
