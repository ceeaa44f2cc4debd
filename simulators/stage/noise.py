"""Readers that are not still: a card passes by another reader on its way, and cards that lie there are not seen for a
moment. Nothing of it lasts for the dwell time (ruling "wrong place")."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Final

from simulators.devices.world import PhysicalCard, World
from simulators.stage.readers import Antenna

#: How many cards pass by another reader on their way, and how long that and a drop-out take, in seconds.
PASSING: Final = 0.1
LASTS_S: Final = (0.1, 1.0)
#: How often a reader misses a card that lies there, in seconds.
EVERY_S: Final = 2.0


class NoisyWorld(World):
    """Cards that are carried to a reader's spot are held over another one's first, now and then."""

    def __init__(self, seed: int, spots: tuple[str, ...], *, tag_of: Callable[[int], str]) -> None:
        super().__init__(tag_of=tag_of)
        self._random = Random(seed)
        self._spots = spots

    def put(self, card: PhysicalCard, place: str) -> None:
        """Move it, perhaps past another reader."""
        if place in self._spots and self._random.random() < PASSING:
            super().put(card, self._random.choice([spot for spot in self._spots if spot != place]))
            time.sleep(self._random.uniform(*LASTS_S))
        super().put(card, place)


@contextmanager
def drop_outs(world: World, antennas: Mapping[str, Antenna], spots: tuple[str, ...], seed: int) -> Iterator[None]:
    """In here a card that lies at one of these spots is not seen by its reader for a moment, again and again."""
    random, over = Random(seed), threading.Event()

    def goes_on() -> None:
        while not over.wait(random.uniform(0.0, EVERY_S)):
            lying = [(spot, card) for spot in spots for card in world.at(spot)]
            if not lying:
                continue
            spot, card = random.choice(lying)
            deaf = antennas[spot].field.deaf
            deaf.add(card.tag)
            over.wait(random.uniform(*LASTS_S))
            deaf.discard(card.tag)

    thread = threading.Thread(target=goes_on, name="drop-outs")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
