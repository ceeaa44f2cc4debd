"""A Qlight USB tower light: it looks and sounds as it was told, and says nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from drivers.lights import Look
from drivers.qlight.messages import PRODUCT_ID, VENDOR_ID, Command, Numbers, decode
from drivers.transport.usb_socket_format import EndpointDescriptor, InterfaceDescriptor
from simulators.faults import NO_FAULTS, FaultPlan
from simulators.usb_bus import VirtualDevice

DARK: Final = Command(lamps=(Look.OFF,) * 5)


class QlightSimulator(VirtualDevice):
    """The light. `numbers` is what this one takes 1 and 2 for. Any thread may look at it."""

    vendor_id = VENDOR_ID
    product_id = PRODUCT_ID
    title = "Qlight USB tower"
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
        numbers: Numbers = Numbers.AS_SEEN,
        serial: str = "",
        on_change: Callable[[Command], None] | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(serial=serial, faults=faults, seed=seed)
        #: Called from the bus's thread as a command arrives.
        self.on_change = on_change
        self._numbers = numbers
        self._lock = threading.Lock()
        self._state = DARK
        self._refused = 0

    @property
    def state(self) -> Command:
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
        with self._lock:
            state = decode(data, self._numbers, self._state)
            if state is None:
                self._refused += 1
                return
            self._state = state
        if self.on_change is not None:
            self.on_change(state)
