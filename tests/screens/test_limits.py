"""The page of limits, its entry in the grammar of hand files, and what the stream says of them."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tablectl.core.engine.decisions import LimitsInForce, LimitsWait
from tablectl.core.engine.facts import Limits
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable, Span
from tablectl.i18n.amounts import NotAnAmount, parse
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.entries import SCREENS, BadEntry, Typed, line_of
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.limits_page import LimitRow, limit_rows, limits_page
from tests.screens import hands
from tests.screens.conftest import Screens
from tests.screens.controller import Bench, Controller, record_of
from tests.screens.serving import serving
from tests.screens.test_alarms import view_of
from tests.screens.test_app import following, get
from tests.screens.test_pages import PAGES, plain

TABLE = replace(table_info(Bench().greeting), bands={"ante": Span(least=200, most=20_000)})
TYPED = Typed(table=TABLE, language="es")


def picture(view: PublicTable | None = None) -> Picture:
    return Picture(view=view_of("") if view is None else view, table=TABLE, connected=True)


def test_the_limits_are_those_of_the_table_until_the_stream_says_others() -> None:
    bare = Picture(table=TABLE)
    assert limit_rows(bare)[0] == LimitRow(
        bet="ante", span=Span(least=500, most=10_000), waiting=None, band=Span(least=200, most=20_000)
    )
    view = replace(
        view_of(""), limits={"ante": Span(least=1000, most=5000)}, limits_waiting={"ante": Span(least=1, most=2)}
    )
    ante, bonus = limit_rows(picture(view))
    assert (ante.span, ante.waiting) == (Span(least=1000, most=5000), Span(least=1, most=2))
    assert (bonus.span, bonus.band) == (Span(least=100, most=5000), None)
    assert limit_rows(Picture()) == ()


def test_the_setup_of_a_record_has_the_limits() -> None:
    assert view_of("").limits == {"ante": Span(least=500, most=10_000), "bonus": Span(least=100, most=5_000)}


def test_limits_wait_for_the_end_of_the_hand_and_then_they_are_in_force() -> None:
    new = {"ante": Limits(least=1000, most=5000)}
    waiting = fold(view_of(""), record_of(LimitsWait(limits=new)))
    assert waiting.limits_waiting == {"ante": Span(least=1000, most=5000)}
    assert waiting.limits == view_of("").limits
    now = fold(waiting, record_of(LimitsInForce(limits=new)))
    assert now.limits == {"ante": Span(least=1000, most=5000), "bonus": Span(least=100, most=5_000)}
    assert now.limits_waiting == {}


def test_bands_and_time_zone_come_with_the_greeting() -> None:
    greeting = Bench().greeting
    greeting["table"]["bands"] = {"ante": {"least": 200, "most": 20_000}}
    greeting["table"]["timezone"] = "Europe/Madrid"
    found = table_info(greeting)
    assert (found.bands, found.timezone) == ({"ante": Span(least=200, most=20_000)}, "Europe/Madrid")
    assert table_info(Bench().greeting).timezone == "UTC"


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_is_in_force_and_between_what_the_house_may_choose(language: str) -> None:
    text = limits_page(PAGES, language, picture())
    said = {
        "es": ("En vigor", "Banda autorizada", "5 € a 100 €", "2 € a 200 €"),
        "en": ("In force", "Authorised band", "€5 to €100", "€2 to €200"),
    }
    for words in said[language]:
        assert words in plain(text)
    assert re.findall(r'<input name="(\w+)" inputmode="decimal"[^>]* value="(\d+)"', text) == [
        ("least", "5"),
        ("most", "100"),
        ("least", "1"),
        ("most", "50"),
    ]
    assert 'name="second-secret" type="password"' in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_amount_that_stands_in_the_form_can_be_sent_as_it_is(language: str) -> None:
    t = PAGES.texts(language, picture())
    for amount in (500, 250, 1_234_567, 100_000):
        assert parse(t.to_type(amount), exponent=2, language=t.language) == amount


@pytest.mark.parametrize("language", LANGUAGES)
def test_limits_that_wait_are_said_to_wait(language: str) -> None:
    view = replace(view_of(""), limits_waiting={"ante": Span(least=1000, most=5000)})
    text = plain(limits_page(PAGES, language, picture(view)))
    for words in {"es": ("Espera al fin de la mano", "10 € a 50 €"), "en": ("€10 to €50",)}[language]:
        assert words in text


def test_a_table_without_limits_says_so() -> None:
    bare = replace(TABLE, limits={}, bands={})
    assert "no tiene límites" in limits_page(PAGES, "es", Picture(table=bare, connected=True))


def test_before_the_controller_was_heard_the_page_says_that_and_asks_again() -> None:
    text = limits_page(PAGES, "es", Picture())
    assert "no tiene límites" not in text
    assert "data-again" in text
    assert "Nadie ha dicho aún" in plain(text)


def test_the_page_waits_for_a_controller_that_comes_after_the_screens(socket_path: Path, bench: Bench) -> None:
    with serving(socket_path) as url, ThreadPoolExecutor(1) as other:
        asked = other.submit(get, f"{url}/pit/limits", params={"lang": "es"})
        with Controller(socket_path, bench):
            assert "En vigor" in asked.result().text


def test_the_page_after_a_record_waits_for_it_and_not_for_one_that_never_comes(screens: Screens) -> None:
    screens.controller.lines(hands.BETS)
    following(screens)
    for seq in (len(screens.bench.records), 10**9, "x", "9" * 40):
        answer = get(f"{screens.url}/pit/limits", params={"lang": "es", "seq": str(seq)})
        assert answer.status_code == 200
        assert "En vigor" in answer.text


# --- the entry --------------------------------------------------------------------------------------------------------


def test_new_limits_in_the_grammar_of_hand_files() -> None:
    entry = {
        "act": "limits",
        "limits": {"ante": {"least": "5", "most": "100"}, "bonus": {"least": "2,50", "most": "50"}},
    }
    assert line_of(SCREENS["pit"], entry, TYPED, by="ana") == "limits ante=500..10000 bonus=250..5000 by ana"
    assert line_of(SCREENS["pit"], entry, TYPED, by="ana+luis").endswith(" by ana+luis")


@pytest.mark.parametrize(
    "limits",
    [
        None,
        {},
        [],
        {"ante": 5},
        {"ante": {"least": "5"}},
        {"ante": {"least": "5", "most": 100}},
        {"ante": {"least": "100", "most": "5"}},
        {"ante": {"least": "0", "most": "5"}},
        {"ante by x": {"least": "5", "most": "100"}},
        {"turn": {"least": "5", "most": "100"}},
    ],
)
def test_what_are_no_limits_is_refused(limits: object) -> None:
    with pytest.raises(BadEntry):
        line_of(SCREENS["pit"], {"act": "limits", "limits": limits}, TYPED, by="ana")


def test_what_is_no_amount_is_said_to_be_none() -> None:
    entry = {"act": "limits", "limits": {"ante": {"least": "five", "most": "100"}}}
    with pytest.raises(NotAnAmount):
        line_of(SCREENS["pit"], entry, TYPED, by="ana")


def test_the_croupier_changes_no_limits() -> None:
    entry = {"act": "limits", "limits": {"ante": {"least": "5", "most": "100"}}}
    with pytest.raises(BadEntry):
        line_of(SCREENS["croupier"], entry, TYPED, by="ana")
