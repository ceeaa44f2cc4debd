"""What croupier and pit boss see of five-card draw, in every phase, in each language and with every equipment."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.engine.vocabulary import Equipment, Tracking
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.table import Side
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens import payout
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.recall import RecentHands, last_hands, recalled
from tests.screens import draw_hands as hands
from tests.screens.controller import Controller
from tests.screens.test_circle_pages import DECLARE, PAGES, live, picture, plain

#: Every phase of a hand, with something to see in it.
PHASES: Final = {
    "closed": "",
    "antes": hands.CUT,
    "dealing": hands.ANTES + "press no-more-bets\ndraw As\n",
    "first-betting": hands.CARDS + "act check\nact bet 100\n",
    "draw": hands.ASKED,
    "replacing": hands.REPLACING,
    "second-betting": hands.SECOND,
    "showdown": hands.SHOWDOWN,
    "settlement": hands.NAMED,
    "voided": hands.CARDS + "call by croupier\nrule 1 void-hand by ana misdeal\n",
}


def told(lines: str, language: str) -> str:
    """What to do, in large letters."""
    seen = picture(hands.table(lines))
    return PAGES.texts(language, seen).instruction(seen.view)


def part(name: str, lines: str, page: str = "croupier", language: str = "es") -> str:
    return PAGES.parts(page, language, picture(hands.table(lines)))[name]


def test_there_is_something_to_see_of_every_phase_but_the_draw_for_the_button() -> None:
    assert {picture(hands.table(lines)).view.phase for lines in PHASES.values()} == set(PHASES)
    assert set(RULEBOOKS["draw-poker"]({}).phases) - set(PHASES) == {"seating"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", PHASES)
def test_every_page_of_every_phase_can_be_drawn_and_says_what_to_do(phase: str, language: str) -> None:
    seen = picture(hands.table(PHASES[phase]))
    t = PAGES.texts(language, seen)
    assert t.instruction(seen.view) not in ("", t.say("instruction", "none"))
    for page in ("croupier", "pit"):
        assert t.word("phase", phase) in PAGES.page(page, language, seen)
    assert t.instruction(seen.view) in PAGES.page("croupier", language, seen)
    assert seen.view.waiting == (), "a card that lies nowhere"


@pytest.mark.parametrize(
    ("lines", "es", "en"),
    [
        (hands.CUT, "Ofrezca el mazo a cortar", "Offer the deck to be cut"),
        (hands.ANTES, "Antes sobre la mesa, después No va más", "Antes on the table, then No more bets"),
        (hands.OPENED, "Puesto 1: ¿cuántas?", "Seat 1: how many?"),
        (hands.ASKED, "Puesto 1: 3 cartas a los descartes", "Seat 1: 3 cards to the discards"),
        (hands.REPLACING, "Carta 4 al puesto 1", "Card 4 to seat 1"),
        (hands.SHOWDOWN, "Puesto 1: descubre sus cartas", "Seat 1 shows the hand"),
        (hands.SHOWDOWN + "press show-all\n", "¿Qué carta es? puesto 1, carta 1", "Which card is it? seat 1, card 1"),
        (hands.PASSED_OUT, "Nadie abre: el bote se queda", "Nobody opens: the pot stays"),
    ],
)
def test_fcd_irr_1_fcd_opn_2_fcd_dsc_4_the_croupier_is_told_each_step(lines: str, es: str, en: str) -> None:
    assert [told(lines, language) for language in ("es", "en")] == [es, en]


def test_fcd_dsc_13_fcd_dsc_14_the_number_keys_say_how_many_and_no_seat_answers_to_them() -> None:
    keys = part("keys", hands.OPENED)
    assert live(keys) - DECLARE == {"check", *(f"seat-{number}" for number in range(1, 6)), "cancel"}
    numbers = keys.partition('class="row numbers')[2].partition("</div>")[0]
    several = " ".join(f"{number} cartas" for number in range(2, 6))
    assert plain(f"<{numbers}") == f"0 Servido 1 carta {several}"
    assert "data-key" not in part("seats", hands.OPENED)
    assert 'data-key="seat-1"' in part("seats", hands.CARDS)


def test_amb_17_every_card_can_be_named_by_its_place() -> None:
    keys = part("keys", hands.CARDS + "press incident\n")
    named = re.findall(r'data-declares="face-up-in-shoe" data-draw="(\d+)"', keys)
    assert named == [str(number) for number in range(15, 0, -1)], "five cards of three seats, the last one first"


@pytest.mark.parametrize(
    ("equipment", "hint"),
    [
        (Equipment.SHOE, "Boca abajo, sin enseñarlas. Cuando estén ahí, Confirmar."),
        (Equipment.ANTENNAS, "Boca abajo, sin enseñarlas. Las antenas las cuentan: no pulse nada."),
        (Equipment.BOTH, "Boca abajo, sin enseñarlas. Las antenas las cuentan: no pulse nada."),
    ],
)
def test_fcd_dsc_10_where_antennas_see_the_discards_nothing_is_pressed(equipment: Equipment, hint: str) -> None:
    seen = picture(hands.table(hands.ASKED))
    assert PAGES.texts("es", seen).hint(replace(seen.view, equipment=equipment.value)) == hint


def test_fcd_dsc_14_a_number_that_was_keyed_wrongly_is_asked_for_again() -> None:
    seen = picture(hands.table(hands.ASKED + "press cancel\n")).view
    assert seen.circle.player(1).changes is None
    assert 'data-refusal="taken-back"' in (prompt := part("prompt", hands.ASKED + "press cancel\n"))
    assert "Corregido. Puesto 1: se le pregunta otra vez" in plain(prompt)
    assert "No se cambian tantas cartas: como mucho 5 cartas" in plain(part("prompt", hands.OPENED + "asks 9\n"))


def test_fcd_dsc_10_what_a_seat_changed_lies_in_a_pile_of_its_own() -> None:
    seen = picture(hands.table(hands.SECOND)).view
    assert {seat: len(draws) for seat, draws in seen.circle.discards.items()} == {1: 3, 2: 2}
    assert [len(seen.at_spot(f"seat-{seat}")) for seat in (1, 2, 3)] == [5, 5, 5]
    assert re.findall(r'data-discards="(\d)" data-cards="(\d)"', part("felt", hands.SECOND, "pit")) == [
        ("1", "3"),
        ("2", "2"),
    ]
    assert part("felt", hands.SECOND, "pit").count('class="card back"') == 20


def test_fcd_dsc_4_a_seat_shows_how_many_it_changes_and_who_is_served() -> None:
    assert 'data-changes="3">cambia 3<' in part("seats", hands.REPLACING)
    assert 'data-changes="0">Servido<' in part("seats", hands.OPENED + "press check\n")


@pytest.mark.parametrize(("lines", "left"), [(hands.CUT, 52), (hands.CARDS, 37), (hands.SECOND, 32)])
def test_the_page_says_how_many_cards_the_stub_holds(lines: str, left: int) -> None:
    assert f'<b id="remaining">{left}</b>' in part("status", lines)


def test_fcd_dsc_5_fcd_dsc_9_a_new_stub_is_made_of_discards_that_are_named() -> None:
    seen = picture(hands.table(hands.NEW_STUB, seats=hands.NINE))
    t = PAGES.texts("es", seen)
    assert t.instruction(seen.view) == "Mazo nuevo: los descartes y la última carta"
    assert t.hint(seen.view).startswith("Junte los descartes de los puestos 4, 5 y la última carta")
    assert seen.view.remaining == 1
    made = picture(hands.table(hands.NEW_STUB + "press confirm\n", seats=hands.NINE)).view
    assert (made.remaining, dict(made.circle.discards), made.drawn, made.out) == (9, {}, 51, 43)
    assert sum(cards for _, cards in payout.collected(made)) == made.out


def test_fcd_win_2_the_cards_that_were_named_lie_open_and_no_others() -> None:
    seen = picture(hands.table(hands.NAMED)).view
    assert [lying.code for lying in seen.at_spot("seat-1")] == ["As", "Ad", "2c", "2d", "2h"]
    assert [lying.code for lying in seen.at_spot("seat-2")] == ["Ks", "Kd", "Jc", "Kc", "Qc"]
    assert {lying.side for seat in (1, 2) for lying in seen.discarded(seat)} == {Side.BACK}
    assert {lying.side for lying in seen.at_spot("seat-3")} == {Side.BACK}


def test_fcd_win_5_a_pot_that_nobody_opened_stays_and_is_seen_in_the_next_hand() -> None:
    side = plain(part("side", hands.PASSED_OUT))
    assert "Queda para la mano siguiente 1,50 €" in side
    assert "El bote se queda" in plain(part("keys", hands.PASSED_OUT))
    after = hands.PASSED_OUT + "press confirm\n" + hands.ANTES + "press no-more-bets\n"
    assert "Del bote anterior 1,50 €" in plain(part("felt", after, "pit"))
    assert "Bote 3 €" in plain(part("prompt", after))
    back = picture(hands.table(hands.PASSED_OUT + "press cancel\n")).view
    assert (back.phase, back.circle.is_carried, back.circle.carried) == ("first-betting", False, None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_fcd_win_5_a_hand_that_nobody_opened_is_listed_with_its_pot_and_no_bank(language: str) -> None:
    listed = plain(part("hands", hands.PASSED_OUT + "press confirm\n", "pit", language))
    assert ("Nadie abrió" if language == "es" else "Nobody opened") in listed
    assert ("Bote para la siguiente: 1,50 €" if language == "es" else "Pot for the next hand: €1.50") in listed
    assert not re.search("Jugada|Played|Banca|Bank", listed)


def test_fcd_win_5_the_hands_to_review_say_the_pot_that_stays(socket_path: Path) -> None:
    bench = hands.table(hands.PASSED_OUT + "press cancel\n" + "press all-check\npress confirm\npress new-hand\n")
    heard = RecentHands()
    for record in bench.records:
        heard.take(decode_record(record))
    with Controller(socket_path, bench):
        asked = asyncio.run(last_hands(socket_path))
    for rows in (asked, heard.last_hands()):
        assert [(row.is_carried, row.carried) for row in rows] == [(False, None), (True, 150)]
        shown = plain(PAGES.hands("es", picture(bench), rows))
        assert "Nadie abrió Bote para la siguiente: 1,50 €" in shown


def test_fcd_dsc_15_how_many_a_player_takes_is_called_aloud_and_the_draw_once() -> None:
    pictures = [picture(hands.table(lines)) for lines in (hands.OPENED, hands.ASKED, hands.SERVED)]
    aloud = [PAGES.texts("en", shown).aloud(shown.view) for shown in pictures]
    assert aloud == ["Seat 3 folds. Draw.", "Seat 1: changes 3 cards.", "Seat 1: changes 3 cards."]


@pytest.mark.parametrize("tracking", [Tracking.ROUNDS, Tracking.ACTIONS])
def test_without_amounts_no_page_has_a_word_for_them(tracking: Tracking) -> None:
    for page in ("croupier", "pit"):
        for lines in (hands.CUT, hands.CARDS, hands.PASSED_OUT):
            shown = " ".join(PAGES.parts(page, "es", picture(hands.table(lines, tracking=tracking))).values())
            assert "€" not in shown


def test_fcd_win_5_where_rounds_are_entered_a_key_says_that_nobody_opens() -> None:
    seen = picture(hands.table(hands.CARDS, tracking=Tracking.ROUNDS))
    keys = PAGES.parts("croupier", "es", seen)["keys"]
    assert {"confirm", "all-check"} <= live(keys)
    assert "Nadie abre: Todos pasan." in PAGES.texts("es", seen).hint(seen.view)


def test_fcd_irr_0_the_cases_that_stand_are_told_with_their_clauses() -> None:
    seen = picture(hands.table(hands.CARDS))
    assert "data-case" not in PAGES.parts("croupier", "es", seen)["side"]
    prompt = seen.view.prompt
    assert prompt is not None
    stands = replace(seen, view=replace(seen.view, prompt=replace(prompt, cases=("FCD-IRR-1", "FCD-IRR-5"))))
    side = PAGES.parts("croupier", "es", stands)["side"]
    assert re.findall(r'data-case="([\w-]+)"', side) == ["FCD-IRR-1", "FCD-IRR-5"]
    assert "no se ofreció el mazo a cortar" in plain(side)


def test_fcd_env_5_a_clause_of_document_001_is_quoted_to_the_pit_boss_and_when_the_hand_is_looked_at_again() -> None:
    bench = hands.table(hands.CARDS + "act check\nact bet 100\ndeclare cards-in-contact seat-1 seat-2\n")
    seen = picture(bench)
    hand = recalled(
        1, table_info(bench.greeting), [decode_record(record) for record in bench.records if record["hand"] == 1]
    )
    for language in LANGUAGES:
        clause = PAGES.texts(language, seen).clause("THL-PLE-14")
        for shown in (PAGES.parts("pit", language, seen)["alerts"], PAGES.hand(language, seen, hand, hand.steps[-1])):
            assert "THL-PLE-14" in shown
            assert clause in plain(shown)


def test_fcd_opn_5_an_opening_that_is_not_allowed_is_told_to_croupier_and_pit_boss_with_no_card() -> None:
    lines = hands.CARDS.replace("draw 9s", "draw 9h") + "act check\nact check\nact bet 100\n"
    seen = picture(hands.table(lines))
    assert seen.view.turn == 3
    for page in ("croupier", "pit"):
        shown = PAGES.page(page, "es", seen)
        assert "Apertura que no vale" in shown
        assert "FCD-OPN-5" in shown
        assert 'class="card face"' not in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        ("cut", "card"),
        ("new-stub", "card"),
        ("discards", "none"),
        ("play", "redeal-demanded"),
        ("dealer-seat-3", "wrong-dealer"),
        ("unlooked", "looked-at-hand"),
        ("jacks-or-better", "opening"),
        ("jacks-or-better", "not-checked"),
        ("jacks-or-better", "false-opening"),
        ("turn-seat-1", "discarded-early"),
        ("turn-seat-1", "discard-seat-2"),
        ("discard", "seat-3"),
        ("play", "closing-time"),
        ("closing-time", "leaves-ahead"),
        ("lost-a-resto", "leaves"),
        ("seat-3=5+seat-5=5", "seat-3=6+seat-5=4"),
    ],
)
def test_every_irregularity_has_a_title_a_sentence_and_words(expected: str, observed: str, language: str) -> None:
    t = PAGES.texts(language, picture(hands.table()))
    for table in ("title", "happened"):
        key = t.incident_key(table, expected, observed, ())
        assert key not in ("other", "card"), table
    for word in (expected, observed):
        assert t.observed(word) != word
        assert not re.search(r"\b(seat|discard|card)-|=", t.observed(word))
