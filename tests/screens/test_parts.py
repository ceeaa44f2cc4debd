"""The small pure parts: money, entries, who may talk to the screens, where seats lie."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from starlette.requests import Request

from tablectl.api.methods import ENTERED
from tablectl.core.engine.facts import Acted
from tablectl.core.engine.vocabulary import Action, Tracking
from tablectl.i18n.amounts import NotAnAmount
from tablectl.journal.handfile.facts import parse_fact
from tablectl.web.screens import felt, money
from tablectl.web.screens.entries import SCREENS, BadEntry, Typed, line_of
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.guard import is_loopback, own_origin
from tests.screens import circle_hands
from tests.screens.controller import Bench, setup

TABLE = table_info(Bench().greeting)
TYPED = Typed(table=TABLE, language="es")


@pytest.mark.parametrize(
    ("amount", "es", "en"),
    [(2000, "20 €", "€20"), (250, "2,50 €", "€2.50"), (-125_000, "−1.250 €", "−€1,250"), (0, "0 €", "€0")],
)
def test_money_as_each_language_writes_it(amount: int, es: str, en: str) -> None:
    assert money.full(amount, exponent=2, currency="EUR", language="es") == es
    assert money.full(amount, exponent=2, currency="EUR", language="en") == en


@pytest.mark.parametrize(
    ("amount", "es", "en"), [(2000, "+20 €", "+€20"), (-250, "−2,50 €", "−€2.50"), (0, "0 €", "€0")]
)
def test_a_sum_that_was_gained_or_lost_has_its_sign_and_its_currency(amount: int, es: str, en: str) -> None:
    assert money.gained(amount, exponent=2, currency="EUR", language="es") == es
    assert money.gained(amount, exponent=2, currency="EUR", language="en") == en


def test_money_without_cents() -> None:
    assert money.full(1500, exponent=0, currency="CLP", language="es") == "1.500 CLP"


@pytest.mark.parametrize(
    ("page", "entry", "line"),
    [
        ("croupier", {"act": "press", "key": "bet"}, "press bet"),
        ("croupier", {"act": "bet", "seat": 2, "bets": {"ante": "10", "bonus": "2,50"}}, "bet 2 ante 1000 bonus 250"),
        ("croupier", {"act": "remove", "seat": 2}, "remove 2"),
        ("croupier", {"act": "remove", "seat": 3, "bettor": 2}, "remove 3/2"),
        ("croupier", {"act": "out", "seat": 3, "bettor": 2}, "out 3/2"),
        (
            "croupier",
            {"act": "standing", "seat": 3, "bets": {"ante": "5", "txb": "1"}, "consent": True},
            "standing 3 ante 500 txb 100 consent",
        ),
        ("croupier", {"act": "standing", "seat": 3, "bets": {"ante": "5"}}, "standing 3 ante 500"),
        (
            "croupier",
            {"act": "declare", "what": "cards-in-contact", "spots": ["seat-2", "seat-3"]},
            "declare cards-in-contact seat-2 seat-3",
        ),
        ("croupier", {"act": "name", "slot": "board.2", "card": "Kd"}, "name board.2 Kd by ana"),
        ("croupier", {"act": "call"}, "call by ana"),
        ("croupier", {"act": "act", "action": "raise", "to": "12,50"}, "act raise 1250"),
        ("croupier", {"act": "act", "action": "fold", "seat": 7}, "act 7 fold"),
        ("croupier", {"act": "act", "action": "all-in"}, "act all-in"),
        ("croupier", {"act": "chips", "seat": 3, "amount": "5", "single": True}, "chips 3 500 single"),
        (
            "croupier",
            {"act": "chips", "seat": 3, "amount": "5", "said": "raise", "said_to": "8"},
            "chips 3 500 said=raise to=800",
        ),
        ("croupier", {"act": "player", "seat": 10, "what": "takes"}, "player 10 takes"),
        ("croupier", {"act": "stack", "seat": 3, "amount": "200"}, "stack 3 20000"),
        ("croupier", {"act": "asks", "cards": 0}, "asks 0"),
        ("croupier", {"act": "asks", "seat": 3, "cards": 2}, "asks 3 2"),
        ("croupier", {"act": "button", "seat": 3}, "button 3"),
        ("croupier", {"act": "declare", "what": "unreported-card"}, "declare unreported-card"),
        ("croupier", {"act": "declare", "what": "face-up-in-shoe", "draw": 3}, "declare face-up-in-shoe draw=3"),
        ("pit", {"act": "acknowledge", "incident": 3}, "acknowledge 3 by ana"),
        ("pit", {"act": "rule", "incident": 3, "remedy": "void-hand"}, "rule 3 void-hand by ana"),
        (
            "pit",
            {"act": "rule", "incident": 3, "remedy": "continue", "reason": "  the antenna\n> lied # twice "},
            "rule 3 continue by ana the antenna > lied twice",
        ),
    ],
)
def test_an_entry_becomes_a_line_of_the_grammar(page: str, entry: dict[str, Any], line: str) -> None:
    made = line_of(SCREENS[page], entry, TYPED, by="ana")
    assert made == line
    assert "\n" not in made
    parse_fact(made, 0, setup())
    assert made.split()[0] in ENTERED, "the controller takes it"


@pytest.mark.parametrize(
    ("page", "entry"),
    [
        ("croupier", {}),
        ("croupier", {"act": "rule", "incident": 1, "remedy": "void-hand"}),
        ("croupier", {"act": "draw", "card": "As"}),
        ("croupier", {"act": ["press"]}),
        ("croupier", {"act": "declare", "what": "wrong-count seat-1"}),
        ("croupier", {"act": "declare", "what": "face-up-in-shoe", "draw": "3"}),
        ("croupier", {"act": "declare", "what": "face-up-in-shoe", "draw": -1}),
        ("pit", {"act": "press", "key": "bet"}),
        ("pit", {"act": "rule", "incident": True, "remedy": "void-hand"}),
        ("pit", {"act": "rule", "incident": 1, "remedy": "void-hand by x\nrule 2"}),
        ("pit", {"act": "rule", "incident": 1, "remedy": "void-hand", "reason": 5}),
        ("croupier", {"act": "press", "key": "seat-11"}),
        ("croupier", {"act": "press", "key": ["bet"]}),
        ("croupier", {"act": "bet", "seat": 1, "bets": {}}),
        ("croupier", {"act": "bet", "seat": 1, "bets": {"ante 5 bonus": "5"}}),
        ("croupier", {"act": "bet", "seat": 1, "bets": {"ante": 1000}}),
        ("croupier", {"act": "bet", "seat": 11, "bets": {"ante": "10"}}),
        ("croupier", {"act": "name", "slot": "moon.1", "card": "Kd"}),
        ("croupier", {"act": "standing", "seat": 3, "bets": {"ante": "5"}, "consent": "yes"}),
        ("croupier", {"act": "standing", "seat": 3, "bets": {}, "consent": True}),
        ("croupier", {"act": "remove", "seat": 3, "bettor": 1}),
        ("croupier", {"act": "out", "seat": 3}),
        ("croupier", {"act": "out", "seat": 3, "bettor": True}),
        ("croupier", {"act": "out", "seat": 3, "bettor": 10}),
        ("croupier", {"act": "declare", "what": "showed-cards", "spots": ["moon"]}),
        ("croupier", {"act": "declare", "what": "showed-cards", "spots": [["seat-1"]]}),
        ("croupier", {"act": "declare", "what": "showed-cards", "spots": ["seat-1"] * 3}),
        ("pit", {"act": "standing", "seat": 3, "bets": {"ante": "5"}, "consent": True}),
        ("croupier", {"act": "name", "slot": "board.1", "card": "1d"}),
        ("pit", {"act": "act", "action": "fold"}),
        ("croupier", {"act": "act", "action": "limp"}),
        ("croupier", {"act": "act", "action": "fold", "to": "5"}),
        ("croupier", {"act": "act", "action": "call", "to": "5"}),
        ("croupier", {"act": "act", "action": "raise", "to": 500}),
        ("croupier", {"act": "act", "action": "raise", "to": "5", "seat": 11}),
        ("croupier", {"act": "act", "action": "raise", "to": "5", "all_in": True}),
        ("croupier", {"act": "act", "action": "call", "all_in": "yes"}),
        ("croupier", {"act": "chips", "amount": "5"}),
        ("croupier", {"act": "chips", "seat": 3, "amount": "5", "single": "yes"}),
        ("croupier", {"act": "chips", "seat": 3, "amount": "5", "said": "limp"}),
        ("croupier", {"act": "chips", "seat": 3, "amount": "5", "said": "call", "said_to": "8"}),
        ("croupier", {"act": "chips", "seat": 3, "amount": "5", "said_to": "8"}),
        ("croupier", {"act": "player", "seat": 3, "what": "sleeps"}),
        ("croupier", {"act": "player", "what": "takes"}),
        ("croupier", {"act": "stack", "seat": 3}),
        ("croupier", {"act": "asks", "seat": 3}),
        ("croupier", {"act": "asks", "cards": True}),
        ("croupier", {"act": "asks", "cards": 10}),
        ("croupier", {"act": "button", "seat": "3"}),
    ],
)
def test_what_a_page_may_not_enter_is_refused(page: str, entry: dict[str, Any]) -> None:
    with pytest.raises(BadEntry):
        line_of(SCREENS[page], entry, TYPED, by="ana")


@pytest.mark.parametrize(
    "entry",
    [
        {"act": "act", "action": "raise", "to": "ten"},
        {"act": "chips", "seat": 3, "amount": ""},
        {"act": "chips", "seat": 3, "amount": "5", "said": "raise", "said_to": "5,005"},
        {"act": "stack", "seat": 3, "amount": "-5"},
    ],
)
def test_chips_of_a_circle_game_that_are_no_amount_are_refused_whole(entry: dict[str, Any]) -> None:
    with pytest.raises(NotAnAmount):
        line_of(SCREENS["croupier"], entry, TYPED, by="ana")


ACTIONS = table_info(circle_hands.table(tracking=Tracking.ACTIONS).greeting)


@pytest.mark.parametrize("action", ["call", "bet", "raise"])
def test_without_amounts_an_action_can_be_with_the_last_chips(action: str) -> None:
    made = line_of(
        SCREENS["croupier"],
        {"act": "act", "action": action, "all_in": True},
        Typed(table=ACTIONS, language="es"),
        by="ana",
    )
    assert made == f"act {action} all-in"
    assert parse_fact(made, 0, setup()) == Acted(at_us=0, action=Action(action), is_all_in=True)


@pytest.mark.parametrize(
    "entry",
    [
        {"act": "act", "action": "raise", "to": "5"},
        {"act": "act", "action": "check", "all_in": True},
        {"act": "chips", "seat": 3, "amount": "5"},
        {"act": "stack", "seat": 3, "amount": "5"},
    ],
)
def test_without_amounts_none_can_be_entered(entry: dict[str, Any]) -> None:
    with pytest.raises(BadEntry):
        line_of(SCREENS["croupier"], entry, Typed(table=ACTIONS, language="es"), by="ana")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
def test_loopback_is_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "127.0.0.1.evil.example", "mesa1", ""])
def test_anything_else_is_not(host: str) -> None:
    assert not is_loopback(host)


def from_our_own_page(headers: dict[str, str]) -> bool:
    raw = [(b"host", b"127.0.0.1:8420"), *((name.encode(), value.encode()) for name, value in headers.items())]
    return own_origin(Request({"type": "http", "headers": raw}))


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://127.0.0.1:8420", "sec-fetch-site": "same-origin"},
        {"origin": "http://127.0.0.1:8420"},
        {"sec-fetch-site": "same-origin"},
    ],
)
def test_entries_come_from_our_own_pages(headers: dict[str, str]) -> None:
    assert from_our_own_page(headers)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example", "sec-fetch-site": "cross-site"},
        {"origin": "http://127.0.0.1:9999", "sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:8420", "sec-fetch-site": "cross-site"},
        {"origin": "null"},
    ],
)
def test_entries_of_other_pages_are_none(headers: dict[str, str]) -> None:
    assert not from_our_own_page(headers)


@pytest.mark.parametrize("seats", range(1, 10))
def test_seats_lie_around_the_arc_from_left_to_right_and_keep_their_distance(seats: int) -> None:
    places = felt.seat_places(seats)
    assert [place.seat for place in places] == list(range(1, seats + 1))
    assert all(60 < place.x < felt.WIDTH - 60 and 100 < place.y < felt.HEIGHT - 80 for place in places)
    gaps = [right.x - left.x for left, right in pairwise(places)]
    assert all(gap > 0 for gap in gaps)
    closest = min(
        ((one.x - two.x) ** 2 + (one.y - two.y) ** 2 for one in places for two in places if one is not two), default=1e9
    )
    assert closest > 150**2
