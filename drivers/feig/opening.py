"""A FEIG reader's line: open when the reader answers."""

from __future__ import annotations

from typing import Final

from drivers.feig import messages
from drivers.feig.driver import TITLE
from drivers.feig.messages import ANY_ADDRESS, Control, Frame
from drivers.framing import Garbage, Scanner
from drivers.transport.base import WireOpener
from drivers.transport.probing import Probe, Way, probing_opener
from drivers.transport.serial import Parity, SerialSettings, serial_opener

#: How long an answer may take, in seconds. Ours.
WAIT_S: Final = 1.0


def is_answer(read: bytes) -> bool:
    """A reader, at whatever address."""
    scanner = Scanner(messages.reader_grammar())
    found = [*scanner.feed(read), *scanner.forget()]
    return any(not isinstance(message, Garbage) for message in found)


#: For any reader on the line: one with another address than the configuration's shows itself as mute later.
PROBE: Final = Probe(
    title=TITLE,
    question=messages.encode(Frame(address=ANY_ADDRESS, control=Control.SOFTWARE_VERSION)),
    is_answer=is_answer,
    wait_s=WAIT_S,
)


def feig_opener(port: str, baud: int, parity: Parity) -> WireOpener:
    """Opens `port` (a path or a URL)."""
    settings = SerialSettings(baud=baud, parity=parity)
    return probing_opener([Way(f"{baud} baud, parity {parity.name}", serial_opener(port, settings))], PROBE)
