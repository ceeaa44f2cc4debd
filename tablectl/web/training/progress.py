"""What each trainee reached, in a small file: one line an exercise, as a spreadsheet reads it."""

from __future__ import annotations

import csv
import io
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

#: Letters of any alphabet first, so that no spreadsheet takes a name for a formula.
_NAME: Final = re.compile(r"[^\W\d_][\w .'-]{0,39}")


class NoName(ValueError):
    """What was typed is no name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One exercise that a trainee ended. `at`: UTC, RFC 3339; `seconds`: from the question to the end."""

    at: str
    trainee: str
    rulebook: str
    exercise: str
    clause: str
    points: int
    most: int
    hints: int
    seconds: int


_COLUMNS: Final = tuple(field.name for field in fields(Result))
_NUMBERS: Final = ("points", "most", "hints", "seconds")


def name_of(typed: str) -> str:
    """A trainee's name. Raises `NoName`."""
    name = " ".join(typed.split())
    if _NAME.fullmatch(name) is None:
        raise NoName(typed)
    return name


class Progress:
    """The file. Any thread may call any method."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    def add(self, result: Result) -> None:
        """Keep one more, for good when this returns."""
        with self._lock:
            is_new = not self._path.exists()
            with self._path.open("a", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
                if is_new:
                    writer.writeheader()
                writer.writerow(asdict(result))
                file.flush()
                os.fsync(file.fileno())

    def results(self) -> tuple[Result, ...]:
        """All of them, oldest first; a line that somebody spoilt is left out."""
        with self._lock:
            text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        return tuple(_result(row) for row in csv.DictReader(io.StringIO(text)) if _is_whole(row))

    def text(self) -> str:
        """The file as it is, for a spreadsheet: its head alone where nobody ended anything yet."""
        with self._lock:
            return self._path.read_text(encoding="utf-8") if self._path.exists() else ",".join(_COLUMNS) + "\n"


def _is_whole(row: Mapping[str, str | None]) -> bool:
    return all(row.get(name) is not None for name in _COLUMNS) and all(
        (row[name] or "").isdecimal() for name in _NUMBERS
    )


def _result(row: Mapping[str, str]) -> Result:
    return Result(
        at=row["at"],
        trainee=row["trainee"],
        rulebook=row["rulebook"],
        exercise=row["exercise"],
        clause=row["clause"],
        points=int(row["points"]),
        most=int(row["most"]),
        hints=int(row["hints"]),
        seconds=int(row["seconds"]),
    )
