"""The overview over HTTP: its headers, its streams, and its end."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any, Final

import httpx2
import pytest

from tablectl.fleet.pit.scopes import SCOPES_MOST
from tablectl.i18n.languages import LANGUAGES
from tablectl.ops.connections import Limits
from tablectl.web.overview import app, board
from tablectl.web.overview.pages import House
from tests.overview.halls import HOUSE, Hall, served
from tests.raw_http import answer_of
from tests.secrecy import cards_in
from tests.waiting import until

PATIENCE_S: Final = 30.0
#: In one test of many; how long a thousand take is in docs/fleet.md.
STREAMS: Final = 40


def events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """What comes: the kind of each event, and what it says."""
    kind = ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)


def stream(url: str, language: str = "en", tables: str = "") -> Iterator[tuple[str, Any]]:
    with httpx2.stream(
        "GET", f"{url}/events?lang={language}&tables={tables}", timeout=PATIENCE_S, verify=False
    ) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield from events(answer.iter_lines())


def connected(url: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", httpx2.URL(url).port or 0), timeout=PATIENCE_S)


def test_a_page_has_strict_headers_and_no_script_of_its_own() -> None:
    with served(Hall(1).floor) as url:
        answer = httpx2.get(f"{url}/?lang=en", verify=False)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "<script>" not in answer.text
        assert " style=" not in answer.text
        assert httpx2.get(f"{url}/", headers={"Host": "evil.example"}, verify=False).status_code == 421
        assert httpx2.get(f"{url}/static/overview/overview.js", verify=False).status_code == 200
        assert httpx2.post(f"{url}/", verify=False).status_code == 405
        assert httpx2.get(f"{url}/entry", verify=False).headers["location"] == "/?lang=es"


@pytest.mark.parametrize(
    ("asked", "start"), [("?lang=en", "/?lang=en"), ("?lang=es&tables=Mesa+1*", "/?lang=es&tables=Mesa+1%2A")]
)
def test_the_page_can_be_put_on_a_phone_as_it_was_asked_for(asked: str, start: str) -> None:
    with served(Hall(12).floor) as url:
        html = httpx2.get(f"{url}/{asked}", verify=False).text
        (address,) = re.findall(r'<link rel="manifest" href="([^"]+)">', html)
        answer = httpx2.get(f"{url}{unescape(address)}", verify=False)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/manifest+json")
        told = answer.json()
        title = {"es": "Todas las mesas", "en": "All tables"}[told["lang"]]
        assert (told["start_url"], told["name"], told["short_name"]) == (start, f"{HOUSE.casino} · {title}", title)
        assert html == httpx2.get(f"{url}{told['start_url']}", verify=False).text
        assert all(httpx2.get(f"{url}{icon['src']}", verify=False).status_code == 200 for icon in told["icons"])


@pytest.mark.parametrize(("asked", "language"), [("", "en"), ("?lang=es", "es"), ("?lang=xx", "en")])
def test_a_page_speaks_the_language_of_its_address_or_of_the_house(asked: str, language: str) -> None:
    house = House(casino="Casino", timezone="Europe/Madrid", language="en")
    with served(Hall(1).floor, house) as url:
        assert f'<html lang="{language}">' in httpx2.get(f"{url}/{asked}", verify=False).text
    assert language in LANGUAGES


def test_a_stream_begins_with_everything_and_goes_on_with_what_changes() -> None:
    hall = Hall(3)
    with hall.live(), served(hall.floor) as url:
        coming = stream(url)
        kind, parts = next(coming)
        assert kind == "parts"
        assert parts.keys() == {"counts", "alarms", "calls", "table-Mesa 1", "table-Mesa 2", "table-Mesa 3"}
        assert list(cards_in(json.dumps(parts).encode())) == []
        kind, beat = next(coming)
        assert (kind, beat["old"]) == ("beat", False)
        assert beat["clock"].startswith("21:20:")
        hall.called(2)
        changed = next(said for kind, said in coming if kind == "parts" and "table-Mesa 2" in said)
        assert "HELD" in changed["table-Mesa 2"]
        assert "table-Mesa 1" not in changed


def test_a_page_of_some_tables_has_these_alone_and_its_stream_too() -> None:
    hall = Hall(12)
    with hall.live(), served(hall.floor) as url:
        page = httpx2.get(f"{url}/?lang=en&tables=Mesa+1*", verify=False).text
        assert [f"table-Mesa {number}" in page for number in (1, 2, 10, 12)] == [True, False, True, True]
        assert "?lang=es&amp;tables=Mesa%201%2A" in page
        coming = stream(url, tables="Mesa+1*")
        _, parts = next(coming)
        assert {name for name in parts if name.startswith("table-")} == {
            f"table-Mesa {number}" for number in (1, 10, 11, 12)
        }
        hall.called(2)
        hall.called(11)
        changed = next(said for kind, said in coming if kind == "parts" and "table-Mesa 11" in said)
        assert "table-Mesa 2" not in changed
        assert "Mesa 2" not in changed["alarms"]
        assert "No table here has such a name" in httpx2.get(f"{url}/?lang=en&tables=x", verify=False).text


@pytest.mark.parametrize(("language", "says"), [("es", "nombra demasiadas mesas"), ("en", "names too many tables")])
def test_an_address_with_too_many_tables_is_refused_in_the_language_of_the_page(language: str, says: str) -> None:
    with served(Hall(1).floor) as url:
        for path in ("/", "/events"):
            answer = httpx2.get(f"{url}{path}?lang={language}&tables={'x' * 801}", verify=False)
            assert (answer.status_code, says in answer.text, "mesa-1,mesa-2*" in answer.text) == (400, True, True)
            assert f'href="/?lang={language}"' in answer.text


def test_when_too_many_choices_of_tables_are_shown_a_page_says_so() -> None:
    with served(Hall(1).floor) as url, httpx2.Client(base_url=url, verify=False) as client:
        answers = [client.get(f"/?lang=en&tables=x{number}") for number in range(SCOPES_MOST)]
    assert [answer.status_code for answer in answers[-3:]] == [200, 200, 400]
    assert f"{SCOPES_MOST} different choices" in answers[-1].text


def test_a_table_that_comes_or_goes_makes_the_page_anew() -> None:
    hall = Hall(3)
    with hall.live(), served(hall.floor) as url:
        coming = stream(url)
        next(coming)
        hall.tables = hall.tables[:2]
        until(lambda: len(hall.floor.picture.tables) == 2)
        kinds = [kind for kind, _ in coming]
        assert kinds[-1] == "reload"


def test_a_page_is_woken_by_what_changes_and_not_by_the_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "TURNS", 1_000_000)  # its turn is a day away
    hall = Hall(3)
    with hall.live(), served(hall.floor) as url:
        coming = stream(url)
        assert [next(coming)[0] for _ in range(2)] == ["parts", "beat"]
        hall.called(2)
        assert any(kind == "parts" and "table-Mesa 2" in said for kind, said in coming)


def test_a_stream_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "STREAM_S", (0.2, 0.2))
    with served(Hall(1).floor) as url:
        kinds = [kind for kind, _ in stream(url)]
    assert kinds[-1] == "again"


def test_a_page_sees_that_what_it_shows_is_old() -> None:
    """The floor makes no pictures any more, and time goes on."""
    hall = Hall(1)
    with served(hall.floor) as url:
        coming = stream(url)
        assert next(said for kind, said in coming if kind == "beat")["old"] is False
        hall.wait(6)
        assert next(said for kind, said in coming if kind == "beat")["old"] is True


def test_the_server_ends_with_all_streams_open() -> None:
    hall = Hall(5)
    with ThreadPoolExecutor(STREAMS) as pool, hall.live():
        with served(hall.floor) as url:
            opened = [stream(url) for _ in range(STREAMS)]
            assert [kind for kind, _ in pool.map(next, opened)] == ["parts"] * STREAMS
        kinds = list(pool.map(lambda coming: [kind for kind, _ in coming], opened))
    assert all(set(found) <= {"beat", "parts"} for found in kinds), "they were closed, and told nothing else"


def test_the_house_is_named() -> None:
    with served(Hall(1).floor) as url:
        assert HOUSE.casino in httpx2.get(f"{url}/", verify=False).text


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"], ids=["nothing", "half-a-head"])
def test_whoever_does_not_say_what_he_wants_in_time_is_hung_up_on(said: bytes) -> None:
    with served(Hall(1).floor, limits=Limits(request_s=0.3)) as url, connected(url) as end:
        end.sendall(said)
        assert answer_of(end) == b""


def test_no_more_connect_than_there_is_room_for_and_a_page_that_is_open_goes_on() -> None:
    with served(Hall(1).floor, limits=Limits(in_all=2)) as url:
        coming = stream(url)
        assert next(coming)[0] == "parts"
        with connected(url), connected(url) as third:
            assert answer_of(third) == b""
        assert next(coming)[0] in ("beat", "parts")
