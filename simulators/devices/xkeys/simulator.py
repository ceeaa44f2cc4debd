"""An X-keys panel of any model: keys that a person presses, lamps that the host lights, plugs that go in.

Which endpoints a real one has is not public; it was seen to have interface 0 for its reports, and a keyboard and a
mouse besides (data report in piengineering/X-keys_Linux, which says "endpoint 4" of the output).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from drivers.xkeys.messages import (
    DescriptorReport,
    KeyReport,
    Lamp,
    Light,
    Say,
    SetLight,
    decode_output,
    encode_descriptor,
    encode_keys,
)
from drivers.xkeys.products import VENDOR_ID, XK24, Lamps, Product
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.usb_keys import KeysDevice
from simulators.devices.usb_socket_format import EndpointDescriptor, InterfaceDescriptor

#: As the recorded XK-24's (SuperFlyTV/xkeys, `1029_XK-24.json`).
FIRMWARE: Final = 38
_TIMESTAMP_WRAPS: Final = 1 << 32


@dataclass(frozen=True, kw_only=True, slots=True)
class LampChange:
    """The bytes for one LED of a key arrived. `at_s` is `time.perf_counter` when they had."""

    key: int
    lamp: Lamp
    at_s: float


class XKeysSimulator(KeysDevice):
    """The panel. Keys are numbered as in `drivers.xkeys.products.Product`. Any thread may call any method."""

    vendor_id = VENDOR_ID
    interfaces: tuple[InterfaceDescriptor, ...] = (
        InterfaceDescriptor(
            number=0,
            endpoints=(EndpointDescriptor(address=0x81), EndpointDescriptor(address=0x04)),
            driver="usbhid",
        ),
        InterfaceDescriptor(number=1, endpoints=(EndpointDescriptor(address=0x82),), driver="usbhid"),
        InterfaceDescriptor(number=2, endpoints=(EndpointDescriptor(address=0x83),), driver="usbhid"),
    )

    def __init__(
        self,
        *,
        product: Product = XK24,
        serial: str = "",
        unit_id: int = 0,
        on_lamp: Callable[[LampChange], None] | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(product, serial=serial, faults=faults, seed=seed)
        self.product = product
        #: Called from the bus's thread as a lamp's bytes arrive.
        self.on_lamp = on_lamp
        self._unit_id = unit_id
        self._is_plugged = product.plug_bit is not None
        self._lights: dict[int, Light] = {}
        self._began_s = time.monotonic()

    # -- what a person does and sees ---------------------------------------------------------------------------------

    def plug_in(self, *closed: int) -> None:
        """A plug goes into the socket of a switch interface, and closes these contacts by itself."""
        with self._lock:
            self._is_plugged = self.product.plug_bit is not None
            self._down.update(closed)
            self._say_keys(asked_for=False)

    def pull_plug(self) -> None:
        """It comes out: every contact is open."""
        with self._lock:
            self._is_plugged = False
            self._down.clear()
            self._say_keys(asked_for=False)

    @property
    def lamps(self) -> Mapping[int, Lamp]:
        """How each key looks that is not dark. A panel without power is dark."""
        with self._lock:
            looks = {key: self._lamp(key) for key in range(self.product.n_keys)}
        return {key: lamp for key, lamp in looks.items() if lamp is not Lamp.OFF}

    def say(self, data: bytes) -> None:
        """Any bytes as a report: what no panel would say."""
        self.report(data)

    def _moved(self) -> None:
        self._say_keys(asked_for=False)

    def _lamp(self, key: int) -> Lamp:
        looks = [self._lights.get(led, Light.OFF) for led in self._leds(key)]
        return Lamp((*looks, Light.OFF, Light.OFF)[:2])

    def _leds(self, key: int) -> tuple[int, ...]:
        """The LEDs under a key: blue, red, as far as there are any."""
        match self.product.lamps:
            case Lamps.NONE:
                return ()
            case Lamps.BLUE:
                return (self.product.blue_led(key),)
            case Lamps.BLUE_AND_RED:
                return self.product.blue_led(key), self.product.red_led(key)

    # -- what the host does ------------------------------------------------------------------------------------------

    def plugged_in(self) -> None:
        """Dark. A key that a finger holds is down all the same."""
        with self._lock:
            self._lights.clear()
            self._began_s = time.monotonic()

    def written(self, data: bytes) -> None:
        """An output report."""
        at_s = time.perf_counter()
        change: LampChange | None = None
        with self._lock:
            match decode_output(data):
                case SetLight(led=led, light=light):
                    self._lights[led] = light
                    key = next((number for number in range(self.product.n_keys) if led in self._leds(number)), None)
                    change = None if key is None else LampChange(key=key, lamp=self._lamp(key), at_s=at_s)
                case Say.DESCRIPTOR:
                    who = DescriptorReport(unit_id=self._unit_id, firmware=FIRMWARE, product_id=self.product_id)
                    self.report(encode_descriptor(self.product, who))
                case Say.GENERATE_DATA:
                    self._say_keys(asked_for=True)
                case _:
                    self.refused += 1
        if change is not None and self.on_lamp is not None:
            self.on_lamp(change)

    def _say_keys(self, *, asked_for: bool) -> None:
        """The caller holds the lock until it is said, so that a later state is never reported before an earlier one."""
        now_ms = int((time.monotonic() - self._began_s) * 1000) % _TIMESTAMP_WRAPS
        state = KeyReport(
            unit_id=self._unit_id,
            down=frozenset(self._down),
            timestamp_ms=now_ms,
            asked_for=asked_for,
            is_plugged=self._is_plugged,
        )
        self.report(encode_keys(self.product, state))
