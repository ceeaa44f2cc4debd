"""Where a PN532 is, and at which speed it answers.

A chip keeps the speed that a program gave it until it loses power. So where it is mute at the speed of the
configuration, every speed that it can have is tried, the one of power-up first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drivers.framing import Scanner
from drivers.pn532 import messages
from drivers.pn532.messages import ACK, BAUD, BAUD_RATES, WAKE_UP, Data, SyntaxError_
from drivers.transport.base import WireOpener
from drivers.transport.probing import Probe, Way, probing_opener
from drivers.transport.serial import SerialSettings, is_remote, serial_opener

#: How long an answer may take at each speed, in seconds. The chip acknowledges within 15 ms (U); the rest is ours.
WAIT_S: Final = 0.25

#: After the speed configured: that of power-up, then those that programs like best, then the others.
_LIKELY: Final = (BAUD, 921600, 460800, 230400)


def speeds(configured: int) -> Iterator[int]:
    """All speeds that may help, each once, the one configured first."""
    yield from dict.fromkeys((configured, *_LIKELY, *sorted(BAUD_RATES.values(), reverse=True)))


def is_answer(read: bytes) -> bool:
    """Somebody who speaks as a PN532 does. Its ACK alone is not yet all that it says."""
    scanner = Scanner(messages.chip_grammar())
    found = [*scanner.feed(read), *scanner.forget()]
    return any(isinstance(message, Data | SyntaxError_) for message in found)


PROBE: Final = Probe(
    title="PN532",
    question=WAKE_UP + ACK + messages.encode(messages.sam_configuration()),
    is_answer=is_answer,
    wait_s=WAIT_S,
)


def pn532_opener(port: str, baud: int) -> WireOpener:
    """Opens `port` (a path or a URL) at the speed at which a chip answers. A remote port has one speed."""
    rates = [baud] if is_remote(port) else speeds(baud)
    ways = [Way(f"{rate} baud", serial_opener(port, SerialSettings(baud=rate))) for rate in rates]
    return probing_opener(ways, PROBE)
