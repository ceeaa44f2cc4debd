"""What the bytes of an Eccel Pepper C1 mean, in both directions.

Sources, facts only: E, the maker's pages on the C1's Python library (protocol, API, commands); H, the headers of its
Arduino library; M, its client `pepper_c1` 0.2.0, which selects an antenna of the MUX model by one byte, 1 to 8; R, the
manual of its RS485 sibling. Line: 115200 8N1 (the speed by one source only).

    frame      F5  LENlo LENhi  ~LENlo ~LENhi  payload…  CRClo CRChi       LEN counts payload and CRC   (E)
    command    cmd  arguments…                                                                           (E)
    answer     00  cmd  data…                                                                            (E)
    refusal    FF  cmd  layer  error                                                                     (E)
    event      FE  …            unasked, while the reader polls by itself                                (E)

A bare FF from the host asks for the last frame again. CRC: polynomial 0x1021, from 0xFFFF, over the payload alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from drivers.framing import Grammar, NoFrame, Partial, Verdict, Whole

BAUD: Final = 115200
START: Final = 0xF5
ANSWER: Final = 0x00
EVENT: Final = 0xFE
REFUSAL: Final = 0xFF
#: Bytes around a payload.
OVERHEAD: Final = 7
#: Longest payload accepted. No source gives one; ours.
PAYLOAD_MAX: Final = 1024
_CRC_POLYNOMIAL: Final = 0x1021
_CRC_START: Final = 0xFFFF


class Opcode(IntEnum):
    """Commands (E)."""

    DUMMY = 0x01
    TAG_COUNT = 0x02
    TAG_UID = 0x03
    ACTIVATE = 0x04
    HALT = 0x05
    SET_POLLING = 0x06
    REBOOT = 0x0A
    VERSION = 0x0B
    SLEEP = 0x0D
    GPIO = 0x0E
    ANTENNA = 0x0F
    FACTORY_RESET = 0x11
    PROTOCOL_AUTH = 0x12
    LED = 0x14
    ICODE_FIRST = 0x90
    ICODE_NEXT = 0x91
    ICODE_READ = 0x93


#: What this program may ever send: nothing that changes the reader beyond its field and its antenna.
HARMLESS: Final = frozenset(
    {Opcode.DUMMY, Opcode.TAG_COUNT, Opcode.TAG_UID, Opcode.ACTIVATE, Opcode.HALT, Opcode.VERSION, Opcode.ANTENNA}
)


class ErrorCode(IntEnum):
    """Low byte of a refusal's error (E)."""

    NO_REPLY = 0x01  # or the tag was taken away
    CRC = 0x02
    COLLISION = 0x03
    FRAMING = 0x05
    PROTOCOL = 0x06
    OVERHEAT = 0x09
    UNSUPPORTED = 0x24
    AUTHENTICATION = 0xF0


#: Tags that the reader keeps apart, by its maker: up to 5 an antenna, depending on its size (E).
TAGS_MAX: Final = 5


@dataclass(frozen=True, slots=True, repr=False)
class Command:
    """What the host asks. A bare 0xFF asks for the last frame again."""

    opcode: int
    arguments: bytes = b""


@dataclass(frozen=True, slots=True, repr=False)
class Reply:
    """The reader answers a command. May hold a tag: prints none of it."""

    opcode: int
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reader refuses a command, or failed at it; `layer` says where."""

    opcode: int
    layer: int
    error: int


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """Something the reader says unasked. No source gives its layout: it is read by nobody here."""

    data: bytes = b""


Frame: TypeAlias = Reply | Refusal | Event


class BadAnswer(ValueError):
    """An answer that is well framed but not of the form it must have. The text holds none of it."""


def crc(covered: bytes) -> bytes:
    """Checksum of the bytes covered, as it goes on the wire."""
    value = _CRC_START
    for byte in covered:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ (_CRC_POLYNOMIAL if value & 0x8000 else 0)) & 0xFFFF
    return value.to_bytes(2, "little")


# -- frames ------------------------------------------------------------------------------------------------------------


def encode(payload: bytes) -> bytes:
    """A frame as it is sent."""
    length = (len(payload) + 2).to_bytes(2, "little")
    return bytes([START]) + length + bytes(byte ^ 0xFF for byte in length) + payload + crc(payload)


def encode_command(command: Command) -> bytes:
    """A command as the host sends it."""
    return encode(bytes([command.opcode]) + command.arguments)


#: Asks for the last frame again.
REPEAT: Final = encode(bytes([REFUSAL]))


def payload_of(frame: Frame) -> bytes:
    """What a reader's frame carries."""
    match frame:
        case Reply():
            return bytes([ANSWER, frame.opcode]) + frame.data
        case Refusal():
            return bytes([REFUSAL, frame.opcode, frame.layer, frame.error])
        case Event():
            return bytes([EVENT]) + frame.data


def _judge(buffer: bytes) -> Verdict[bytes]:
    """One frame and its payload."""
    if buffer[0] != START:
        return NoFrame("between frames")
    length = buffer[1:3]
    if any(byte ^ 0xFF != check for byte, check in zip(length, buffer[3:5], strict=False)):
        return NoFrame("bad length")
    if len(buffer) < 5:
        return Partial()
    n_bytes = int.from_bytes(length, "little")
    if not 3 <= n_bytes <= PAYLOAD_MAX + 2:
        return NoFrame("bad length")
    end = 5 + n_bytes
    if len(buffer) < end:
        return Partial()
    payload = buffer[5 : end - 2]
    return Whole(payload, end) if crc(payload) == buffer[end - 2 : end] else NoFrame("bad checksum")


def reader_grammar() -> Grammar[Frame]:
    """What a reader sends, as the host reads it."""

    def judge(buffer: bytes) -> Verdict[Frame]:
        verdict = _judge(buffer)
        if not isinstance(verdict, Whole):
            return verdict
        frame = _frame_of(verdict.frame)
        return NoFrame("malformed frame") if frame is None else Whole(frame, verdict.length)

    return judge


def _frame_of(payload: bytes) -> Frame | None:
    match payload[0]:
        case 0x00 if len(payload) >= 2:
            return Reply(payload[1], payload[2:])
        case 0xFF if len(payload) == 4:
            return Refusal(*payload[1:])
        case 0xFE:
            return Event(payload[1:])
        case _:
            return None


def host_grammar() -> Grammar[Command]:
    """What a host sends, as the reader reads it."""

    def judge(buffer: bytes) -> Verdict[Command]:
        verdict = _judge(buffer)
        if not isinstance(verdict, Whole):
            return verdict
        return Whole(Command(verdict.frame[0], verdict.frame[1:]), verdict.length)

    return judge


# -- answers -----------------------------------------------------------------------------------------------------------


def count_of(reply: Reply) -> int:
    """How many tags lie at the antenna. Raises `BadAnswer`."""
    if len(reply.data) != 1:
        raise BadAnswer("count of a wrong length")
    return reply.data[0]


#: Lengths of a unique id: ISO 14443 A (4, 7, 10), ISO 15693 (8).
_UID_LENGTHS: Final = (4, 7, 8, 10)


def uid_of(reply: Reply) -> str:
    """The tag's number: after its type and one parameter (SAK or DSFID). Raises `BadAnswer`."""
    uid = reply.data[2:]
    if len(uid) not in _UID_LENGTHS:
        raise BadAnswer("tag number of a wrong length")
    return uid.hex().upper()


def version_of(reply: Reply) -> str:
    """The reader's own text, printable part only."""
    return "".join(letter for letter in reply.data.decode("ascii", "replace") if letter.isprintable()).strip()
