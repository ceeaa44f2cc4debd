"""A Pepper's line: open when the reader answers."""

from __future__ import annotations

from typing import Final

from drivers.framing import Garbage, Scanner
from drivers.pepper import messages
from drivers.pepper.driver import TITLE
from drivers.pepper.messages import Command, Opcode
from drivers.transport.base import WireOpener
from drivers.transport.probing import Probe, Way, probing_opener
from drivers.transport.serial import SerialSettings, serial_opener

#: How long an answer may take, in seconds: a reader that reboots is deaf for 1 s (E).
WAIT_S: Final = 1.5


def is_answer(read: bytes) -> bool:
    """A reader."""
    scanner = Scanner(messages.reader_grammar())
    found = [*scanner.feed(read), *scanner.forget()]
    return any(not isinstance(message, Garbage) for message in found)


PROBE: Final = Probe(
    title=TITLE,
    question=messages.encode_command(Command(Opcode.DUMMY)),
    is_answer=is_answer,
    wait_s=WAIT_S,
)


def pepper_opener(port: str, baud: int) -> WireOpener:
    """Opens `port` (a path or a URL)."""
    return probing_opener([Way(f"{baud} baud", serial_opener(port, SerialSettings(baud=baud)))], PROBE)
