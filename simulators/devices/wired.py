"""What all simulated devices at a serial wire have in common: the wire, faults on it, and a person who plugs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

from simulators.devices.faults import NO_FAULTS, FaultInjector, FaultPlan
from simulators.devices.wire import DeviceEnd


class WiredDevice:
    """A whole device, from any thread. A model overrides what its wire tells it."""

    #: Whether a device that hung has power anew when its wire is plugged in again.
    has_power_by_wire: ClassVar[bool] = False

    def __init__(self, end: DeviceEnd, *, faults: FaultPlan = NO_FAULTS, seed: int = 0) -> None:
        self._end = end
        self._injector = FaultInjector(faults, seed=seed)
        self._lock = threading.RLock()

    # -- what a person does to it --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Switch on; once."""
        self._end.start(self)

    def unplug(self) -> None:
        """Pull the wire; the device itself stays on, and what it knows with it."""
        self._end.unplug()

    def replug(self) -> None:
        """Plug the wire in again."""
        if self.has_power_by_wire and self._injector.is_stuck:
            self.restarted()
        self._end.replug()

    def reboot(self) -> None:
        """Lose power for a moment; the wire stays where it is."""
        self.restarted()

    def close(self) -> None:
        """Switch off for good; may be repeated."""
        self._end.close()

    # -- what its wire tells it ----------------------------------------------------------------------------------------

    def client_came(self) -> None:
        """See `SimulatedDevice`. It says nothing unasked."""

    def client_went(self) -> None:
        """See `SimulatedDevice`. It does not know."""

    def received(self, data: bytes) -> None:
        """See `SimulatedDevice`. It does not listen."""

    def restarted(self) -> None:
        """See `SimulatedDevice`."""
        with self._lock:
            self._injector.power_on()

    def _put(self, message: bytes) -> None:
        """Send this, as far as the fault plan lets it."""
        with self._lock:
            for action in self._injector.apply(message):
                self._end.perform(action)


class WireProtocol(Protocol):
    """What a device hears and answers, sans-I/O."""

    def receive(self, data: bytes) -> None:
        """Bytes of the host, in any split; answers are queued."""

    def take_outgoing(self) -> Sequence[bytes]:
        """Messages to send, in order; forgotten here."""

    def host_went(self) -> None:
        """The line is gone: half a command is forgotten."""

    def power_lost(self) -> None:
        """Starts anew."""


P = TypeVar("P", bound=WireProtocol)


class ProtocolDevice(WiredDevice, Generic[P]):
    """A device that answers."""

    def __init__(self, end: DeviceEnd, protocol: P, *, faults: FaultPlan = NO_FAULTS, seed: int = 0) -> None:
        super().__init__(end, faults=faults, seed=seed)
        self._protocol = protocol

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
            super().restarted()
            self._say(self._protocol.power_lost)

    def _say(self, step: Callable[[], object]) -> None:
        """Do this, and send what follows."""
        with self._lock:
            step()
            for message in self._protocol.take_outgoing():
                self._put(message)
