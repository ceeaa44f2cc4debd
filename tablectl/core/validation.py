"""A mistake in something that a person wrote: where it is, what was found and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One thing wrong: the file or line, the key or field, what was found and what would be right."""

    where: str
    key: str
    found: str
    right: str

    def __str__(self) -> str:
        return f"{self.where}: {self.key}: found {self.found}; would be right: {self.right}"


class Invalid(Exception):
    """Something that a person wrote is rejected as a whole, with all its mistakes. The text has a line for each."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = mistakes


def one_of(allowed: Iterable[str]) -> str:
    """The words that would be right, as text."""
    return " or ".join(repr(word) for word in allowed)


def one_of_near(found: str, allowed: Iterable[str]) -> str:
    """The words that would be right, with the one first that was probably meant."""
    words = tuple(allowed)
    spelt = {_bare(word): word for word in words}
    close = get_close_matches(_bare(found), spelt, n=1)
    guess = f" (did you mean {spelt[close[0]]!r}?)" if close else ""
    return one_of(words) + guess


def _bare(word: str) -> str:
    return word.casefold().replace("_", "-")
