"""The sentences of the screens as a value: a table and a key give a text in Spanish or English.

They stand in `texts.toml`, both languages side by side, so that a person can read and correct them without code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

LANGUAGES: Final = ("es", "en")


class MissingText(LookupError):
    """There is no such sentence: a fault of this program."""


class Texts:
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


def load_texts() -> Texts:
    """Read the sentences that come with the program."""
    return Texts(tomllib.loads(files("tablectl.screens").joinpath("texts.toml").read_text(encoding="utf-8")))
