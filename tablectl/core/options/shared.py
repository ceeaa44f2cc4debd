"""Choices that several documents leave open alike. Which value ships is each rulebook's own."""

from __future__ import annotations

from enum import StrEnum


class DeckFault(StrEnum):
    """Who decides about a hand whose deck lacks a card, or has one twice, a foreign or a damaged one (AMB-13)."""

    VOID_HAND = "void-hand"
    PIT_BOSS = "pit-boss"


class AnnulledBets(StrEnum):
    """Where the bets of an annulled hand go (AMB-46)."""

    RETURNED = "returned"
    STAY = "stay"


class EarlyCardSeen(StrEnum):
    """What is proposed to the pit boss when a card drawn early was seen (AMB-56)."""

    VOID_HAND = "void-hand"
    KEEP = "keep"


class Prohibitions(StrEnum):
    """What follows a prohibition that carries no penalty (AMB-36)."""

    WARN_THEN_PIT_BOSS = "warn-then-pit-boss"
    LOG_ONLY = "log-only"


class Burn(StrEnum):
    """Before which streets a card is burnt (AMB-81)."""

    NONE = "none"
    FLOP = "flop"
    EVERY_STREET = "every-street"


class ContactBets(StrEnum):
    """What is proposed to the pit boss for the bets of two hands that touched (AMB-34)."""

    LOST = "lost"
    RETURNED = "returned"


class Shuffle(StrEnum):
    """Who shuffles: the croupier, or a shoe that is approved for it (AMB-86)."""

    BY_HAND = "by-hand"
    IN_SHOE = "in-shoe"
