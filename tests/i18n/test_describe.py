"""Every record can be told, in both languages, by what stands in it and no sealed card."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablectl.core.engine.decisions import (
    BetReversed,
    BetSettled,
    BetsReturned,
    BetTaken,
    CardTurned,
    Folded,
    HandClosed,
    SeatWithdrawn,
)
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.events import codec
from tablectl.core.events.codec import NOTES
from tablectl.core.events.stream import Unknown, decode_record
from tablectl.core.settlement.banked import Outcome
from tablectl.i18n.describe import DESCRIBED_DECISIONS, DESCRIBED_FACTS, conclusions, describe_decision, describe_fact
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts
from tests.journal.journals import each_hand, named_in
from tests.screens import hands
from tests.screens.controller import Bench, record_with, records_of
from tests.screens.test_app import cards_in

TEXTS = load_texts()
ALL_TEXTS = {word: TableTexts(language=word, texts=TEXTS, rulebook="texas-bonus") for word in LANGUAGES}
#: Which of the accounts' accesses it was: the time line does not say it.
ACCESS = {"kind": "access", "id": "00" * 16, "number": 1, "when": "2026-11-21T20:00:00.000000Z"}
NAMED = {"kind": "named", "slot": "board.1", "card": "Kd", "by": "Ana"}


def told(text: str, language: str = "es") -> list[list[str]]:
    """The records of these lines: what happened, and what followed."""
    bench, t = Bench(), ALL_TEXTS[language]
    bench.lines(text)
    return [
        [
            describe_fact(t, public_record),
            *(describe_decision(t, said, entry=public_record.entry) for said in conclusions(public_record)),
        ]
        for public_record in bench.stream
    ]


def test_every_fact_and_every_conclusion_has_its_words() -> None:
    assert frozenset(codec.FACTS) | NOTES.keys() == DESCRIBED_FACTS <= TEXTS.keys("fact")
    assert frozenset(codec.DECISIONS) == DESCRIBED_DECISIONS <= TEXTS.keys("decision")


@each_hand("path")
def test_every_hand_there_is_can_be_told_in_each_language(path: Path) -> None:
    """Both at once: it is the hand that takes the time, and not the words."""
    for public_record in map(decode_record, records_of(path.read_text(encoding="utf-8"))):
        for t in ALL_TEXTS.values():
            lines = [
                describe_fact(t, public_record),
                *(describe_decision(t, said, entry=public_record.entry) for said in public_record.decisions),
            ]
            assert all(line == line.strip() != "" for line in lines), lines
            assert cards_in(" ; ".join(lines)) <= named_in([public_record.event])


@pytest.mark.parametrize(
    ("fact", "es", "en"),
    [
        (
            {"kind": "stopped", "why": "SIGTERM"},
            "El controlador termina en orden (SIGTERM).",
            "The controller ends in order (SIGTERM).",
        ),
        (
            {"kind": "tilted", "tilt": "disk-full", "reason": "no room"},
            "PARO: El disco está lleno. «no room»",
            "TILT: The disk is full. «no room»",
        ),
        (
            {"kind": "cleared", "by": "Ana", "reason": "room was made"},
            "Ana desbloquea la mesa. «room was made»",
            "Ana clears the tilt. «room was made»",
        ),
        (
            {"kind": "unsealed", "of_hand": 4, "by": "Inspector", "reason": "complaint 12", "granted": True},
            "Inspector pide abrir las cartas selladas de la mano 4: concedido. «complaint 12»",
            "Inspector asks to open the sealed cards of hand 4: granted. «complaint 12»",
        ),
        (
            {"kind": "unsealed", "of_hand": 4, "by": "Inspector", "reason": "", "granted": False},
            "Inspector pide abrir las cartas selladas de la mano 4: denegado.",
            "Inspector asks to open the sealed cards of hand 4: refused.",
        ),
        (
            {
                **ACCESS,
                "what": "read-hand",
                "who": "luis",
                "role": "pit-boss",
                "about": "hand 7",
                "granted": True,
            },
            "Luis (jefe de mesa): lectura de una mano, hand 7.",
            "Luis (pit boss): read a hand, hand 7.",
        ),
        (
            {**ACCESS, "what": "signed-on", "who": "", "role": "", "about": "", "granted": False},
            "Alguien: inicio de sesión; denegado.",
            "Somebody: signed on; refused.",
        ),
        (
            {"kind": "badge-shown", "badge": "0123456789abcdef0123456789abcdef"},
            "Se acerca una credencial al lector (01234567…).",
            "A badge is held to the reader (01234567…).",
        ),
        (
            {"kind": "tested", "what": "panel", "by": "eva"},
            "Eva: prueba de teclas; lo que se pulsa no cuenta.",
            "Eva: test of the keys; what is pressed does not count.",
        ),
        (
            {"kind": "restored", "made": "", "when": "", "records": 812, "hash": "ab", "by": "marta"},
            "Marta recupera el registro de la mesa con una copia de seguridad que llega al registro n.º 812.",
            "Marta put the journal back from a backup that reaches record 812.",
        ),
        (
            {"kind": "restored", "made": "", "when": "", "records": 0, "hash": "", "by": ""},
            "El registro de la mesa se recuperó con una copia de seguridad que llega al registro n.º 0.",
            "The journal was put back from a backup that reaches record 0.",
        ),
        (
            {"kind": "float-counted", "amount": 120000, "expected": 120500, "by": "ana", "second": "luis"},
            "Ana y luis: arqueo de la caja, 120\u202f000; esperado 120\u202f500 (−500).",
            "Ana and luis: count of the float, 120\u202f000; expected 120\u202f500 (−500).",
        ),
        (
            {"kind": "float-counted", "amount": 0, "expected": None, "by": "ana", "second": ""},
            "Ana: arqueo de la caja, 0; no se podía saber qué esperar.",
            "Ana: count of the float, 0; nobody could know what to expect.",
        ),
        (
            {"kind": "float-filled", "amount": 500, "by": "ana", "second": ""},
            "Ana: reposición de la caja, 500.",
            "Ana: fill of the float, 500.",
        ),
        (
            {"kind": "float-credited", "amount": 500, "by": "ana", "second": ""},
            "Ana: retirada de la caja, 500.",
            "Ana: credit from the float, 500.",
        ),
        (
            {
                "kind": "float-counted",
                "amount": 700,
                "expected": None,
                "by": "ana",
                "second": "",
                "occasion": "opening",
                "chips": [{"value": 50, "count": 4}, {"value": 500, "count": 1}],
            },
            "Ana: anticipo de la caja, 700 (4 × 50, 1 × 500); no se podía saber qué esperar.",
            "Ana: opening of the float, 700 (4 × 50, 1 × 500); nobody could know what to expect.",
        ),
        (
            {
                "kind": "float-counted",
                "amount": 700,
                "expected": 800,
                "by": "ana",
                "second": "",
                "occasion": "closing",
            },
            "Ana: cierre de la caja, 700; esperado 800 (−100).",
            "Ana: closing of the float, 700; expected 800 (−100).",
        ),
        (
            {"kind": "open-end", "first": 26, "last": 27},
            "Las anotaciones 26 a 27 no estaban firmadas al arrancar el controlador.",
            "Records 26 to 27 were not signed when the controller started.",
        ),
        (
            {
                "kind": "receipted",
                "table": "mesa-1",
                "epoch": "-.0",
                "to_seq": 26,
                "to_hash": "",
                "when": "2026-11-28T10:00:00.000000Z",
                "signature": "",
            },
            "El servidor de sala tiene todas las anotaciones hasta la 26.",
            "The pit server has all records up to 26.",
        ),
        (
            {"kind": "head-missing", "to_seq": 812, "to_hash": "", "signature": "", "restored": 0},
            "Al registro le falta la anotación 812, que esta mesa firmó: ha vuelto a un estado anterior.",
            "The journal does not have record 812, which this table signed: it was put back to an older state.",
        ),
        (
            {
                "kind": "rollback-accepted",
                "to_seq": 812,
                "to_hash": "",
                "by": "ana",
                "second": "luis",
                "reason": "disco nuevo",
            },
            "Queda aceptado por ana y luis que al registro le falta la anotación 812. «disco nuevo»",
            "That the journal does not have record 812 is accepted by ana and luis. «disco nuevo»",
        ),
        (
            {"kind": "format", "number": 3, "needs": "0.2.0"},
            "A partir de aquí el registro necesita tablectl 0.2.0 o posterior.",
            "From here on the journal needs tablectl 0.2.0 or later.",
        ),
        (
            {
                "kind": "security",
                "cause": "writes",
                "count": 12,
                "first": "2026-11-28T10:00:00.000000Z",
                "last": "2026-11-28T10:09:00.000000Z",
                "source": "tablectl-notify: enter",
            },
            "Seguridad: órdenes de un usuario que solo puede mirar, 12× (tablectl-notify: enter).",
            "Security: entries by a user who may only look, 12× (tablectl-notify: enter).",
        ),
        (
            {"kind": "software-approval", "approved": False, "until": "2026-12-28T10:00:00.000000Z"},
            "Software: sin aprobar por nadie; se pueden abrir manos hasta 2026-12-28 10:00 UTC.",
            "Software: approved by nobody; hands can be opened until 2026-12-28 10:00 UTC.",
        ),
        (
            {"kind": "software-approval", "approved": True, "until": ""},
            "Software: aprobado.",
            "Software: approved.",
        ),
        (
            {"kind": "clock-stepped", "by_us": -3_400_000},
            "El reloj se ha ajustado -3 s; la mano sigue con su propia hora.",
            "The clock was set by -3 s; a hand goes on in its own time.",
        ),
        (
            {"kind": "volume-opened", "volume": 2, "follows": {}},
            "Empieza el volumen 2 del registro.",
            "Volume 2 of the journal begins.",
        ),
        (
            {"kind": "volume-closed", "volume": 1},
            "Termina el volumen 1 del registro.",
            "Volume 1 of the journal ends.",
        ),
        (
            {"kind": "strange-tag", "spot": "seat-2", "what": "cloned-tag"},
            "Un lector ve una carta que está en dos sitios a la vez en: Puesto 2.",
            "A reader sees a card that is in two places at once at: Seat 2.",
        ),
        (
            {"kind": "on-felt", "spots": ["seat-2", "board"]},
            "Antes del reparto, cartas de antes en: Puesto 2, Cartas comunes.",
            "Before the deal, cards from before at: Seat 2, Board.",
        ),
        (
            {"kind": "counted", "cards": 51},
            "Las antenas han visto 51 cartas de la baraja.",
            "The antennas have seen 51 cards of the deck.",
        ),
        ({"kind": "drawn", "card": None}, "El sabot repite su último aviso: no salió otra carta.", ""),
        ({"kind": "drawn", "card": None, "draw": 4}, "Sale del sabot la carta 4; no se pudo leer.", ""),
        ({"kind": "called", "by": "croupier", "reason": ""}, "Croupier pide al jefe de mesa.", ""),
        (NAMED, "Ana dice qué carta es flop, carta 1: rey de diamantes.", ""),
        (
            {"kind": "rained", "drops": 7},
            "Un hecho que esta versión no conoce: rained",
            "A fact that this version does not know: rained",
        ),
    ],
)
def test_what_happened_is_one_sentence(fact: dict[str, Any], es: str, en: str) -> None:
    assert describe_fact(ALL_TEXTS["es"], record_with(fact)) == es
    assert not en or describe_fact(ALL_TEXTS["en"], record_with(fact)) == en


def test_a_conclusion_that_this_version_does_not_know_is_passed_on_by_its_name() -> None:
    said = describe_decision(ALL_TEXTS["en"], Unknown(kind="confetti", members={}))
    assert said == "A conclusion that this version does not know: confetti"


def test_a_bet_that_says_only_what_was_entered_is_no_line_of_its_own() -> None:
    lines = told("press new-hand\nbet 1 ante 1000 bonus 500\npress bonus\nbet 2 ante 1")
    assert lines[2] == ["Puesto 1 pone: Ante 1\u202f000, Bonus 500."]
    assert lines[-1][1].startswith("No cambia nada. Fuera de límites: Ante 1 · de 500 a 10\u202f000.")


def test_an_incident_is_told_with_its_title_what_was_due_and_what_came() -> None:
    (raised,) = [record[1] for record in told(hands.VOID, "en") if record[1:] and record[1].startswith("INCIDENT 1")][
        :1
    ]
    assert raised == "INCIDENT 1: Bank card exposed. Expected bank face down; seen bank card in sight."


def test_a_question_is_told_as_it_was_asked() -> None:
    lines = told(hands.BETS + hands.HOLE_CARDS + "draw 9c")
    assert "Al croupier: ¿Se ha visto la carta?" in lines[-1]


def test_a_settled_bet_is_told_with_odds_and_what_it_brings() -> None:
    said = BetSettled(seat=3, bet="ante", outcome=Outcome.WIN, odds=(2, 1), stake=500, pays=1000, clause="")
    assert describe_decision(ALL_TEXTS["es"], said) == "Puesto 3, Ante: gana 2:1 (+1\u202f000)."
    push = replace(said, outcome=Outcome.PUSH, odds=None, pays=0)
    assert describe_decision(ALL_TEXTS["en"], push) == "Seat 3, Ante: returned."


def test_an_open_card_is_named_where_it_is_turned_up() -> None:
    said = CardTurned(draw=3, slot=BY_NAME["house.1"])
    assert describe_decision(ALL_TEXTS["en"], said) == "Turned up: bank, card 1."
    assert describe_decision(ALL_TEXTS["en"], said, card="Qh") == "Turned up: bank, card 1, queen of hearts."


@pytest.mark.parametrize(
    ("said", "es"),
    [
        (
            BetTaken(seat=3, bet="second", amount=1000, bettor=2),
            ": 2.ª apuesta 1\u202f000.",
        ),
        (Folded(seat=3, bettor=2), "se retira."),
        (BetsReturned(seat=3, bettor=2), "retira sus apuestas."),
        (
            BetReversed(seat=3, bet="txb", stake=200, pays=1400, bettor=2),
            "TXB: se deshace el pago (−1\u202f400).",
        ),
    ],
)
def test_TPC_PLY_2_a_standing_bettor_is_told_by_his_box_and_his_number(
    said: BetTaken | Folded | BetsReturned | BetReversed, es: str
) -> None:
    told = describe_decision(ALL_TEXTS["es"], said)
    assert told.startswith("Puesto 3, 2.º de pie")
    assert told.endswith(es)
    assert re.match("Puesto 3[ ,:]", describe_decision(ALL_TEXTS["es"], replace(said, bettor=1)))


def test_TPC_PLE_1_cards_that_are_taken_away_are_said_to_be() -> None:
    said = SeatWithdrawn(seat=2, clause="TPC-PLE-1")
    assert describe_decision(ALL_TEXTS["es"], said) == "Puesto 2: retiradas las cartas."


def test_a_closed_hand_says_what_the_float_should_have_changed_by_where_that_is_known() -> None:
    closed = HandClosed(hand=1, presses=5, drawn=11, float_change=-1500)
    assert describe_decision(ALL_TEXTS["es"], closed).endswith("5 teclas; caja −1\u202f500.")
    assert describe_decision(ALL_TEXTS["es"], replace(closed, float_change=None)).endswith("5 teclas.")
