"""The page of the kiosk's own, shown while the screens do not answer: complete in itself, without a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment

from tablectl.i18n.texts import load_texts


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    language: str
    title: str
    lines: tuple[str, ...]


def waiting_page(languages: Sequence[str]) -> str:
    """HTML; the first language large."""
    texts = load_texts("tablectl.ops.kiosk")
    said = [
        _Said(
            language=language,
            title=texts.text("kiosk", "away", language),
            lines=texts.lines("kiosk", "what-to-do", language),
        )
        for language in languages
    ]
    template = files("tablectl.ops.kiosk").joinpath("waiting.html").read_text(encoding="utf-8")
    return Environment(autoescape=True).from_string(template).render(said=said)
