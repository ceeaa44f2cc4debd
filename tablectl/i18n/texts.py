"""The texts of the table as a value: a table and a key give a text in each language.

They stand in gettext catalogues, `tablectl/i18n/locale/LANGUAGE/LC_MESSAGES/DOMAIN.po`: English is the message,
`table.key` its context, so that a person can read and correct both languages side by side. What runs reads only the
compiled `.mo` beside it (`make messages`). The domain `table` holds the texts of the table; whatever else shows text
(screens, evidence) has a domain of its own, named as its package. What is read of one game alone, its clauses and its
own texts, stands in the game's folder in the same form, as `locale/LANGUAGE/LC_MESSAGES/texts.po`. docs/languages.md
says how a sentence or a language is added.
"""

from __future__ import annotations

import gettext
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Final, Protocol, TypeAlias

from tablectl.games.registry import GAMES
from tablectl.i18n.languages import LANGUAGES, SOURCE, catalogues

#: The texts of the table, which every package that shows text uses too.
_SHARED: Final = "table"
#: What is read of one game alone, in the folder of that game.
_OF_A_GAME: Final = "texts"
#: By table and key: in each language its lines; of a sentence that counts, its forms.
_Tables: TypeAlias = dict[str, dict[str, dict[str, tuple[str, ...]]]]
#: Which form of a language a number has.
_Plural: TypeAlias = Callable[[int], int]


class MissingText(LookupError):
    """There is no such sentence: a fault of this program."""


class Texts:
    """Every sentence, immutable: of a table and a key, in each language, its lines in order."""

    def __init__(
        self,
        tables: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]],
        counting: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]] | None = None,
        plurals: Mapping[str, _Plural] | None = None,
    ) -> None:
        self._counting = counting or {}
        self._plurals = plurals or {}
        #: those that count among the others: what is asked for is there in every language, whatever it is asked for
        self._tables = {
            table: {**tables.get(table, {}), **self._counting.get(table, {})} for table in {*tables, *self._counting}
        }

    def has(self, table: str, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in self._tables.get(table, {})

    def text(self, table: str, key: str, language: str) -> str:
        """One sentence, its braces not filled in. Raises `MissingText`."""
        return self._entry(table, key)[language][0]

    def lines(self, table: str, key: str, language: str) -> tuple[str, ...]:
        """Several sentences, such as the steps of a remedy. Raises `MissingText`."""
        return self._entry(table, key)[language]

    def form(self, table: str, key: str, language: str, number: int) -> str:
        """The sentence for so many, its braces not filled in. Raises `MissingText` where it does not count."""
        if key not in self._counting.get(table, {}):
            raise MissingText(f"no text [{table}] {key} that counts")
        entry = self._counting[table][key]
        is_english = entry[language] == entry[SOURCE]
        rule = _one_or_many if is_english else self._plurals.get(language, _one_or_many)
        return entry[language][rule(number)]

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
def load_texts(package: str | None = None) -> Texts:
    """The texts of the table and of its games, with the sentences of a package's own. Raises `ValueError` where a table
    is in two catalogues of the program, or a sentence in two games."""
    own = () if package is None else (package.rpartition(".")[2],)
    of_games = tuple(game.folder.joinpath("locale") for game in GAMES.values())
    return read_texts(catalogues(), (_SHARED, *own), LANGUAGES, of_games)


def read_texts(
    locale: Traversable, domains: tuple[str, ...], languages: tuple[str, ...], of_games: tuple[Traversable, ...] = ()
) -> Texts:
    """The sentences of these domains out of a folder of catalogues, and those of games out of theirs. A language that
    lacks one has the English of it.

    Raises `ValueError` where a table stands in two domains or a sentence in two games, `OSError` where a catalogue is
    missing; a game may lack any language."""
    tables: _Tables = {}
    counting: _Tables = {}
    plurals: dict[str, _Plural] = {}
    for domain in domains:
        own, own_counting = _tables(locale, domain, languages, plurals)
        if both := (tables.keys() | counting.keys()) & (own.keys() | own_counting.keys()):
            raise ValueError(f"{domain} says again what stands elsewhere: {', '.join(sorted(both))}")
        tables |= own
        counting |= own_counting
    for folder in of_games:
        own, own_counting = _tables(folder, _OF_A_GAME, languages, plurals, is_whole=False)
        _add(own, tables, folder)
        _add(own_counting, counting, folder)
    return Texts(tables, counting, plurals)


def _add(own: _Tables, tables: _Tables, folder: Traversable) -> None:
    """What one game says, beside what is there."""
    for table, entries in own.items():
        there = tables.setdefault(table, {})
        if both := there.keys() & entries.keys():
            raise ValueError(f"{folder} says again what stands elsewhere: [{table}] {', '.join(sorted(both))}")
        there |= entries


def _one_or_many(number: int) -> int:
    """As English does, and Spanish."""
    return int(number != 1)


class _Whole(Protocol):
    """A file that is read to its end."""

    def read(self) -> bytes: ...


class Catalogue(gettext.GNUTranslations):
    """A compiled catalogue that tells all it holds. The standard library reads it, but only answers for one message,
    and forgets the English of several."""

    _catalog: dict[str | tuple[str, int], str]
    plural: _Plural

    def _parse(self, fp: _Whole) -> None:
        whole = fp.read()
        super()._parse(BytesIO(whole))
        self._several = dict(_several(whole))

    def messages(self) -> Iterator[tuple[str, str, str]]:
        """Every message that does not count: its context, the English, and the translation."""
        for message, translation in self._catalog.items():
            if isinstance(message, str):
                context, mark, english = message.partition("\x04")
                if mark:
                    yield context, english, translation

    def counting(self) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Every message that counts: its context, the English of one and of several, and the forms of the language."""
        for message, several in self._several.items():
            context, _, one = message.partition("\x04")
            forms = {
                key[1]: said for key, said in self._catalog.items() if isinstance(key, tuple) and key[0] == message
            }
            yield context, (one, several), tuple(forms[number] for number in sorted(forms))


def _several(whole: bytes) -> Iterator[tuple[str, str]]:
    """Of each message that counts, its key and the English of several: both stand before the forms (gettext manual,
    "The Format of GNU MO Files")."""
    order = "<" if whole.startswith(_LITTLE) else ">"
    count, table = struct.unpack_from(f"{order}2I", whole, 8)
    for number in range(count):
        length, at = struct.unpack_from(f"{order}2I", whole, table + 8 * number)
        one, mark, several = whole[at : at + length].partition(b"\0")
        if mark:
            yield one.decode(), several.decode()


#: How a catalogue begins that was compiled with the least byte first.
_LITTLE: Final = b"\xde\x12\x04\x95"


def _tables(
    locale: Traversable,
    domain: str,
    languages: tuple[str, ...],
    plurals: dict[str, _Plural],
    *,
    is_whole: bool = True,
) -> tuple[_Tables, _Tables]:
    """Those that do not count, and those that do; which form is for which number comes to `plurals`. `is_whole`: every
    language but English has to be there."""
    counting: _Tables = {}
    numbered: dict[tuple[str, str], dict[int, dict[str, str]]] = {}
    for language in languages:
        place = locale.joinpath(language, "LC_MESSAGES", f"{domain}.mo")
        if not place.is_file() and (language == SOURCE or not is_whole):
            continue
        with place.open("rb") as file:
            catalogue = Catalogue(file)
            plurals.setdefault(language, catalogue.plural)
            for context, forms, translated in catalogue.counting():
                table, _, key = context.partition(".")
                said = counting.setdefault(table, {}).setdefault(key, dict.fromkeys(languages, forms))
                said[language] = translated if all(translated) else forms
            for context, english, translation in catalogue.messages():
                table, _, rest = context.partition(".")
                key, _, number = rest.partition(".")
                lines = numbered.setdefault((table, key), {})
                lines.setdefault(int(number or 1), dict.fromkeys(languages, english))[language] = translation
    made: _Tables = {}
    for (table, key), lines in numbered.items():
        ordered = [lines[number] for number in sorted(lines)]
        made.setdefault(table, {})[key] = {text: tuple(line[text] for line in ordered) for text in languages}
    return made, counting
