"""What the croupier is told that no device can see: the steps of the shuffle, what to call aloud, a reminder."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import pytest

from tablectl.core.engine.decisions import BetTaken
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.public_table.aloud import calls
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.clauses.catalogue import load
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.journal.handfile.file import parse
from tablectl.web.screens import guidance
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.render import Pages
from tablectl.web.screens.screen_texts import ScreenTexts
from tests.screens import circle_hands as hands
from tests.screens import draw_hands
from tests.screens.controller import Bench

PAGES: Final = Pages()
STEPS: Final = ["THL-SHF-1", "THL-SHF-3", "THL-SHF-4", "THL-SHF-5", "THL-SHF-6", "THL-SHF-7"]
PRE: Final = hands.BLINDS + hands.CARDS
#: Two common cards too soon: they go back, and the stub is shuffled (THL-CRE-7).
RESHUFFLE: Final = PRE + "press call\ndraw 3c\ndraw 9d\ndraw Ts\npress seen\n"


def picture(bench: Bench) -> Picture:
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return Picture(view=view, table=table_info(bench.greeting), connected=True)


def shown(lines: str, part: str = "side", language: str = "es", *, rulebook: str = "circle-holdem") -> str:
    html = PAGES.parts("croupier", language, picture(hands.table(lines, rulebook=rulebook)))[part]
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem"])
def test_thl_shf_2_thl_shf_3_thl_shf_4_thl_shf_5_thl_shf_6_thl_shf_7_every_hand_begins_with_the_whole_shuffle(
    rulebook: str,
) -> None:
    side = shown("", rulebook=rulebook)
    assert re.findall(r"THL-SHF-\d", side) == STEPS
    words = ("Compruebe que están las 52 cartas", "extendidas sobre la mesa", "dos veces", "Corte el mazo", "otra vez")
    places = [side.index(word) for word in (*words, "carta de corte")]
    assert places == sorted(places)
    assert "THL-SHF" not in shown(hands.BLINDS, rulebook=rulebook)
    assert "Shuffle them twice." in shown("", language="en", rulebook=rulebook)


@pytest.mark.parametrize(
    ("rulebook", "shuffle", "es", "en"),
    [
        ("circle-holdem", "by-hand", "Cortado: nueva mano", "Deck cut: new hand"),
        ("open-holdem", "by-hand", "Cortado: nueva mano", "Deck cut: new hand"),
        ("circle-holdem", "in-shoe", "Nueva mano", "New hand"),
        ("draw-poker", "by-hand", "Nueva mano", "New hand"),
    ],
)
def test_thl_shf_7_the_key_that_opens_the_hand_says_that_the_deck_was_cut(
    rulebook: str, shuffle: str, es: str, en: str
) -> None:
    view = replace(picture(hands.table("")).view, profile={"shuffle": shuffle})
    for language, said in (("es", es), ("en", en)):
        texts = ScreenTexts(language=language, texts=load_texts("tablectl.web.screens"), rulebook=rulebook)
        assert texts.key("new-hand", view) == said


def test_thl_def_4_the_list_says_that_nobody_else_shuffles() -> None:
    assert "Baraja y reparte el croupier, nadie más. THL-DEF-4" in shown("")


def test_thl_shf_8_the_whole_deck_is_shuffled_again_when_a_card_was_seen_at_the_cut() -> None:
    lines = hands.BLINDS + "declare card-seen-at-cut\n"
    assert picture(hands.table(lines)).view.prompt is not None
    assert re.findall(r"THL-SHF-\d", shown(lines).partition("Barajar")[2]) == STEPS


def test_thl_cre_7_the_stub_is_shuffled_by_the_same_steps_without_counting_the_deck() -> None:
    view = picture(hands.table(RESHUFFLE)).view
    assert view.prompt is not None
    assert view.prompt.question == "reshuffled"
    assert [step.clause for step in guidance.shuffle_steps(view)] == STEPS[1:]


def test_thl_shf_2_an_approved_shoe_stands_in_for_the_steps() -> None:
    carry = parse("rulebook circle-holdem\nseats 1 2\nprofile shuffle=in-shoe\nbutton 1\n> press new-hand\n").carry
    assert guidance.shuffle_steps(picture(Bench(carry=carry)).view) == ()


# --- aloud ------------------------------------------------------------------------------------------------------------


def test_thl_def_5_the_croupier_calls_every_bet_and_every_phase() -> None:
    assert "Diga" not in shown("", "prompt")
    blinds = shown(hands.BLINDS + "press no-more-bets\n", "prompt")
    assert "«Puesto 1: Ciega pequeña 1 €. Puesto 2: Ciega grande 2 €. Reparto.»" in blinds
    assert "«Apuestas antes del flop.»" in shown(PRE, "prompt")
    assert "Diga «Puesto 4 sube a 8 €.»" in shown(PRE + "act raise 800\n", "prompt")
    assert "«Puesto 2 iguala 15 €" not in shown(PRE + "act raise 800\n", "prompt")
    closed = shown(PRE + hands.PRE_FLOP, "prompt")
    assert closed.count("Flop.") == 1
    assert "«Apuestas del flop.»" in shown(hands.TO_THE_FLOP, "prompt")


@pytest.mark.parametrize(
    ("tracking", "language", "said"),
    [
        (Tracking.AMOUNTS, "es", "Antes de todos: 0,50 €. Reparto."),
        (Tracking.AMOUNTS, "en", "Antes from all: €0.50. Dealing."),
        (Tracking.ACTIONS, "es", "Antes de todos. Reparto."),
    ],
)
def test_thl_def_5_the_antes_of_all_are_called_in_one_sentence(tracking: Tracking, language: str, said: str) -> None:
    seen = picture(draw_hands.table(draw_hands.ANTES + "press no-more-bets\n", tracking=tracking))
    assert PAGES.texts(language, seen).aloud(seen.view) == said


def test_thl_def_5_an_ante_of_fewer_chips_is_called_on_its_own() -> None:
    antes = [BetTaken(seat=seat, bet="ante", amount=amount) for seat, amount in ((1, 50), (2, 30), (3, 50))]
    seen = picture(draw_hands.table(draw_hands.ANTES))
    view = replace(seen.view, aloud=calls(antes))
    assert PAGES.texts("es", seen).aloud(view) == "Antes: 0,50 €. Puesto 2: Ante 0,30 €."


def test_thl_def_5_what_was_keyed_wrongly_is_called_back() -> None:
    prompt = shown(PRE + "act raise 800\npress cancel\n", "prompt")
    assert "«Puesto 4: no cuenta su última acción (sube).»" in prompt


def test_thl_def_5_with_a_question_or_an_incident_open_that_comes_first() -> None:
    assert "Diga" not in shown(PRE + "press call\ndeclare pit-boss\n", "prompt")


def test_thl_def_5_a_new_hand_begins_with_nothing_to_call() -> None:
    bench = hands.table(hands.SHOWN + "press confirm\npress confirm\n")
    view = picture(bench).view
    assert (view.phase, view.aloud) == ("closed", ())


def test_thl_def_5_without_amounts_the_same_is_called_without_them() -> None:
    bench = hands.table(PRE + "press call\n", tracking=Tracking.ACTIONS)
    assert PAGES.texts("en", picture(bench)).aloud(picture(bench).view) == "Seat 4 calls."


# --- reminders --------------------------------------------------------------------------------------------------------


def test_thl_gen_7_while_cards_come_players_are_reminded_to_protect_them() -> None:
    reminder = "Recuerde a los jugadores que protejan sus cartas"
    assert reminder in shown(hands.BLINDS + "press no-more-bets\ndraw As\n")
    assert reminder in shown(PRE + hands.PRE_FLOP)
    for lines in ("", hands.BLINDS, PRE, hands.SHOWDOWN):
        assert reminder not in shown(lines)


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_and_reminder_has_words_and_a_clause_of_the_catalogue(language: str) -> None:
    known = {clause.id for clause in load("circle-holdem")}
    guides = (*guidance.SHUFFLE, guidance.WHO_SHUFFLES, guidance.PROTECT)
    assert {guide.clause for guide in guides} <= known
    texts = load_texts("tablectl.web.screens")
    assert {guide.text for guide in guides} == texts.keys("guide")
    assert len({texts.text("guide", guide.text, language) for guide in guides}) == len(guides)
