"""The style of the pages that leave the table: a part of each file, since nothing in it may come from elsewhere."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from markupsafe import Markup


@cache
def record_style() -> Markup:
    """How the record of a hand looks, on a screen and on paper."""
    return Markup(files("tablectl.journal.evidence").joinpath("record.css").read_text(encoding="utf-8"))
