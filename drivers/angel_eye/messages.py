"""What each byte of the Angel Eye II-EX means, in both directions.

Sources, facts only: A, `keepcodings/AngelEye`, AngelEyeProtocol.cs (cites the maker's specification); B,
`niomartinez/playroom-web`, angel-eye-parser.ts. Line: RS-232C, 4800 8N1, no flow control (A and B; one table of A
ran at 9600).

    report   shoe → host   ENQ  seq  code [payload…]  ETX  BCC BCC      (A, B)
    command  host → shoe   STX  "O" "P" type type digit digit  ETX  BCC BCC   (A)
    answer   shoe → host   ACK | NAK code | STX data… ETX BCC BCC      (A)

Every byte of a report's payload has bit 7 set, so none can be taken for a control character (A). BCC is the exclusive
or of the bytes up to and with ETX, as two upper-case hexadecimal digits; where it starts is `BccStart`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from functools import reduce
from operator import xor
from typing import Final, TypeAlias

STX: Final = 0x02
ETX: Final = 0x03
ENQ: Final = 0x05
ACK: Final = 0x06
NAK: Final = 0x15

BAUD: Final = 4800  # A: the specification's default; B the same

BIT_7: Final = 0x80
#: Longest payload known: `M`, two characters of address and four of value (A).
PAYLOAD_MAX: Final = 6
#: Longest data answer accepted. No source gives one; ours.
ANSWER_MAX: Final = 64
#: Bytes of a report around its payload: ENQ, seq, code, ETX and two digits of checksum.
REPORT_OVERHEAD: Final = 6
#: Bytes of a data answer around its data: STX, ETX and two digits of checksum.
ANSWER_OVERHEAD: Final = 4
#: Bytes of a refusal: NAK and its code.
NAK_LENGTH: Final = 2
#: What the number and the code of a report may be.
PRINTABLE: Final = range(0x21, 0x7F)


class BccStart(Enum):
    """First byte that the checksum covers."""

    #: ENQ or STX itself: the specification's example of a host command (A).
    FRAME = "frame"
    #: The byte after it: what A checks in reports, and what the specification's text says of commands.
    CONTENT = "content"

    @property
    def offset(self) -> int:
        """Bytes in front of those covered."""
        return 0 if self is BccStart.FRAME else 1


class Code(StrEnum):
    """First letter of a report (A, B)."""

    STARTED = "S"
    STAND_BY = "P"
    CUT_CARD = "C"
    CARD_IN_GAME = "D"
    CARD_OUTSIDE_GAME = "d"
    RETRANSMISSION = "R"
    RESULT = "G"
    ERROR = "E"
    ERROR_CANCELLED = "e"
    LOCK = "L"
    PRESET = "M"


#: Bytes of payload after each code (A).
PAYLOAD_BYTES: Final = {
    Code.STARTED: 0,
    Code.STAND_BY: 0,
    Code.CUT_CARD: 0,
    Code.CARD_IN_GAME: 2,
    Code.CARD_OUTSIDE_GAME: 2,
    Code.RETRANSMISSION: 2,
    Code.RESULT: 1,
    Code.ERROR: 1,
    Code.ERROR_CANCELLED: 1,
    Code.LOCK: 1,
    Code.PRESET: 6,
}


class ErrorCode(IntEnum):
    """Codes of `E` and `e` (A)."""

    CANNOT_READ = 1
    OVERDRAW = 2
    BUTTON = 3
    REVERSE_AT_EXIT = 4
    REVERSE_MIDWAY = 5
    CARD_CODE = 6
    DRAW_TIME_OUT = 7


class Target(IntEnum):
    """Where baccarat would put a card of `D` or `R`: bits 6-4 of its first byte (A)."""

    PLAYER = 0
    BANKER = 1
    BURN = 2
    FIRST_CARD = 4
    BURN_COUNT = 5


class OutsideTarget(IntEnum):
    """In which mode a card of `d` was drawn: bits 6-4 of its first byte (A)."""

    LOCK_MODE = 0
    ERROR_MODE = 1
    SETTING_MODE = 2


class Winner(IntEnum):
    """Bits 6-4 of `G` (A)."""

    PLAYER = 1
    TIE = 2
    BANKER = 4
    FORCED_QUIT = 7


class CommandType(StrEnum):
    """Type of a host command (A)."""

    LOCK = "LK"
    ERROR_CANCEL = "EC"
    GAME_PROCESS = "GP"


class LockData(IntEnum):
    """Data of `LK` (A)."""

    UNLOCK = 1
    LOCK = 2


class NakCode(IntEnum):
    """Byte after NAK (A)."""

    LINE = 0x01
    BCC = 0x02
    NO_ETX = 0x03
    LENGTH = 0x11
    ADDRESS = 0x12
    COMMAND = 0x13
    TYPE = 0x14
    BUSY = 0x21
    WRITING = 0x22
    OTHER = 0xFF


#: Refusals that another attempt may cure: garbled on the way, or not now.
CURABLE_NAKS: Final = frozenset({NakCode.LINE, NakCode.BCC, NakCode.NO_ETX, NakCode.BUSY, NakCode.WRITING})

#: Bits 6-4 of a card's second byte (A, B); the letters are those of two-character cards.
SUITS: Final = {1: "d", 2: "c", 3: "s", 4: "h"}
#: Bits 3-0 of a card's second byte (A, B).
RANKS: Final = dict(enumerate("A23456789TJQK", start=1))
_SUIT_NUMBERS: Final = {letter: number for number, letter in SUITS.items()}
_RANK_NUMBERS: Final = {letter: number for number, letter in RANKS.items()}


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Report:
    """One report; `code` may be unknown, `payload` still has its bits 7. May hold a card: prints none of it."""

    seq: int
    code: str
    payload: bytes

    def __repr__(self) -> str:
        return f"Report(seq={self.seq:#04x}, code={self.code!r}, {len(self.payload)} bytes)"


@dataclass(frozen=True, slots=True)
class Ack:
    """The shoe took a command."""


@dataclass(frozen=True, slots=True)
class Nak:
    """The shoe refused a command; `code` is one of `NakCode`."""

    code: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The shoe answered a command with data."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Command:
    """One `OP` command of the host; `data` is two decimal digits, 0..99."""

    type: str
    data: int


Frame: TypeAlias = Report | Ack | Nak | Answer


def bcc(covered: bytes) -> bytes:
    """Checksum of the bytes covered, as it goes on the wire."""
    return b"%02X" % reduce(xor, covered, 0)


def _closed(body: bytes, start: BccStart) -> bytes:
    return body + bcc(body[start.offset :])


# -- reports -----------------------------------------------------------------------------------------------------------


def encode_report(report: Report, *, start: BccStart = BccStart.CONTENT) -> bytes:
    """A report as the shoe sends it."""
    return _closed(bytes([ENQ, report.seq, ord(report.code)]) + report.payload + bytes([ETX]), start)


def card_payload(card: str, *, target: int, index: int) -> bytes:
    """Two bytes of `D`, `d` or `R` for a two-character card."""
    return bytes([BIT_7 | target << 4 | index, BIT_7 | _SUIT_NUMBERS[card[1]] << 4 | _RANK_NUMBERS[card[0]]])


def card_of(payload: bytes) -> str | None:
    """Two-character card of `D`, `d` or `R`; None where suit or rank is none or unknown. The caller seals it."""
    suit = SUITS.get(payload[1] >> 4 & 0x07)
    rank = RANKS.get(payload[1] & 0x0F)
    return None if suit is None or rank is None else rank + suit


def target_of(payload: bytes) -> int:
    """Bits 6-4 of a card's first byte: `Target` or `OutsideTarget`."""
    return payload[0] >> 4 & 0x07


def is_burn_count(payload: bytes) -> bool:
    """The report says how many cards to burn and is no card: target "burn count" without a suit. One reading of A."""
    return target_of(payload) == Target.BURN_COUNT and payload[1] & 0x70 == 0


def error_payload(code: int, *, error_mode: bool) -> bytes:
    """Byte of `E`: the code, and whether the shoe stands in error mode until it is cancelled."""
    return bytes([BIT_7 | error_mode << 6 | code])


def error_of(payload: bytes) -> tuple[int, bool]:
    """Code of `E` and whether the shoe is in error mode."""
    return payload[0] & 0x3F, bool(payload[0] & 0x40)


def cancelled_of(payload: bytes) -> int:
    """Code of `e`."""
    return payload[0] & 0x7F


def lock_payload(*, locked: bool) -> bytes:
    """Byte of `L`."""
    return bytes([BIT_7 | locked])


def is_locked(payload: bytes) -> bool:
    """Bit 0 of `L`."""
    return bool(payload[0] & 0x01)


def winner_of(payload: bytes) -> int:
    """Bits 6-4 of `G`: `Winner`."""
    return payload[0] >> 4 & 0x07


def result_payload(winner: int, *, pairs: int = 0) -> bytes:
    """Byte of `G`."""
    return bytes([BIT_7 | winner << 4 | pairs])


def preset_of(payload: bytes) -> tuple[str, str]:
    """Address (two characters) and value (four) of `M`."""
    text = bytes(byte & ~BIT_7 for byte in payload).decode("ascii")
    return text[:2], text[2:]


def preset_payload(address: str, value: str) -> bytes:
    """Payload of `M`."""
    return bytes(byte | BIT_7 for byte in (address + value).encode("ascii"))


def burn_count_payload(count: int) -> bytes:
    """Two bytes of a `D` that says how many cards to burn. One reading of A."""
    return bytes([BIT_7 | Target.BURN_COUNT << 4, BIT_7 | count])


# -- commands ----------------------------------------------------------------------------------------------------------


def encode_command(command: Command, *, start: BccStart = BccStart.FRAME) -> bytes:
    """A command as the host sends it."""
    text = f"OP{command.type}{command.data:02d}".encode("ascii")
    return _closed(bytes([STX]) + text + bytes([ETX]), start)


def encode_answer(answer: Answer, *, start: BccStart = BccStart.FRAME) -> bytes:
    """A data answer as the shoe sends it."""
    return _closed(bytes([STX]) + answer.data + bytes([ETX]), start)
