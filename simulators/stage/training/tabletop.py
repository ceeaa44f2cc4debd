"""The physical table as a person sees it: which cards lie where, and which of them show their face.

Nothing here knows what the controller thinks. A card has a name of its own here, given when it leaves the shoe, since
its number in the world tells its face to whoever knows the order of a pack.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Final

from simulators.devices.world import HAND, SHOE, PhysicalCard, World
from simulators.stage.readers import felt_spots
from tablectl.api.stage import ASIDE, IN_HAND, Lying

#: Where a common card is laid open, as everybody deals it.
_OPEN_SPOTS: Final = frozenset({"board"})


class NotThere(LookupError):
    """No such card on the table, or no such place."""


class Tabletop:
    """The cards outside the shoe. Any thread may call any method."""

    def __init__(self, world: World, seats: int) -> None:
        self._world = world
        self._lock = threading.RLock()
        self._names: dict[int, str] = {}
        self._cards: dict[str, PhysicalCard] = {}
        self._open: set[str] = set()
        self._fresh = count(1)
        #: pairs of seats whose hands lie in contact
        self.touching: list[tuple[str, str]] = []
        self.spots = (*felt_spots(seats), ASIDE)

    def took(self, card: PhysicalCard) -> str:
        """A card came out of the shoe, face down; its name from now on."""
        with self._lock:
            name = f"c{next(self._fresh)}"
            self._names[card.number], self._cards[name] = name, card
            return name

    def card(self, name: str) -> PhysicalCard:
        """The card of this name. Raises `NotThere`."""
        with self._lock:
            found = self._cards.get(name)
            if found is None:
                raise NotThere(name)
            return found

    def place(self, name: str, spot: str) -> None:
        """Lay a card at a spot: on the board open, elsewhere as it was. Raises `NotThere`."""
        if spot not in self.spots:
            raise NotThere(spot)
        with self._lock:
            self._world.put(self.card(name), spot)
            if spot in _OPEN_SPOTS:
                self._open.add(name)

    def take_up(self, name: str) -> None:
        """Into the croupier's hand, face down. Raises `NotThere`."""
        with self._lock:
            self._world.put(self.card(name), HAND)
            self._open.discard(name)

    def flip(self, name: str) -> None:
        """Turn it over. Raises `NotThere`."""
        with self._lock:
            self.card(name)
            self._open ^= {name}

    def show(self, card: PhysicalCard) -> None:
        """Everybody sees its face; nothing where it is not on the table."""
        with self._lock:
            if (name := self._names.get(card.number)) is not None:
                self._open.add(name)

    def put_back(self, name: str) -> None:
        """On top of those in the shoe. It is a card of the stub again, with no name. Raises `NotThere`."""
        with self._lock:
            card = self.card(name)
            self._world.put(card, SHOE)
            self._world.stack([card.face])
            self._forget(card)

    def gather(self, spot: str | None = None) -> None:
        """All cards, or those at one spot, face down among the discards."""
        with self._lock:
            for place in (*self.spots, HAND) if spot is None else (spot,):
                for card in self._world.at(place):
                    self._world.put(card, "discard")
                    self._open.discard(self._names.get(card.number, ""))
            if spot is None:
                self.touching.clear()

    def went_back(self, cards: Iterable[PhysicalCard]) -> None:
        """These cards went back into the shoe: nobody knows which of those to come they are."""
        with self._lock:
            for card in cards:
                self._forget(card)
            self.touching.clear()

    def touch(self, one: str, other: str) -> None:
        """Two hands lie in contact: people see it, no device does. Raises `NotThere`."""
        if one not in self.spots or other not in self.spots or one == other:
            raise NotThere(other)
        with self._lock:
            self.touching.append((one, other))

    def seen(self) -> Mapping[str, tuple[Lying, ...]]:
        """Cards by place, first come first; the croupier's hand is a place."""
        with self._lock:
            places = {place: place for place in self.spots} | {IN_HAND: HAND}
            return {shown: tuple(self._lying(place)) for shown, place in places.items()}

    def _lying(self, place: str) -> Iterator[Lying]:
        for card in self._world.at(place):
            # One that somebody brought has none yet.
            name = self._names.get(card.number) or self.took(card)
            yield Lying(name=name, face=card.face if name in self._open else "")

    def _forget(self, card: PhysicalCard) -> None:
        name = self._names.pop(card.number, "")
        self._cards.pop(name, None)
        self._open.discard(name)
