"""The lines of facts about people: who takes the table, and what takes one person or two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from tablectl.engine import facts as f

#: How people are named in records: one word, which stands in addresses and beside a plus without marks.
NAME: Final = re.compile(r"[a-z][a-z0-9.-]{0,31}")


def name(word: str) -> str:
    """A person's name. Raises `ValueError`."""
    if NAME.fullmatch(word) is None:
        raise ValueError(f"a name as in ana or j.perez instead of {word!r}")
    return word


def _on(at_us: int, words: list[str]) -> f.Fact:
    (croupier,) = words
    return f.SignedOn(at_us=at_us, croupier=name(croupier))


def _off(at_us: int, words: list[str]) -> f.Fact:
    (croupier,) = words
    return f.SignedOff(at_us=at_us, croupier=name(croupier))


def two(word: str) -> tuple[str, str]:
    """`ana` or `ana+luis`: who did it, and the second person or nobody. Raises `ValueError`."""
    by, plus, second = word.partition("+")
    return (name(by), name(second)) if plus else (by, "")


def two_word(by: str, second: str) -> str:
    """The other way round."""
    return f"{by}+{second}" if second else by


FACTS: Final[Mapping[str, Callable[[int, list[str]], f.Fact]]] = {
    "croupier": _on,
    "croupier-off": _off,
}
LINES: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    f.SignedOn: lambda fact: f"croupier {fact.croupier}",
    f.SignedOff: lambda fact: f"croupier-off {fact.croupier}",
}
