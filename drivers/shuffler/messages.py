"""The reference line protocol of a shuffler: ours, for no wire protocol of any shuffler is public.

    $SHF,NUMBER,KIND[,CARDS]*SUM CR LF

Whoever builds an adapter for a shuffler says these lines; `docs/devices/shuffler.md` is the whole of it. NUMBER is
three decimal digits, one more with each line, 000 after 999. SUM is the exclusive or of all bytes between `$` and `*`,
as two upper-case hexadecimal digits (the form of NMEA 0183, which every integrator has a parser for). CARDS stands
after the kinds of `COUNTED` and only there. A shuffle that ran to its end ends with `complete`, whatever was counted;
`card-missing` or `card-extra` stands in front of it where that is not the number that the shuffler expects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import xor
from typing import Final

from drivers.framing import Grammar, NoFrame, Partial, Verdict, Whole

BAUD: Final = 9600
#: Numbers of lines: 000 to 999.
NUMBERS: Final = 1000
#: How often a shuffler says something at the least, in seconds: `alive` where there is nothing else.
KEEP_ALIVE_S: Final = 2.0
_DOLLAR: Final = ord("$")
_END: Final = b"\r\n"
_BODY: Final = re.compile(rb"\$SHF,(\d{3}),([a-z-]{1,16})(?:,(\d{1,3}))?\*([0-9A-F]{2})\r\n")
#: Longest line: the longest kind, three digits, and what stands around them.
LINE_MAX: Final = 36


class Kind(StrEnum):
    """What a shuffler says."""

    #: It was switched on. What it said before counts no more; numbers may begin anew.
    HELLO = "hello"
    #: Nothing else to say, and still there.
    ALIVE = "alive"
    STARTED = "started"
    #: The shuffle is over, so many cards were counted.
    COMPLETE = "complete"
    #: So many cards were counted, which are too few.
    CARD_MISSING = "card-missing"
    #: So many cards were counted, which are too many.
    CARD_EXTRA = "card-extra"
    JAM = "jam"
    DOOR_OPEN = "door-open"
    DOOR_CLOSED = "door-closed"


#: Kinds with a count of cards.
COUNTED: Final = frozenset({Kind.COMPLETE, Kind.CARD_MISSING, Kind.CARD_EXTRA})


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line. `cards` for the kinds of `COUNTED`, None for the others."""

    number: int
    kind: Kind
    cards: int | None = None


def checksum(covered: bytes) -> bytes:
    """Of the bytes between `$` and `*`, as it goes on the wire."""
    return b"%02X" % reduce(xor, covered, 0)


def encode(line: Line) -> bytes:
    """A line as the shuffler sends it."""
    count = "" if line.cards is None else f",{line.cards}"
    covered = f"SHF,{line.number:03d},{line.kind}{count}".encode("ascii")
    return b"$" + covered + b"*" + checksum(covered) + _END


def shuffler_grammar() -> Grammar[Line]:
    """Lines as the host reads them. A `$` stands at the beginning of a line only, so a cut line takes nothing from the
    one after it."""

    def judge(buffer: bytes) -> Verdict[Line]:
        if buffer[0] != _DOLLAR:
            return NoFrame("between lines")
        end = buffer.find(b"\n")
        text = buffer[: end + 1] if end >= 0 else buffer
        if _DOLLAR in text[1:]:
            return NoFrame("line cut short")
        if end < 0:
            return Partial() if len(text) < LINE_MAX else NoFrame("line too long")
        return _judge_line(text)

    return judge


def _judge_line(text: bytes) -> Verdict[Line]:
    found = _BODY.fullmatch(text)
    if found is None:
        return NoFrame("malformed line")
    number, kind, cards, check = found.groups()
    if checksum(text[1 : found.start(4) - 1]) != check:
        return NoFrame("bad checksum")
    word = kind.decode("ascii")
    if word not in list(Kind):
        return NoFrame("unknown kind of line")
    if (cards is not None) is not (Kind(word) in COUNTED):
        return NoFrame("count of cards where none belongs, or none where one does")
    return Whole(Line(number=int(number), kind=Kind(word), cards=None if cards is None else int(cards)), len(text))
