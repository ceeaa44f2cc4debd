"""The words of the table as a value: a table and a key give a text in Spanish or English.

They stand in gettext catalogues, `tablectl/locale/LANGUAGE/LC_MESSAGES/DOMAIN.po`: English is the message, `table.key`
its context, so that a person can read and correct both languages side by side. What runs reads only the compiled `.mo`
beside it (`make messages`). The domain `spoken` holds the words of the table; whatever speaks besides (screens,
evidence) has a domain of its own, named as its package. docs/languages.md says how a sentence or a language is added.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, TypeAlias

#: The language of the messages themselves, which has no catalogue.
SOURCE: Final = "en"
#: The words of the table, which everybody who speaks says too.
_SHARED: Final = "spoken"
_LOCALE: Final = "tablectl", "locale"
#: By table and key: in each language its lines.
_Tables: TypeAlias = dict[str, dict[str, dict[str, tuple[str, ...]]]]


def _languages() -> tuple[str, ...]:
    """Every language that has a catalogue, Spanish first; then English, then those that came later."""
    found = {folder.name for folder in _locale().iterdir() if folder.is_dir()}
    return ("es", SOURCE, *sorted(found - {"es"}))


def _locale() -> Traversable:
    package, folder = _LOCALE
    return files(package).joinpath(folder)


LANGUAGES: Final = _languages()


class MissingText(LookupError):
    """There is no such sentence: a fault of this program."""


class Words:
    """Every sentence, immutable: of a table and a key, in each language, its lines in order."""

    def __init__(self, tables: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]]) -> None:
        self._tables = tables

    def has(self, table: str, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in self._tables.get(table, {})

    def text(self, table: str, key: str, language: str) -> str:
        """One sentence, its braces not filled in. Raises `MissingText`."""
        return self._entry(table, key)[language][0]

    def lines(self, table: str, key: str, language: str) -> tuple[str, ...]:
        """Several sentences, such as the steps of a remedy. Raises `MissingText`."""
        return self._entry(table, key)[language]

    def keys(self, table: str) -> frozenset[str]:
        """The keys of a table."""
        return frozenset(self._tables[table])

    def __iter__(self) -> Iterator[tuple[str, str, Mapping[str, tuple[str, ...]]]]:
        """Every entry: table, key, and the lines that stand there in each language."""
        return ((table, key, entry) for table, entries in self._tables.items() for key, entry in entries.items())

    def _entry(self, table: str, key: str) -> Mapping[str, tuple[str, ...]]:
        try:
            return self._tables[table][key]
        except KeyError:
            raise MissingText(f"no text [{table}] {key}") from None


@cache
def load_words(package: str | None = None) -> Words:
    """The words of the table, with the sentences of a package's own. Raises `ValueError` where a table is in two."""
    own = () if package is None else (package.rpartition(".")[2],)
    return words_of(_locale(), (_SHARED, *own), LANGUAGES)


def words_of(locale: Traversable, domains: tuple[str, ...], languages: tuple[str, ...]) -> Words:
    """The sentences of these domains out of a folder of catalogues. A language that lacks one has the English of it.

    Raises `ValueError` where a table stands in two domains, `OSError` where a catalogue is missing."""
    tables: _Tables = {}
    for domain in domains:
        own = _tables(locale, domain, languages)
        if both := tables.keys() & own.keys():
            raise ValueError(f"{domain} says again what stands elsewhere: {', '.join(sorted(both))}")
        tables |= own
    return Words(tables)


class Catalogue(gettext.GNUTranslations):
    """A compiled catalogue that tells all it holds. The standard library reads it, but only answers for one message."""

    _catalog: dict[str, str]

    def messages(self) -> Iterator[tuple[str, str, str]]:
        """Every message: its context, the English, and the translation."""
        for message, translation in self._catalog.items():
            context, mark, english = message.partition("\x04")
            if mark:
                yield context, english, translation


def _tables(locale: Traversable, domain: str, languages: tuple[str, ...]) -> _Tables:
    numbered: dict[tuple[str, str], dict[int, dict[str, str]]] = {}
    for language in languages:
        if language == SOURCE:
            continue
        with locale.joinpath(language, "LC_MESSAGES", f"{domain}.mo").open("rb") as file:
            for context, english, translation in Catalogue(file).messages():
                table, _, rest = context.partition(".")
                key, _, number = rest.partition(".")
                lines = numbered.setdefault((table, key), {})
                lines.setdefault(int(number or 1), dict.fromkeys(languages, english))[language] = translation
    made: _Tables = {}
    for (table, key), lines in numbered.items():
        ordered = [lines[number] for number in sorted(lines)]
        made.setdefault(table, {})[key] = {each: tuple(line[each] for line in ordered) for each in languages}
    return made
