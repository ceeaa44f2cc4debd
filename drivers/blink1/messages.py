"""What each byte of a blink(1)'s feature report means.

Sources: todbot/blink1, `docs/blink1-hid-commands.md`, and the firmware of the mk2 there where the document is silent
(`hardware/firmware_mk2/main.c`). Facts only; not verified on hardware.

Feature report 1, 8 bytes: the report id, a letter, six arguments. Times are in steps of 10 ms, high byte first. An
answer is the same report asked for after the command.

`D` arms the dead-man light: unless it is sent again in time, the light plays its lines from `sp` to `ep` by itself,
whatever the host does. Document and firmware disagree on `ep` (first line that is not played, or last one that
is) and on what 0 means, so `FIRST_LINE` and `LAST_LINE` leave 0 out and one more line is written than is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from drivers.transport.base import AskFeature, SetFeature

VENDOR_ID: Final = 0x27B8
PRODUCT_ID: Final = 0x01ED
REPORT_ID: Final = 1
REPORT_BYTES: Final = 8
STEP_MS: Final = 10
#: Lines that are played when the controller is dead; the mk1 has 12, later ones 32.
FIRST_LINE: Final = 1
LAST_LINE: Final = 2
LINES_WRITTEN: Final = (1, 2, 3)
#: Major version of the first firmware with lines in memory: before, writing a line wears out the EEPROM.
MK2: Final = 2

_VERSION_AT: Final = 3


@dataclass(frozen=True, slots=True)
class Colour:
    """Red, green, blue, 0 to 255 each."""

    red: int
    green: int
    blue: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SetColour:
    """One LED: 1 or 2, or 0 for all. The mk1 has one and does not look at the number."""

    led: int
    colour: Colour


@dataclass(frozen=True, kw_only=True, slots=True)
class SetLine:
    """One line of the pattern: this colour, for so long."""

    line: int
    colour: Colour
    for_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Tickle:
    """Play lines by itself unless told again within `within_ms`; 0: never."""

    within_ms: int
    first: int = FIRST_LINE
    last: int = LAST_LINE


@dataclass(frozen=True, kw_only=True, slots=True)
class AskVersion:
    """Which firmware it has; the answer is read with `ASK`."""


Command: TypeAlias = SetColour | SetLine | Tickle | AskVersion

#: The question for the answer to the last command.
ASK: Final = AskFeature(bytes((REPORT_ID,)).ljust(REPORT_BYTES, b"\0"))


def encode(command: Command) -> SetFeature:
    """The report that says it."""
    match command:
        case SetColour(led=led, colour=colour):
            return _report("n", colour.red, colour.green, colour.blue, 0, 0, led)
        case SetLine(line=line, colour=colour, for_ms=for_ms):
            return _report("P", colour.red, colour.green, colour.blue, *_steps(for_ms), line)
        case Tickle(within_ms=0):
            # The second argument but one: keep the colour.
            return _report("D", 0, 0, 0, 1, 0, 0)
        case Tickle(within_ms=within_ms, first=first, last=last):
            return _report("D", 1, *_steps(within_ms), 1, first, last)
        case AskVersion():
            return _report("v")


def _report(letter: str, *arguments: int) -> SetFeature:
    return SetFeature(bytes((REPORT_ID, ord(letter), *arguments)).ljust(REPORT_BYTES, b"\0"))


def _steps(for_ms: int) -> tuple[int, int]:
    return divmod(for_ms // STEP_MS, 256)


def decode(data: bytes) -> Command | None:
    """What a report asks of the light; None where it is none that this program sends."""
    if len(data) != REPORT_BYTES or data[0] != REPORT_ID:
        return None
    first, second, third, high, low, last = data[2:]
    colour = Colour(first, second, third)
    match chr(data[1]):
        case "n":
            return SetColour(led=last, colour=colour)
        case "P":
            return SetLine(line=last, colour=colour, for_ms=(high << 8 | low) * STEP_MS)
        case "D" if high == 1:
            within_ms = (second << 8 | third) * STEP_MS if first else 0
            return Tickle(within_ms=within_ms, first=low, last=last)
        case "v":
            return AskVersion()
        case _:
            return None


def encode_version(major: int, minor: int) -> bytes:
    """The answer to `AskVersion`: one digit each."""
    return bytes((REPORT_ID, ord("v"), 0, ord("0") + major, ord("0") + minor, 0, 0, 0))


def decode_version(data: bytes) -> tuple[int, int] | None:
    """Major and minor, or None where it is no such answer."""
    if len(data) != REPORT_BYTES or data[:2] != bytes((REPORT_ID, ord("v"))):
        return None
    digits = data[_VERSION_AT : _VERSION_AT + 2]
    return (digits[0] - ord("0"), digits[1] - ord("0")) if digits.isdigit() else None
