"""What simulated USB tower lights have in common: one looks and sounds as it was told, and says nothing."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.usb_bus import VirtualDevice
from simulators.devices.usb_socket_format import EndpointDescriptor, InterfaceDescriptor

State = TypeVar("State")


class LightDevice(VirtualDevice, ABC, Generic[State]):
    """The light. Any thread may look at it.

    It has an endpoint to read from, as every HID device must (HID 1.11, 4.4); nothing ever comes out of it.
    """

    interfaces = (
        InterfaceDescriptor(
            number=0,
            endpoints=(EndpointDescriptor(address=0x81), EndpointDescriptor(address=0x01)),
            driver="usbhid",
        ),
    )
    #: how it is when nothing was told yet
    dark: State

    def __init__(
        self,
        *,
        serial: str = "",
        on_change: Callable[[State], None] | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(serial=serial, faults=faults, seed=seed)
        #: Called from the bus's thread as a command arrives.
        self.on_change = on_change
        self._lock = threading.Lock()
        self._state = self.dark

    @abstractmethod
    def _decoded(self, data: bytes, before: State) -> State | None:
        """How it is after a command; None where it is none."""

    @property
    def state(self) -> State:
        """How it looks and sounds now."""
        with self._lock:
            return self._state

    def plugged_in(self) -> None:
        """Dark and silent."""
        with self._lock:
            self._state = self.dark

    def written(self, data: bytes) -> None:
        """A command."""
        with self._lock:
            state = self._decoded(data, self._state)
            if state is None:
                self.refused += 1
                return
            self._state = state
        if self.on_change is not None:
            self.on_change(state)
