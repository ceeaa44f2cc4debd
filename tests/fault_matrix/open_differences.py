"""The list of differences that are known and open, each with its reason: strict both ways (`test_matrix.py`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).parent / "open_differences.toml"
_HEAD: Final = """\
# Cells of the fault matrix that differ from expected.toml, with what is known of each.
# `kind`: engine | table | model | not examined; supposed: concluded from the result, not traced.
# A difference that disappears must be removed here.
"""


@dataclass(frozen=True)
class Reason:
    """Whose fault a difference is, and why it is there."""

    kind: str
    text: str


NOT_EXAMINED: Final = Reason("not examined", "Not examined yet")


def read() -> dict[Reason, list[str]]:
    """The names of the cells, by reason."""
    if not PATH.exists():
        return {}
    table = tomllib.loads(PATH.read_text(encoding="utf-8"))
    return {Reason(part["kind"], part["reason"]): part["cells"] for part in table.get("open", [])}


def written(listed: Mapping[Reason, Sequence[str]]) -> str:
    """The list as text."""
    parts = [_HEAD]
    for reason, names in listed.items():
        cells = "".join(f'    "{name}",\n' for name in names)
        parts.append(f'\n[[open]]\nkind = "{reason.kind}"\nreason = "{reason.text}"\ncells = [\n{cells}]\n')
    return "".join(parts)
