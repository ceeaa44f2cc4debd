"""A remedy is told step by step with its cards, places and money; and a key that takes back says what it takes back."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.journal.handfile.file import parse
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.screen_texts import ScreenTexts
from tests.screens import circle_hands, draw_hands, hands
from tests.screens.controller import Bench, setup

TEXTS = load_texts("tablectl.web.screens")
DEAL = hands.BETS + hands.HOLE_CARDS


def texts_in(bench: Bench, language: str = "es") -> ScreenTexts:
    table = table_info(bench.greeting)
    return ScreenTexts(language=language, texts=TEXTS, rulebook=table.rulebook, table=table)


def seen(bench: Bench) -> PublicTable:
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return view


def banked(lines: str, tracking: Tracking = Tracking.AMOUNTS) -> Bench:
    bench = Bench(setup(tracking=tracking))
    bench.lines(lines)
    return bench


def steps(bench: Bench, language: str = "es") -> tuple[str, ...]:
    view = seen(bench)
    return texts_in(bench, language).steps(view.alerts[0], view)


def test_a_void_hand_says_how_many_cards_lie_where_and_what_goes_back_to_whom() -> None:
    bench = banked(DEAL + "draw 9c\npress seen\nrule 1 void-hand by ana seen")
    assert steps(bench) == (
        "Pare el reparto.",
        "Recoja TODAS las cartas: 7 cartas (Puesto 1: 2, Puesto 3: 2, Banca: 2, Sin colocar: 1).",
        "Devuelva: Puesto 1: 15 €, Puesto 3: 20 €.",
        "Pulse Confirmar.",
    )
    assert steps(bench, "en")[2] == "Give back: Seat 1: €15, Seat 3: €20."


def test_who_is_asked_whether_a_reader_is_right_is_told_to_look_and_not_to_wait_for_the_pit_boss() -> None:
    bench = Bench(carry=parse("rulebook texas-poker\nequipment both\n> press no-more-bets\n").carry)
    bench.lines(
        "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000\npress no-more-bets\ndraw As\nseen seat-1 As\ndraw 9c"
    )
    bench.lines("seen seat-1 9c\ntime +1.5")
    assert steps(bench) == TEXTS.lines("steps-asked", "lies-there", "es")
    bench.lines("press cancel")
    assert steps(bench) == TEXTS.lines("steps-ruling", "wait", "es")


@pytest.mark.parametrize(
    ("more", "told", "void"),
    [
        ("", "", None),
        ("press seen", "El croupier dice que se ha visto: por eso decide usted.", None),
        ("press not-seen", "El croupier dice que nadie lo ha visto.", None),
        (
            "press seen\nrule 1 void-hand by ana seen",
            "El croupier dice que se ha visto.",
            "Carta antes de tiempo, y se ha visto (THB-ERR-4). Se recogen las cartas y se devuelven las apuestas.",
        ),
    ],
)
def test_what_the_croupier_answered_stands_with_the_incident_and_with_the_void_hand(
    more: str, told: str, void: str | None
) -> None:
    bench = banked(f"{DEAL}draw 9c\n{more}")
    view = seen(bench)
    assert texts_in(bench).answered(view.alerts[0]) == told
    assert (texts_in(bench).void_why(view) if view.void else None) == void


def test_a_hand_that_is_void_although_nobody_was_asked_says_why() -> None:
    bench = banked(DEAL + "press bank-exposed\npress confirm")
    view = seen(bench)
    assert view.alerts[0].was_seen is None
    assert texts_in(bench, "en").void_why(view) == (
        "Bank card exposed (THB-ERR-1). Cards are collected and bets go back."
    )


def test_without_amounts_the_bets_are_named() -> None:
    lines = "press new-hand\npress seat-1\npress no-more-bets\ndraw As\ndraw Kd\npress bank-exposed\npress seat-1"
    bench = banked(lines, Tracking.PRESENCE)
    assert "Devuelva: Puesto 1: Ante." in steps(bench)


def test_a_seat_that_is_void_is_named_with_what_it_gets_back() -> None:
    told = steps(banked(DEAL + "declare wrong-count seat-1 cards=1 lap=1"))
    assert told[:2] == ("Puesto 1: recoja sus cartas.", "Devuelva: Puesto 1: 15 €.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_every_remedy_is_filled_in(language: str) -> None:
    bench = banked(DEAL + "draw 9c\npress seen\nrule 1 void-hand by ana seen")
    view, say = seen(bench), texts_in(bench, language)
    values = say._to_handle(view.alerts[0], view)
    for key in TEXTS.keys("steps"):
        for line in TEXTS.lines("steps", key, language):
            assert "{" not in line.format(**values)


# --- undo -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("press call", "Puesto 4 iguala"),
        ("act raise 800", "Puesto 4 sube"),
        ("press call\npress seat-8", "Puesto 8: la elección"),
        ("", ""),
    ],
)
def test_a_circle_game_says_which_action_would_be_taken_back(lines: str, told: str) -> None:
    bench = circle_hands.table(circle_hands.BLINDS + circle_hands.CARDS + lines)
    assert texts_in(bench).undo(seen(bench)) == told


def test_what_was_entered_for_all_is_taken_back_for_all() -> None:
    bench = circle_hands.table(circle_hands.TO_THE_FLOP + "press all-check")
    assert texts_in(bench).undo(seen(bench)) == "Puesto 1 pasa, Puesto 2 pasa, Puesto 4 pasa"
    before = seen(bench)
    bench.line("press cancel")
    assert len(seen(bench).before) == len(before.before) - 3


def test_a_number_of_cards_is_named_while_it_can_be_taken_back() -> None:
    bench = draw_hands.table(draw_hands.ASKED)
    assert texts_in(bench).undo(seen(bench)) == "Puesto 1: 3 cartas"
    bench.lines("press confirm\ndraw 2c")
    assert texts_in(bench).undo(seen(bench)) == ""


def test_bets_against_the_bank_are_taken_back_until_no_more_bets() -> None:
    bench = banked("press new-hand\nbet 1 ante 1000 bonus 500\nbet 3 ante 2000")
    assert texts_in(bench).undo_bets(seen(bench)) == "Puesto 3 · Ante 20 €"
    assert texts_in(bench, "en").undo_bets(seen(bench)) == "Seat 3 · Ante €20"
    bench.line("press no-more-bets")
    assert texts_in(bench).undo_bets(seen(bench)) == ""
    later = banked(hands.WHOLE + "press new-hand")
    assert texts_in(later).undo_bets(seen(later)) == ""
