"""The words of the table as a value: a table and a key give a text in Spanish or English.

They stand in `words.toml`, both languages side by side, so that a person can read and correct them without code.
Whatever speaks besides (screens, evidence) has sentences of its own in the `texts.toml` of its package, or in the files
of its folder `texts`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

LANGUAGES: Final = ("es", "en")


class MissingText(LookupError):
    """There is no such sentence: a fault of this program."""


class Words:
    """Every sentence, immutable."""

    def __init__(self, tables: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
        self._tables = tables

    def has(self, table: str, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in self._tables.get(table, {})

    def text(self, table: str, key: str, language: str) -> str:
        """One sentence, its braces not filled in. Raises `MissingText`."""
        return str(self._entry(table, key)[language])

    def lines(self, table: str, key: str, language: str) -> tuple[str, ...]:
        """Several sentences, such as the steps of a remedy. Raises `MissingText`."""
        found = self._entry(table, key)[language]
        return (found,) if isinstance(found, str) else tuple(found)

    def keys(self, table: str) -> frozenset[str]:
        """The keys of a table."""
        return frozenset(self._tables[table])

    def __iter__(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Every entry: table, key, and what stands there in each language."""
        return ((table, key, entry) for table, entries in self._tables.items() for key, entry in entries.items())

    def _entry(self, table: str, key: str) -> Mapping[str, Any]:
        try:
            return self._tables[table][key]
        except KeyError:
            raise MissingText(f"no text [{table}] {key}") from None


@cache
def load_words(package: str | None = None) -> Words:
    """The words of the table, with the sentences of a package's own. Raises `ValueError` where a table is in two."""
    tables = _read(files("tablectl.spoken").joinpath("words.toml"))
    for file in () if package is None else _own(files(package)):
        own = _read(file)
        if both := tables.keys() & own.keys():
            raise ValueError(f"{package}: {file.name} says again what stands elsewhere: {', '.join(sorted(both))}")
        tables |= own
    return Words(tables)


def _own(package: Traversable) -> list[Traversable]:
    folder = package.joinpath("texts")
    return sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else [package.joinpath("texts.toml")]


def _read(file: Traversable) -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
