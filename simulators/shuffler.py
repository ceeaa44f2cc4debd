"""A simulated shuffler that speaks the reference line protocol, with the deck of a `World` in it.

It counts what it shuffles: all cards that are at the table. It says so whoever listens; what nobody heard is lost, and
shows by the numbers of the lines.
"""

from __future__ import annotations

import threading
from typing import Final

from drivers.shuffler.messages import KEEP_ALIVE_S, NUMBERS, Kind, Line, encode
from simulators.faults import NO_FAULTS, FaultInjector, FaultPlan
from simulators.wire import DeviceEnd
from simulators.world import DECK, SHOE, World

JOIN_S: Final = 5.0


class ShufflerSimulator:
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
        self._end = end
        self._world = world
        self._injector = FaultInjector(faults, seed=seed)
        self._keep_alive_s = keep_alive_s
        self._lock = threading.Lock()
        self._number = 0
        self._is_switched_on = False
        self._closing = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="shuffler-heart", daemon=True)

    # -- what a person does to it --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Switch on; once. It says hello when somebody listens."""
        self._end.start(self)
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

    def unplug(self) -> None:
        """Pull the wire; it stays on."""
        self._end.unplug()

    def replug(self) -> None:
        """Plug the wire in again."""
        self._end.replug()

    def reboot(self) -> None:
        """Lose power for a moment; the wire stays where it is."""
        self.restarted()

    def close(self) -> None:
        """Switch off for good; may be repeated."""
        self._closing.set()
        if self._heart.ident is not None:
            self._heart.join(JOIN_S)
        self._end.close()

    # -- what its wire tells it ----------------------------------------------------------------------------------------

    def client_came(self) -> None:
        """See `SimulatedDevice`."""
        if not self._is_switched_on:
            self._is_switched_on = True
            self._say(Kind.HELLO)

    def client_went(self) -> None:
        """See `SimulatedDevice`."""

    def received(self, data: bytes) -> None:
        """See `SimulatedDevice`. It does not listen."""

    def restarted(self) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            self._number = 0
        self._say(Kind.HELLO)

    def _say(self, kind: Kind, cards: int | None = None) -> None:
        with self._lock:
            message = encode(Line(number=self._number, kind=kind, cards=cards))
            self._number = (self._number + 1) % NUMBERS
            for action in self._injector.apply(message):
                self._end.perform(action)

    def _beat(self) -> None:
        while not self._closing.wait(self._keep_alive_s):
            if self._is_switched_on:
                self.be_heard()
