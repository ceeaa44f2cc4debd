"""Which languages there are: each folder of catalogues is one, and English is the language of the messages themselves.

Nothing else in the program names a language. A further one is a further folder (docs/languages.md).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from babel import Locale, UnknownLocaleError

#: The language of the messages themselves, which has no catalogue; said wherever a language lacks a sentence.
SOURCE: Final = "en"
#: The first language of a house that has chosen none.
DEFAULT: Final = "es"


def catalogues() -> Traversable:
    """The folder with the catalogues of the program, a folder a language."""
    return files("tablectl.i18n").joinpath("locale")


def _languages() -> tuple[str, ...]:
    """Every language that can be read, the two that the program is written in first."""
    found = {folder.name for folder in catalogues().iterdir() if folder.is_dir()}
    return (*dict.fromkeys((DEFAULT, SOURCE, *sorted(found))),)


LANGUAGES: Final = _languages()
#: What a house offers that has chosen none: its own language, and the one of the messages.
USUAL: Final = (DEFAULT, SOURCE)
#: What a configuration says where no second language is shown.
NO_SECOND: Final = "none"


@cache
def locale_of(language: str) -> Locale:
    """How a language writes numbers and money; one that CLDR does not have is written as English is."""
    return _locale(language) or Locale.parse(SOURCE)


def name_of(language: str) -> str:
    """What a language calls itself; its code where nobody knows that."""
    found = _locale(language)
    name = None if found is None else found.display_name
    return language if name is None else name[:1].upper() + name[1:]


def _locale(language: str) -> Locale | None:
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return None
