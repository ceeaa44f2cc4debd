"""Enrolling a deck tag by tag: a card is laid on the reader, its tag is bound to it, the card is taken away, the next.

Sans-I/O. The cards come in an order that is agreed before; that of a new pack is the usual one. Whatever is not as it
should be binds nothing, and is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from tablectl.core.cards import Card, cards

#: As a new pack lies: spades and hearts from the ace up, clubs and diamonds from the ace up.
NEW_PACK: Final = cards(" ".join(f"{rank}{suit}" for suit in "shcd" for rank in "A23456789TJQK"))
#: Two tags that come within this time, in microseconds, may have been laid together. Ours.
TOGETHER_US: Final = 500_000


class Said(StrEnum):
    """What became of a tag on the reader."""

    BOUND = "bound"
    #: This very card was laid before.
    AGAIN = "again"
    #: It belongs to another deck.
    OF_ANOTHER_DECK = "of-another-deck"
    #: Another tag lies on the reader too: none of them is bound.
    TWO = "two"
    #: No tag lies there any more: the next one can be laid.
    EMPTY = "empty"


class Enrolment:
    """One deck, from its first card to its last."""

    def __init__(self, owner: Callable[[str], str | None], order: tuple[Card, ...] = NEW_PACK) -> None:
        """`owner` says which deck a tag belongs to already, if any."""
        self._owner = owner
        self._order = order
        self._tags: dict[str, Card] = {}
        #: How many antennas of the reader see each tag.
        self._there: Counter[str] = Counter()
        #: The tag bound last, for as long as it lies there, and when it came.
        self._fresh: str | None = None
        self._fresh_us = 0
        self._were_two = False

    @property
    def due(self) -> Card | None:
        """The card to be laid next; None when all have been."""
        return self._order[len(self._tags)] if len(self._tags) < len(self._order) else None

    @property
    def is_over(self) -> bool:
        """All are bound, and the last one was taken away: until then it may turn out that two lie there."""
        return self.due is None and not self._there

    @property
    def done(self) -> int:
        """How many cards are bound."""
        return len(self._tags)

    @property
    def tags(self) -> Mapping[str, Card]:
        """Which tag is which card, so far."""
        return self._tags

    def came(self, tag: str, at_us: int) -> Said | None:
        """A tag came to an antenna of the reader; None where nothing is to be said of it.

        One that comes while another lies there is not bound, nor stays the other one bound if it came just before:
        they may have been laid together, and then it was chance which of them was read first.
        """
        self._there[tag] += 1
        if self._there[tag] > 1 or self._were_two:
            return None
        if len(self._there) > 1:
            self._were_two = True
            if self._fresh is not None and at_us - self._fresh_us < TOGETHER_US:
                self.back()
            return Said.TWO
        due = self.due
        if tag in self._tags or due is None:
            return Said.AGAIN
        if self._owner(tag) is not None:
            return Said.OF_ANOTHER_DECK
        self._tags[tag] = due
        self._fresh, self._fresh_us = tag, at_us
        return Said.BOUND

    def left(self, tag: str) -> Said | None:
        """A tag left an antenna of the reader."""
        self._there[tag] -= 1
        if self._there[tag] < 1:
            del self._there[tag]
        if self._fresh not in self._there:
            self._fresh = None
        if self._there:
            return None
        self._were_two = False
        return Said.EMPTY

    def back(self) -> Card | None:
        """Take the last card back: it is due again."""
        self._fresh = None
        return self._tags.popitem()[1] if self._tags else None
