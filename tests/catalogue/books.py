"""Every catalogue there is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, Final

from tablectl.games.registry import GAMES
from tablectl.i18n.clauses.catalogue import Clause, read
from tablectl.i18n.clauses.pages import texts_of_pages
from tablectl.i18n.languages import LANGUAGES

WORDS: Final = texts_of_pages()
TEXTS: Final[Mapping[str, str]] = {
    name: game.folder.joinpath("clauses.toml").read_text(encoding="utf-8") for name, game in GAMES.items()
}
BOOKS: Final[Mapping[str, tuple[Clause, ...]]] = {rulebook: read(text) for rulebook, text in TEXTS.items()}


def said(table: str, key: str) -> tuple[str, ...]:
    """A sentence of the catalogues, in every language."""
    return tuple(WORDS.text(table, key, language) for language in LANGUAGES)


def head(rulebook: str) -> dict[str, Any]:
    """What a catalogue says of itself, before its clauses."""
    return {name: value for name, value in tomllib.loads(TEXTS[rulebook]).items() if isinstance(value, str)}
