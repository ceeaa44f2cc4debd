"""A PATLITE LR6-USB: it looks and sounds as it was told, and says nothing.

It has an endpoint to read from, as every HID device must (HID 1.11, 4.4); nothing ever comes out of it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from drivers.patlite.messages import DARK, PRODUCT_ID, VENDOR_ID, LightState, decode
from drivers.transport.usb_socket_format import EndpointDescriptor, InterfaceDescriptor
from simulators.faults import NO_FAULTS, FaultPlan
from simulators.usb_bus import VirtualDevice


@dataclass(frozen=True, kw_only=True, slots=True)
class LightChange:
    """A command arrived. `at_s` is `time.perf_counter` when it had."""

    state: LightState
    at_s: float


class PatliteSimulator(VirtualDevice):
    """The light. Any thread may look at it."""

    vendor_id = VENDOR_ID
    product_id = PRODUCT_ID
    title = "LR6-USB"
    interfaces: tuple[InterfaceDescriptor, ...] = (
        InterfaceDescriptor(
            number=0,
            endpoints=(EndpointDescriptor(address=0x81), EndpointDescriptor(address=0x01)),
            driver="usbhid",
        ),
    )

    def __init__(
        self,
        *,
        serial: str = "",
        on_change: Callable[[LightChange], None] | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(serial=serial, faults=faults, seed=seed)
        #: Called from the bus's thread as a command arrives.
        self.on_change = on_change
        self._lock = threading.Lock()
        self._state = DARK
        self._refused = 0

    @property
    def state(self) -> LightState:
        """How it looks and sounds now."""
        with self._lock:
            return self._state

    @property
    def refused(self) -> int:
        """How many commands were none, since it was made."""
        return self._refused

    def plugged_in(self) -> None:
        """Dark and silent."""
        with self._lock:
            self._state = DARK

    def written(self, data: bytes) -> None:
        """A command."""
        at_s = time.perf_counter()
        with self._lock:
            state = decode(data, self._state)
            if state is None:
                self._refused += 1
                return
            self._state = state
        if self.on_change is not None:
            self.on_change(LightChange(state=state, at_s=at_s))
