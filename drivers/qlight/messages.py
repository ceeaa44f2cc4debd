"""What each byte of a Qlight USB tower's command means.

Sources: Qlight, "Communication data format of the USB product" (order of the bytes, sound groups, 0/1/2 for a lamp);
KennethWilke/qlight_userspace and two other programs that drive real ones (length, the sound's byte, 0x64 for "as it
is", and the very commands that tests hold against). Facts only; not verified on hardware.

A command is 16 bytes to the output endpoint: 0x57; the group of sounds; one byte each for red, amber, green, blue and
white; the sound within its group, 0 for none; and eight more that differ from program to program and mean nothing that
anybody wrote down (0 here). The light never answers.

The vendor's table says 1 for a lamp that blinks and 2 for one that is on. All programs that were tried on real lights
say it the other way round. `Numbers` holds both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from drivers.lights import Look

VENDOR_ID: Final = 0x04D8
PRODUCT_ID: Final = 0xE73C
COMMAND_BYTES: Final = 16
#: Sounds in a group; 0 is silence.
CHANNEL_MAX: Final = 5
#: Any number that is none leaves a lamp or the sound as it is; this one is what the programs send.
KEEP: Final = 0x64

_WRITE: Final = 0x57
_SOUND_AT: Final = 7


class Numbers(Enum):
    """Which number says what of a lamp."""

    #: 1 is on, 2 blinks: programs that ran with real lights.
    AS_SEEN = "as-seen"
    #: 1 blinks, 2 is on: the vendor's table.
    AS_PRINTED = "as-printed"

    @property
    def looks(self) -> tuple[Look, Look, Look]:
        """The looks numbered 0, 1 and 2."""
        lit = (Look.ON, Look.BLINK) if self is Numbers.AS_SEEN else (Look.BLINK, Look.ON)
        return (Look.OFF, *lit)


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """The whole light. `lamps` are red, amber, green, blue, white; `channel` is the sound in its group, 0 for none."""

    lamps: tuple[Look, Look, Look, Look, Look]
    group: int = 0
    channel: int = 0


def encode(command: Command, numbers: Numbers) -> bytes:
    """The command's bytes."""
    lamps = (numbers.looks.index(look) for look in command.lamps)
    return bytes((_WRITE, command.group, *lamps, command.channel)).ljust(COMMAND_BYTES, b"\0")


def decode(data: bytes, numbers: Numbers, before: Command) -> Command | None:
    """How a light that was `before` is after a command; None where it is no command."""
    if len(data) != COMMAND_BYTES or data[0] != _WRITE:
        return None
    red, amber, green, blue, white = (
        numbers.looks[number] if number < len(numbers.looks) else look
        for number, look in zip(data[2:_SOUND_AT], before.lamps, strict=True)
    )
    channel = data[_SOUND_AT]
    return Command(
        lamps=(red, amber, green, blue, white),
        group=data[1],
        channel=channel if channel <= CHANNEL_MAX else before.channel,
    )
