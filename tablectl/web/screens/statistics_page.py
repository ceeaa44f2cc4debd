"""The page of statistics: which tables stand beside which plots, and how addresses name filters. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from tablectl.statistics.figures import Figures, Filters
from tablectl.statistics.service import Report
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages
from tablectl.web.screens.screen_texts import ScreenTexts

#: The plots in the order of the page; a test holds them against those that are drawn.
PLOTS: Final = ("hands", "clauses", "croupiers", "shifts", "devices", "float", "expected")
#: What an address says where all days are asked for.
EVERY_DAY: Final = "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """One plot, and the table beside it: the same numbers. `heads` are keys of sentences, the first column's first."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def address_of(filters: Filters) -> str:
    """The filters as an address has them, those that are not set left out."""
    said = {
        "day": EVERY_DAY if filters.every_day else "" if filters.day is None else filters.day.isoformat(),
        "shift": "" if filters.shift is None else str(filters.shift),
        "croupier": filters.croupier,
        "device": filters.device,
        "clause": filters.clause,
    }
    return urlencode({name: value for name, value in said.items() if value})


def sheets_of(t: ScreenTexts, figures: Figures) -> tuple[Sheet, ...]:
    """Every plot's table."""
    nobody = t.say("statistics", "nobody")
    buckets, has_float = figures.buckets, figures.has_amounts
    return (
        Sheet(
            name="hands",
            heads=("when", "hands", "rate", "incidents"),
            rows=tuple(
                (bucket.label, str(bucket.hands), number(t, bucket.rate), str(bucket.incidents)) for bucket in buckets
            ),
        ),
        *(
            Sheet(name=name, heads=(name, "incidents"), rows=tuple((what or nobody, str(n)) for what, n in counted))
            for name, counted in (
                ("clauses", figures.clauses),
                ("croupiers", figures.croupiers),
                ("shifts", figures.shifts if figures.incidents else ()),
                ("devices", figures.devices),
            )
        ),
        Sheet(
            name="float",
            heads=("when", "change", "since-start"),
            rows=tuple(
                (bucket.label, t.gained(bucket.change), t.gained(bucket.since_start))
                for bucket in (buckets if has_float else ())
            ),
        ),
        Sheet(
            name="expected",
            heads=("when", "expected", "counted", "difference"),
            rows=tuple(
                (
                    bucket.label,
                    _said(t.money, bucket.expected),
                    _said(t.money, bucket.counted),
                    _said(t.net, bucket.difference),
                )
                for bucket in (buckets if figures.has_expected else ())
            ),
        ),
    )


def _said(how: Callable[[int], str], amount: int | None) -> str:
    return "—" if amount is None else how(amount)


def number(t: ScreenTexts, value: float) -> str:
    """With one decimal place, as the language writes it."""
    return f"{value:.1f}".replace(".", t.word("number", "point"))


def lasted(t: ScreenTexts, seconds: float | None) -> str:
    """A time in seconds or minutes; a dash where there is none."""
    if seconds is None:
        return "—"
    return f"{number(t, seconds)} s" if seconds < 120 else f"{number(t, seconds / 60)} min"


def statistics_page(pages: Pages, language: str, picture: Picture, report: Report | None) -> str:
    """The whole page; one that says so where there are no statistics."""
    t = pages.texts(language, picture)
    return pages.plain(
        "statistics",
        language,
        picture,
        page="statistics",
        report=report,
        sheets=() if report is None else sheets_of(t, report.figures),
        address="" if report is None else address_of(report.filters),
        number=number,
        lasted=lasted,
        every_day=EVERY_DAY,
    )
