"""Every event that the program says, as it stands in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("drivers", "tablectl")
LEVELS: Final = ("debug", "info", "warning", "error")
#: What a log is called where something is said.
NAMES: Final = ("log", "_log", "_LOG")
LOG: Final = re.compile(rf"\b({'|'.join(NAMES)}|logging|structlog)\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """Something is said here."""

    where: str
    level: str
    #: empty where it is no word that stands there
    events: tuple[str, ...]
    fields: tuple[str, ...]


@cache
def trees() -> tuple[tuple[Path, ast.Module], ...]:
    """Every module of the program in which a log has a name: to read all of them takes as long as a hundred tests."""
    return tuple(
        (path, ast.parse(text))
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if LOG.search(text := path.read_text(encoding="utf-8"))
    )


@cache
def calls() -> tuple[Call, ...]:
    """In every module but those that make the log."""
    return tuple(
        call
        for path, tree in trees()
        if path.relative_to(ROOT).as_posix() != "tablectl/ops/log.py"
        for node in ast.walk(tree)
        if (call := _call(node, path)) is not None
    )


def _call(node: ast.AST, path: Path) -> Call | None:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=level)):
            if name not in NAMES or level not in LEVELS:
                return None
            return Call(
                where=f"{path.relative_to(ROOT)}:{node.lineno}",
                level=level,
                events=tuple(_words(node.args[0])) if len(node.args) == 1 else (),
                fields=tuple(keyword.arg for keyword in node.keywords if keyword.arg is not None),
            )
    return None


def _words(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(word)):
            yield word
        case ast.IfExp(body=one, orelse=other):
            yield from _words(one)
            yield from _words(other)
