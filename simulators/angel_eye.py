"""A simulated Angel Eye II-EX: the shoe's end of the protocol, and the shoe itself with cards in it.

Assumed, for no source says it, and no hardware was at hand: reports go on being numbered '1'..'9', 'A'..'F' and again
'1'; each is sent three times because nobody confirms it (B saw three, the reason is our inference); a shoe whose line
was interrupted sends its last report three times more, under the same number; after losing power it counts from '1',
is unlocked and begins with `S` and `P`. Reports made while nobody listened are lost, but for the last one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from drivers.angel_eye.messages import (
    ACK,
    NAK,
    BccStart,
    Code,
    Command,
    CommandType,
    ErrorCode,
    LockData,
    NakCode,
    OutsideTarget,
    Report,
    Target,
    card_payload,
    command_grammar,
    encode_report,
    error_payload,
    lock_payload,
)
from drivers.framing import Garbage, Scanner
from simulators.faults import NO_FAULTS, FaultInjector, FaultPlan
from simulators.wire import DeviceEnd
from simulators.world import PhysicalCard, World

SEQUENCE: Final = b"123456789ABCDEF"
REPETITIONS: Final = 3
#: Baccarat's players have three places; a shoe that knows no other game goes round them.
PLACES: Final = 3


class ShoeHoldsCards(Exception):
    """The shoe is locked or in error mode and lets no card out. The text says which."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShoeOptions:
    """Where the sources disagree; the defaults are those of the driver."""

    report_bcc: BccStart = BccStart.CONTENT
    command_bcc: BccStart = BccStart.FRAME
    repetitions: int = REPETITIONS


DEFAULT_OPTIONS: Final = ShoeOptions()


class ShoeProtocol:
    """What the shoe says and answers, sans-I/O: tell it what happened, take what it sends."""

    def __init__(self, options: ShoeOptions = DEFAULT_OPTIONS) -> None:
        self._options = options
        self._scanner: Scanner[Command] = Scanner(command_grammar(options.command_bcc))
        self._outgoing: list[bytes] = []
        self._boot()

    def _boot(self) -> None:
        self.is_locked = False
        self.error: int | None = None
        self._number = 0
        self._drawn = 0
        self._last: bytes | None = None
        self._banner_said = False

    def host_came(self) -> None:
        """The line is there: the last report once more, and the banner if it was never said."""
        if self._last is not None:
            self._outgoing += [self._last] * self._options.repetitions
        if not self._banner_said:
            self._banner_said = True
            self._report(Code.STARTED)
            self._report(Code.STAND_BY)

    def host_went(self) -> None:
        """The line is gone: half a command is forgotten."""
        self._scanner.forget()

    def power_lost(self) -> None:
        """Starts anew; its banner follows at once."""
        self._boot()
        self._scanner.forget()
        self.host_came()

    def card_left(self, face: str) -> None:
        """A card was drawn and read."""
        self._drawn += 1
        if self.is_locked or self.error is not None:
            mode = OutsideTarget.LOCK_MODE if self.is_locked else OutsideTarget.ERROR_MODE
            self._report(Code.CARD_OUTSIDE_GAME, card_payload(face, target=mode, index=0))
            return
        target = Target.PLAYER if self._drawn % 2 else Target.BANKER
        self._report(Code.CARD_IN_GAME, card_payload(face, target=target, index=1 + (self._drawn // 2) % PLACES))

    def failed(self, code: int) -> None:
        """An error that the shoe survives without stopping; `ErrorCode.CANNOT_READ`: a card left unread."""
        self._report(Code.ERROR, error_payload(code, error_mode=False))

    def stopped(self, code: int) -> None:
        """An error that the shoe stands in until it is cancelled."""
        self.error = code
        self._report(Code.ERROR, error_payload(code, error_mode=True))

    def cut_card_left(self) -> None:
        """The cut card came out."""
        self._report(Code.CUT_CARD)

    def receive(self, data: bytes) -> None:
        """Bytes of the host, in any split; answers are queued."""
        for item in self._scanner.feed(data):
            if isinstance(item, Garbage):
                if item.reason == "bad checksum":
                    self._refuse(NakCode.BCC)
            else:
                self._answer(item)

    def take_outgoing(self) -> Sequence[bytes]:
        """Messages to send, in order; forgotten here."""
        taken, self._outgoing = self._outgoing, []
        return taken

    def _answer(self, command: Command) -> None:
        match command.type:
            case CommandType.LOCK if command.data in tuple(LockData):
                self._acknowledge()
                self.is_locked = command.data == LockData.LOCK
                self._report(Code.LOCK, lock_payload(locked=self.is_locked))
            case CommandType.ERROR_CANCEL:
                self._acknowledge()
                self.error = None
                self._report(Code.ERROR_CANCELLED, error_payload(command.data, error_mode=False))
            case CommandType.GAME_PROCESS if command.data == 0:
                self._acknowledge()
            case CommandType.LOCK | CommandType.GAME_PROCESS:
                self._refuse(NakCode.LENGTH)
            case _:
                self._refuse(NakCode.TYPE)

    def _acknowledge(self) -> None:
        self._outgoing.append(bytes([ACK]))

    def _refuse(self, code: NakCode) -> None:
        self._outgoing.append(bytes([NAK, code]))

    def _report(self, code: Code, payload: bytes = b"") -> None:
        report = Report(seq=SEQUENCE[self._number % len(SEQUENCE)], code=code, payload=payload)
        self._number += 1
        self._last = encode_report(report, start=self._options.report_bcc)
        self._outgoing += [self._last] * self._options.repetitions


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
