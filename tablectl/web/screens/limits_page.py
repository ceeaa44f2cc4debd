"""The page of limits: what is in force for each bet, what waits, and between what the house may choose. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablectl.core.public_table.table import Span
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitRow:
    """One bet. `waiting` and `band` are None where there is none."""

    bet: str
    span: Span
    waiting: Span | None
    band: Span | None


def limit_rows(picture: Picture) -> tuple[LimitRow, ...]:
    """Every bet that has limits. What the stream said is newer than what the controller said when it was asked."""
    table, view = picture.table, picture.view
    said: Mapping[str, Span] = {} if table is None else table.limits
    bands: Mapping[str, Span] = {} if table is None else table.bands
    return tuple(
        LimitRow(bet=bet, span=span, waiting=_other(view.limits_waiting.get(bet), span), band=bands.get(bet))
        for bet, span in {**said, **view.limits}.items()
    )


def _other(waiting: Span | None, span: Span) -> Span | None:
    """What waits, where it is another than now."""
    return None if waiting == span else waiting


def limits_page(pages: Pages, language: str, picture: Picture) -> str:
    """The whole page."""
    return pages.plain("limits", language, picture, page="house-limits", rows=limit_rows(picture))
