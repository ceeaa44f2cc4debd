"""Choices of the two hold'em games with a pot: seats and blinds, the deal and its errors, burns, streets, showdown.

`open-holdem` states no errors of the deal: on a live table they are those of `circle-holdem`, and so are these choices.
Which value ships and which clause leaves the point open is each rulebook's own.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tablectl.core.options.choices import OpenPoint


class Structure(StrEnum):
    """How high a bet may be (AMB-01)."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"


class Absence(StrEnum):
    """How long a player may be away without losing his seat (AMB-09)."""

    FULL_LAP = "full-lap"
    ONE_HAND = "one-hand"


class VacatedBlind(StrEnum):
    """What becomes of the big blind of a seat that was left (AMB-10)."""

    NEXT_SEAT = "next-seat"
    DEAD = "dead"


class TwoActions(StrEnum):
    """Which two actions end the time for a misdeal (AMB-11)."""

    TWO_PLAYERS = "two-players"
    ANY_TWO = "any-two"
    WITH_CHIPS = "with-chips"


class BlindWithoutCards(StrEnum):
    """What is proposed for a blind whose player got no cards, after two actions (AMB-12)."""

    RETURNED = "returned"
    LOST = "lost"


class MissingCardLate(StrEnum):
    """What a card found missing after two actions does (AMB-13)."""

    STANDS = "stands"
    VOID_HAND = "void-hand"


class ExposedCount(StrEnum):
    """Which cards make a misdeal by their number (AMB-14)."""

    TOGETHER = "together"
    #: a single card that fell or lay face up is a misdeal by itself
    TURNED_ONLY = "turned-only"


class Reconstruction(StrEnum):
    """Who says that a hand dealt in the wrong order can be put right (AMB-15)."""

    READERS = "readers"
    CROUPIER = "croupier"


class ExposedCard(StrEnum):
    """When a card that the croupier exposed is replaced (AMB-17)."""

    AFTER_THE_DEAL = "after-the-deal"
    AT_ONCE = "at-once"


class EarlyTurn(StrEnum):
    """When the new turn comes after one shown too soon (AMB-18)."""

    AFTER_THE_ROUND = "after-the-round"
    AT_ONCE = "at-once"


class EarlyRiver(StrEnum):
    """When the new river comes after one shown too soon (AMB-19)."""

    AFTER_THE_ROUND = "after-the-round"
    AT_ONCE = "at-once"


class EarlyBoard(StrEnum):
    """What is shuffled when two common cards or more came too soon (AMB-20)."""

    INTO_THE_STUB = "into-the-stub"
    AMONG_THEMSELVES = "among-themselves"


class FlopCount(StrEnum):
    """What a flop of too many or too few cards becomes (AMB-21)."""

    KEEP_UNSEEN = "keep-unseen"
    RESHUFFLE = "reshuffle"


class BurnFault(StrEnum):
    """What a burn left out or made twice does (AMB-22)."""

    PUT_RIGHT = "put-right"
    VOID_HAND = "void-hand"


class ReshuffledStub(StrEnum):
    """What is shuffled when a card goes back into the stub (AMB-23)."""

    STUB_ALONE = "stub-alone"
    DEAD_CARDS_TOO = "dead-cards-too"


class FoldedCards(StrEnum):
    """Whether thrown cards can be live again (AMB-29)."""

    THREE_CASES = "three-cases"
    NEVER = "never"


class Objection(StrEnum):
    """What an objection to the winning hand does (AMB-32)."""

    PIT_BOSS = "pit-boss"
    BLOCKED = "blocked"


class AllInShown(StrEnum):
    """Whether an all-in player may show his cards before the showdown (AMB-33)."""

    PROHIBITED = "prohibited"
    ALLOWED = "allowed"


class Fee(StrEnum):
    """Whether the table takes a fee out of the pot (AMB-37)."""

    NONE = "none"
    FROM_THE_POT = "from-the-pot"


class TwoPlayers(StrEnum):
    """Which of two players posts the small blind (AMB-61)."""

    LEFT_OF_BUTTON = "left-of-button"
    BUTTON = "button"


class FirstButton(StrEnum):
    """How the first button is drawn (AMB-84)."""

    HIGH_CARD = "high-card"
    RANDOM = "random"


# --- what a person reads of them --------------------------------------------------------------------------------------

STRUCTURE: Final = OpenPoint(
    ambiguity="AMB-01",
    es="Se apuesta hasta el resto propio, o hasta el bote, o por cantidades fijas: una apuesta y tres subidas.",
    en="Bets are bounded by the stack alone, or by the pot, or come in fixed amounts: one bet and three raises.",
)
ABSENCE: Final = OpenPoint(
    ambiguity="AMB-09",
    es="El ausente conserva su puesto durante una vuelta completa del botón, o durante una sola mano.",
    en="An absent player keeps his seat for a full lap of the button, or for a single hand.",
)
VACATED_BLIND: Final = OpenPoint(
    ambiguity="AMB-10",
    es="La ciega de un puesto que quedó libre pasa al siguiente ocupado, o esa posición se queda vacía una mano.",
    en="The blind of a seat that was left goes to the next one taken, or its position stays empty for a hand.",
)
TWO_ACTIONS: Final = OpenPoint(
    ambiguity="AMB-11",
    es="El error de reparto se cierra con dos acciones de jugadores distintos, o dos cualesquiera, o dos con fichas.",
    en="A misdeal is over after two actions of different players, or any two, or two that put chips in.",
)
BLIND_WITHOUT_CARDS: Final = OpenPoint(
    ambiguity="AMB-12",
    es="La ciega de quien no recibió cartas, vista tras dos acciones: se propone devolverla, o se pierde.",
    en="The blind of a player who got no cards, noticed after two actions: its return is proposed, or it is lost.",
)
MISSING_CARD_LATE: Final = OpenPoint(
    ambiguity="AMB-13",
    es="Si tras dos acciones falta una carta, se propone que la mano valga, o que se anule; decide el jefe de mesa.",
    en="If a card is missing after two actions, the hand is proposed to stand, or to be void; the pit boss decides.",
)
EXPOSED_COUNT: Final = OpenPoint(
    ambiguity="AMB-14",
    es="Cartas vueltas, boca arriba o caídas cuentan juntas hasta dos, o una sola caída o boca arriba ya es error.",
    en="Cards turned, face up or fallen count together up to two, or one that fell or lay face up is enough.",
)
RECONSTRUCTION: Final = OpenPoint(
    ambiguity="AMB-15",
    es="Que la mano se pueda reconstruir lo confirman los lectores y el croupier, o basta el croupier.",
    en="That a hand can be put right is confirmed by readers and croupier, or the croupier's word is enough.",
)
EXPOSED_CARD: Final = OpenPoint(
    ambiguity="AMB-17",
    es="La carta que descubre el croupier se sustituye acabado el reparto, o con la que sale a continuación.",
    en="A card that the croupier exposes is replaced when the deal is over, or by the very next one.",
)
EARLY_TURN: Final = OpenPoint(
    ambiguity="AMB-18",
    es="Tras un turn prematuro, el nuevo sale cuando acaban las apuestas del flop, o en el acto.",
    en="After a premature turn the new one comes when the betting on the flop is over, or at once.",
)
EARLY_RIVER: Final = OpenPoint(
    ambiguity="AMB-19",
    es="Tras un river prematuro, el nuevo sale cuando acaban las apuestas del turn, o en el acto.",
    en="After a premature river the new one comes when the betting on the turn is over, or at once.",
)
EARLY_BOARD: Final = OpenPoint(
    ambiguity="AMB-20",
    es="Dos o más comunes prematuras se barajan con el mazo y salen otras, o entre sí y salen las mismas.",
    en="Two common cards or more that came too soon are shuffled into the stub, or among themselves.",
)
FLOP_COUNT: Final = OpenPoint(
    ambiguity="AMB-21",
    es="En un flop mal contado, la carta de más no vista es la siguiente y la que falta se saca; o se baraja todo.",
    en="In a flop of the wrong size an unseen extra card is the next and a missing one is drawn; or all is shuffled.",
)
BURN_FAULT: Final = OpenPoint(
    ambiguity="AMB-22",
    es="Una quema omitida o doble se arregla mientras no haya común a la vista, o anula la mano.",
    en="A burn left out or made twice is put right while no common card is up, or voids the hand.",
)
RESHUFFLED_STUB: Final = OpenPoint(
    ambiguity="AMB-23",
    es="Al devolver cartas al mazo se baraja solo lo no repartido con ellas, o también quemadas y retiradas.",
    en="When cards go back, the undealt ones are shuffled with them alone, or burns and folded hands as well.",
)
FOLDED_CARDS: Final = OpenPoint(
    ambiguity="AMB-29",
    es="Las cartas tiradas se recuperan en los tres casos del texto, o nunca.",
    en="Thrown cards can be taken back in the three cases of the text, or never.",
)
OBJECTION: Final = OpenPoint(
    ambiguity="AMB-32",
    es="Si un jugador no está conforme decide el jefe de mesa, o el bote espera a que todos lo estén.",
    en="If a player disagrees the pit boss decides, or the pot waits until everybody agrees.",
)
ALL_IN_SHOWN: Final = OpenPoint(
    ambiguity="AMB-33",
    es="Quien juega todo su resto no enseña sus cartas antes de tiempo, o puede hacerlo.",
    en="An all-in player does not show his cards before the showdown, or may do so.",
)
FEE: Final = OpenPoint(
    ambiguity="AMB-37",
    es="La mesa no cobra tasa, o la toma de cada bote antes de repartirlo; de una mano anulada, nunca.",
    en="The table takes no fee, or takes it out of each pot before it is shared; never of a void hand.",
)
TWO_PLAYERS: Final = OpenPoint(
    ambiguity="AMB-61",
    es="Con dos jugadores, la ciega pequeña es de quien sigue al botón, o del botón, que habla primero antes del flop.",
    en="With two players the small blind is left of the button, or the button's, who then opens the first round.",
)
FIRST_BUTTON: Final = OpenPoint(
    ambiguity="AMB-84",
    es="El primer botón lo da la carta más alta, con orden de palos, o el azar.",
    en="The first button goes to the highest card, suits in order, or at random.",
)
