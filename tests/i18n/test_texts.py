"""Every word of the engine has its Spanish and its English, once, below all that speak."""

from __future__ import annotations

import re
import shutil
import string
import tomllib
from enum import Enum
from pathlib import Path
from typing import Final

import pytest

import tablectl
from drivers.registry import DRIVERS
from tablectl.config.devices import BADGES
from tablectl.config.spots import STUB
from tablectl.core.access import AccessKind
from tablectl.core.engine import vocabulary
from tablectl.core.engine.slots import ASIDE, BOARD, BURN, DISCARD, HOUSE, SEATS
from tablectl.core.engine.vocabulary import Posted
from tablectl.core.engine.whose_turn import REPEATED_KEY
from tablectl.core.roles import Role
from tablectl.core.settlement.banked import Outcome
from tablectl.core.settlement.ranking import Category
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.families.pots.refunds import POT
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.describe import describe_fact
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import MissingText, Texts, load_texts, read_texts
from tablectl.journal.tilt import TiltKind
from tests.drivers.models import notes_of
from tests.screens.controller import record_with

TEXTS = load_texts()
HANDS: Final = Path(__file__).parent.parent / "hands"
LOCALE: Final = Path(tablectl.__file__).parent / "i18n" / "locale"
#: The words of the table, and those of every package that has a catalogue of its own.
ALL: Final = [
    pytest.param(load_texts(f"tablectl.{domain}" if domain != "table" else None), id=domain)
    for domain in sorted(path.stem for path in (LOCALE / "es" / "LC_MESSAGES").glob("*.po"))
]
ENUMS: dict[str, type[Enum]] = {
    "key": vocabulary.Key,
    "tracking": vocabulary.Tracking,
    "equipment": vocabulary.Equipment,
    "declaration": vocabulary.Declaration,
    "remedy": vocabulary.Remedy,
    "chooser": vocabulary.Chooser,
    "question": vocabulary.Question,
    "plug": vocabulary.Plug,
    "action": vocabulary.Action,
    "action-may": vocabulary.Action,
    "move": vocabulary.SeatChange,
    "refusal": vocabulary.Refusal,
    "outcome": Outcome,
    "tilt": TiltKind,
    "access": AccessKind,
    "person-role": Role,
}


def texts_in(language: str) -> TableTexts:
    return TableTexts(language=language, texts=TEXTS, rulebook="texas-bonus")


@pytest.mark.parametrize("table", ENUMS)
def test_every_member_has_its_words(table: str) -> None:
    assert {member.value for member in ENUMS[table]} <= TEXTS.keys(table)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_phase_bet_and_game_has_its_words(rulebook: str) -> None:
    book = RULEBOOKS[rulebook]({})
    assert set(book.phases) <= TEXTS.keys("phase")
    if isinstance(book, BankedRulebook):
        assert set(book.bets) <= TEXTS.keys("bet")
    assert {posted.value for posted in Posted} | {POT} <= TEXTS.keys("bet")
    assert rulebook in TEXTS.keys("game")


def test_no_game_has_the_name_of_another_one_or_a_name_that_only_adds_to_it() -> None:
    texts = load_texts()
    told = {language: [texts.text("game", rulebook, language) for rulebook in RULEBOOKS] for language in LANGUAGES}
    told |= {f"document, {text}": [texts.text("document", game, text) for game in RULEBOOKS] for text in LANGUAGES}
    for where, names in told.items():
        shared = [(one, other) for one in names for other in names if one is not other and one in other]
        assert shared == [], where


def test_whatever_a_shoe_a_shuffler_or_a_reader_says_has_its_words() -> None:
    noted = frozenset[str]().union(*(notes_of(driver) for driver in DRIVERS.values()))
    assert noted | {REPEATED_KEY} == TEXTS.keys("said")


def test_every_role_has_its_words() -> None:
    assert {entry.role for entry in DRIVERS.values()} | {STUB, BADGES} == TEXTS.keys("role")


def test_what_a_device_said_is_told_in_words() -> None:
    said = {"kind": "device-said", "role": "shuffler", "device": "mix", "what": "card-missing", "code": 51}
    assert describe_fact(texts_in("es"), record_with(said)) == "Barajadora (mix) dice: FALTAN cartas; contó 51."
    assert describe_fact(texts_in("en"), record_with({**said, "what": "jam", "code": None})) == (
        "Shuffler (mix) says: JAM: open it and shuffle again."
    )
    assert (
        describe_fact(texts_in("en"), record_with({**said, "what": "hum", "code": None})) == "Shuffler (mix) says: hum."
    )


def test_every_hand_category_has_its_words() -> None:
    assert {category.word for category in Category} == TEXTS.keys("category")


@pytest.mark.parametrize("texts", ALL)
def test_every_sentence_is_there_in_each_language_with_the_same_braces(texts: Texts) -> None:
    for table, key, entry in texts:
        assert set(entry) == set(LANGUAGES), (table, key)
        said = [texts.lines(table, key, language) for language in LANGUAGES]
        assert len(set(map(len, said))) == 1, (table, key)
        assert len(set(map(_braces, said))) == 1, (table, key)


def _braces(lines: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name for line in lines for _, name, _, _ in string.Formatter().parse(line) if name)


def test_a_table_of_words_is_in_one_place_only(tmp_path: Path) -> None:
    for catalogue in LOCALE.glob("*/LC_MESSAGES/table.mo"):
        folder = tmp_path / catalogue.relative_to(LOCALE).parent
        folder.mkdir(parents=True)
        shutil.copy(catalogue, folder / "table.mo")
        shutil.copy(catalogue, folder / "twice.mo")
    with pytest.raises(ValueError, match=r"twice says again what stands elsewhere: .*key"):
        read_texts(tmp_path, ("table", "twice"), LANGUAGES)


def test_no_sentence_stands_outside_the_catalogues() -> None:
    root = Path(tablectl.__file__).parent
    found = [path for path in root.rglob("*.toml") if "es" in _languages(path)]
    assert found == []


def _languages(path: Path) -> set[str]:
    tables = [row for row in tomllib.loads(path.read_text(encoding="utf-8")).values() if isinstance(row, dict)]
    return {name for table in tables for entry in table.values() if isinstance(entry, dict) for name in entry}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_has_a_sentence_of_its_own(language: str) -> None:
    say = texts_in(language)
    places = [*(slot for seat in SEATS for slot in seat[:3]), *HOUSE[:3], *BOARD[:5], ASIDE[0], BURN[0], DISCARD[0]]
    assert not {say.place(slot.name) for slot in places} & {slot.name for slot in places}
    assert len({say.place(slot.name) for slot in places}) == len(places)


def test_amounts_without_a_currency_are_whole_numbers_of_the_smallest_unit() -> None:
    say = texts_in("es")
    assert [say.money(amount) for amount in (None, 0, 1000)] == ["", "0", "1\u202f000"]
    assert [say.gain(amount) for amount in (1000, 0, -1000)] == ["+1\u202f000", "±0", "−1\u202f000"]


def test_a_clause_has_its_sentence_whichever_game_cites_it_and_one_of_no_document_has_none() -> None:
    for cited, rulebook in (("THL-PLE-14", "draw-poker"), ("THL-CRE-7", "open-holdem"), ("THB-ERR-1", "whist")):
        said = [TableTexts(language=word, texts=TEXTS, rulebook=rulebook).clause(cited) for word in ("es", "en")]
        assert all(text.endswith(".") for text in said)
        assert len(set(said)) == 2
    assert texts_in("es").clause("THB-ERR-99") == ""


def test_a_sentence_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(MissingText, match=r"\[word\] nonsense"):
        texts_in("es").say("word", "nonsense")


@pytest.mark.parametrize(
    ("expected", "observed", "es"),
    [
        ("cards-apart", "seat-2+seat-3", "Cartas en contacto"),
        ("cards-apart", "contact-again-seat-2", "Cartas en contacto otra vez"),
        ("one-box", "seat-2+seat-5", "Un jugador en dos puestos"),
        ("approval", "standing-bet-seat-3", "Apuesta de pie"),
        ("seat-2.1", "seat-3", "Carta en otro sitio"),
        ("board.1", "burn", "Carta quemada sin tocar"),
        ("52-different-cards", "foreign-card-house", "Carta que no es de esta baraja"),
        ("52-different-cards", "cloned-tag-shoe", "Una carta en dos sitios a la vez"),
        ("52-cards", "deck=51", "Las antenas no ven toda la baraja"),
        ("card-from-the-shoe", "board", "Carta que no salió del sabot"),
        ("seat-7", "seat-3", "Botón en otro puesto"),
        ("apart", "seat-2+seat-3", "Cartas en contacto"),
        ("turn-seat-5", "out-of-turn-seat-7", "Acción fuera de turno"),
        ("round-closed", "early-turn", "Turn antes de tiempo"),
        ("round-closed", "early-board", "Varias cartas antes de tiempo"),
    ],
)
def test_an_incident_is_titled_by_what_happened_wherever_it_was(expected: str, observed: str, es: str) -> None:
    assert texts_in("es").incident_title(expected, observed, ()) == es


@pytest.mark.parametrize(
    ("word", "es"),
    [
        ("seat-2+seat-3", "Puesto 2 y Puesto 3"),
        ("commented-seat-2", "un comentario (Puesto 2)"),
        ("foreign-card-house", "una carta que no es de esta baraja (Banca)"),
        ("seat-2=3", "Puesto 2: 3 cartas"),
        ("deck=51", "Baraja: 51 cartas"),
        ("burn", "Quemadas"),
        ("turn-seat-5", "el turno (Puesto 5)"),
        ("one-burn", "una carta quemada"),
        ("no-burn", "ninguna quemada"),
        ("early-burn", "la quema"),
        ("out-of-turn-seat-7", "acción fuera de turno (Puesto 7)"),
        ("txb-settled", "el Texas Bonus ya pagado"),
        ("new-stub", "un mazo nuevo"),
        ("last-of-the-stub", "la última carta del mazo, sin usar"),
        ("number-of-cards", "cuántas cartas cambia"),
        ("card-from-the-shoe", "una carta del sabot"),
        ("cards-in-contact", "cartas en contacto"),
        ("call=400|raise=600..5000", "igualar 400, subir hasta un total de 600 a 5\u202f000, o retirarse"),
    ],
)
def test_what_was_seen_names_its_seats(word: str, es: str) -> None:
    assert texts_in("es").observed(word) == es


def test_whatever_a_hand_file_expects_or_sees_is_said_in_words() -> None:
    files = (HANDS / game for game in RULEBOOKS)
    texts = [path.read_text() for folder in files for path in folder.glob("*.hand")]
    engine = [path.read_text() for path in (Path(tablectl.__file__).parent / "engine").rglob("*.py")]
    said = {word for text in texts for word in re.findall(r"\b(?:expected|observed)=(\S+)", text)}
    said |= {word for text in engine for word in re.findall(r'\b(?:expected|observed)="([^"{]+)"', text)}
    assert len(said) > 100
    for word in sorted(said - {"board.4", "board.5"}):  # turn and river are Spanish, too
        spanish = texts_in("es").observed(word)
        assert spanish.partition(" (")[0] not in word, f"{word} has no words: {spanish}"
        assert not re.search(r"[=|]|[a-z]-[a-z]", spanish), f"{word} is told as {spanish}"
        assert spanish != texts_in("en").observed(word)


@pytest.mark.parametrize("declaration", vocabulary.Declaration)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_incident_named_after_its_declaration_has_a_title_of_its_own(
    declaration: vocabulary.Declaration, language: str
) -> None:
    if declaration in (
        vocabulary.Declaration.BURNED,
        vocabulary.Declaration.UNREPORTED_CARD,
        vocabulary.Declaration.PIT_BOSS,
    ):
        return  # told by what it leads to
    assert texts_in(language).incident_title("", declaration, ()) != TEXTS.text("title", "other", language)


def test_an_illegal_action_says_what_would_be_legal_in_words() -> None:
    detail = "raise check call=200 raise=400..5000"
    told = texts_in("es").refusal("illegal-action", entry="acted", detail=detail)
    may = "puede pasar, igualar 200, subir hasta un total de 400 a 5\u202f000, o retirarse"
    assert told == f"No vale subir ahora: {may}"
    told = texts_in("en").refusal("illegal-action", entry="acted", detail="call bet=200..")
    assert told == "It is not legal to call now: he may bet from 200 or fold"


def test_a_pot_has_its_name_where_there_are_several() -> None:
    assert [texts_in("es").pot(number, 3) for number in (1, 2, 3)] == [
        "bote principal",
        "bote lateral 1",
        "bote lateral 2",
    ]
    assert texts_in("en").pot(1, 1) == "the pot"


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [
        (
            "es",
            "Solo lo dice un lector: ¿está ahí la carta? Puesto 2",
            "Solo lo dice un lector: ¿están ahí las cartas? Puesto 2 · Puesto 1",
        ),
        (
            "en",
            "Only a reader says it: does the card lie there? Seat 2",
            "Only a reader says it: do the cards lie there? Seat 2 · Seat 1",
        ),
    ],
)
def test_a_question_about_several_cards_speaks_of_several(language: str, one: str, several: str) -> None:
    assert texts_in(language).question("lies-there", "seat-2") == one
    assert texts_in(language).question("lies-there", "seat-2+seat-1") == several


def test_a_question_about_a_declaration_asks_for_it_in_its_own_words() -> None:
    assert texts_in("es").question("which-seat", "showed-cards") == "¿Qué puesto enseñó sus cartas?"
    assert texts_in("es").question("which-seat", "burned") == "¿Qué puesto? carta quemada sin tocar"
    assert texts_in("es").question("at-its-spot", "seat-2.1") == "¿Está la carta en su sitio? puesto 2, carta 1"


@pytest.mark.parametrize("why", ["no-run", "rank-is-there", "no-such-place", "unread"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_fcd_sea_2_a_card_that_gives_no_seat_says_why_in_words(why: str, language: str) -> None:
    assert why not in texts_in(language).refusal("wrong-card", entry="drawn", detail=why, clause="FCD-SEA-2")


def test_fcd_sea_1_a_draw_for_seats_that_is_given_up_is_no_number_of_cards() -> None:
    told = texts_in("es").refusal("taken-back", entry="cancel", detail="seat-draw", clause="FCD-SEA-1")
    assert told == "Cancelado: no se ha declarado nada"


def test_fcd_irr_5_a_button_that_lies_wrong_is_asked_for_as_one() -> None:
    assert texts_in("es").question("moved", "button") == "Ponga el botón en su sitio"
    assert texts_in("es").question("moved", "seat-2") == "Ponga las cartas en su sitio"


def test_every_bet_has_its_letter() -> None:
    assert TEXTS.keys("bet-letter") == TEXTS.keys("bet")
