"""What is said of a mistake, in each language. A sentence of `tablectl.core.validation` keeps its English message: by
that its translation is found in the catalogue of the configuration. Its contexts, `mistake.…`, are for translators."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from tablectl.core.validation import Mistake, Sentence
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.texts import load_texts

#: The catalogue, by the package that has it.
CATALOGUE: Final = "tablectl.config"
#: The table with the sentences.
TABLE: Final = "mistake"


def in_language(text: str, language: str) -> str:
    """The sentence in a language, with all sentences that are filled in. What is no sentence, such as a value out of
    the file, and what no catalogue has, stays as it is."""
    if not isinstance(text, Sentence):
        return text
    message = _translations(language).get(text.message, text.message)
    values = {
        name: in_language(value, language) if isinstance(value, str) else value for name, value in text.values.items()
    }
    return message.format(**values)


def mistake_in(mistake: Mistake, language: str) -> str:
    """A line about a mistake: file and key as they are, the rest in a language."""
    return (
        load_texts(CATALOGUE)
        .text("checked", "mistake", language)
        .format(
            where=mistake.where,
            key=mistake.key,
            found=in_language(mistake.found, language),
            right=in_language(mistake.right, language),
        )
    )


@cache
def _translations(language: str) -> Mapping[str, str]:
    """Each message in English, with what it is in a language."""
    told = load_texts(CATALOGUE)
    return {told.text(TABLE, key, SOURCE): told.text(TABLE, key, language) for key in told.keys(TABLE)}
