"""What the bytes of a PN532 on its serial line (HSU) mean, in both directions.

Sources, facts only: U, NXP UM0701-02 (user manual) and AN10609; L, `nfc-tools/libnfc` (chips/pn53x, drivers/pn532_uart,
the traces in its issues 85 and 476); N, `nfcpy/nfcpy` (clf/pn532, clf/pn53x). Line: 115200 8N1 at power-up (U).

    normal     00  00 FF  LEN LCS  TFI data… DCS  00         LEN counts TFI and data        (U, L, N)
    extended   00  00 FF  FF FF  LENm LENl LCS  TFI data… DCS  00                            (U, L, N)
    ACK        00  00 FF  00 FF  00          from the host: stop what you are doing          (U, L)
    NACK       00  00 FF  FF 00  00          host only: say that again                       (U)
    error      00  00 FF  01 FF  7F 81  00   chip only: a command it does not understand     (U, L)

LEN + LCS and TFI + … + DCS are 0 modulo 256; LENm, LENl and LCS likewise. TFI is D4 towards the chip and D5 from it;
the answer's code is the command's plus one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from drivers.framing import Grammar, NoFrame, Partial, Verdict, Whole

BAUD: Final = 115200  # at power-up (U)
#: Speeds that SetSerialBaudRate knows, by its code (U).
BAUD_RATES: Final[Mapping[int, int]] = MappingProxyType(
    {0: 9600, 1: 19200, 2: 38400, 3: 57600, 4: 115200, 5: 230400, 6: 460800, 7: 921600, 8: 1288000}
)

TO_CHIP: Final = 0xD4
FROM_CHIP: Final = 0xD5
START: Final = b"\x00\xff"
PREAMBLE: Final = b"\x00"
POSTAMBLE: Final = b"\x00"
ACK: Final = bytes.fromhex("00 00 FF 00 FF 00")
NACK: Final = bytes.fromhex("00 00 FF FF 00 00")
SYNTAX_ERROR: Final = bytes.fromhex("00 00 FF 01 FF 7F 81 00")
#: Wakes the serial line of a chip that sleeps: 55 55 and zeros until it is awake (L).
WAKE_UP: Final = b"\x55\x55" + bytes(14)
#: Longest normal frame: TFI and data (U).
NORMAL_MAX: Final = 255
#: Longest extended frame: TFI, code and 263 bytes (U: 264 or 265, by edition; the longer one is accepted).
EXTENDED_MAX: Final = 266


class Code(IntEnum):
    """Command codes (U)."""

    DIAGNOSE = 0x00
    GET_FIRMWARE_VERSION = 0x02
    GET_GENERAL_STATUS = 0x04
    READ_REGISTER = 0x06
    WRITE_REGISTER = 0x08
    WRITE_GPIO = 0x0E
    SET_SERIAL_BAUD_RATE = 0x10
    SET_PARAMETERS = 0x12
    SAM_CONFIGURATION = 0x14
    POWER_DOWN = 0x16
    RF_CONFIGURATION = 0x32
    IN_DATA_EXCHANGE = 0x40
    IN_COMMUNICATE_THRU = 0x42
    IN_DESELECT = 0x44
    IN_LIST_PASSIVE_TARGET = 0x4A
    IN_RELEASE = 0x52
    IN_SELECT = 0x54
    IN_AUTO_POLL = 0x60


class Status(IntEnum):
    """Low six bits of a status byte (U)."""

    OK = 0x00
    TIMEOUT = 0x01
    CRC = 0x02
    PARITY = 0x03
    BIT_COUNT = 0x04
    FRAMING = 0x05
    COLLISION = 0x06
    BUFFER_SIZE = 0x07
    RF_OVERFLOW = 0x09
    FIELD_NOT_ON = 0x0A
    RF_PROTOCOL = 0x0B
    OVERHEAT = 0x0D
    INTERNAL_OVERFLOW = 0x0E
    PARAMETER = 0x10
    FORMAT = 0x13
    AUTHENTICATION = 0x14
    UID_CHECK = 0x23
    INVALID_STATE = 0x25
    NOT_ALLOWED = 0x26
    CONTEXT = 0x27
    RELEASED = 0x29
    CARD_DISAPPEARED = 0x2B
    OVER_CURRENT = 0x2D


STATUS_BITS: Final = 0x3F
#: First byte after IN_LIST_PASSIVE_TARGET's MaxTg: ISO 14443 A at 106 kbit/s (U).
TYPE_A: Final = 0x00
#: Most targets that the chip lists at once (U).
TARGETS_MAX: Final = 2
#: Items of RF_CONFIGURATION (U).
RF_FIELD: Final = 0x01
RF_MAX_RETRIES: Final = 0x05
#: For IN_DESELECT and IN_RELEASE: all targets (U).
ALL_TARGETS: Final = 0x00


@dataclass(frozen=True, slots=True)
class Ack:
    """The other side heard; from the host it means "stop"."""


@dataclass(frozen=True, slots=True)
class Nack:
    """The host wants the last answer again."""


@dataclass(frozen=True, slots=True)
class SyntaxError_:
    """The chip does not understand a command, or not in this form."""


@dataclass(frozen=True, slots=True, repr=False)
class Data:
    """A command or an answer: `code` and what stands after it. May hold a tag: prints none of it."""

    code: int
    data: bytes = b""

    def __repr__(self) -> str:
        return f"Data(code={self.code:#04x}, {len(self.data)} bytes)"


Frame: TypeAlias = Ack | Nack | SyntaxError_ | Data


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Target:
    """A type A card as the chip lists it."""

    number: int
    sens_res: bytes
    sel_res: int
    uid: bytes
    ats: bytes = b""


class BadAnswer(ValueError):
    """An answer that is well framed but not of the form it must have. The text holds none of it."""


# -- frames ------------------------------------------------------------------------------------------------------------


def encode(frame: Data, *, tfi: int = TO_CHIP, is_extended: bool = False) -> bytes:
    """A frame as it is sent; extended where it has to be or is asked to be. Raises ValueError for one too long."""
    body = bytes([tfi, frame.code]) + frame.data
    if len(body) > EXTENDED_MAX:
        raise ValueError(f"{len(body)} bytes do not fit into a frame")
    if is_extended or len(body) > NORMAL_MAX:
        length = len(body).to_bytes(2, "big")
        head = b"\xff\xff" + length + bytes([-sum(length) & 0xFF])
    else:
        head = bytes([len(body), -len(body) & 0xFF])
    return PREAMBLE + START + head + body + bytes([-sum(body) & 0xFF]) + POSTAMBLE


def length_of(frame: Frame) -> int:
    """Bytes of a frame with its preamble."""
    match frame:
        case Ack() | Nack():
            return len(ACK)
        case SyntaxError_():
            return len(SYNTAX_ERROR)
        case Data():
            return len(encode(frame))


def _grammar(tfi: int) -> Grammar[Frame]:
    def judge(buffer: bytes) -> Verdict[Frame]:
        # The preamble may be missing: noise may have taken it for its own end.
        bare = buffer[1:] if buffer[:2] == b"\x00\x00" else buffer
        if not START.startswith(bare[:2]):
            return NoFrame("between frames")
        verdict = _judge_bare(bare, tfi)
        return Whole(verdict.frame, verdict.length + len(buffer) - len(bare)) if isinstance(verdict, Whole) else verdict

    return judge


def chip_grammar() -> Grammar[Frame]:
    """What the chip sends, as the host reads it.

    One doubt cannot be resolved: a frame cut right before a checksum that is 00 takes the first two bytes of the next
    frame for its end; the one after is then lost, and asked for again.
    """
    return _grammar(FROM_CHIP)


def host_grammar() -> Grammar[Frame]:
    """What a host sends, as the chip reads it; NACK besides."""
    return _grammar(TO_CHIP)


def _judge_bare(bare: bytes, tfi: int) -> Verdict[Frame]:
    """From the start code on."""
    if len(bare) < 5:
        return _judge_begun(bare, tfi)
    length, check = bare[2], bare[3]
    if (length, check) == (0x00, 0xFF):
        return Whole(Ack(), 5) if bare[4] == 0 else NoFrame("no end")
    if (length, check) == (0xFF, 0x00) and tfi == TO_CHIP:
        return Whole(Nack(), 5) if bare[4] == 0 else NoFrame("no end")
    if (length, check) == (0xFF, 0xFF):
        return _judge_extended(bare, tfi)
    if (length + check) & 0xFF or not length:
        return NoFrame("bad length")
    if length == 1:
        return _judge_error(bare, tfi)
    return _judge_body(bare, 4, length, tfi)


def _judge_begun(bare: bytes, tfi: int) -> Partial | NoFrame:
    """Too short for any frame; what can be seen to be none is dropped at once."""
    if len(bare) < 4:
        return Partial()
    length, check = bare[2], bare[3]
    is_nack = (length, check) == (0xFF, 0x00) and tfi == TO_CHIP
    is_known = (length, check) in ((0x00, 0xFF), (0xFF, 0xFF)) or is_nack
    return Partial() if is_known or (length and not (length + check) & 0xFF) else NoFrame("bad length")


def _judge_error(bare: bytes, tfi: int) -> Verdict[Frame]:
    wanted = SYNTAX_ERROR[1:]
    if tfi == TO_CHIP or not wanted.startswith(bare[: len(wanted)]):
        return NoFrame("bad checksum")
    return Whole(SyntaxError_(), len(wanted)) if len(bare) >= len(wanted) else Partial()


def _judge_extended(bare: bytes, tfi: int) -> Verdict[Frame]:
    if len(bare) < 7:
        return Partial()
    length = int.from_bytes(bare[4:6], "big")
    if sum(bare[4:7]) & 0xFF or not 2 <= length <= EXTENDED_MAX:
        return NoFrame("bad length")
    return _judge_body(bare, 7, length, tfi)


def _judge_body(bare: bytes, begin: int, length: int, tfi: int) -> Verdict[Frame]:
    if len(bare) > begin and bare[begin] != tfi:
        return NoFrame("wrong direction")
    end = begin + length
    if len(bare) < end + 2:
        return Partial()
    body = bare[begin:end]
    if (sum(body) + bare[end]) & 0xFF:
        return NoFrame("bad checksum")
    if bare[end + 1]:
        return NoFrame("no end")
    return Whole(Data(body[1], body[2:]), end + 2)


# -- commands ----------------------------------------------------------------------------------------------------------


def get_firmware_version() -> Data:
    """Which chip is there: answer IC, version, revision, what it supports (U)."""
    return Data(Code.GET_FIRMWARE_VERSION)


def sam_configuration() -> Data:
    """Normal mode, no SAM; makes a chip that woke up leave its low-battery mode (U, L)."""
    return Data(Code.SAM_CONFIGURATION, b"\x01")


def max_retries(activation: int) -> Data:
    """How often a listing looks again for a card before it says that there is none; FF: for ever (U).

    The first two counts are for peer-to-peer and stay as the chip has them at power-up: FF and 01 (U).
    """
    return Data(Code.RF_CONFIGURATION, bytes([RF_MAX_RETRIES, 0xFF, 0x01, activation]))


def rf_field(*, on: bool) -> Data:
    """Switch the field on or off. Off, every card forgets that it was told to be quiet (U)."""
    return Data(Code.RF_CONFIGURATION, bytes([RF_FIELD, on]))


def list_type_a(max_targets: int) -> Data:
    """List cards of ISO 14443 A: 1 or 2 (U)."""
    return Data(Code.IN_LIST_PASSIVE_TARGET, bytes([max_targets, TYPE_A]))


def deselect(target: int = ALL_TARGETS) -> Data:
    """Halt: the card stays quiet until the field goes off (U, L)."""
    return Data(Code.IN_DESELECT, bytes([target]))


def release(target: int = ALL_TARGETS) -> Data:
    """As `deselect`, and the chip forgets the target (U)."""
    return Data(Code.IN_RELEASE, bytes([target]))


def write_gpio(p3: int) -> Data:
    """Set the pins of port 3, of port 7 none; bit 7 says that the byte counts (U)."""
    return Data(Code.WRITE_GPIO, bytes([0x80 | p3, 0x00]))


# -- answers -----------------------------------------------------------------------------------------------------------


def firmware_of(answer: Data) -> str:
    """For people: chip and version. Raises `BadAnswer`."""
    if len(answer.data) != 4:
        raise BadAnswer("firmware answer of a wrong length")
    chip, version, revision, _ = answer.data
    return f"PN5{chip:02x} firmware {version}.{revision}"


def status_of(answer: Data) -> int:
    """Status of IN_DESELECT, IN_RELEASE and others that begin with one. Raises `BadAnswer`."""
    if not answer.data:
        raise BadAnswer("answer without a status")
    return answer.data[0] & STATUS_BITS


#: SEL_RES bit 5: the card speaks ISO 14443-4, so the chip has asked for its ATS (ISO 14443-3, 6.5.3.4).
HAS_ATS: Final = 0x20
#: SENS_RES of a card with a UID of 4, 7 or 10 bytes: bits 7-6 of its low byte (ISO 14443-3, 6.5.2.1).
_UID_LENGTHS: Final = (4, 7, 10)


def targets_of(answer: Data) -> Sequence[Target]:
    """Cards of IN_LIST_PASSIVE_TARGET for type A. Raises `BadAnswer`."""
    rest = answer.data
    if not rest or rest[0] > TARGETS_MAX:
        raise BadAnswer("list without a number of targets")
    n_targets, rest = rest[0], rest[1:]
    targets: list[Target] = []
    for _ in range(n_targets):
        target, rest = _next_target(rest)
        targets.append(target)
    if rest:
        raise BadAnswer("list with something behind it")
    return targets


def _next_target(rest: bytes) -> tuple[Target, bytes]:
    if len(rest) < 5:
        raise BadAnswer("list cut short")
    end = 5 + rest[4]
    if rest[4] not in _UID_LENGTHS or len(rest) < end:
        raise BadAnswer("card number of a wrong length")
    ats_end = end
    if rest[3] & HAS_ATS and len(rest) > end and rest[end]:
        ats_end = end + rest[end]  # the ATS counts its own length byte
        if len(rest) < ats_end:
            raise BadAnswer("list cut short")
    target = Target(number=rest[0], sens_res=rest[1:3], sel_res=rest[3], uid=rest[5:end], ats=rest[end:ats_end])
    return target, rest[ats_end:]


def encode_target(target: Target) -> bytes:
    """A card as it stands in a list."""
    return bytes([target.number]) + target.sens_res + bytes([target.sel_res, len(target.uid)]) + target.uid + target.ats
