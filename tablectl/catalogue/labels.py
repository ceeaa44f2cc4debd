"""What the catalogue's closed sets are called by people, in Spanish and English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from tablectl.catalogue.catalogue import Clause, Deadline, Kind, Phase, Remedy

#: So many phases in a row are told by the first and the last.
_RUN: Final = 4


class Label(NamedTuple):
    """The same thing in both languages."""

    es: str
    en: str


#: Instead of how it becomes known, where nothing is asked.
DEFINITION: Final = Label("Definición", "Definition")

#: How compliance becomes known.
KINDS: Final[Mapping[Kind, Label]] = {
    Kind.SENSOR: Label("Lo ve un lector de cartas", "A card reader sees it"),
    Kind.BUTTON: Label("Lo declara el croupier o el jefe de mesa", "Croupier or pit boss declares it"),
    Kind.BET: Label("Se ve en las apuestas", "The bets show it"),
    Kind.PAYOUT: Label("Lo calcula la liquidación", "The settlement works it out"),
    Kind.PROCEDURE: Label("Lo cuida el croupier; aquí solo se recuerda", "The croupier sees to it; we remind"),
}

PHASES: Final[Mapping[Phase, Label]] = {
    Phase.ANY: Label("siempre", "always"),
    Phase.SETUP: Label("al preparar la mesa", "when the table is set up"),
    Phase.CLOSED: Label("entre manos", "between hands"),
    Phase.BETTING: Label("apuestas", "betting"),
    Phase.DEALING: Label("reparto", "dealing"),
    Phase.FLOP_DECISION: Label("decisión flop", "flop decision"),
    Phase.FLOP: Label("flop", "flop"),
    Phase.DECISION: Label("decisión", "decision"),
    Phase.TXB: Label("Texas Bonus", "Texas Bonus"),
    Phase.TURN_DECISION: Label("decisión turn", "turn decision"),
    Phase.TURN: Label("turn", "turn"),
    Phase.RIVER_DECISION: Label("decisión river", "river decision"),
    Phase.RIVER: Label("river", "river"),
    Phase.TURN_RIVER: Label("turn y river", "turn and river"),
    Phase.SHOWDOWN: Label("descubrir", "showdown"),
    Phase.SETTLEMENT: Label("liquidación", "settlement"),
    Phase.VOIDED: Label("mano anulada", "hand void"),
}

#: Each completes "hasta ..." and "until ...".
DEADLINES: Final[Mapping[Deadline, Label]] = {
    Deadline.NO_MORE_BETS: Label("el «no va más»", '"no va más"'),
    Deadline.FLOP: Label("la primera carta del flop", "the first card of the flop"),
    Deadline.LAST_DECISION: Label("la última decisión", "the last decision"),
    Deadline.NEXT_DRAW: Label("que salga otra carta", "another card is drawn"),
    Deadline.SEEN: Label("que alguien vea la carta", "somebody sees the card"),
    Deadline.REVEAL: Label("que se descubra la banca", "the bank's cards are turned up"),
    Deadline.SETTLEMENT: Label("la liquidación", "the settlement"),
    Deadline.HAND_END: Label("el fin de la mano", "the end of the hand"),
}

REMEDIES: Final[Mapping[Remedy, Label]] = {
    Remedy.VOID_HAND: Label("anular la mano", "void the hand"),
    Remedy.VOID_SEAT: Label("dejar el puesto fuera de la mano", "put the seat out of the hand"),
    Remedy.DISCARD: Label("llevar la carta al descartador", "put the card into the discard rack"),
    Remedy.NEXT_CARD: Label("seguir con la carta siguiente", "go on with the next card"),
    Remedy.CORRECT: Label("corregir en el sitio", "put it right"),
    Remedy.REFUND: Label("devolver las apuestas", "return the bets"),
    Remedy.LOSE: Label("perder las apuestas", "the bets are lost"),
    Remedy.RESHUFFLE: Label("volver a barajar", "shuffle again"),
    Remedy.NEW_DECK: Label("cambiar la baraja", "change the deck"),
    Remedy.REJECT: Label("no admitirlo", "refuse it"),
    Remedy.WARN: Label("avisar", "warn"),
    Remedy.PIT_BOSS: Label("decide el jefe de mesa", "the pit boss decides"),
}


def in_order(clauses: Iterable[Clause]) -> tuple[Phase, ...]:
    """The phases that a rulebook's clauses name, as a hand goes through them."""
    named = {phase for each in clauses for phase in each.phases}
    return tuple(each for each in Phase if each in named)


def runs(phases: Iterable[Phase], order: Iterable[Phase]) -> Iterator[tuple[Phase, ...]]:
    """The phases as they come in `order`, one by one; four and more in a row as their first and last."""
    wanted = set(phases)
    row: list[Phase] = []
    for phase in (*order, None):
        if phase is not None and phase in wanted:
            row.append(phase)
            continue
        yield from ((row[0], row[-1]),) if len(row) >= _RUN else ((each,) for each in row)
        row = []
