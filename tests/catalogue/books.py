"""Every catalogue there is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from tablectl.catalogue.catalogue import CATALOGUES, Clause, read

FILES: Final[Mapping[str, str]] = CATALOGUES
TEXTS: Final[Mapping[str, str]] = {
    rulebook: files("tablectl.catalogue").joinpath(name).read_text(encoding="utf-8") for rulebook, name in FILES.items()
}
BOOKS: Final[Mapping[str, tuple[Clause, ...]]] = {rulebook: read(text) for rulebook, text in TEXTS.items()}


def head(rulebook: str) -> dict[str, Any]:
    """What a catalogue says of itself, before its clauses."""
    return {name: value for name, value in tomllib.loads(TEXTS[rulebook]).items() if isinstance(value, str)}
