"""Passkeys in Chromium, with a virtual authenticator of its own: made at one's account, and used to sign as the second
of two persons."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tablectl.people.people import COOKIE
from tablectl.people.service.answering import PasskeyRules
from tests.desk import Desk, desk
from tests.screens.browsing import CHROMIUM, running
from tests.screens.serving import Serving
from tests.screens.signed_on import PASSWORD, token_of

pytestmark = [
    pytest.mark.system,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]

KEY: Final = {
    "protocol": "ctap2",
    "transport": "usb",
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def as_person(page: Page, url: str, name: str) -> None:
    page.context.clear_cookies()
    page.context.add_cookies([{"name": COOKIE, "value": token_of(name), "url": url, "httpOnly": True}])


def change_limits(page: Page, url: str, most: str) -> None:
    """A pit boss enters new limits; the second one, a manager, types no password."""
    as_person(page, url, "pit-boss")
    page.goto(f"{url}/pit/limits?lang=en")
    page.locator('tr[data-bet="ante"] input[name="most"]').fill(most)
    page.locator('input[name="second-name"]').fill("manager")
    page.locator(".house-limits button.main").click()


def limits_of(table: Desk) -> list[tuple[str, str]]:
    facts = [record["fact"] for record in table.records()]
    return [(fact["by"], fact["second"]) for fact in facts if fact["kind"] == "limits-set"]


def without_key(devtools: CDPSession, authenticator: str) -> None:
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": authenticator})


def test_a_passkey_is_made_signs_beside_a_pit_boss_and_nothing_else_does() -> None:
    with desk() as table, running() as tabs:
        table.start()
        table.world.replace()
        table.open_hand()
        table.play_on()
        server = Serving(table.socket, passkeys=PasskeyRules(host="localhost", is_required=True))
        url = server.url.replace("127.0.0.1", "localhost")
        page = tabs.take(1280, 800, person="")
        try:
            devtools = page.context.new_cdp_session(page)
            devtools.send("WebAuthn.enable")
            key = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})["authenticatorId"]

            as_person(page, url, "manager")
            page.goto(f"{url}/account?lang=en")
            expect(page.locator(".passkeys .none")).to_be_visible()
            page.locator("#passkey-label").fill("key ring")
            page.locator("#passkey-password").fill("wrong horse battery")
            page.locator('.passkeys button[name="add"]').click()
            expect(page.locator(".passkeys [data-says]")).to_be_visible()
            page.locator("#passkey-password").fill(PASSWORD)
            page.locator('.passkeys button[name="add"]').click()
            expect(page.locator(".passkeys li .label")).to_have_text("key ring")
            expect(page.locator(".done")).to_be_visible()

            as_person(page, url, "pit-boss")
            page.goto(f"{url}/pit/limits?lang=en")
            expect(page.locator('input[name="second-secret"]')).to_have_count(0)
            change_limits(page, url, "90")
            page.wait_for_url("**seq=**")
            assert limits_of(table) == [("pit-boss", "manager")]
            assert [record["fact"]["by"] for record in table.records() if record["fact"]["kind"] == "proven"] == [
                "manager"
            ]

            without_key(devtools, key)
            devtools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})  # another one
            change_limits(page, url, "80")
            expect(page.get_by_text("Nobody signed with a passkey")).to_be_visible()
            assert limits_of(table) == [("pit-boss", "manager")]
        finally:
            page.close()
            server.end()
            server.ended()


def test_without_a_name_of_the_house_a_page_says_that_it_makes_none() -> None:
    """Under an address there are no passkeys: a browser takes names alone."""
    with desk() as table, running() as tabs:
        table.start()
        server = Serving(table.socket)
        page = tabs.take(1280, 800, "manager")
        try:
            page.goto(f"{server.url}/account?lang=en")
            expect(page.locator(".passkeys")).to_have_count(0)
        finally:
            tabs.give_back(page)
            server.end()
            server.ended()
