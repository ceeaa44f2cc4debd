"""A Qlight USB tower light: how it looks and sounds.

As with every light that never says anything, `Found` means that it is plugged in and its interface is ours. `look`
takes the whole state; it is written when it differs, and after a loss. A sound that is to be heard once is ended by us
after `sound_s`, as a group's sounds go on until they are told otherwise.

NOT VERIFIED ON HARDWARE: see `messages`, above all which number makes a lamp blink.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from drivers.facts import DeviceFact, Found, Lost, Rejected
from drivers.lights import ALL_OFF, Sound, TowerLight, TowerState
from drivers.qlight.messages import KEEP, PRODUCT_ID, VENDOR_ID, Command, Numbers, encode

IDENTITY: Final = f"Qlight USB tower {VENDOR_ID:04x}:{PRODUCT_ID:04x} (never answers)"

#: For the log, once at start.
NOT_VERIFIED: Final = (
    "Qlight USB tower: not verified on hardware: which number makes a lamp blink (the vendor's table and programs that"
    " ran with real lights disagree: setting `numbers`); the sound's byte; that the last eight bytes may be 0"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class QlightSettings:
    """What differs between the models that were ordered."""

    numbers: Numbers = Numbers.AS_SEEN
    #: Group of sounds, 0 to 7; 5 is the buzzer, the others are melodies.
    sound_group: int = 5
    #: Sound within the group, 1 to 5.
    sound_channel: int = 1
    #: How long a sound that is to be heard once goes on, in seconds. Ours.
    sound_s: float = 1.5


DEFAULT_SETTINGS: Final = QlightSettings()


class Qlight(TowerLight):
    """A `DeviceProtocol`. `device` is the name in the configuration."""

    def __init__(self, device: str, settings: QlightSettings = DEFAULT_SETTINGS) -> None:
        self._device = device
        self._settings = settings
        self._wanted = ALL_OFF
        self._is_open = False
        #: Sound that the light was told; None where nothing is known.
        self._channel: int | None = None
        #: A sound that is to be heard once is over.
        self._was_sounded = False
        self._silent_from_s: float | None = None
        self._outgoing: list[bytes] = []

    def look(self, state: TowerState) -> None:
        """How the whole light is to be from now on."""
        before, self._wanted = self._wanted, state
        if state.sound is not before.sound:
            self._was_sounded = False
            self._silent_from_s = None
        if self._is_open and state != before:
            self._write()

    def _write(self) -> None:
        wanted = self._wanted
        sounds = wanted.sound is Sound.ON or (wanted.sound is Sound.ONCE and not self._was_sounded)
        channel = self._settings.sound_channel if sounds else 0
        # A lamp that changes does not start a sound anew.
        told, self._channel = self._channel, channel
        command = Command(
            lamps=(wanted.red, wanted.yellow, wanted.green, wanted.blue, wanted.white),
            group=self._settings.sound_group,
            channel=KEEP if channel == told else channel,
        )
        self._outgoing.append(encode(command, self._settings.numbers))

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Make it look as wanted, whatever it looked like."""
        self._is_open = True
        self._channel = None
        self._outgoing.clear()
        self._write()
        return [Found(device=self._device, at_us=at_us, identity=IDENTITY)]

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """It is gone, and its sound with it."""
        self._is_open = False
        if self._silent_from_s is not None:
            self._was_sounded, self._silent_from_s = True, None
        self._outgoing.clear()
        return [Lost(device=self._device, at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Nothing is expected."""
        return [Rejected(device=self._device, at_us=at_us, reason="a light that says something", n_bytes=len(data))]

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """End a sound in time."""
        if self._is_sounding_once():
            if self._silent_from_s is None:
                self._silent_from_s = now_s + self._settings.sound_s
            elif now_s >= self._silent_from_s:
                self._was_sounded, self._silent_from_s = True, None
                self._write()
        return ()

    def _is_sounding_once(self) -> bool:
        return self._is_open and self._wanted.sound is Sound.ONCE and not self._was_sounded

    def deadline_s(self) -> float | None:
        """At once where a sound has begun whose end is not yet known: `look` has no clock."""
        if not self._is_sounding_once():
            return None
        return float("-inf") if self._silent_from_s is None else self._silent_from_s

    def take_outgoing(self) -> Sequence[bytes]:
        outgoing, self._outgoing = self._outgoing, []
        return outgoing
