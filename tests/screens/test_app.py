"""The web application, over a real port, with the controller behind a real socket."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from tablectl.core.cards import DECK
from tablectl.web.screens.guard import HEADERS
from tablectl.web.screens.render import PARTS
from tests.screens import hands, signed_on
from tests.screens.conftest import Screens
from tests.screens.controller import AT_FIRST, Bench, Controller
from tests.screens.serving import serving

LANGUAGES = ("es", "en")
#: Bets at the table of `AT_FIRST`, and the prompt at which they are taken: a hand was begun.
BET: Final[dict[str, Any]] = {"page": "croupier", "act": "bet", "seat": 4, "bets": {"ante": "7,50"}}
BETTING: Final = {"since": 2, "seat": None}


def plain_client() -> httpx2.Client:
    """Without TLS, whose certificates take longer to load than a page."""
    return httpx2.Client(timeout=10, verify=False)


def get(url: str, params: dict[str, str] | None = None, headers: dict[str, str] | None = None) -> httpx2.Response:
    with plain_client() as client:
        return client.get(url, params=params, headers=signed_on.headers() | (headers or {}))


def post(
    url: str,
    headers: dict[str, str],
    json: object = None,
    data: dict[str, str] | None = None,
    content: bytes | None = None,
) -> httpx2.Response:
    with plain_client() as client:
        return client.post(url, headers=signed_on.headers() | headers, json=json, data=data, content=content)


@contextmanager
def events(
    url: str, page: str, language: str = "es", person: str = signed_on.EVERYBODY
) -> Iterator[Iterator[tuple[str, dict[str, Any]]]]:
    """The server-sent events of a page, as this person's browser gets them: kind and data."""
    with (
        plain_client() as client,
        client.stream(
            "GET", f"{url}/events", params={"page": page, "lang": language}, headers=signed_on.headers(person)
        ) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield _events(answer.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    kind = ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)


def until_seq(stream: Iterator[tuple[str, dict[str, Any]]], seq: int) -> dict[str, str]:
    """Every part as it stands once the stream has reached a record."""
    parts: dict[str, str] = {}
    for kind, data in stream:
        if kind == "parts":
            parts.update(data)
        elif data["seq"] >= seq and data["controller"]:
            return parts
    raise AssertionError("the stream ended")


def enter(screens: Screens, entry: dict[str, Any], **headers: str) -> httpx2.Response:
    return post(f"{screens.url}/enter", json=entry, headers={"Origin": screens.url, **headers})


def following(screens: Screens) -> None:
    """Wait until the screens have the table as it is."""
    with events(screens.url, "croupier") as stream:
        until_seq(stream, len(screens.bench.records))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["croupier", "pit"])
def test_a_page_shows_the_table_without_any_script(screens: Screens, page: str, language: str) -> None:
    screens.controller.lines(hands.BETS)
    following(screens)
    answer = get(f"{screens.url}/{page}", params={"lang": language})
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    for spoken, sentence in (("es", "Carta 1 al puesto 1"), ("en", "Card 1 to seat 1")):
        assert (sentence in answer.text) == (spoken == language)
    assert "<noscript>" in answer.text


def test_the_first_page_leads_to_every_screen(screens: Screens) -> None:
    text = get(f"{screens.url}/?lang=en").text
    assert all(f'href="/{page}"' in text for page in PARTS)


@pytest.mark.parametrize(
    "path", ["/", "/croupier", "/pit", "/technician", "/metrics", "/static/live.js", "/static/screens.css", "/nowhere"]
)
def test_every_answer_has_strict_headers(screens: Screens, path: str) -> None:
    answer = get(f"{screens.url}{path}")
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "server" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/croupier", "/pit"])
def test_no_page_has_inline_script_or_style_or_asks_another_host(screens: Screens, path: str) -> None:
    screens.controller.lines(hands.DEVICES + hands.MID_HAND)
    following(screens)
    text = get(f"{screens.url}{path}").text
    assert re.findall(r"<script(?![^>]*\ssrc=)|\son[a-z]+=|\sstyle=|<style", text) == []
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


def test_a_name_that_points_here_from_elsewhere_is_not_answered(screens: Screens) -> None:
    answer = get(f"{screens.url}/croupier", headers={"Host": "evil.example"})
    assert answer.status_code == 421


def test_a_part_is_sent_again_only_when_it_changed(screens: Screens) -> None:
    following(screens)
    with events(screens.url, "pit") as stream:
        assert set(until_seq(stream, 1)) == set(PARTS["pit"])
        screens.controller.line("press new-hand")
        changed = until_seq(stream, 2)
        assert "prompt" in changed
        assert "alerts" not in changed


def test_there_is_a_heartbeat_although_nothing_happens(screens: Screens) -> None:
    following(screens)
    with events(screens.url, "croupier") as stream:
        kinds = [kind for kind, _ in islice(stream, 4)]
    assert kinds == ["parts", "beat", "beat", "beat"]


def test_an_unknown_page_has_no_events(screens: Screens) -> None:
    assert get(f"{screens.url}/events?page=nowhere").status_code == 404


def test_an_entry_reaches_the_controller(screens: Screens) -> None:
    following(screens)
    answer = enter(screens, {"page": "croupier", "act": "press", "key": "new-hand", "prompt": AT_FIRST})
    assert answer.json() == {"ok": True, "seq": 2, "refused": None}
    bets = enter(screens, {**BET, "prompt": BETTING})
    assert bets.json()["ok"]
    assert screens.controller.entered == [
        {"kind": "pressed", "key": "new-hand"},
        {"kind": "bets", "seat": 4, "amounts": {"ante": 750}},
    ]


@pytest.mark.parametrize("act", ["bet", "standing"])
def test_bets_that_were_meant_for_an_earlier_prompt_are_refused(screens: Screens, act: str) -> None:
    following(screens)
    entry = {**BET, "act": act}
    assert enter(screens, {"page": "croupier", "act": "press", "key": "new-hand", "prompt": AT_FIRST}).json()["ok"]
    before = list(screens.controller.entered)
    late = enter(screens, {**entry, "prompt": AT_FIRST})
    assert (late.status_code, late.json()["error"]) == (409, "prompt-changed")
    nowhere = enter(screens, entry)
    assert (nowhere.status_code, nowhere.json()["error"]) == (400, "bad-entry")
    assert screens.controller.entered == before
    assert enter(screens, {**entry, "prompt": BETTING}).json()["ok"]


def test_a_refusal_comes_back_with_its_reason(screens: Screens) -> None:
    following(screens)
    answer = enter(screens, {"page": "croupier", "act": "press", "key": "bank", "prompt": AT_FIRST})
    assert answer.json()["refused"] == {"why": "not-live", "clause": None, "detail": "bank"}


@pytest.mark.parametrize(
    ("entry", "status"),
    [
        ({"page": "pit", "act": "press", "key": "new-hand", "prompt": AT_FIRST}, 400),
        ({"page": "nowhere", "act": "press", "key": "new-hand", "prompt": AT_FIRST}, 400),
        ({"page": "croupier", "act": "bet", "seat": 1, "bets": {"ante": "much"}}, 400),
        ({"page": "croupier", "act": "call", "pad": "x" * 5000}, 400),
    ],
)
def test_nonsense_is_refused_with_a_sentence(screens: Screens, entry: dict[str, Any], status: int) -> None:
    following(screens)
    answer = enter(screens, entry)
    assert answer.status_code == status
    assert len(answer.json()["says"]) == 1
    assert screens.controller.entered == []


@pytest.mark.parametrize(
    "entry",
    [
        {"page": "croupier", "act": "call", "reason": "\ud800"},
        {"page": "pit", "act": "rule", "incident": 1, "remedy": "void-hand", "reason": "seen \udfff twice"},
        {"page": "croupier", "act": "bet", "seat": 1, "bets": {"ante": "10\ud800"}},
    ],
)
def test_a_text_that_cannot_be_recorded_is_refused_with_a_sentence(screens: Screens, entry: dict[str, Any]) -> None:
    following(screens)
    headers = {"Origin": screens.url, "Content-Type": "application/json"}
    answer = post(f"{screens.url}/enter", headers=headers, content=json.dumps(entry).encode())
    assert answer.status_code == 400
    assert answer.json()["error"] == "bad-text"
    assert answer.json()["says"][0].startswith("El texto tiene un carácter que no se puede registrar")
    assert screens.controller.entered == []


@pytest.mark.parametrize(
    "entry",
    [
        {"page": "\ud800", "act": "call"},
        {"page": "croupier", "act": "\ud800"},
        {"page": "croupier", "act": "name", "slot": "board.1", "card": "\ud800"},
        {"page": "croupier", "act": "name", "slot": "\ud800", "card": "As"},
        {"page": "croupier", "act": "bet", "seat": 1, "bets": {"\ud800": "10"}},
    ],
)
def test_half_a_character_is_no_word_of_an_entry(screens: Screens, entry: dict[str, Any]) -> None:
    following(screens)
    headers = {"Origin": screens.url, "Content-Type": "application/json"}
    answer = post(f"{screens.url}/enter", headers=headers, content=json.dumps(entry).encode())
    assert (answer.status_code, answer.json()["error"]) == (400, "bad-entry")
    assert screens.controller.entered == []


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
def test_another_site_cannot_enter_anything(screens: Screens, headers: dict[str, str]) -> None:
    following(screens)
    assert (
        enter(
            screens, {"page": "croupier", "act": "press", "key": "new-hand", "prompt": AT_FIRST}, **headers
        ).status_code
        == 403
    )
    assert screens.controller.entered == []


def test_a_form_cannot_enter_anything(screens: Screens) -> None:
    body = {"page": "croupier", "act": "press", "key": "new-hand"}
    answer = post(f"{screens.url}/enter", data=body, headers={"Origin": screens.url})
    assert answer.status_code == 415
    assert get(f"{screens.url}/enter").status_code == 405


def test_without_a_controller_the_page_says_so_and_enters_nothing(socket_path: Path) -> None:
    with serving(socket_path) as url:
        text = get(f"{url}/croupier?lang=es").text
        assert re.search(r'id="lost-controller" role="alert">', text)
        answer = post(f"{url}/enter", json={"page": "croupier", "act": "call"}, headers={"Origin": url})
        assert answer.status_code == 503
        assert answer.json()["says"][0].startswith("No se ha podido anotar")


# --- no sealed card ---------------------------------------------------------------------------------------------------

SUITS = "♠♥♦♣", ("picas", "corazones", "diamantes", "tréboles"), ("spades", "hearts", "diamonds", "clubs")
RANKS = (
    "AKQJT98765432",
    ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"),
    ("as", "rey", "dama", "jota", "diez", "nueve", "ocho", "siete", "seis", "cinco", "cuatro", "tres", "dos"),
    ("ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five", "four", "three", "two"),
)
RANK_OF = {word.lower(): RANKS[0][index] for words in RANKS for index, word in enumerate(words)}
SUIT_OF = {word: "shdc"[index] for words in SUITS for index, word in enumerate(words)}
#: As; A♠, as de picas, ace of spades; and the two texts of a card's picture.
CODE = re.compile(r"(?<![A-Za-z0-9#])([2-9TJQKA])([shdc])(?![A-Za-z0-9])")
NAME = re.compile(rf"\b({'|'.join(RANK_OF)})(?:\s+de\s+|\s+of\s+|\s*)({'|'.join(SUIT_OF)})", re.IGNORECASE)
PICTURE = re.compile(rf">({'|'.join(RANKS[1])})</text>\s*<text[^>]*>([{SUITS[0]}])<")


def cards_in(text: str) -> set[str]:
    """Every card that a text tells, in whatever notation."""
    found = {rank + suit for rank, suit in CODE.findall(text)}
    for rank, suit in (*NAME.findall(text), *PICTURE.findall(text)):
        found.add(RANK_OF[rank.lower()] + SUIT_OF[suit.lower()])
    return found


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("declared As yesterday", "As"),
        ('data-card="As"', "As"),
        ("A♠", "As"),
        ("10 ♥", "Th"),
        ("As de picas", "As"),
        ("DIEZ DE CORAZONES", "Th"),
        ("ace of spades", "As"),
        (">10</text>\n  <text class='pip'>♦</text>", "Td"),
    ],
)
def test_the_search_finds_every_notation(text: str, code: str) -> None:
    assert cards_in(text) == {code}


def test_no_sealed_card_is_ever_sent_to_a_page(screens: Screens) -> None:
    """A whole hand, step by step; after each step everything that a page can get, in every language, is searched."""
    screens.controller.lines(hands.DEVICES)
    rest = ("press all-check", "draw 2c", "draw 2d", "press all-check", "draw 8c", "draw 8h", "press bank")
    shown: set[str] = set()
    for line in (*hands.MID_HAND.split("\n"), *rest):
        screens.controller.lines(line)
        shown |= {reveal["card"] for reveal in screens.bench.records[-1]["reveals"]}
        sent = "".join(everything(screens, page, language) for page in PARTS for language in LANGUAGES)
        assert cards_in(sent) <= shown
        assert set(re.findall(r'data-card=\\?"(\w+)', sent)) <= shown
    assert shown == {
        "Kd",
        "Ts",
        "6h",
        "2d",
        "8h",
        "Qd",
        "Qh",
        "As",
        "Ah",
        "7d",
        "7h",
        "2h",
        "3h",
        "9s",
        "9d",
        "Kc",
        "Tc",
    }
    assert cards_in(everything(screens, "pit", "en")) == shown, "what lies open is shown, burns and stub are not"


def everything(screens: Screens, page: str, language: str) -> str:
    """Every byte that a page gets when it is opened now: its HTML, its events, the headers."""
    with events(screens.url, page, language) as stream:
        parts = until_seq(stream, len(screens.bench.records))
    answer = get(f"{screens.url}/{page}", params={"lang": language})
    return "\n".join([answer.text, *parts.values(), *map(str, answer.headers.multi_items())])


def test_the_socket_itself_never_carries_a_sealed_card(bench: Bench) -> None:
    """What these tests rely on: the table of these tests keeps the seal as the real one does."""
    bench.lines(hands.MID_HAND)
    text = json.dumps(bench.records)
    revealed = {reveal["card"] for record in bench.records for reveal in record["reveals"]}
    assert revealed == {"Kd", "Ts", "6h"}
    assert not [card.code for card in DECK if card.code not in revealed and f'"{card.code}"' in text]


def test_a_controller_that_comes_back_is_shown_with_what_happened_meanwhile(screens: Screens) -> None:
    screens.controller.lines(hands.BETS)
    following(screens)
    with events(screens.url, "croupier") as stream:
        until_seq(stream, len(screens.bench.records))
        screens.controller.stop()
        assert next(data for kind, data in stream if kind == "beat" and not data["controller"])
        screens.bench.lines(hands.HOLE_CARDS)
        screens.controller.start()
        parts = until_seq(stream, len(screens.bench.records))
        assert "apuesta flop" in parts["prompt"]


def test_two_controllers_can_follow_one_another(socket_path: Path) -> None:
    """Another journal behind the same socket: the page begins anew with the hands of that one."""
    first, second = Bench(), Bench()
    first.lines(hands.WHOLE + hands.BETS)
    with serving(socket_path) as url:
        with Controller(socket_path, first), events(url, "croupier") as stream:
            until_seq(stream, len(first.records))
        second.line("press new-hand")
        with Controller(socket_path, second), events(url, "croupier") as stream:
            for _, data in stream:
                if data.get("seq") == 2 and data["controller"]:
                    break
