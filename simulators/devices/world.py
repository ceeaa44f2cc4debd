"""The physical cards. Each is always in exactly one place, and whatever a simulated device says follows from that."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

#: Faces of one deck, in the order of a new pack.
DECK: Final = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")

#: Places that every table has; any other word is a place too: "seat-3", "board", "burn", "discard".
SHOE: Final = "shoe"
#: Between the shoe and the felt.
HAND: Final = "hand"
#: Not on the table: a card that was taken away, or one that nobody brought yet.
AWAY: Final = "away"


class EmptyShoe(Exception):
    """There is no card left to draw."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PhysicalCard:
    """One piece of plastic. Two of them may show the same face; their numbers differ.

    `tag`: unique id of the tag in it, in upper-case hexadecimal; empty where there is none. Nothing but honesty keeps
    two cards from having the same.
    """

    number: int
    face: str
    tag: str = ""


def no_tag(number: int) -> str:
    """A deck without tags."""
    return ""


def type_a_tag(number: int) -> str:
    """Seven bytes, as in a tag of ISO 14443 A; 04 is a maker (ISO 7816-6)."""
    return f"04{number * 2_654_435_761 % (1 << 32):08X}80{number % 256:02X}"


def iso15693_tag(number: int) -> str:
    """Eight bytes, as in a tag of ISO 15693: E0, then a maker."""
    return f"E004{number * 2_654_435_761 % (1 << 32):08X}{number:04X}"


class World:
    """All cards of one table, from any thread. The top of the shoe is drawn first."""

    def __init__(self, faces: Iterable[str] = DECK, *, tag_of: Callable[[int], str] = no_tag) -> None:
        self._lock = threading.RLock()
        self._tag_of = tag_of
        #: How often each card was moved, by number.
        self._moves: Counter[int] = Counter()
        self._places: dict[str, list[PhysicalCard]] = {SHOE: []}
        self._drawn: list[PhysicalCard] = []
        self._next_number = 1
        for face in faces:
            self.bring(face, SHOE)

    def bring(self, face: str, place: str, *, tag: str | None = None) -> PhysicalCard:
        """A card comes to the table, at the bottom of `place`: honest or not, with a tag of its own or a copied one."""
        with self._lock:
            own = self._tag_of(self._next_number) if tag is None else tag
            card = PhysicalCard(number=self._next_number, face=face, tag=own)
            self._next_number += 1
            self._places.setdefault(place, []).append(card)
            return card

    def shuffle(self, seed: int) -> None:
        """All cards that are not away go back to the shoe, in an order that follows from `seed` alone."""
        with self._lock:
            cards = [card for place, there in self._places.items() if place != AWAY for card in there]
            cards.sort(key=lambda card: card.number)
            random.Random(seed).shuffle(cards)
            self._moves.update(card.number for card in cards)
            self._places = {SHOE: cards, AWAY: self._places.get(AWAY, [])}
            self._drawn = []

    def reshuffle(self, back: Iterable[PhysicalCard], seed: int) -> None:
        """These cards go back into the shoe, and all that are in it are shuffled, in an order that follows from `seed`
        and from which cards they are; every other card stays where it is."""
        with self._lock:
            for card in back:
                self.put(card, SHOE)
            stub = sorted(self._places[SHOE], key=lambda card: card.number)
            random.Random(seed).shuffle(stub)
            self._moves.update(card.number for card in stub)
            self._places[SHOE] = stub

    def pack(self) -> tuple[PhysicalCard, ...]:
        """Another deck, which is nowhere at the table yet; its cards can be registered."""
        with self._lock:
            first = self._next_number
            self._next_number += len(DECK)
            return tuple(
                PhysicalCard(number=first + place, face=face, tag=self._tag_of(first + place))
                for place, face in enumerate(DECK)
            )

    def replace(self, pack: Iterable[PhysicalCard] = ()) -> None:
        """Another deck comes in place of this one: all its cards in the shoe, and none of the old ones anywhere."""
        with self._lock:
            self._places = {SHOE: list(pack) or list(self.pack())}
            self._drawn = []

    def stack(self, faces: Iterable[str]) -> None:
        """Put these faces on top of the shoe, the first one uppermost; the others keep their order.

        Raises ValueError for a face of which there are not enough in the shoe.
        """
        with self._lock:
            rest = list(self._places[SHOE])
            top: list[PhysicalCard] = []
            for face in faces:
                card = next((card for card in rest if card.face == face), None)
                if card is None:
                    raise ValueError(f"no more {face} in the shoe")
                rest.remove(card)
                top.append(card)
            self._places[SHOE] = top + rest

    def draw(self) -> PhysicalCard:
        """The top card goes from the shoe into the croupier's hand. Raises `EmptyShoe`."""
        with self._lock:
            if not self._places[SHOE]:
                raise EmptyShoe("the shoe is empty")
            card = self._places[SHOE].pop(0)
            self._places.setdefault(HAND, []).append(card)
            self._moves[card.number] += 1
            self._drawn.append(card)
            return card

    def put(self, card: PhysicalCard, place: str) -> None:
        """Move a card from wherever it is; it lands after those that are there."""
        with self._lock:
            self._places[self.where(card)].remove(card)
            self._places.setdefault(place, []).append(card)
            self._moves[card.number] += 1

    def where(self, card: PhysicalCard) -> str:
        """The place of a card. Raises KeyError for a card of another world."""
        with self._lock:
            for place, cards in self._places.items():
                if card in cards:
                    return place
        raise KeyError(card.number)

    def at(self, place: str) -> tuple[PhysicalCard, ...]:
        """Cards there, first come first (of the shoe: top first)."""
        with self._lock:
            return tuple(self._places.get(place, ()))

    def drawn(self) -> tuple[PhysicalCard, ...]:
        """Cards drawn since all of them were shuffled, in order; one that went back and came again stands there
        twice."""
        with self._lock:
            return tuple(self._drawn)

    def stays(self, place: str) -> tuple[tuple[PhysicalCard, int], ...]:
        """Cards there, each with a number that is another one whenever the card was lifted in between."""
        with self._lock:
            return tuple((card, self._moves[card.number]) for card in self._places.get(place, ()))

    def cards(self) -> tuple[PhysicalCard, ...]:
        """Every card there is, by number."""
        with self._lock:
            return tuple(sorted((c for there in self._places.values() for c in there), key=lambda card: card.number))
