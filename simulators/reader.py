"""What all simulated readers of tags have in common: a wire, faults on it, and a person who plugs and unplugs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from simulators.faults import NO_FAULTS, FaultInjector, FaultPlan
from simulators.wire import DeviceEnd


class ReaderProtocol(Protocol):
    """What a reader hears and answers, sans-I/O."""

    def receive(self, data: bytes) -> None:
        """Bytes of the host, in any split; answers are queued."""

    def take_outgoing(self) -> Sequence[bytes]:
        """Messages to send, in order; forgotten here."""

    def host_went(self) -> None:
        """The line is gone: half a command is forgotten."""

    def power_lost(self) -> None:
        """Starts anew."""

    def field_changed(self) -> None:
        """Cards were moved: an answer that waited for one may come."""


class ReaderSimulator:
    """A whole reader, from any thread."""

    def __init__(
        self, end: DeviceEnd, protocol: ReaderProtocol, *, faults: FaultPlan = NO_FAULTS, seed: int = 0
    ) -> None:
        self._end = end
        self._protocol = protocol
        self._injector = FaultInjector(faults, seed=seed)
        self._lock = threading.Lock()

    def start(self) -> None:
        """Switch on; once."""
        self._end.start(self)

    def unplug(self) -> None:
        """Pull the wire; the reader itself stays on, and what it knows with it."""
        self._end.unplug()

    def replug(self) -> None:
        """Plug the wire in again: a reader that hung has power anew."""
        with self._lock:
            was_stuck = self._injector.is_stuck
        if was_stuck:
            self.restarted()
        self._end.replug()

    def reboot(self) -> None:
        """Lose power for a moment; the wire stays where it is."""
        self.restarted()

    def look(self) -> None:
        """Cards were moved."""
        self._say(self._protocol.field_changed)

    def close(self) -> None:
        """Switch off for good; may be repeated."""
        self._end.close()

    def client_came(self) -> None:
        """See `SimulatedDevice`. A reader says nothing unasked."""

    def client_went(self) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            self._protocol.host_went()

    def received(self, data: bytes) -> None:
        """See `SimulatedDevice`."""
        if not self._injector.is_stuck:
            self._say(lambda: self._protocol.receive(data))

    def restarted(self) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            self._injector.power_on()
        self._say(self._protocol.power_lost)

    def _say(self, step: Callable[[], None]) -> None:
        with self._lock:
            step()
            for message in self._protocol.take_outgoing():
                for action in self._injector.apply(message):
                    self._end.perform(action)
