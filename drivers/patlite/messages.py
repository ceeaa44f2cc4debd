"""What each byte of an LR6-USB command means.

Source: PATLITE's own Linux examples (PATLITE-Corporation/LR6-USB_linux_python_example, `src/main.py`, and
LR6-USB_linux_cpp_example). Facts only; not verified on hardware.

A command is 8 bytes to endpoint 1: two zeros (version, id); the buzzer (high nibble: how often, 0 for without end; low
nibble: pattern); its pitches (high: sound A, low: sound B); one nibble a colour: red yellow, green blue, white 0; and a
zero. In place of a pattern, 6 to 15 leave a colour or the buzzer as it is; the examples send 15. The light never
answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

VENDOR_ID: Final = 0x191A
PRODUCT_ID: Final = 0x8003
COMMAND_BYTES: Final = 8

#: Highest number of times a buzzer's pattern sounds.
REPEATS_MAX: Final = 15
#: Pitches: 0 silent, 1 to 13 are A6 to A7 by semitones, and the defaults of sound A (D7) and of sound B (silent).
PITCH_A_DEFAULT: Final = 14
PITCH_B_DEFAULT: Final = 15
PITCH_MAX: Final = 15

_KEEP: Final = 0xF
_FIRST_KEEP: Final = 0x6
_LOW: Final = 0x0F


class Pattern(IntEnum):
    """Of one colour. How the four patterns blink is set at the factory; the examples only number them."""

    OFF = 0x0
    ON = 0x1
    BLINK_1 = 0x2
    BLINK_2 = 0x3
    BLINK_3 = 0x4
    BLINK_4 = 0x5


class Buzzer(IntEnum):
    """Of the buzzer. The examples number the four patterns and do not say how they sound."""

    OFF = 0x0
    ON = 0x1
    PATTERN_1 = 0x2
    PATTERN_2 = 0x3
    PATTERN_3 = 0x4
    PATTERN_4 = 0x5


@dataclass(frozen=True, kw_only=True, slots=True)
class LightState:
    """The whole light. Raises ValueError for a number that has no nibble's room.

    `repeats`: how often the buzzer's pattern sounds, 1 to 15; 0: until it is told otherwise. `pitch_a`, `pitch_b`: the
    two sounds that a pattern is made of, as above.
    """

    red: Pattern = Pattern.OFF
    yellow: Pattern = Pattern.OFF
    green: Pattern = Pattern.OFF
    blue: Pattern = Pattern.OFF
    white: Pattern = Pattern.OFF
    buzzer: Buzzer = Buzzer.OFF
    repeats: int = 0
    pitch_a: int = PITCH_A_DEFAULT
    pitch_b: int = PITCH_B_DEFAULT

    def __post_init__(self) -> None:
        if not 0 <= self.repeats <= REPEATS_MAX:
            raise ValueError(f"repeats {self.repeats}: 0 to {REPEATS_MAX}")
        if not (0 <= self.pitch_a <= PITCH_MAX and 0 <= self.pitch_b <= PITCH_MAX):
            raise ValueError(f"pitches {self.pitch_a} and {self.pitch_b}: 0 to {PITCH_MAX}")

    def silent(self) -> LightState:
        """The same colours without the buzzer."""
        return replace(self, buzzer=Buzzer.OFF, repeats=0, pitch_a=PITCH_A_DEFAULT, pitch_b=PITCH_B_DEFAULT)

    def has_sound_of(self, other: LightState) -> bool:
        """Whether both sound alike."""
        return _sound(self) == _sound(other)


DARK: Final = LightState()


def encode(state: LightState) -> bytes:
    """The command that makes the light look and sound so."""
    return bytes((0, 0, *_sound(state), *_colours(state), 0))


def encode_colours(state: LightState) -> bytes:
    """The command that makes the light look so, and leaves the buzzer as it is."""
    return bytes((0, 0, _KEEP, 0, *_colours(state), 0))


def _sound(state: LightState) -> tuple[int, int]:
    if state.buzzer is Buzzer.OFF:
        return 0, 0
    return state.repeats << 4 | state.buzzer, state.pitch_a << 4 | state.pitch_b


def _colours(state: LightState) -> tuple[int, int, int]:
    return state.red << 4 | state.yellow, state.green << 4 | state.blue, state.white << 4


def decode(command: bytes, before: LightState = DARK) -> LightState | None:
    """How a light that was `before` is after a command; None where it is no command."""
    if len(command) != COMMAND_BYTES or command[0] or command[1]:
        return None
    red_yellow, green_blue, white = command[4:7]
    after = replace(
        before,
        red=_pattern(red_yellow >> 4, before.red),
        yellow=_pattern(red_yellow & _LOW, before.yellow),
        green=_pattern(green_blue >> 4, before.green),
        blue=_pattern(green_blue & _LOW, before.blue),
        white=_pattern(white >> 4, before.white),
    )
    buzzer = command[2] & _LOW
    if buzzer >= _FIRST_KEEP:
        return after
    if buzzer == Buzzer.OFF:
        return after.silent()
    return replace(
        after,
        buzzer=Buzzer(buzzer),
        repeats=command[2] >> 4,
        pitch_a=command[3] >> 4,
        pitch_b=command[3] & _LOW,
    )


def _pattern(nibble: int, before: Pattern) -> Pattern:
    return before if nibble >= _FIRST_KEEP else Pattern(nibble)
