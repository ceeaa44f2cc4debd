"""Every state of a page has its Spanish and its English, and every sentence can be said."""

from __future__ import annotations

from enum import Enum

import pytest

from drivers.health import DeviceState as HealthState
from tablectl.core.engine import vocabulary
from tablectl.core.engine.facts import Pressed
from tablectl.core.engine.prompt import Instruction, Offer
from tablectl.core.engine.slots import BOARD, BURN, DISCARD, HOUSE, SEATS
from tablectl.core.engine.table import Table
from tablectl.core.public_table.device import DeviceState
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.incident import IncidentState
from tablectl.core.public_table.table import ClosedHand, PublicTable
from tablectl.games.registry import rulebook_of
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import MissingText, load_texts
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.screen_texts import ScreenTexts
from tests.journal.journals import ALL_OR_NEW, HANDS, files_of
from tests.screens import hands
from tests.screens.controller import Bench
from tests.screens.test_pages import PAGES

TEXTS = load_texts("tablectl.web.screens")

ENUMS: dict[str, type[Enum]] = {
    "key": vocabulary.Key,
    "tracking": vocabulary.Tracking,
    "equipment": vocabulary.Equipment,
    "declaration": vocabulary.Declaration,
    "remedy": vocabulary.Remedy,
    "chooser": vocabulary.Chooser,
    "severity": vocabulary.Severity,
    "question": vocabulary.Question,
    "word": vocabulary.Strange,
    "plug": vocabulary.Plug,
    "bet": vocabulary.Posted,
    "action": vocabulary.Action,
    "move": vocabulary.SeatChange,
    "refusal": vocabulary.Refusal,
    "instruction": Instruction,
    "hint": Instruction,
    "incident-state": IncidentState,
    "device-state": DeviceState,
    "device-health": HealthState,
    "device-hint": HealthState,
}


def texts_in(language: str) -> ScreenTexts:
    return ScreenTexts(language=language, texts=TEXTS, rulebook="texas-bonus", table=table_info(Bench().greeting))


@pytest.mark.parametrize("table", ENUMS)
def test_every_member_has_its_words(table: str) -> None:
    assert {member.value for member in ENUMS[table]} <= TEXTS.keys(table)


def test_every_closed_word_of_the_engine_is_looked_at() -> None:
    closed = {kind for kind in vars(vocabulary).values() if isinstance(kind, type) and issubclass(kind, Enum)}
    assert {kind for kind in closed if kind.__module__ == vocabulary.__name__} <= set(ENUMS.values())


def test_every_remedy_and_question_says_what_to_do() -> None:
    assert {remedy.value for remedy in vocabulary.Remedy} <= TEXTS.keys("steps")
    assert {question.value for question in vocabulary.Question} <= TEXTS.keys("steps-asked")
    assert {question.value for question in vocabulary.Question} <= TEXTS.keys("question-hint")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_has_a_sentence_of_its_own(language: str) -> None:
    say = texts_in(language)
    places = [*(slot for seat in SEATS for slot in seat[:3]), *HOUSE[:3], *BOARD[:5], BURN[0], DISCARD[0]]
    for slot in places:
        assert slot.name not in (say.slot(slot.name), say.place(slot.name))
    assert len({say.place(slot.name) for slot in places}) == len(places)


def test_the_next_card_in_large_letters() -> None:
    assert texts_in("es").slot("seat-5.2") == "Carta 2 al puesto 5"
    assert texts_in("en").slot("seat-5.2") == "Card 2 to seat 5"
    assert texts_in("es").slot("house.1") == "Carta a la banca, casilla izquierda"
    assert texts_in("es").slot("burn.2") == "Quemar carta"
    assert texts_in("es").slot("board.1") == "Flop, carta 1"


@pytest.mark.parametrize(
    ("lines", "es"),
    [
        ("", "Baraje y pulse Nueva mano"),
        ("press new-hand\npress bonus", "Bonus: pulse el puesto"),
        (hands.BETS, "Carta 1 al puesto 1"),
        (hands.BETS + hands.HOLE_CARDS + "press bet", "Puesto 3: ¿apuesta flop (2 × ante) o se retira?"),
        (hands.BETS + hands.HOLE_CARDS + hands.FLOP, "Puesto 1: ¿apuesta turn (1 × ante) o pasa?"),
        (hands.BETS + hands.HOLE_CARDS + hands.FLOP + hands.TO_THE_RIVER, "Descubra la banca y pulse Banca"),
        (hands.BETS + hands.HOLE_CARDS + "draw 9c", "¿Se ha visto la carta 7?"),
        (hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen", "Espere al jefe de mesa"),
        (hands.BETS + "draw As\npress wrong-count\npress seat-3", "Puesto 3: ¿cuántas cartas hay?"),
        (hands.BETS + "declare wrong-order\nlost shoe x gone", "PARE: el sabot no responde"),
    ],
)
def test_instructions(lines: str, es: str) -> None:
    assert texts_in("es").instruction(_view(lines)).replace("\N{NO-BREAK SPACE}", " ") == es


@pytest.mark.parametrize(
    ("lines", "es"),
    [
        ("press new-hand\npress bank", "Ahora no: Banca"),
        ("press new-hand\nbet 1 ante 10", "Fuera de límites: Ante 0,10 € · de 5 € a 100 €"),
        ("press new-hand\nbet 1 bonus 500", "Primero hace falta un ante"),
        (hands.BETS + hands.HOLE_CARDS + "bet 3 flop 4000", "No le toca a ese puesto: Puesto 1"),
        (hands.BETS + "draw As\ndeclare wrong-count seat-1 cards=1", "El número es correcto: Puesto 1: 1 carta"),
    ],
)
def test_refusals_say_why(lines: str, es: str) -> None:
    view = _view(lines)
    assert view.refusal is not None
    assert texts_in("es").refused(view.refusal) == es


def test_what_a_pit_boss_was_refused_is_said_to_him_and_leaves_what_the_croupier_reads() -> None:
    view = _view(hands.BETS + "press bank\nrule 9 void-hand by pit-boss misdeal\nlimits ante=500..90000 by pit-boss")
    assert view.refusal is not None
    assert view.refusal.why == "not-live"
    refused = {"why": "unknown-incident", "clause": "THB-STF-1", "detail": "9"}
    assert PAGES.says_refused("es", Picture(view=view), refused, entry="ruled") == [
        "Esa incidencia ya no está abierta (THB-STF-1)",
    ]


INCIDENTS = {
    "THB-ERR-1": hands.BETS + hands.HOLE_CARDS + "press bank-exposed\npress confirm",
    "THB-ERR-2": hands.BETS + "draw As\npress face-up\npress confirm",
    "THB-ERR-3": hands.BETS + "draw As\npress face-up\npress confirm\ndraw Ks\npress face-up\npress confirm",
    "THB-ERR-4": hands.BETS + hands.HOLE_CARDS + "draw 9c",
    "THB-ERR-5": hands.BETS + hands.HOLE_CARDS + "declare wrong-count seat-1 cards=1 lap=1",
    "THB-ERR-6": hands.BETS + hands.HOLE_CARDS + "press bet\ndeclare wrong-count house cards=3",
    "THB-ERR-7": hands.BETS + hands.HOLE_CARDS + "declare wrong-count house cards=1",
    "THB-DEV-7": hands.BETS + hands.HOLE_CARDS + "declare wrong-order",
    "THB-CRD-1": hands.BETS + "draw As\ndraw As",
    "THB-SAB-1": hands.BETS + "lost shoe angel-eye cable",
    "THB-STF-1": hands.BETS + "call by croupier",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("clause", INCIDENTS)
def test_every_incident_says_what_happened_what_the_rule_is_and_what_to_do(clause: str, language: str) -> None:
    view, say = _view(INCIDENTS[clause]), texts_in(language)
    incident = view.alerts[0]
    assert incident.clause == clause
    assert say.title(incident) != TEXTS.text("title", "other", language)
    assert say.happened(incident) != TEXTS.text("happened", "other", language)
    assert say.clause(clause).endswith(".")
    assert say.steps(incident, view)
    for word in (incident.expected, incident.observed):
        assert say.observed(word) != word


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "line",
    [
        "usb plugged allowed panel, 05f3:0405 at 1-1",
        "usb unplugged allowed panel, 05f3:0405 at 1-1",
        "usb plugged foreign 1234:abcd at 1-2",
        "usb unplugged foreign 1234:abcd at 1-2",
        "usb present foreign 1234:abcd at 1-2",
    ],
)
def test_a_usb_device_that_came_or_went_is_an_alert_that_names_it_and_nothing_waits(line: str, language: str) -> None:
    view, say = _view(hands.BETS + line), texts_in(language)
    (incident,) = view.alerts
    assert line.endswith(incident.device)
    assert (incident.severity, incident.open, incident.is_done) == ("alert", False, False)
    assert say.title(incident) != TEXTS.text("title", "other", language)
    assert say.happened(incident) != TEXTS.text("happened", "other", language)
    assert TEXTS.has("steps", incident.observed)
    assert say.steps(incident, view) == TEXTS.lines("steps", incident.observed, language)
    assert say.observed(incident.observed) != incident.observed
    assert say.observed(incident.expected) != incident.expected


def test_a_wrong_count_that_can_be_put_right_is_titled_after_what_happened() -> None:
    (incident,) = _view(hands.BETS + "draw As\ndraw 7d\ndeclare wrong-count seat-1 cards=2").alerts
    assert (incident.clause, incident.remedies) == ("THB-ERR-4", ("correct",))
    assert texts_in("es").title(incident) == "La última carta, en mal sitio"
    assert texts_in("en").title(incident) == "The last card, in the wrong place"


@pytest.mark.parametrize(("numbers", "es"), [((8,), "incidencia n.º 8"), ((8, 9), "incidencias n.º 8, 9")])
def test_the_incidents_of_a_hand_are_their_numbers(numbers: tuple[int, ...], es: str) -> None:
    hand = ClosedHand(
        hand=1, closed_at="", void=None, house_rank=None, house_net=None, drawn=0, presses=0, incidents=numbers
    )
    assert texts_in("es").hand_incidents(hand) == es


def test_an_incident_says_in_order_what_to_do() -> None:
    view = _view(INCIDENTS["THB-ERR-3"])
    assert texts_in("es").steps(view.alerts[0], view) == (
        "Recoja TODAS las cartas: 2 cartas (Puesto 1: 1, Descartador: 1).",
        "Devuelva: Puesto 1: 15 €, Puesto 3: 20 €.",
        "Pulse Confirmar.",
        "Vuelva a barajar todas las cartas.",
    )


def test_a_card_is_named_only_when_it_lies_open() -> None:
    view = _view(hands.BETS + hands.HOLE_CARDS + hands.FLOP)
    king, hole = view.lying("board.1"), view.lying("seat-1.1")
    assert king is not None
    assert hole is not None
    assert (texts_in("es").lying(king), texts_in("en").lying(king)) == ("rey de diamantes", "king of diamonds")
    assert texts_in("es").lying(hole) == "carta boca abajo"


def test_a_sentence_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(MissingText, match=r"\[page\] nonsense"):
        texts_in("es").page("nonsense")


def _view(lines: str) -> PublicTable:
    bench = Bench()
    bench.lines(lines)
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return view


GAMES = sorted(path.name for path in HANDS.iterdir())


@pytest.mark.parametrize("rulebook", GAMES)
@pytest.mark.parametrize("with_all", ALL_OR_NEW)
def test_every_line_of_the_list_of_incidents_says_what_will_happen(rulebook: str, *, with_all: bool) -> None:
    """At the end of each hand there is, and with all that can be declared there: the page of a croupier who opens the
    list is made of these."""
    made = set[tuple[vocabulary.Declaration, vocabulary.Remedy, vocabulary.Chooser]]()
    for path in files_of(rulebook, with_all=with_all):
        hand = parse(path.read_text(encoding="utf-8"))
        table = Table.resume(hand.carry, rulebook_of)
        for fact in (*opening(hand), *(step.fact for step in hand.steps)):
            table.apply(fact)
            for _ in range(len(vocabulary.Declaration)):
                before = len(made)
                table.apply(Pressed(at_us=0, key=vocabulary.Key.INCIDENT))
                made |= {(offer.what, offer.remedies[0], offer.chooser) for offer in table.prompt().offers}
                if len(made) == before:
                    break
            if table.state.menu:
                table.apply(Pressed(at_us=0, key=vocabulary.Key.CANCEL))
    assert len(made) > len(GAMES)
    for language in LANGUAGES:
        for what, remedy, chooser in sorted(made):
            said = Offer(key=vocabulary.Key.BET, what=what, clause="THL-MIS-2", remedies=(remedy,), chooser=chooser)
            assert texts_in(language).offered(said)
