"""A mistake in something that a person wrote: where it is, what was found and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches


class Sentence(str):
    """What is said of a mistake, in English; it keeps what it was made of, so that `tablectl.i18n.mistakes` can say it
    in another language. `message`: the English as translators have it, its braces not filled in."""

    message: str
    values: Mapping[str, object]


def sentence(message: str, /, **values: object) -> Sentence:
    """The sentence with its braces filled in. What is filled in may be a sentence itself."""
    made = Sentence(message.format(**values))
    made.message, made.values = message, values
    return made


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
    words = list(map(str, allowed))
    told = "".join(map(repr, words[:1]))
    for word in words[1:]:
        told = sentence("{some} or {another!r}", some=told, another=word)
    return told


def one_of_near(found: str, allowed: Iterable[str]) -> str:
    """The words that would be right, with the one first that was probably meant."""
    words = tuple(allowed)
    spelt = {_bare(word): word for word in words}
    close = get_close_matches(_bare(found), spelt, n=1)
    there = one_of(words)
    return sentence("{there} (did you mean {close!r}?)", there=there, close=spelt[close[0]]) if close else there


def _bare(word: str) -> str:
    return word.casefold().replace("_", "-")
