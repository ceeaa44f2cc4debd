"""Where a message of the Angel Eye II-EX begins and ends, in both directions; what is in it: `messages`."""

from __future__ import annotations

from typing import Final

from drivers.angel_eye.messages import (
    ACK,
    ANSWER_MAX,
    BIT_7,
    ENQ,
    ETX,
    NAK,
    NAK_LENGTH,
    PAYLOAD_MAX,
    PRINTABLE,
    STX,
    Ack,
    Answer,
    BccStart,
    Command,
    Frame,
    Nak,
    NakCode,
    Report,
    bcc,
)
from drivers.framing import Grammar, NoFrame, Partial, Verdict, Whole

#: Reasons of garbage that a shoe answers with a refusal of its own.
BAD_CHECKSUM: Final = "bad checksum"
MALFORMED: Final = "malformed frame"
NO_COMMAND: Final = "no command of the host"
NO_ETX: Final = "no ETX in its place"

_BCC_DIGITS: Final = frozenset(b"0123456789ABCDEF")
_PRINTABLE: Final = frozenset(PRINTABLE)
_TEXT: Final = range(0x20, 0x7F)
_NAK_BYTES: Final = frozenset(NakCode)
_COMMAND_HEAD: Final = bytes([STX]) + b"OP"
_COMMAND_LENGTH: Final = 10


def host_grammar(start: BccStart) -> Grammar[Command | Ack]:
    """Everything a host sends, as the shoe reads it: commands, and ACK for a report where the house has it so."""

    def judge(buffer: bytes) -> Verdict[Command | Ack]:
        if buffer[0] == ACK:
            return Whole(Ack(), 1)
        head = buffer[: len(_COMMAND_HEAD)]
        if head != _COMMAND_HEAD[: len(head)]:
            return NoFrame(NO_COMMAND if buffer[0] == STX and STX not in head[1:] else "between frames")
        if len(buffer) < _COMMAND_LENGTH:
            return NoFrame("frame cut short") if any(byte in (STX, ACK) for byte in buffer[1:]) else Partial()
        body, check = buffer[:8], buffer[8:10]
        kind, data = body[3:5], body[5:7]
        if body[7] != ETX:
            return NoFrame(NO_ETX)
        if not data.isdigit() or not kind.isalpha():
            return NoFrame(MALFORMED)
        if bcc(body[start.offset :]) != check:
            return NoFrame(BAD_CHECKSUM)
        return Whole(Command(kind.decode("ascii"), int(data)), _COMMAND_LENGTH)

    return judge


# -- what the shoe sends -----------------------------------------------------------------------------------------------


def shoe_grammar(*, report_start: BccStart, answer_start: BccStart) -> Grammar[Frame]:
    """Everything a shoe sends, as the host reads it.

    Strict: a control character where none may stand ends a candidate at once, so a cut frame never takes from the one
    after it. One doubt cannot be resolved: noise that ends in NAK takes an STX after it for a refusal's code; the
    data answer that began with it is then lost, and its command is asked again. Reports cannot be lost that way.
    """

    def judge(buffer: bytes) -> Verdict[Frame]:
        first = buffer[0]
        if first == ENQ:
            return _judge_report(buffer, report_start)
        if first == STX:
            return _judge_answer(buffer, answer_start)
        if first == ACK:
            return Whole(Ack(), 1)
        if first == NAK:
            return _judge_nak(buffer)
        return NoFrame("between frames")

    return judge


def _judge_nak(buffer: bytes) -> Verdict[Frame]:
    code = buffer[1:2]
    if not code:
        return Partial()
    return Whole(Nak(code[0]), NAK_LENGTH) if code[0] in _NAK_BYTES else NoFrame(MALFORMED)


def _judge_report(buffer: bytes, start: BccStart) -> Verdict[Frame]:
    if not _PRINTABLE.issuperset(buffer[1:3]):
        return NoFrame(MALFORMED)
    end = 3
    while end < len(buffer) and buffer[end] >= BIT_7:
        end += 1
    if end - 3 > PAYLOAD_MAX:
        return NoFrame(MALFORMED)
    verdict = _judge_end(buffer, end, start)
    if verdict is not None:
        return verdict
    return Whole(Report(seq=buffer[1], code=chr(buffer[2]), payload=buffer[3:end]), end + 3)


def _judge_answer(buffer: bytes, start: BccStart) -> Verdict[Frame]:
    end = 1
    while end < len(buffer) and buffer[end] in _TEXT:
        end += 1
    if end - 1 > ANSWER_MAX:
        return NoFrame(MALFORMED)
    verdict = _judge_end(buffer, end, start)
    return Whole(Answer(buffer[1:end]), end + 3) if verdict is None else verdict


def _judge_end(buffer: bytes, end: int, start: BccStart) -> Partial | NoFrame | None:
    """ETX and checksum from `end` on; None where both are right."""
    if len(buffer) > end and buffer[end] != ETX:
        return NoFrame("frame cut short")
    check = buffer[end + 1 : end + 3]
    if not _BCC_DIGITS.issuperset(check):
        return NoFrame("malformed checksum")
    if len(buffer) < end + 3:
        return Partial()
    return None if bcc(buffer[start.offset : end + 1]) == check else NoFrame(BAD_CHECKSUM)
