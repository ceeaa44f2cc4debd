"""Every catalogue there is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, Final

from tablectl.games.registry import GAMES
from tablectl.i18n.clauses.catalogue import Clause, read

TEXTS: Final[Mapping[str, str]] = {name: game.clauses.read_text(encoding="utf-8") for name, game in GAMES.items()}
BOOKS: Final[Mapping[str, tuple[Clause, ...]]] = {rulebook: read(text) for rulebook, text in TEXTS.items()}


def head(rulebook: str) -> dict[str, Any]:
    """What a catalogue says of itself, before its clauses."""
    return {name: value for name, value in tomllib.loads(TEXTS[rulebook]).items() if isinstance(value, str)}
