"""Choices of the two hold'em games with a pot: seats and blinds, the deal and its errors, burns, streets, showdown.

`open-holdem` states no errors of the deal: on a live table they are those of `circle-holdem`, and so are these choices.
Which value ships and which clause leaves the point open is each rulebook's own.
"""

from __future__ import annotations

from enum import StrEnum


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
