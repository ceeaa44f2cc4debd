"""What is said while a table is set up: each sentence in two languages, the large one first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from tablectl.i18n.languages import SOURCE
from tablectl.i18n.speech import Speech
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
        self._speeches = tuple(
            Speech(language=language, texts=load_texts(PACKAGE), rulebook="") for language in languages
        )

    def say(self, table: str, key: str, /, **values: object) -> str:
        """A sentence, a line a language. A `Word` or what a choice decides is said in each language."""
        return "\n".join(dict.fromkeys(_said(speech, table, key, values) for speech in self._speeches))

    def word(self, word: Word) -> str:
        """A word, all languages in one line. One that nobody knows stands as it is."""
        return " · ".join(dict.fromkeys(_word(speech, word) for speech in self._speeches))

    def clause(self, clause: str) -> str:
        """What the rule says, a line a language; empty for what is no clause of a document."""
        return "\n".join(dict.fromkeys(said for speech in self._speeches if (said := speech.clause(clause))))


def _said(speech: Speech, table: str, key: str, values: dict[str, object]) -> str:
    return speech.say(table, key, **{name: _value(speech, value) for name, value in values.items()})


def _value(speech: Speech, value: object) -> object:
    match value:
        case Word():
            return _word(speech, value)
        case Decides():
            return replace(speech, rulebook=value.game).choice(value.choice)
    return value


def _word(speech: Speech, word: Word) -> str:
    return speech.spot(word.key) if word.table == _SPOT else speech.word(word.table, word.key)
