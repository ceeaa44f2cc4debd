"""What the bytes of a FEIG OBID i-scan reader (ISO-Host mode) mean, in both directions.

Sources, facts only, pages of the maker's manuals: P, ID ISC.PR101 (easymanua.ls, pages 31, 44, 48, 50, 58, 60, 63,
121); M, ID ISC.MR100/MR200 (manualshive.com, pages 20, 38, 42, 87, 88, 93); L, ID ISC.LR200 and LRU3000 (pages 68, 85,
177). G: general knowledge, found in no page. Line: 38400 8E1 (P).

    standard   LEN  COM-ADR  CTRL  [STATUS]  data…  CRClo CRChi                         (P, M)
    advanced   02  ALENhi ALENlo  COM-ADR  CTRL  [STATUS]  data…  CRClo CRChi           (M, L)

LEN and ALEN count every byte of the frame. Only the reader's frames have a STATUS. COM-ADR 255 is for any reader, which
answers with its own. A reader that does not understand a frame says nothing at all. CRC: polynomial 0x8408 (reflected),
from 0xFFFF, over everything before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from drivers.framing import Grammar, NoFrame, Partial, Verdict, Whole

BAUD: Final = 38400
#: Start bit, 8 data bits, even parity, stop bit.
BITS_PER_BYTE: Final = 11
ADVANCED: Final = 0x02
#: Any reader (P).
ANY_ADDRESS: Final = 255
#: Longest standard frame.
STANDARD_MAX: Final = 255
_CRC_POLYNOMIAL: Final = 0x8408
_CRC_START: Final = 0xFFFF
#: Bytes around the data of a host's frame: standard and advanced.
_STANDARD_OVERHEAD: Final = 5
_ADVANCED_OVERHEAD: Final = 7


class Control(IntEnum):
    """CTRL (P, M, L)."""

    READ_BUFFER = 0x22
    BUFFER_INFO = 0x31
    DETECT_BAUD = 0x52
    FLASH_LOADER = 0x55
    CPU_RESET = 0x63
    SOFTWARE_VERSION = 0x65
    READER_INFO = 0x66
    RF_RESET = 0x69
    RF_ON_OFF = 0x6A
    READ_CONFIGURATION = 0x80
    WRITE_CONFIGURATION = 0x81
    SAVE_CONFIGURATION = 0x82
    DEFAULT_CONFIGURATION = 0x83
    ISO15693 = 0xB0


_CONTROLS: Final = frozenset(Control)

#: What this program may ever send: nothing that changes the reader beyond its field.
HARMLESS: Final = frozenset(
    {
        Control.READ_BUFFER,
        Control.BUFFER_INFO,
        Control.DETECT_BAUD,
        Control.SOFTWARE_VERSION,
        Control.READER_INFO,
        Control.RF_RESET,
        Control.RF_ON_OFF,
        Control.READ_CONFIGURATION,
        Control.ISO15693,
    }
)


class Status(IntEnum):
    """STATUS. The names from 0x80 on, without 83 and 93 to 95, are G."""

    OK = 0x00
    NO_TRANSPONDER = 0x01  # also: muted, or disturbed
    DATA_FALSE = 0x02
    WRITE_ERROR = 0x03
    ADDRESS_ERROR = 0x04
    WRONG_TYPE = 0x05
    PARAMETER_RANGE = 0x11
    RESERVED_CONFIGURATION = 0x15
    UNKNOWN_COMMAND = 0x80
    LENGTH = 0x81
    NOT_AVAILABLE = 0x82
    RF_COMMUNICATION = 0x83
    RF_WARNING = 0x84
    NO_VALID_DATA = 0x92
    BUFFER_OVERFLOW = 0x93
    MORE_DATA = 0x94
    ISO15693_ERROR = 0x95


#: Of `Control.ISO15693`: list what is in the field.
INVENTORY: Final = 0x01
#: Bit 7 of its mode byte: the rest of the last list.
MORE: Final = 0x80
#: One record of a list: kind of transponder, DSFID, UID (P, page 63).
RECORD_BYTES: Final = 10
UID_BYTES: Final = 8
#: TR-TYPE of ISO 15693 (P).
TYPE_ISO15693: Final = 0x03
#: Block of the configuration with the anticollision settings, and where ONT is in it (P, page 31).
ANTICOLLISION_BLOCK: Final = 5
ONT_BYTE: Final = 11
ONT_BIT: Final = 0x01
BLOCK_BYTES: Final = 14


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Frame:
    """A host's frame (`status` is None) or a reader's. May hold a tag: prints none of it."""

    address: int
    control: int
    data: bytes = b""
    status: int | None = None
    is_advanced: bool = False

    def __repr__(self) -> str:
        return (
            f"Frame(address={self.address}, control={self.control:#04x}, status={self.status}, {len(self.data)} bytes)"
        )


class Refused(PermissionError):
    """A command that this program never sends."""


class BadAnswer(ValueError):
    """An answer that is well framed but not of the form it must have. The text holds none of it."""


def crc(covered: bytes) -> bytes:
    """Checksum of the bytes covered, as it goes on the wire."""
    value = _CRC_START
    for byte in covered:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (_CRC_POLYNOMIAL if value & 1 else 0)
    return value.to_bytes(2, "little")


# -- frames ------------------------------------------------------------------------------------------------------------


def encode(frame: Frame) -> bytes:
    """A frame as it is sent; advanced where it has to be or is asked to be. Raises `Refused` for the flash loader."""
    if frame.control == Control.FLASH_LOADER:
        raise Refused("the flash loader is never started from here")
    status = b"" if frame.status is None else bytes([frame.status])
    body = bytes([frame.address, frame.control]) + status + frame.data
    length = length_of(frame)
    is_advanced = frame.is_advanced or length > STANDARD_MAX
    head = bytes([ADVANCED]) + length_of(frame, is_advanced=True).to_bytes(2, "big") if is_advanced else bytes([length])
    return head + body + crc(head + body)


def length_of(frame: Frame, *, is_advanced: bool | None = None) -> int:
    """Bytes of a frame on the wire."""
    advanced = frame.is_advanced if is_advanced is None else is_advanced
    return (_ADVANCED_OVERHEAD if advanced else _STANDARD_OVERHEAD) + (frame.status is not None) + len(frame.data)


def reader_grammar() -> Grammar[Frame]:
    """What a reader sends, as the host reads it."""
    return lambda buffer: _judge(buffer, has_status=True)


def host_grammar() -> Grammar[Frame]:
    """What a host sends, as the reader reads it."""
    return lambda buffer: _judge(buffer, has_status=False)


def _judge(buffer: bytes, *, has_status: bool) -> Verdict[Frame]:
    is_advanced = buffer[0] == ADVANCED
    if is_advanced and len(buffer) < 3:
        return Partial()
    begin = 3 if is_advanced else 1
    length = int.from_bytes(buffer[1:3], "big") if is_advanced else buffer[0]
    if length < (_ADVANCED_OVERHEAD if is_advanced else _STANDARD_OVERHEAD) + has_status:
        return NoFrame("between frames")
    if len(buffer) > begin + 1 and buffer[begin + 1] not in _CONTROLS:
        return NoFrame("unknown command")
    if len(buffer) < length:
        return Partial()
    body = buffer[begin : length - 2]
    if crc(buffer[: length - 2]) != buffer[length - 2 : length]:
        return NoFrame("bad checksum")
    frame = Frame(
        address=body[0],
        control=body[1],
        status=body[2] if has_status else None,
        data=body[3:] if has_status else body[2:],
        is_advanced=is_advanced,
    )
    return Whole(frame, length)


# -- answers -----------------------------------------------------------------------------------------------------------


def version_of(answer: Frame) -> str:
    """For people: which reader, which software. Raises `BadAnswer`."""
    if len(answer.data) != 7:
        raise BadAnswer("version answer of a wrong length")
    major, minor, _, hardware, software, *_ = answer.data
    return f"FEIG reader, software {major}.{minor}, hardware type {hardware:02X}, software type {software:02X}"


def only_new_of(answer: Frame) -> bool:
    """ONT of the anticollision block: only tags that are new in the field are listed. Raises `BadAnswer`."""
    if len(answer.data) != BLOCK_BYTES:
        raise BadAnswer("configuration block of a wrong length")
    return bool(answer.data[ONT_BYTE] & ONT_BIT)


def tags_of(answer: Frame) -> Sequence[str]:
    """UIDs of an inventory, in upper-case hexadecimal. Raises `BadAnswer`."""
    if answer.status == Status.NO_TRANSPONDER and not answer.data:
        return []
    if not answer.data or len(answer.data) != 1 + answer.data[0] * RECORD_BYTES:
        raise BadAnswer("list of a wrong length")
    records = range(1, len(answer.data), RECORD_BYTES)
    return [answer.data[begin + 2 : begin + RECORD_BYTES].hex().upper() for begin in records]


def encode_tags(tags: Sequence[str]) -> bytes:
    """Data of an inventory."""
    return bytes([len(tags)]) + b"".join(bytes([TYPE_ISO15693, 0]) + bytes.fromhex(tag) for tag in tags)
