"""A simulated Angel Eye II-EX with cards in it; what it assumes of the real one: `angel_eye_protocol`."""

from __future__ import annotations

import threading
from typing import Protocol

from drivers.angel_eye.messages import ErrorCode, NakCode, Winner
from simulators.angel_eye_protocol import DEFAULT_OPTIONS, ShoeOptions, ShoeProtocol
from simulators.faults import NO_FAULTS, FaultInjector, FaultPlan
from simulators.wire import DeviceEnd
from simulators.world import PhysicalCard, World


class ShoeHoldsCards(Exception):
    """The shoe is locked or in error mode and lets no card out. The text says which."""


class _Step(Protocol):
    def __call__(self) -> object: ...


class AngelEyeSimulator:
    """The whole shoe, from any thread: cards of a `World` in it, a wire out of it.

    However often the wire breaks, and at whatever byte: a card drawn is out of the shoe, and its report is sent again
    when somebody listens again.
    """

    def __init__(
        self,
        end: DeviceEnd,
        world: World,
        *,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
        options: ShoeOptions = DEFAULT_OPTIONS,
    ) -> None:
        self._end = end
        self._world = world
        self._injector = FaultInjector(faults, seed=seed)
        self._protocol = ShoeProtocol(options)
        self._lock = threading.Lock()
        self._client_is_there = threading.Event()

    # -- what a person does to it --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Switch on; once. The banner is said when somebody listens."""
        self._end.start(self)

    @property
    def is_locked(self) -> bool:
        """It lets no card out, by the host's command."""
        return self._protocol.is_locked

    def draw(self) -> PhysicalCard:
        """Draw the top card; it is in the croupier's hand when this returns, and its report is on its way.

        Raises `ShoeHoldsCards`, or `EmptyShoe`; then no card moved.
        """
        with self._lock:
            self._must_let_go()
            card = self._world.draw()
            self._say(lambda: self._protocol.card_left(card.face))
            return card

    def draw_unread(self) -> PhysicalCard:
        """Draw so that the shoe cannot read the card: it reports error 1 and goes on. Raises as `draw`."""
        with self._lock:
            self._must_let_go()
            card = self._world.draw()
            self._say(lambda: self._protocol.failed(ErrorCode.CANNOT_READ))
            return card

    def draw_by_force(self) -> PhysicalCard:
        """Pull a card out whatever the shoe says; a locked one reports it as drawn outside the game."""
        with self._lock:
            card = self._world.draw()
            self._say(lambda: self._protocol.card_left(card.face))
            return card

    def draw_cut_card(self) -> None:
        """The cut card comes out; it is no card of the deck."""
        with self._lock:
            self._say(self._protocol.cut_card_left)

    def stop_with(self, code: ErrorCode) -> None:
        """The shoe goes into error mode, until the host or a person at it cancels the error."""
        with self._lock:
            self._say(lambda: self._protocol.stopped(code))

    def cancel_error(self) -> None:
        """A person at the shoe cancels the error in which it stands, where it stands in one."""
        with self._lock:
            self._say(self._protocol.cancelled)

    def say_again(self) -> None:
        """The last card once more, as a retransmission."""
        with self._lock:
            self._say(self._protocol.said_again)

    def show_burn_count(self, count: int) -> None:
        """As baccarat's first card does."""
        with self._lock:
            self._say(lambda: self._protocol.burn_count_shown(count))

    def end_game(self, winner: Winner, *, pairs: int = 0) -> None:
        """As baccarat's last card does."""
        with self._lock:
            self._say(lambda: self._protocol.game_ended(winner, pairs))

    def change_preset(self, address: str, value: str) -> None:
        """At the shoe's own keys: two characters, four characters."""
        with self._lock:
            self._say(lambda: self._protocol.preset_changed(address, value))

    def refuse_next(self, *codes: NakCode) -> None:
        """The next commands of the host are refused with these."""
        with self._lock:
            self._protocol.refuse_next(*codes)

    def unplug(self) -> None:
        """Pull the wire; the shoe itself stays on."""
        self._end.unplug()

    def replug(self) -> None:
        """Plug the wire in again."""
        self._end.replug()

    def reboot(self) -> None:
        """Lose power for a moment; the wire stays where it is."""
        self.restarted()

    def close(self) -> None:
        """Switch off for good; may be repeated."""
        self._end.close()

    def wait_for_client(self, timeout_s: float) -> bool:
        """Until somebody listens; False where nobody did in time."""
        return self._client_is_there.wait(timeout_s)

    def _must_let_go(self) -> None:
        if self._protocol.is_locked:
            raise ShoeHoldsCards("the shoe is locked")
        if self._protocol.error is not None:
            raise ShoeHoldsCards(f"the shoe stands in error {self._protocol.error}")

    # -- what its wire tells it ----------------------------------------------------------------------------------------

    def client_came(self) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            self._say(self._protocol.host_came)
        self._client_is_there.set()

    def client_went(self) -> None:
        """See `SimulatedDevice`."""
        self._client_is_there.clear()
        with self._lock:
            self._protocol.host_went()

    def received(self, data: bytes) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            if not self._injector.is_stuck:
                self._say(lambda: self._protocol.receive(data))

    def restarted(self) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            self._injector.power_on()
            self._say(self._protocol.power_lost)

    def _say(self, step: _Step) -> None:
        step()
        for message in self._protocol.take_outgoing():
            for action in self._injector.apply(message):
                self._end.perform(action)
