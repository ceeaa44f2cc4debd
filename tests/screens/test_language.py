"""Which language a page has: the one that its person chose, kept until he signs off; otherwise the table's."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tablectl.web.screens.app import make_app
from tablectl.web.screens.language import LANGUAGE_COOKIE, ChosenLanguage, language
from tests.screens.signed_on import PASSWORD, house, staffed

HERE: Final = "http://127.0.0.1"


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


def test_the_language_chosen_at_sign_on_is_there_afterwards_and_gone_at_sign_off(tmp_path: Path) -> None:
    people = house(staffed(tmp_path / "people.db"))
    browser = TestClient(make_app(tmp_path / "socket", people), base_url=HERE, follow_redirects=False)
    own = {"Origin": HERE, "Sec-Fetch-Site": "same-origin"}
    assert '<html lang="en">' in browser.get("/sign-on?lang=en").text
    form = {"name": "manager", "secret": PASSWORD, "way": "password", "next": "/account"}
    answer = browser.post("/sign-on", data=form, headers=own)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert '<html lang="en">' in browser.get("/account").text
    csrf = browser.get("/sign-off").text.partition('name="csrf" value="')[2].partition('"')[0]
    answer = browser.post("/sign-off", data={"csrf": csrf}, headers=own)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-on")
    assert '<html lang="es">' in browser.get("/sign-on").text
    people.file.close()
