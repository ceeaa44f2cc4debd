"""The tokens of a hand file's lines: how numbers, bettors and text are read and written."""

from __future__ import annotations

import re
from typing import Final, TypeVar

from tablectl.core.engine.seats import SEATED

_N = TypeVar("_N", str, int, tuple[str, str])
_T = TypeVar("_T")

STORABLE: Final = "text that UTF-8 can hold"
#: No number at a table is longer, and no journal has to hold one that is.
WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,15}")


class BadHandFile(Exception):
    """A hand file that cannot be read: which line, what stands there, what was expected."""

    def __init__(self, line: int, found: str, expected: str) -> None:
        super().__init__(f"line {line}: found {found!r}; expected {expected}")
        self.line = line


def whole_number(word: str) -> int:
    """A token as a number. Raises `ValueError`."""
    if WHOLE_NUMBER.fullmatch(word) is None:
        raise ValueError(f"a whole number instead of {word!r}")
    return int(word)


def can_be_stored(text: str) -> bool:
    """Whether this text has a form in UTF-8, as everything in a journal has."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def joined(*parts: object) -> str:
    """The parts that are there, with a blank between."""
    return " ".join(str(part) for part in parts if part is not None)


def bettor_of(word: str) -> tuple[int, int]:
    """Seat and bettor: `3/2` is the second bettor of box 3, `3` who sits there. Raises `ValueError`."""
    seat, _, bettor = word.partition("/")
    return whole_number(seat), whole_number(bettor) if bettor else SEATED


def bettor_token(seat: int, bettor: int) -> str:
    """The other way round."""
    return str(seat) if bettor == SEATED else f"{seat}/{bettor}"


def put_once(told: dict[_N, _T], name: _N, value: _T, number: int, line: str) -> None:
    """What a header says once. Raises `BadHandFile` where it says it again."""
    if name in told:
        raise BadHandFile(number, line, f"{name} once")
    told[name] = value
