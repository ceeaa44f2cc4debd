"""What a question is, and what can be an answer to it: typed by a person, or standing in a file of answers.

A kind of question reads an answer, says what is wrong with it, and shows a value as somebody would type it. Whether a
value fits what was answered before is the question's own check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from tablectl.config.schema import Key
from tablectl.ops.setup.messages import Word

#: What was answered so far, by the key of the question. The kind of a question says what its value is.
Answers: TypeAlias = Mapping[str, Any]
#: One answer: what the kind of its question makes of it.
Value: TypeAlias = Any
#: What stands for nothing where there may be nothing.
NONE: Final = "none"
_YES: Final = {"yes": True, "y": True, "si": True, "sí": True, "s": True, "no": False, "n": False}


class Refused(Exception):
    """An answer that cannot be. `why` is a sentence of the table `refused`, `values` fill its braces; `clause` is the
    rule that forbids it, empty where none does."""

    def __init__(self, why: str, /, *, clause: str = "", **values: object) -> None:
        super().__init__(why)
        self.why = why
        self.clause = clause
        self.values = values


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """One of what there is to choose. `word`: what it is called; `note`: what is known of it."""

    value: str
    word: Word | None = None
    note: str = ""


class Kind(Protocol):
    """How an answer is read."""

    @property
    def options(self) -> tuple[Option, ...]:
        """What there is to choose, numbered from 1; empty where anything can be typed."""

    def read(self, raw: object) -> Value:
        """The value of what was typed (always a text) or what a file says. Raises `Refused`."""

    def show(self, value: Value) -> str:
        """A value as somebody would type it."""


@runtime_checkable
class Changing(Protocol):
    """A kind whose typed answers change what is there already."""

    def changing(self, value: Value) -> Kind:
        """The same, of another value to begin with."""


def _accepts(_value: Value) -> None:
    """Any value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """`key` is its place in a file of answers; `asks` the sentence, which has an explanation of the same name.

    `proposal`: what Enter takes; None where somebody has to say it. `is_known`: it was found out, and nobody is asked
    at a terminal. `is_needed`: a file of answers has to say it, proposal or not. `is_of_files`: a file may say it.
    `clause`: the rule that the question is about; its words stand below it. `check` raises `Refused`.
    """

    key: str
    part: str
    asks: str
    kind: Kind
    proposal: Value = None
    values: Mapping[str, object] = field(default_factory=dict)
    is_known: bool = False
    is_needed: bool = False
    is_of_files: bool = True
    clause: str = ""
    check: Callable[[Value], None] = _accepts

    def read(self, raw: object) -> Value:
        """The value of an answer. Raises `Refused`."""
        try:
            value = self.kind.read(raw.strip() if isinstance(raw, str) else raw)
        except Refused as no:
            raise Refused(no.why, clause=no.clause or self.clause, **no.values) from None
        self.check(value)
        return value

    def again(self, value: Value) -> Question:
        """The same question, with what was answered before as its proposal, where that can still be."""
        try:
            self.check(value)
        except Refused:
            return self
        if (
            self.kind.options
            and not isinstance(value, tuple)
            and value not in [option.value for option in self.kind.options]
        ):
            return self
        kind = self.kind.changing(value) if isinstance(self.kind, Changing) else self.kind
        return replace(self, proposal=value, kind=kind)


class _Open:
    """A kind where anything can be typed."""

    @property
    def options(self) -> tuple[Option, ...]:
        """None."""
        return ()

    def show(self, value: Value) -> str:
        """As it is."""
        return str(value)


@dataclass(frozen=True, kw_only=True)
class Text(_Open):
    """A line of text; `pattern` says which, and `why` what is wrong with another."""

    pattern: str = r"[^\x00-\x1f\x7f\"\\]{1,60}"
    why: str = "text"

    def read(self, raw: object) -> str:
        """See `Kind`."""
        if not isinstance(raw, str) or re.fullmatch(self.pattern, raw) is None:
            raise Refused(self.why)
        return raw


@dataclass(frozen=True, kw_only=True)
class Whole(_Open):
    """A whole number from `least` to `most`, by this clause."""

    least: int
    most: int
    clause: str = ""

    def read(self, raw: object) -> int:
        """See `Kind`."""
        number = int(raw) if isinstance(raw, str) and re.fullmatch(r"[0-9]{1,9}", raw) else raw
        if type(number) is not int or not self.least <= number <= self.most:
            raise Refused("whole", clause=self.clause, least=self.least, most=self.most)
        return number


@dataclass(frozen=True, kw_only=True)
class YesNo(_Open):
    """Yes or no, in either language."""

    def read(self, raw: object) -> bool:
        """See `Kind`."""
        found = _YES.get(raw.casefold()) if isinstance(raw, str) else raw
        if not isinstance(found, bool):
            raise Refused("yes-no")
        return found

    def show(self, value: Value) -> str:
        """See `Kind`."""
        return "yes" if value else "no"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One of the options, by its number or its name; `more`: names that can be typed besides."""

    options: tuple[Option, ...]
    more: tuple[str, ...] = ()

    def read(self, raw: object) -> str:
        """See `Kind`."""
        names = [option.value for option in self.options]
        if isinstance(raw, str) and (found := _numbered(raw, names)) is not None:
            return found
        if isinstance(raw, str) and raw in (*names, *self.more):
            return raw
        raise Refused("choice", options=", ".join((*names, *self.more)))

    def show(self, value: str) -> str:
        """See `Kind`."""
        return value


@dataclass(frozen=True, kw_only=True)
class Several:
    """One or more of the options, in the order in which they are said."""

    options: tuple[Option, ...]

    def read(self, raw: object) -> tuple[str, ...]:
        """See `Kind`."""
        names = [option.value for option in self.options]
        if isinstance(raw, str) and raw.casefold() in ("all", "todos"):
            return tuple(names)
        said = raw.replace(",", " ").split() if isinstance(raw, str) else raw
        if isinstance(said, list) and said and all(isinstance(word, str) for word in said):
            found = [_numbered(word, names) or word for word in said]
            if all(text in names and found.count(text) == 1 for text in found):
                return tuple(found)
        raise Refused("several", options=", ".join(names))

    def show(self, value: tuple[str, ...]) -> str:
        """See `Kind`."""
        return " ".join(value)


def number_of(key: Key, *, least: int | None = None, clause: str = "") -> Whole:
    """A whole number, as a key of the configuration takes it. Raises `TypeError` for a key that is no number."""
    if key.bounds is None:
        raise TypeError(key.name)
    at_least, most = key.bounds
    return Whole(least=at_least if least is None else least, most=most, clause=clause)


def choice_of(key: Key, *, table: str) -> Choice:
    """One of the words of a key of the configuration; `table` has their names."""
    return Choice(options=tuple(Option(value=word, word=Word.of(table, word)) for word in key.words))


def _numbered(raw: str, names: list[str]) -> str | None:
    """The name with this number, from 1."""
    return names[int(raw) - 1] if re.fullmatch(r"[0-9]{1,3}", raw) and 1 <= int(raw) <= len(names) else None
