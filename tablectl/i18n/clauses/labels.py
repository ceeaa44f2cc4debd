"""What the catalogue's closed sets are called by people, in Spanish and English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from tablectl.i18n.clauses.catalogue import Clause, Deadline, Kind, Phase, Remedy

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
    Phase.SEATING: Label("sorteo de puestos y botón", "draw for seats and button"),
    Phase.CLOSED: Label("entre manos", "between hands"),
    Phase.BLINDS: Label("ciegas", "blinds"),
    Phase.ANTES: Label("antes", "antes"),
    Phase.BETTING: Label("apuestas", "betting"),
    Phase.DEALING: Label("reparto", "dealing"),
    Phase.PRE_FLOP_BETTING: Label("apuestas antes del flop", "betting before the flop"),
    Phase.FIRST_BETTING: Label("primera ronda de envites", "first betting round"),
    Phase.FLOP_DECISION: Label("decisión flop", "flop decision"),
    Phase.FLOP: Label("flop", "flop"),
    Phase.FLOP_BETTING: Label("apuestas del flop", "betting on the flop"),
    Phase.DECISION: Label("decisión", "decision"),
    Phase.TXB: Label("Texas Bonus", "Texas Bonus"),
    Phase.DRAW: Label("descarte", "draw"),
    Phase.SECOND_BETTING: Label("segunda ronda de envites", "second betting round"),
    Phase.TURN_DECISION: Label("decisión turn", "turn decision"),
    Phase.TURN: Label("turn", "turn"),
    Phase.TURN_BETTING: Label("apuestas del turn", "betting on the turn"),
    Phase.RIVER_DECISION: Label("decisión river", "river decision"),
    Phase.RIVER: Label("river", "river"),
    Phase.RIVER_BETTING: Label("apuestas del river", "betting on the river"),
    Phase.TURN_RIVER: Label("turn y river", "turn and river"),
    Phase.SHOWDOWN: Label("descubrir", "showdown"),
    Phase.SETTLEMENT: Label("liquidación", "settlement"),
    Phase.VOIDED: Label("mano anulada", "hand void"),
}

#: Each completes "hasta ..." and "until ...".
DEADLINES: Final[Mapping[Deadline, Label]] = {
    Deadline.SESSION_START: Label("la primera mano de la sesión", "the first hand of the session"),
    Deadline.NO_MORE_BETS: Label("el «no va más»", '"no va más"'),
    Deadline.FIRST_CARD: Label("la primera carta de la mano", "the first card of the hand"),
    Deadline.DEAL_END: Label("la última carta del reparto", "the last card of the deal"),
    Deadline.LOOKED: Label("que el jugador mire alguna de sus cartas", "the player looks at any of his cards"),
    Deadline.FIRST_ACTION: Label("la primera acción, sin contar las ciegas", "the first action, blinds not counted"),
    Deadline.FIRST_BET: Label("el primer envite, sin contar quien pasa", "the first bet, a pass not counted"),
    Deadline.SECOND_ACTION: Label(
        "la segunda acción, de otro jugador que la primera y sin contar las ciegas",
        "the second action, by another player than the first and blinds not counted",
    ),
    Deadline.OWN_TURN: Label("que le llegue el turno a ese jugador", "that player's turn comes"),
    Deadline.NEXT_ACTION: Label("que actúe el jugador siguiente", "the next player acts"),
    Deadline.TWO_BEHIND: Label("que actúen dos jugadores después de él", "two players after him have acted"),
    Deadline.CALLED: Label("que alguien iguale su apuesta", "somebody calls his bet"),
    Deadline.CARDS_MIXED: Label("que sus cartas se mezclen con otras", "his cards mix with others"),
    Deadline.ROUND_CLOSED: Label("que se cierre la ronda de apuestas", "the betting round is closed"),
    Deadline.FLOP: Label("la primera carta del flop", "the first card of the flop"),
    Deadline.LAST_DECISION: Label("la última decisión", "the last decision"),
    Deadline.NEXT_DRAW: Label("que salga otra carta", "another card is drawn"),
    Deadline.SEEN: Label("que alguien vea la carta", "somebody sees the card"),
    Deadline.REVEAL: Label("que se descubra la banca", "the bank's cards are turned up"),
    Deadline.SETTLEMENT: Label("la liquidación", "the settlement"),
    Deadline.POT_DELIVERED: Label("la entrega del bote", "the pot is delivered"),
    Deadline.HAND_END: Label("el fin de la mano", "the end of the hand"),
    Deadline.NEXT_DEAL: Label("la primera carta de la mano siguiente", "the first card of the next hand"),
    Deadline.FULL_LAP: Label("una vuelta completa del botón", "a full lap of the button"),
    Deadline.SESSION_END: Label("la hora fijada para terminar", "the hour set for the end of the session"),
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
    Remedy.CONTINUE: Label("seguir: la mano vale", "go on: the hand stands"),
    Remedy.SHOW_TO_ALL: Label("enseñar la carta a todos", "show the card to everybody"),
    Remedy.BURN_IT_INSTEAD: Label(
        "quemar esa carta y dar en su lugar la que se iba a quemar",
        "burn that card, and deal the one due to be burnt in its place",
    ),
    Remedy.SET_ASIDE: Label("dejarlo aparte", "lay it aside"),
    Remedy.RETURN_AND_RESHUFFLE: Label("devolverlo al mazo y barajar el mazo", "put it back into the stub and shuffle"),
    Remedy.NO_BURN: Label("sacar la calle sin quemar otra carta", "deal the street without another burn"),
    Remedy.REVIVE: Label("devolver las cartas al jugador, que sigue", "give the cards back; the hand is live again"),
    Remedy.BIND: Label("mantener la acción", "hold him to the action"),
    Remedy.AS_CALL: Label("contarlo como ir", "count it as a call"),
    Remedy.COMPLETE_CALL: Label("añadir solo lo que falta para ir", "add only what the call lacks"),
    Remedy.RETURN_EXCESS: Label("devolver lo que sobra", "return the excess"),
    Remedy.CHOOSE_AGAIN: Label("dejar que el jugador elija de nuevo", "let the player choose again"),
    Remedy.TAKE_BACK: Label("deshacer lo actuado tras él", "take back what was done after him"),
    Remedy.REDEAL: Label("recoger las cartas y volver a dar", "collect the cards and deal again"),
    Remedy.REDEAL_ON_DEMAND: Label("volver a dar si un jugador lo exige", "deal again if a player demands it"),
    Remedy.NEW_STUB: Label("barajar los descartes como mazo nuevo", "shuffle the discards as a new stub"),
    Remedy.COMPLETE_FROM_STUB: Label("completar la mano con el mazo", "complete the hand from the stub"),
    Remedy.UNDER_THE_STUB: Label("poner la carta bajo el mazo, sin verla", "put the card under the stub, unseen"),
    Remedy.PASS_CARD: Label("pasar una carta de una mano a la otra", "pass a card from one hand to the other"),
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
