"""Choices of the games with a pot: how bets are made, corrected and shared out, and what becomes of a hand touched.

The documents of these games leave the same points open, or take their answers from `circle-holdem`. Which value ships
and which clause leaves the point open is each rulebook's own.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from tablectl.core.options.choices import OpenPoint


class MinimumRaise(StrEnum):
    """How much a raise must come to (AMB-87)."""

    TWICE_THE_HIGHEST = "twice-the-highest"
    LAST_FULL_RAISE = "last-full-raise"
    ANY_GREATER_AMOUNT = "any-greater-amount"


class ShortAllIn(StrEnum):
    """Whether an all-in below a full raise lets players who have acted raise again (AMB-03)."""

    REOPENS = "reopens"
    FULL_RAISE_ONLY = "full-raise-only"


class ShortRaise(StrEnum):
    """What a raise is whose chips are too few (AMB-24)."""

    WORD_COMPLETES = "word-completes"
    CALL = "call"


class SeveralChips(StrEnum):
    """What several chips above the call are that nothing was said about (AMB-25)."""

    RAISE_IF_ENOUGH = "raise-if-enough"
    CALL = "call"


class OutOfTurn(StrEnum):
    """What a player may do who bet out of turn, when somebody raised before his turn (AMB-26)."""

    MAY_FOLD = "may-fold"
    CALL_OR_RAISE = "call-or-raise"


class SkippedLate(StrEnum):
    """What a skipped player loses who speaks up too late (AMB-27)."""

    LOSES_THE_ROUND = "loses-the-round"
    HAND_DEAD = "hand-dead"


class WrongAmountUntil(StrEnum):
    """Until when an action upon a wrong amount told by the croupier is changed (AMB-28)."""

    NEXT_ACTION = "next-action"
    ROUND_END = "round-end"


class LastBet(StrEnum):
    """Whose bet is the last one, at showdown (AMB-30)."""

    WHOLE_HAND = "whole-hand"
    LAST_ROUND = "last-round"


class OddChip(StrEnum):
    """Who gets a chip that cannot be divided (AMB-31)."""

    #: of the winners of that pot; further chips, or all if he does not win there, clockwise from the button
    LAST_BETTOR = "last-bettor"
    CLOCKWISE = "clockwise"
    #: also if he does not win there
    LAST_BETTOR_ALWAYS = "last-bettor-always"


class ProtectedHand(StrEnum):
    """What is done about a protected hand that the croupier took away (AMB-35)."""

    OWN_STAKE = "own-stake"
    ROUND_AGAIN = "round-again"


# --- what a person reads of them --------------------------------------------------------------------------------------

MINIMUM_RAISE: Final = OpenPoint(
    ambiguity="AMB-87",
    es="Se sube al menos al doble de la postura más alta, o en la última subida completa, o en cualquier cantidad.",
    en="A raise goes to twice the highest stake at least, or adds the last full raise, or is any greater amount.",
)
SHORT_ALL_IN: Final = OpenPoint(
    ambiguity="AMB-03",
    es="Un resto inferior a la subida mínima reabre las apuestas a quien ya habló, o solo lo hace una subida completa.",
    en="An all-in below the least raise reopens the betting to those who have spoken, or only a full raise does.",
)
SHORT_RAISE: Final = OpenPoint(
    ambiguity="AMB-24",
    es="Si las fichas no llegan a la subida anunciada, vale la cantidad dicha si es legal, o cuenta siempre como ir.",
    en="If the chips fall short of a raise, the amount said counts where it is legal, or it is always a call.",
)
SEVERAL_CHIPS: Final = OpenPoint(
    ambiguity="AMB-25",
    es="Varias fichas de más y sin anuncio son una subida si alcanzan la mínima, o siempre un ir con cambio.",
    en="Several chips too many, put in without a word, are a raise if they reach the least one, or always a call.",
)
OUT_OF_TURN: Final = OpenPoint(
    ambiguity="AMB-26",
    es="Quien apostó fuera de turno y ve una subida puede retirarse sin sus fichas, o solo ir o subir.",
    en="A player who bet out of turn and meets a raise may fold without his chips, or must call or raise.",
)
SKIPPED_LATE: Final = OpenPoint(
    ambiguity="AMB-27",
    es="El jugador saltado que avisa tarde pierde su voz en esa ronda, o pierde la mano.",
    en="A skipped player who speaks up too late loses his say in that round, or his hand.",
)
WRONG_AMOUNT_UNTIL: Final = OpenPoint(
    ambiguity="AMB-28",
    es="Tras una cantidad mal dicha por el croupier se cambia la acción hasta que actúa otro, o en toda la ronda.",
    en="Misled by the croupier's amount, a player changes his action until the next one acts, or all round long.",
)
LAST_BET: Final = OpenPoint(
    ambiguity="AMB-30",
    es="El último envite es el de toda la mano, o solo el de la última ronda; sin él empieza quien sigue al botón.",
    en="The last bet is that of the whole hand, or of the last round; without one, the left of the button begins.",
)
ODD_CHIP: Final = OpenPoint(
    ambiguity="AMB-31",
    es="La ficha sobrante es de quien hizo el último envite si gana ese bote, o va por orden, o es suya siempre.",
    en="The odd chip is the last bettor's if he wins that pot, or goes clockwise, or is the last bettor's always.",
)
CONTACT_BETS: Final = OpenPoint(
    ambiguity="AMB-34",
    es="Lo que se propone para las fichas de dos manos que se tocaron: quedan en el bote, o se devuelven.",
    en="What is proposed for the chips of two hands that touched: they stay in the pot, or go back.",
)
PROTECTED_HAND: Final = OpenPoint(
    ambiguity="AMB-35",
    es="Retirada por error una mano protegida, se devuelve lo suyo sin tocar lo demás, o la ronda se apuesta de nuevo.",
    en="If a protected hand is taken by mistake, its chips go back and no more, or the round is bet again.",
)
PROHIBITIONS: Final = OpenPoint(
    ambiguity="AMB-36",
    es="Lo prohibido sin sanción se avisa y, si se repite, decide el jefe de mesa; o solo se anota.",
    en="A prohibition without penalty is warned of, then goes to the pit boss; or it is only logged.",
)
SHUFFLE: Final = OpenPoint(
    ambiguity="AMB-86",
    es="El croupier baraja y corta a mano, o baraja el distribuidor y basta su señal de ciclo terminado.",
    en="The croupier shuffles and cuts by hand, or the shoe does and its end-of-cycle signal is enough.",
)
