"""A hand file: a hand as text that a pit boss can read (`docs/hand-files.md` has the grammar).

A header, then facts (`>`) with the decisions (`<`) that must follow from each, compared exactly. A decision that only
repeats its fact (the bet that was just entered) is not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.journal.handfile.facts import later, parse_fact
from tablectl.journal.handfile.header import Header
from tablectl.journal.handfile.sealed import standing_in
from tablectl.journal.handfile.tokens import STORABLE, BadHandFile, can_be_stored

#: A note begins at a `#` that no `\\` stands before.
_NOTE: Final = re.compile(r"(?:[^#\\]|\\.?)*")
_ESCAPED: Final = re.compile(r"\\([#\\])")


@dataclass(kw_only=True, slots=True)
class Step:
    """One fact, its line, and the decisions the file expects of it."""

    line: int
    text: str
    fact: f.Fact
    expected: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class HandFile:
    """A parsed file. `seats` are the players who sat there when the hand began; `carry` is all that the table knew
    then. `is_one_of_many`: a table's own hand, which a line of the file opens."""

    title: str
    setup: f.Setup
    seats: tuple[int, ...]
    carry: Carry
    is_one_of_many: bool
    steps: tuple[Step, ...]


def escaped(line: str) -> str:
    """A line of a file whose text could hold what begins a note."""
    return " ".join(line.split()).replace("\\", "\\\\").replace("#", "\\#")


def _without_note(raw: str) -> str:
    found = _NOTE.match(raw)
    assert found is not None, "it matches nothing at all, too"
    return _ESCAPED.sub(r"\1", found[0]).strip()


class Reader:
    """Takes the lines of a file, one after the other: a whole file, or a hand that somebody is just telling."""

    def __init__(self) -> None:
        self._title, self._header, self._has_begun = "", Header(), False

    def take(self, number: int, raw: str) -> str | None:
        """A line of the body, without its note; None for one of the header, and for one without content. Raises
        `BadHandFile`."""
        if not can_be_stored(raw):
            raise BadHandFile(number, raw, STORABLE)
        line = _without_note(raw)
        if raw.startswith("#") and not self._title:
            self._title = raw.lstrip("# ").strip()
        if line and line[0] in "<>":
            self._has_begun = True
            return line
        if line and self._has_begun:
            raise BadHandFile(number, line, "> and < lines only; a header stands before the first > line")
        if line:
            self._header.take(number, line)
        return None

    def hand(self, body: list[tuple[int, str]]) -> HandFile:
        """The file with this body, or its beginning. Raises `BadHandFile`."""
        header = self._header
        setup, seats = header.setup(), header.seats()
        return HandFile(
            title=self._title,
            setup=setup,
            seats=seats,
            carry=header.carry(setup, seats),
            is_one_of_many=header.is_one_of_many,
            steps=tuple(_steps(body, setup)),
        )


def parse(text: str) -> HandFile:
    """A whole file. Raises `BadHandFile`."""
    reader = Reader()
    taken = [(number, reader.take(number, raw)) for number, raw in enumerate(text.splitlines(), start=1)]
    return reader.hand([(number, line) for number, line in taken if line is not None])


def _timed(number: int, line: str) -> tuple[int, str]:
    """How much later than the line before a fact is, and its line without that word."""
    if line[0] != ">":
        return 0, line
    try:
        after_us, text = later(line[1:].strip())
    except ValueError as wrong:
        raise BadHandFile(number, line[1:].strip(), str(wrong)) from None
    return after_us, f"> {text}"


def _steps(body: list[tuple[int, str]], setup: f.Setup) -> Iterator[Step]:
    step: Step | None = None
    at_us, timed = 0, [_timed(number, line) for number, line in body]
    untimed = [(number, line) for (number, _), (_, line) in zip(body, timed, strict=True)]
    for (number, line), (after_us, _), meant in zip(body, timed, standing_in(untimed, setup.equipment), strict=True):
        text = line[1:].strip()
        if line[0] == "<":
            if step is None:
                raise BadHandFile(number, f"< {text}", "a > line first")
            step.expected.append((number, " ".join(text.split())))
            continue
        if step is not None:
            yield step
        try:
            at_us += after_us
            fact = parse_fact(meant[1:].strip(), at_us, setup)
        except ValueError as wrong:
            raise BadHandFile(number, text, str(wrong)) from None
        step = Step(line=number, text=text, fact=fact)
    if step is not None:
        yield step
