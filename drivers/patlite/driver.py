"""A PATLITE LR6-USB tower light: how it looks and sounds.

It never says anything, so there is nobody to greet: `Found` means that it is plugged in and that its interface is ours.
That it was unplugged shows at a failed write or, without one, by the question for its status that `UsbWire` asks of
such devices about every second (`Traffic.OUT_ONLY`). A light whose lamps are broken cannot be told from a whole one.

Levels: `show` takes the whole state; what differs is sent, and after a loss all of it. The buzzer is sent only when its
own part differs, so that a lamp that changes does not start a sound anew; and a sound that was to be heard so many
times is not heard again because somebody plugged the light in again, while one without end is.

NOT VERIFIED ON HARDWARE: everything here comes from the vendor's examples (see `messages`). One of them resets the
device after each command, the other does not; nothing here does, as a reset would lose the interface.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from drivers.facts import DeviceFact, Found, Lost, Rejected
from drivers.lights import Look, Sound, TowerLight, TowerState
from drivers.patlite.messages import (
    DARK,
    PRODUCT_ID,
    VENDOR_ID,
    Buzzer,
    LightState,
    Pattern,
    encode,
    encode_colours,
)

IDENTITY: Final = f"PATLITE LR6-USB {VENDOR_ID:04x}:{PRODUCT_ID:04x} (never answers)"

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "PATLITE LR6-USB: not verified on hardware: layout of commands (from the vendor's examples); that it needs no reset"
    " after a command; that it answers GET_STATUS while it blinks"
)


_PATTERNS: Final = {Look.OFF: Pattern.OFF, Look.ON: Pattern.ON, Look.BLINK: Pattern.BLINK_1}


class Patlite(TowerLight):
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._wanted = DARK
        self._is_open = False
        #: Whether the light was told of the sound that is wanted.
        self._was_sounded = False
        self._outgoing: list[bytes] = []

    def look(self, state: TowerState) -> None:
        """`show`, in the words for every light: the first of the patterns where it blinks or sounds."""
        self.show(
            LightState(
                red=_PATTERNS[state.red],
                yellow=_PATTERNS[state.yellow],
                green=_PATTERNS[state.green],
                blue=_PATTERNS[state.blue],
                white=_PATTERNS[state.white],
                buzzer=Buzzer.OFF if state.sound is Sound.OFF else Buzzer.PATTERN_1,
                repeats=1 if state.sound is Sound.ONCE else 0,
            )
        )

    def show(self, state: LightState) -> None:
        """How the whole light is to be from now on."""
        before, self._wanted = self._wanted, state
        is_new_sound = not state.has_sound_of(before)
        if is_new_sound:
            self._was_sounded = self._is_open
        if self._is_open and state != before:
            self._outgoing.append(encode(state) if is_new_sound else encode_colours(state))

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Make it look as wanted, whatever it looked like."""
        self._is_open = True
        was_heard = self._was_sounded and self._wanted.repeats > 0
        self._outgoing = [encode(self._wanted.silent() if was_heard else self._wanted)]
        self._was_sounded = True
        return [Found(device=self._device, at_us=at_us, identity=IDENTITY)]

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """It is gone."""
        self._is_open = False
        self._outgoing.clear()
        return [Lost(device=self._device, at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Nothing is expected."""
        return [Rejected(device=self._device, at_us=at_us, reason="a light that says something", n_bytes=len(data))]

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        return ()

    def deadline_s(self) -> float | None:
        return None

    def take_outgoing(self) -> Sequence[bytes]:
        outgoing, self._outgoing = self._outgoing, []
        return outgoing
