"""Enrolling a deck tag by tag: a card is laid on the reader, its tag is bound to it, the card is taken away, the next.

Sans-I/O. The cards come in an order that is agreed before; that of a new pack is the usual one. Whatever is not as it
should be binds nothing, and is said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from tablectl.cards import Card, cards

#: As a new pack lies: spades and hearts from the ace up, clubs and diamonds from the ace up.
NEW_PACK: Final = cards(" ".join(f"{rank}{suit}" for suit in "shcd" for rank in "A23456789TJQK"))


class Said(StrEnum):
    """What became of a tag on the reader."""

    BOUND = "bound"
    #: This very card was laid before.
    AGAIN = "again"
    #: It belongs to another deck.
    OF_ANOTHER_DECK = "of-another-deck"
    #: Another tag lies on the reader still.
    TWO = "two"


class Enrolment:
    """One deck, from its first card to its last."""

    def __init__(self, owner: Callable[[str], str | None], order: tuple[Card, ...] = NEW_PACK) -> None:
        """`owner` says which deck a tag belongs to already, if any."""
        self._owner = owner
        self._order = order
        self._tags: dict[str, Card] = {}
        self._there: set[str] = set()

    @property
    def due(self) -> Card | None:
        """The card to be laid next; None when all have been."""
        return self._order[len(self._tags)] if len(self._tags) < len(self._order) else None

    @property
    def done(self) -> int:
        """How many cards are bound."""
        return len(self._tags)

    @property
    def tags(self) -> Mapping[str, Card]:
        """Which tag is which card, so far."""
        return self._tags

    def came(self, tag: str) -> Said:
        """A tag came to the reader."""
        others = self._there - {tag}
        self._there.add(tag)
        due = self.due
        if others:
            return Said.TWO
        if tag in self._tags or due is None:
            return Said.AGAIN
        if self._owner(tag) is not None:
            return Said.OF_ANOTHER_DECK
        self._tags[tag] = due
        return Said.BOUND

    def left(self, tag: str) -> Said | None:
        """A tag left the reader. Of two that lay there, the one that is left counts now."""
        self._there.discard(tag)
        if len(self._there) != 1:
            return None
        (rest,) = self._there
        return self.came(rest) if rest not in self._tags else None

    def back(self) -> Card | None:
        """Take the last card back: it is due again."""
        if not self._tags:
            return None
        return self._tags.pop(list(self._tags)[-1])
