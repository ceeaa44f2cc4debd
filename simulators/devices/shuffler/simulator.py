"""A simulated shuffler that speaks the reference line protocol, with the deck of a `World` in it.

It counts what it shuffles: all cards that are at the table. It says so whoever listens; what nobody heard is lost, and
shows by the numbers of the lines.
"""

from __future__ import annotations

import threading
from typing import Final

from drivers.shuffler.messages import KEEP_ALIVE_S, NUMBERS, Kind, Line, encode
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.wire import DeviceEnd
from simulators.devices.wired import WiredDevice
from simulators.devices.world import DECK, SHOE, World

JOIN_S: Final = 5.0


class ShufflerSimulator(WiredDevice):
    """The whole shuffler, from any thread. `keep_alive_s` None: it never says by itself that it is there."""

    def __init__(
        self,
        end: DeviceEnd,
        world: World,
        *,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
        keep_alive_s: float | None = KEEP_ALIVE_S,
    ) -> None:
        super().__init__(end, faults=faults, seed=seed)
        self._world = world
        self._keep_alive_s = keep_alive_s
        self._number = 0
        self._is_switched_on = False
        self._closing = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="shuffler-heart", daemon=True)

    # -- what a person does to it --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Switch on; once. It says hello when somebody listens."""
        super().start()
        if self._keep_alive_s is not None:
            self._heart.start()

    def shuffle(self, seed: int) -> int:
        """All cards at the table go into the shoe in a new order. Returns how many it counted."""
        self._say(Kind.STARTED)
        self._world.shuffle(seed)
        count = len(self._world.at(SHOE))
        if count != len(DECK):
            self._say(Kind.CARD_MISSING if count < len(DECK) else Kind.CARD_EXTRA, count)
        self._say(Kind.COMPLETE, count)
        return count

    def jam(self) -> None:
        """A card is stuck in the middle of a shuffle; the order stays what it was."""
        self._say(Kind.STARTED)
        self._say(Kind.JAM)

    def open_door(self) -> None:
        """The deck can be touched."""
        self._say(Kind.DOOR_OPEN)

    def close_door(self) -> None:
        """It cannot be touched any more."""
        self._say(Kind.DOOR_CLOSED)

    def be_heard(self) -> None:
        """What it says when there is nothing else."""
        self._say(Kind.ALIVE)

    def close(self) -> None:
        """Switch off for good; may be repeated."""
        self._closing.set()
        if self._heart.ident is not None:
            self._heart.join(JOIN_S)
        super().close()

    # -- what its wire tells it ----------------------------------------------------------------------------------------

    def client_came(self) -> None:
        """See `SimulatedDevice`."""
        if not self._is_switched_on:
            self._is_switched_on = True
            self._say(Kind.HELLO)

    def restarted(self) -> None:
        """See `SimulatedDevice`."""
        super().restarted()
        with self._lock:
            self._number = 0
        self._say(Kind.HELLO)

    def _say(self, kind: Kind, cards: int | None = None) -> None:
        with self._lock:
            message = encode(Line(number=self._number, kind=kind, cards=cards))
            self._number = (self._number + 1) % NUMBERS
            self._put(message)

    def _beat(self) -> None:
        while not self._closing.wait(self._keep_alive_s):
            if self._is_switched_on:
                self.be_heard()
