"""Choices of the games with a pot: how bets are made, corrected and shared out, and what becomes of a hand touched.

The documents of these games leave the same points open, or take their answers from `circle-holdem`. Which value ships
and which clause leaves the point open is each rulebook's own.
"""

from __future__ import annotations

from enum import StrEnum


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
