"""A request that leads nowhere, or goes wrong, is answered by a page with a way back."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tablectl.i18n.texts import load_texts
from tablectl.people.people import COOKIE, People
from tablectl.web.screens.app import make_app
from tablectl.web.screens.guard import BODY_MOST_BYTES, HEADERS
from tablectl.web.screens.render import Pages
from tablectl.web.screens.web.statistics import StatisticsPages
from tablectl.web.screens.wrong import TOLD
from tests.screens.signed_on import house, staffed, token_of

HERE = "http://127.0.0.1"
LOOKS = {"Accept": "text/html,application/xhtml+xml"}
TEXTS = load_texts("tablectl.web.screens")


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    found = house(staffed(tmp_path / "people.db"))
    yield found
    found.file.close()


@pytest.fixture
def client(tmp_path: Path, people: People) -> TestClient:
    return TestClient(make_app(tmp_path / "socket", people), base_url=HERE, raise_server_exceptions=False)


def as_(person: str) -> dict[str, str]:
    return LOOKS | {"Cookie": f"{COOKIE}={token_of(person)}", "Origin": HERE}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/zzz", 404),
        ("GET", "/static/zzz.css", 404),
        ("GET", "/pit/statistics/zzz.csv", 404),
        ("GET", "/enter", 405),
        ("DELETE", "/pit", 405),
    ],
)
@pytest.mark.parametrize("language", ["es", "en"])
def test_a_page_says_so_and_leads_back(client: TestClient, method: str, path: str, status: int, language: str) -> None:
    answer = client.request(method, f"{path}?lang={language}", headers=as_("pit-boss"))
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert f'<html lang="{language}">' in answer.text
    for text in ("es", "en"):
        for table in ("wrong", "wrong-what"):
            assert (TEXTS.text(table, str(status), text) in answer.text) == (text == language)
    assert 'href="/"' in answer.text
    assert 'href="/sign-off"' in answer.text, "he is signed on, and the page knows"


def test_what_no_person_looks_at_is_told_without_a_page(client: TestClient) -> None:
    answer = client.get("/zzz")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text == "No existe esa página\n"


def test_more_than_a_page_sends_is_refused_by_a_page(client: TestClient) -> None:
    form = {"name": "x" * BODY_MOST_BYTES}
    answer = client.post("/sign-on", data=form, headers=LOOKS | {"Origin": HERE, "Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 413
    assert "Era demasiado de una vez" in answer.text
    assert answer.headers["X-Frame-Options"] == "DENY"


def test_figures_that_cannot_be_read_are_told_by_a_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(*_: object) -> None:
        """There is no report."""

    monkeypatch.setattr(StatisticsPages, "_report", none)
    answer = client.get("/pit/statistics/hands.csv?lang=en", headers=as_("pit-boss"))
    assert answer.status_code == 503
    assert "Not available now" in answer.text


def test_a_fault_of_ours_is_a_page_that_says_nothing_of_it(
    client: TestClient, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(people, "signed_on", broken)
    answer = client.get("/", headers=LOOKS)
    assert answer.status_code == 500
    assert "Un fallo de estas pantallas" in answer.text
    assert "a fault of ours" not in answer.text
    monkeypatch.setattr(Pages, "plain", broken)
    answer = client.get("/", headers=LOOKS)
    assert answer.status_code == 500
    assert answer.headers["content-type"].startswith("text/plain")
    assert "Un fallo de estas pantallas" in answer.text
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_each_status_that_is_told_has_its_sentences() -> None:
    keys = {*(str(int(status)) for status in TOLD), "other"}
    assert TEXTS.keys("wrong") == TEXTS.keys("wrong-what") == keys
    assert HTTPStatus.NOT_FOUND in TOLD
