"""A simulated Angel Eye II-EX with cards in it; what it assumes of the real one: `angel_eye_protocol`."""

from __future__ import annotations

import threading

from drivers.angel_eye.messages import ErrorCode, NakCode, Winner
from simulators.devices.angel_eye.protocol import DEFAULT_OPTIONS, ShoeOptions, ShoeProtocol
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.wire import DeviceEnd
from simulators.devices.wired import ProtocolDevice
from simulators.devices.world import PhysicalCard, World


class ShoeHoldsCards(Exception):
    """The shoe is locked or in error mode and lets no card out. The text says which."""


class AngelEyeSimulator(ProtocolDevice[ShoeProtocol]):
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
        super().__init__(end, ShoeProtocol(options), faults=faults, seed=seed)
        self._world = world
        self._client_is_there = threading.Event()

    # -- what a person does to it --------------------------------------------------------------------------------------

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
        self._say(self._protocol.cut_card_left)

    def stop_with(self, code: ErrorCode) -> None:
        """The shoe goes into error mode, until the host or a person at it cancels the error."""
        self._say(lambda: self._protocol.stopped(code))

    def cancel_error(self) -> None:
        """A person at the shoe cancels the error in which it stands, where it stands in one."""
        self._say(self._protocol.cancelled)

    def say_again(self) -> None:
        """The last card once more, as a retransmission."""
        self._say(self._protocol.said_again)

    def show_burn_count(self, count: int) -> None:
        """As baccarat's first card does."""
        self._say(lambda: self._protocol.burn_count_shown(count))

    def end_game(self, winner: Winner, *, pairs: int = 0) -> None:
        """As baccarat's last card does."""
        self._say(lambda: self._protocol.game_ended(winner, pairs))

    def change_preset(self, address: str, value: str) -> None:
        """At the shoe's own keys: two characters, four characters."""
        self._say(lambda: self._protocol.preset_changed(address, value))

    def refuse_next(self, *codes: NakCode) -> None:
        """The next commands of the host are refused with these."""
        with self._lock:
            self._protocol.refuse_next(*codes)

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
        self._say(self._protocol.host_came)
        self._client_is_there.set()

    def client_went(self) -> None:
        """See `SimulatedDevice`."""
        self._client_is_there.clear()
        super().client_went()
