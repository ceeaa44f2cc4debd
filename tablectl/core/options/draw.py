"""What a house may choose at a game with antes and discards (document 004, FCD-*)."""

from __future__ import annotations

from enum import StrEnum


class DealerAnte(StrEnum):
    """What the nominal dealer puts in before the cards (AMB-95)."""

    SAME = "same"
    DOUBLE = "double"


class MostDiscards(StrEnum):
    """How many cards a player may change at most (AMB-96)."""

    FIVE = "five"
    FOUR = "four"
    THREE = "three"


class FalseOpening(StrEnum):
    """What is done about an opening without a pair of jacks (AMB-68)."""

    #: told without a card; found out later, the pit boss decides
    REFUSED = "refused"
    NOT_CHECKED = "not-checked"


class SecondRound(StrEnum):
    """Who speaks first after the draw (AMB-66)."""

    LEFT_OF_DEALER = "left-of-dealer"
    OPENER = "opener"


class AllPass(StrEnum):
    """In which round all passing leaves the pot to the next hand (AMB-67)."""

    FIRST_ROUND = "first-round"
    EITHER_ROUND = "either-round"


class AboveResto(StrEnum):
    """What a player can do about a bet above his resto (AMB-69)."""

    ALL_IN = "all-in"
    FOLD = "fold"


class NewStub(StrEnum):
    """Which cards make the new stub (AMB-65)."""

    ALL_DISCARDS = "all-discards"
    #: those of the players who still lack cards
    WAITING_PLAYERS = "waiting-players"


class DrawCount(StrEnum):
    """What a wrong number of cards at the draw does (AMB-73)."""

    AS_IN_THE_DEAL = "as-in-the-deal"
    VOID_HAND = "void-hand"


class RedealUntil(StrEnum):
    """Until when a new deal can be demanded where no end is set (AMB-74)."""

    FIRST_BET = "first-bet"
    POT_DELIVERED = "pot-delivered"


class UnlookedCount(StrEnum):
    """What is proposed for a wrong count before anybody has looked (AMB-75)."""

    REDEAL = "redeal"
    CORRECT = "correct"


class SixAndFour(StrEnum):
    """What lets a card go from a hand of six to one of four (AMB-76)."""

    UNLOOKED_AND_NO_BET = "unlooked-and-no-bet"
    EITHER = "either"


class DeckFaultDrawn(StrEnum):
    """What a defective deck does (AMB-13)."""

    #: a card twice or a foreign one stops the table without a demand
    ON_DEMAND = "on-demand"
    VOID_HAND = "void-hand"


class Refill(StrEnum):
    """What the bounds of a refill are held against (AMB-78)."""

    AMOUNT_AND_STACK = "amount-and-stack"
    AMOUNT = "amount"
    STACK = "stack"


class RefillUntil(StrEnum):
    """Until when a resto can be refilled (AMB-79)."""

    FIRST_CARD = "first-card"
    LOOKED = "looked"


class LeavingAhead(StrEnum):
    """What stops a winner who leaves before the end (AMB-80)."""

    PIT_BOSS = "pit-boss"
    REFUSED = "refused"
