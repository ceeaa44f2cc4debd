"""The pages of the handbook as tests read them: tables under their headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.tools.handbook import HANDBOOK

ROOT: Final = Path(__file__).parents[2]
_CELL: Final = re.compile(r"(?<!\\)\|")


def text_of(name: str) -> str:
    """A page of the handbook."""
    return (HANDBOOK / name).read_text(encoding="utf-8")


def under(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one. Raises `ValueError` where there is no such heading."""
    _, found, rest = text.partition(f"\n{heading}\n")
    if not found:
        raise ValueError(f"no heading {heading!r}")
    return re.split(r"^#+ ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def headings(text: str) -> list[str]:
    """All of them, with their signs, blocks of code left out."""
    return re.findall(r"^#+ .+$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)


def rows(text: str) -> Iterator[Mapping[str, str]]:
    """Every line of every table, by the names in the table's head."""
    head: list[str] | None = None
    for line in text.splitlines():
        if not line.startswith("|"):
            head = None
            continue
        cells = [cell.strip() for cell in _CELL.split(line.strip().strip("|"))]
        if head is None:
            head = cells
        elif not set(line) <= set("|-: "):
            yield dict(zip(head, cells, strict=True))
