"""What is said while a table is set up, in the language that was chosen; before that in those of every house."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from tablectl.i18n.languages import SOURCE
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts

PACKAGE: Final = "tablectl.ops.setup"
#: Of mistakes in a file of answers, as of every other file.
IN_FILES: Final = (SOURCE,)
#: Seats have a number in their word.
_SPOT: Final = "spot"


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A word inside a sentence, said in the language of the sentence."""

    table: str
    key: str

    @classmethod
    def of(cls, table: str, key: str) -> Word:
        """This one."""
        return cls(table=table, key=key)


@dataclass(frozen=True, kw_only=True, slots=True)
class Decides:
    """A sentence inside a sentence: what a choice of the house decides at a game."""

    game: str
    choice: str


class Voice:
    """Says everything in these languages, one below the other; what is the same in both is said once."""

    def __init__(self, languages: Iterable[str]) -> None:
        self._table_texts = tuple(
            TableTexts(language=language, texts=load_texts(PACKAGE), rulebook="") for language in languages
        )

    def say(self, table: str, key: str, /, **values: object) -> str:
        """A sentence, a line a language. A `Word` or what a choice decides is said in each language."""
        return "\n".join(dict.fromkeys(_said(texts, table, key, values) for texts in self._table_texts))

    def word(self, word: Word) -> str:
        """A word, all languages in one line. One that nobody knows stands as it is."""
        return " · ".join(dict.fromkeys(_word(texts, word) for texts in self._table_texts))

    def clause(self, clause: str) -> str:
        """What the rule says, a line a language; empty for what is no clause of a document."""
        return "\n".join(dict.fromkeys(said for texts in self._table_texts if (said := texts.clause(clause))))


def _said(texts: TableTexts, table: str, key: str, values: dict[str, object]) -> str:
    return texts.say(table, key, **{name: _value(texts, value) for name, value in values.items()})


def _value(texts: TableTexts, value: object) -> object:
    match value:
        case Word():
            return _word(texts, value)
        case Decides():
            return replace(texts, rulebook=value.game).choice(value.choice)
    return value


def _word(texts: TableTexts, word: Word) -> str:
    return texts.spot(word.key) if word.table == _SPOT else texts.word(word.table, word.key)
