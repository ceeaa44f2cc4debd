"""What a shoe that says a line a card puts on the wire: a card's code and a line end.

Sources, facts only: a public desktop client of a Bee-Tek shoe (9600 baud, CR LF, one card code a line, looked up in a
table); a comment in a public codec for the same shoe (it repeats the card's characters after the first frame). Neither
has the table, so the codes are the configuration's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from drivers.framing import Grammar, NoFrame, Partial, Verdict, Whole

BAUD: Final = 9600  # the client's
#: Longest line that is taken for one, in bytes without its end. Ours.
LINE_MAX: Final = 64
#: What a line may consist of: ASCII from the space to the tilde.
TEXT: Final = range(0x20, 0x7F)


#: Reason of line ends without a line, and how many bytes one has at most.
BLANK: Final = "blank line"
BLANK_BYTES: Final = 2


class LineEnd(Enum):
    """What ends a line."""

    CR_LF = "cr-lf"
    LF = "lf"
    CR = "cr"

    @property
    def ends_with(self) -> bytes:
        """Its bytes."""
        return _ENDS[self]


_ENDS: Final = {LineEnd.CR_LF: b"\r\n", LineEnd.LF: b"\n", LineEnd.CR: b"\r"}


@dataclass(frozen=True, slots=True, repr=False)
class Line:
    """One line without its end. It may be a card: prints none of it."""

    text: str

    def __repr__(self) -> str:
        return f"Line({len(self.text)} characters)"


def encode_line(text: str, end: LineEnd = LineEnd.CR_LF) -> bytes:
    """A line as the shoe sends it."""
    return text.encode("ascii") + end.ends_with


def line_grammar(end: LineEnd) -> Grammar[Line]:
    """Lines as the host reads them. A line has no beginning of its own: text in front of it becomes part of it, which
    no code table then knows; after a line end, or after anything that is no text, every line is found."""
    ends_with = end.ends_with

    def judge(buffer: bytes) -> Verdict[Line]:
        length = 0
        while length < len(buffer) and buffer[length] in TEXT:
            length += 1
        if length > LINE_MAX:
            return NoFrame("line too long")
        after = buffer[length : length + len(ends_with)]
        if after == ends_with and length:
            return Whole(Line(buffer[:length].decode("ascii")), length + len(ends_with))
        if length and ends_with.startswith(after):
            return Partial()
        if buffer[0] in b"\r\n":
            return NoFrame(BLANK)
        return NoFrame("malformed line" if length else "between lines")

    return judge
