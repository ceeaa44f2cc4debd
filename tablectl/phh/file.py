"""A file of hand histories: one hand (`.phh`), or several, each below a header such as `[1]` (`.phhs`).

The format is TOML (phh.readthedocs.io). Each hand is read by itself, so one that cannot be read does not stop the
others, and a mistake names the line of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from tablectl.core.records import record
from tablectl.core.toml_text import NotToml, toml
from tablectl.core.validation import Mistake
from tablectl.phh.hand import Hand
from tablectl.phh.reading import read_hand


@record
class HandRead:
    """One hand of a file: its header (None where the file is that one hand), the line it begins in, from 1, and what
    it says or everything that is wrong with it.
    """

    header: str | None
    line: int
    read: Hand | tuple[Mistake, ...]


@record
class _Section:
    """The lines of one hand."""

    header: str | None
    line: int
    lines: tuple[str, ...]


def hands(text: str, name: str) -> Iterator[HandRead]:
    """Every hand of a file's text, in its order. `name` (a file name, say) goes into each mistake.

    A file without a hand gives one entry with a mistake.
    """
    seen: dict[str, int] = {}
    for section in _sections(text):
        first = seen.setdefault(section.header or "", section.line)
        if first != section.line:
            again = Mistake(
                where=f"{name}: line {section.line}",
                key="header",
                found=f"[{section.header}] a second time",
                right=f"a header that is not in line {first} already",
            )
            yield HandRead(header=section.header, line=section.line, read=(again,))
        else:
            read = _read(section, name)
            yield HandRead(
                header=section.header, line=section.line, read=tuple(read) if isinstance(read, list) else read
            )


_HEADER: Final = re.compile(r"""\[\s*["']?([^\[\]"'._][^\[\]"'.]*?)["']?\s*\]\s*(#.*)?""")
_FIELD: Final = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*=""")
_PLACE: Final = re.compile(r"at line (\d+), column (\d+)")


def _sections(text: str) -> Iterator[_Section]:
    """The hands of a file, told apart by the headers at the beginning of a line; no array has an element like that.

    A header that begins with an underscore is a field of the annotator's own.
    """
    header, begins, lines = None, 1, list[str]()
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        found = _HEADER.fullmatch(line.rstrip())
        if found is None:
            lines.append(line)
            continue
        if header is not None or _says_something(lines):
            yield _Section(header=header, line=begins, lines=tuple(lines))
        header, begins, lines = found[1], number, []
    yield _Section(header=header, line=begins, lines=tuple(lines))


def _says_something(lines: list[str]) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def _read(section: _Section, name: str) -> Hand | list[Mistake]:
    #: the header stands in a line of its own before the others
    offset = section.line - 1 if section.header is None else section.line
    of = name if section.header is None else f"{name}: hand {section.header}"

    def where(field: str) -> str:
        return f"{of}, line {_line_of(field, section, offset)}"

    try:
        fields = toml("\n".join(section.lines), number=Decimal)
    except NotToml as error:
        return [_no_toml(str(error), of, offset + len(section.lines), offset)]
    except (ValueError, ArithmeticError, RecursionError):
        line = f"{of}, line {section.line}"
        return [Mistake(where=line, key="hand", found="no TOML that can be read", right="the fields of a hand")]
    return read_hand(fields, where)


def _line_of(field: str, section: _Section, offset: int) -> int:
    """The line of the file in which a field begins; for one that is not there, that in which its hand does."""
    for number, line in enumerate(section.lines, start=offset + 1):
        found = _FIELD.match(line)
        if found is not None and found[1] == field:
            return number
    return section.line


def _no_toml(message: str, of: str, last: int, offset: int) -> Mistake:
    place = _PLACE.search(message)
    line = last if place is None else offset + int(place[1])
    what = message.partition(" (at ")[0]
    column = "" if place is None else f" at column {place[2]}"
    return Mistake(where=f"{of}, line {line}", key="hand", found=f"no TOML ({what}{column})", right="a line of TOML")
