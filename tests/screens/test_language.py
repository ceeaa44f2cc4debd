"""Which language a page has: the one that its person chose, kept with his account; otherwise the table's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tablectl.journal.clock import now_us
from tablectl.people.people import People
from tablectl.people.sessions import IDLE_US
from tablectl.web.screens.app import make_app
from tablectl.web.screens.language import LANGUAGE_COOKIE, ChosenLanguage, language, languages_read
from tests.screens.signed_on import CHEAP, PASSWORD, house, staffed

HERE: Final = "http://127.0.0.1"
OWN: Final = {"Origin": HERE, "Sec-Fetch-Site": "same-origin"}


async def page(request: Request) -> Response:
    return HTMLResponse(language(request))


async def data(request: Request) -> Response:
    return JSONResponse(language(request))


@pytest.fixture(params=[("es", "en"), ("en", "es")], ids="-".join)
def offered(request: pytest.FixtureRequest) -> tuple[str, ...]:
    found: tuple[str, ...] = request.param
    return found


@pytest.fixture
def browser(offered: tuple[str, ...]) -> TestClient:
    app = Starlette(
        routes=[Route("/", page), Route("/data", data), Route("/posted", page, methods=["POST"])],
        middleware=[Middleware(ChosenLanguage, offered=lambda: offered)],
    )
    return TestClient(app, base_url=HERE)


def test_a_page_is_in_the_language_of_its_table(browser: TestClient, offered: tuple[str, ...]) -> None:
    assert browser.get("/", headers={"Accept-Language": offered[1]}).text == offered[0]
    assert LANGUAGE_COOKIE not in browser.cookies


def test_what_a_person_chose_is_kept_for_every_page_after_it(browser: TestClient, offered: tuple[str, ...]) -> None:
    assert browser.get(f"/?lang={offered[1]}").text == offered[1]
    assert browser.get("/").text == offered[1]
    assert browser.get("/data").json() == offered[1]
    assert browser.get(f"/?lang={offered[0]}").text == offered[0]
    assert browser.get("/").text == offered[0]


@pytest.mark.parametrize("asked", ["fr", "", "es;q=1", "<b>"])
def test_a_language_that_is_not_offered_is_not_spoken(
    browser: TestClient, offered: tuple[str, ...], asked: str
) -> None:
    assert browser.get("/", params={"lang": asked}).text == offered[0]
    assert LANGUAGE_COOKIE not in browser.cookies


def test_what_a_script_asks_for_chooses_nothing(browser: TestClient, offered: tuple[str, ...]) -> None:
    assert browser.get(f"/data?lang={offered[1]}").json() == offered[1]
    assert browser.post(f"/posted?lang={offered[1]}").text == offered[1]
    assert LANGUAGE_COOKIE not in browser.cookies


@dataclass(frozen=True, kw_only=True, slots=True)
class Floor:
    """A table whose people sign on in browsers of their own."""

    people: People
    app: Starlette

    def browser(self) -> Browser:
        return Browser(client=TestClient(self.app, base_url=HERE, follow_redirects=False))


@dataclass(frozen=True, kw_only=True, slots=True)
class Browser:
    """One of them, as a person uses it."""

    client: TestClient

    def language(self, address: str) -> str:
        """The language of a page."""
        (found,) = re.findall(r'<html lang="(\w+)">', self.client.get(address).text)
        return str(found)

    def sign_on(self, name: str, *, after: str = "/account", at: str = "/sign-on") -> str:
        """Where that leads."""
        form = {"name": name, "secret": PASSWORD, "way": "password", "next": after}
        answer = self.client.post(at, data=form, headers=OWN)
        assert answer.status_code == 303
        location: str = answer.headers["location"]
        return location

    def sign_off(self) -> None:
        csrf = self.client.get("/sign-off").text.partition('name="csrf" value="')[2].partition('"')[0]
        answer = self.client.post("/sign-off", data={"csrf": csrf}, headers=OWN)
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-on")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    people = house(staffed(tmp_path / "people.db"))
    yield Floor(people=people, app=make_app(tmp_path / "socket", people))
    people.file.close()


def test_the_language_chosen_at_sign_on_is_there_afterwards_and_gone_at_sign_off(floor: Floor) -> None:
    browser = floor.browser()
    assert browser.language("/sign-on?lang=en") == "en"
    assert browser.sign_on("manager") == "/account"
    assert browser.language("/account") == "en"
    browser.sign_off()
    assert browser.language("/sign-on") == "es"


def test_a_person_has_his_language_in_every_browser_and_nobody_else_has_it(floor: Floor) -> None:
    first, second, another = floor.browser(), floor.browser(), floor.browser()
    first.sign_on("manager")
    assert first.language("/account") == "es"
    assert first.language("/account?lang=en") == "en"
    first.sign_off()
    assert first.language("/sign-on") == "es", "nobody is signed on there"
    assert second.language("/sign-on") == "es"
    second.sign_on("manager")
    assert second.language("/account") == second.language("/people") == "en"
    another.sign_on("technician")
    assert another.language("/account") == "es"
    assert second.language("/account?lang=es") == "es"
    first.sign_on("manager")
    assert first.language("/account") == "es"
    assert {account.name: account.language for account in floor.people.accounts.all() if account.language} == {
        "manager": "es"
    }


def test_his_language_goes_before_what_the_browser_kept(floor: Floor) -> None:
    floor.people.accounts.set_language("manager", "es")
    browser = floor.browser()
    assert browser.language("/sign-on?lang=en") == "en"
    browser.sign_on("manager")
    assert browser.language("/account") == "es"
    assert browser.language("/account?lang=en") == browser.language("/account") == "en"
    assert browser.client.get("/nothing?lang=es").status_code == 404


def test_a_choice_of_what_is_read_already_is_kept_too(floor: Floor) -> None:
    browser, elsewhere = floor.browser(), floor.browser()
    browser.language("/sign-on?lang=en")
    browser.sign_on("manager")
    assert browser.language("/account?lang=en") == "en"
    elsewhere.sign_on("manager")
    assert elsewhere.language("/account") == "en"


def test_where_somebody_signs_on_the_address_before_him_chooses_nothing_for_him(floor: Floor) -> None:
    browser = floor.browser()
    assert browser.sign_on("technician", after="/pit/hands/3?step=2&lang=en", at="/sign-on?lang=en") == (
        "/pit/hands/3?step=2"
    )
    assert not [account for account in floor.people.accounts.all() if account.language]


def test_a_language_that_the_table_does_not_offer_any_more_is_not_spoken(floor: Floor) -> None:
    floor.people.accounts.set_language("manager", "xx")
    browser = floor.browser()
    browser.sign_on("manager")
    assert browser.language("/account") == "es"


def test_a_change_of_language_ends_no_session_and_is_no_change_of_the_account(floor: Floor) -> None:
    browser, people = floor.browser(), floor.people
    browser.sign_on("manager")
    before = people.accounts.left("manager"), people.audits.rows()
    assert browser.language("/account?lang=en") == "en"
    assert (people.accounts.left("manager"), people.audits.rows()) == before
    assert browser.client.get("/people").status_code == 200


def test_the_alarms_that_are_left_of_a_session_stay_in_its_language(tmp_path: Path) -> None:
    clock = [now_us()]
    people = People(staffed(tmp_path / "people.db"), parameters=CHEAP, now_us=lambda: clock[0])
    browser = Browser(client=TestClient(make_app(tmp_path / "socket", people), base_url=HERE, follow_redirects=False))
    browser.sign_on("pit-boss")
    assert browser.language("/pit?lang=en") == "en"
    clock[0] += IDLE_US
    assert browser.language("/pit") == "en"
    assert "session-over" in browser.client.get("/pit").text
    assert browser.language("/pit?lang=es") == "es", "whoever stands there can read it"
    assert [account.language for account in people.accounts.all() if account.name == "pit-boss"] == ["en"]
    people.file.close()


@pytest.mark.parametrize(
    ("accepted", "read"),
    [
        ("en-GB,en;q=0.9,es;q=0.8", ("en", "en", "es")),
        ("es;q=0.2, fr-CH, en;q=0.7", ("fr", "en", "es")),
        ("en;q=0, es;q=x, *;q=0.5", ("*",)),
        ("", ()),
    ],
)
def test_the_languages_of_a_browser_are_known_the_most_welcome_first(accepted: str, read: tuple[str, ...]) -> None:
    assert languages_read(accepted) == read
