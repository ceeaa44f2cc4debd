"""A blink(1): two LEDs, a pattern, and the timer that plays it when nobody tickles any more.

What it does follows the mk2's firmware (todbot/blink1, `hardware/firmware_mk2/main.c`): a colour ends a pattern that
plays, a tickle does not; the timer strikes once and has to be armed anew.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from drivers.blink1.messages import (
    PRODUCT_ID,
    REPORT_ID,
    VENDOR_ID,
    AskVersion,
    Colour,
    SetColour,
    SetLine,
    Tickle,
    decode,
    encode_version,
)
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.usb_bus import VirtualDevice
from simulators.devices.usb_socket_format import EndpointDescriptor, InterfaceDescriptor

#: Firmware of the one that is simulated, an mk2.
VERSION: Final = (2, 6)
LEDS: Final = (1, 2)
LINES: Final = 32
OFF: Final = Colour(0, 0, 0)


class Blink1Simulator(VirtualDevice):
    """The light. `now_s` is its clock. Any thread may look at it."""

    vendor_id = VENDOR_ID
    product_id = PRODUCT_ID
    title = "blink(1) mk2"
    interfaces: tuple[InterfaceDescriptor, ...] = (
        InterfaceDescriptor(number=0, endpoints=(EndpointDescriptor(address=0x81),), driver="usbhid"),
    )

    def __init__(
        self,
        *,
        serial: str = "",
        version: tuple[int, int] = VERSION,
        on_change: Callable[[tuple[Colour, Colour]], None] | None = None,
        now_s: Callable[[], float] = time.monotonic,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(serial=serial, faults=faults, seed=seed)
        #: Called from the bus's thread as a colour arrives.
        self.on_change = on_change
        self._version = version
        self._now_s = now_s
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._leds = dict.fromkeys(LEDS, OFF)
        self._lines: dict[int, tuple[Colour, float]] = {}
        self._answer = b""
        self._tickle: Tickle | None = None
        self._dies_s = 0.0
        #: Lines that play, and since when.
        self._plays: tuple[range, float] | None = None

    # -- what a person sees ------------------------------------------------------------------------------------------

    @property
    def colours(self) -> tuple[Colour, Colour]:
        """Its LEDs at this moment."""
        with self._lock:
            self._let_time_pass()
            if self._plays is not None:
                colour = self._of_pattern(*self._plays)
                return colour, colour
            return self._leds[1], self._leds[2]

    @property
    def is_playing(self) -> bool:
        """It plays its lines by itself."""
        with self._lock:
            self._let_time_pass()
            return self._plays is not None

    def _let_time_pass(self) -> None:
        if self._tickle is not None and self._now_s() > self._dies_s:
            self._plays = (range(self._tickle.first, self._tickle.last + 1), self._dies_s)
            self._tickle = None

    def _of_pattern(self, lines: range, since_s: float) -> Colour:
        played = [self._lines[line] for line in lines if line in self._lines]
        whole_s = sum(for_s for _, for_s in played)
        if not whole_s:
            return OFF
        at_s = (self._now_s() - since_s) % whole_s
        for colour, for_s in played:
            if at_s < for_s:
                return colour
            at_s -= for_s
        return played[-1][0]

    # -- what the host does ------------------------------------------------------------------------------------------

    def plugged_in(self) -> None:
        """Dark, disarmed, with none of the lines that it had been told."""
        with self._lock:
            self._forget()

    def feature_written(self, data: bytes) -> bool:
        """A command."""
        with self._lock:
            self._let_time_pass()
            command = decode(data)
            match command:
                case SetColour(led=led, colour=colour):
                    self._plays = None
                    self._leds.update({number: colour for number in LEDS if led in (0, number)})
                case SetLine(line=line, colour=colour, for_ms=for_ms):
                    self._lines[line % LINES] = (colour, for_ms / 1000)
                case Tickle(within_ms=0):
                    self._tickle = None
                case Tickle(within_ms=within_ms):
                    self._tickle = command
                    self._dies_s = self._now_s() + within_ms / 1000
                case AskVersion():
                    self._answer = encode_version(*self._version)
                case None:
                    self.refused += 1
            leds = (self._leds[1], self._leds[2])
        if isinstance(command, SetColour) and self.on_change is not None:
            self.on_change(leds)
        return data[:1] == bytes((REPORT_ID,))

    def feature_asked(self, report_id: int) -> bytes | None:
        """The answer to the last question."""
        with self._lock:
            return self._answer if report_id == REPORT_ID and self._answer else None
