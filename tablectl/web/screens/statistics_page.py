"""The page of statistics: which tables stand beside which plots, and how addresses name filters. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import urlencode

from tablectl.statistics.figures import Figures, Filters, RateFigure
from tablectl.statistics.rows import rfc3339
from tablectl.statistics.service import Report
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.plots import OF_MANAGERS, PLOTS, Drawing, drawing_of, number_text, when_text
from tablectl.web.screens.render import Pages
from tablectl.web.screens.screen_texts import ScreenTexts

#: What an address says where all days are asked for.
EVERY_DAY: Final = "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """One plot, None where there is not enough to be drawn, and the table beside it: the same numbers. `heads` are keys
    of sentences, the first column's first."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    drawing: Drawing | None


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


def sheets_of(t: ScreenTexts, figures: Figures, *, for_manager: bool) -> tuple[Sheet, ...]:
    """Every plot with its table, of those that whoever looks may see."""
    tables = _tables(t, figures)
    return tuple(
        Sheet(name=name, heads=tables[name][0], rows=tables[name][1], drawing=drawing_of(name, t, figures))
        for name in PLOTS
        if for_manager or name not in OF_MANAGERS
    )


_Table: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def _tables(t: ScreenTexts, figures: Figures) -> Mapping[str, _Table]:
    """Heads and rows by the name of the plot."""
    buckets = figures.buckets
    of_float = buckets if figures.has_amounts else ()
    of_expected = buckets if figures.has_expected else ()
    return {
        "hands": (
            ("when", "hands", "rate", "incidents"),
            tuple(
                (when_text(t, bucket), str(bucket.hands), number_text(t, bucket.rate), str(bucket.incidents))
                for bucket in buckets
            ),
        ),
        "phases": (
            ("phases", "hands", "median", "quarter", "three-quarters"),
            tuple(
                (
                    t.word("phase", phase.phase),
                    str(phase.hands),
                    *(lasted(t, s) for s in (phase.median_s, phase.quarter_s, phase.three_quarters_s)),
                )
                for phase in figures.phases
            ),
        ),
        "clauses": (("clauses", "incidents", "share"), tuple(_shares(figures.clauses))),
        "croupiers": (("croupiers", *_RATES), tuple(_rate_row(t, rate) for rate in figures.croupiers)),
        "shifts": (("shifts", *_RATES), tuple(_rate_row(t, rate) for rate in figures.shifts)),
        "devices": (("devices", "incidents"), tuple((name, str(n)) for name, n in figures.devices)),
        "float": (
            ("when", "change", "since-start"),
            tuple((when_text(t, bucket), t.gained(bucket.change), t.gained(bucket.since_start)) for bucket in of_float),
        ),
        "expected": (
            ("when", "expected", "counted", "difference"),
            tuple(
                (
                    when_text(t, bucket),
                    _said(t.money, bucket.expected),
                    _said(t.money, bucket.counted),
                    _said(t.net, bucket.difference),
                )
                for bucket in of_expected
            ),
        ),
    }


#: Columns of a rate: its hands, its errors, how many in a hundred hands, and the exact limits of that.
_RATES: Final = ("hands", "errors", "per-100", "from", "to")


def _rate_row(t: ScreenTexts, rate: RateFigure) -> tuple[str, ...]:
    return (
        rate.name,
        str(rate.hands),
        str(rate.errors),
        *(number_text(t, value) for value in (rate.per_100, *rate.interval)),
    )


def _shares(clauses: tuple[tuple[str, int], ...]) -> Iterator[tuple[str, ...]]:
    """Each clause with the share that it and those before it have."""
    total, so_far = sum(n for _, n in clauses), 0
    for clause, n in clauses:
        so_far += n
        yield clause, str(n), f"{round(100 * so_far / total)} %"


def _said(how: Callable[[int], str], amount: int | None) -> str:
    return "—" if amount is None else how(amount)


def lasted(t: ScreenTexts, seconds: float | None) -> str:
    """A time in seconds or minutes; a dash where there is none."""
    if seconds is None:
        return "—"
    return f"{number_text(t, seconds)} s" if seconds < 120 else f"{number_text(t, seconds / 60)} min"


def statistics_page(pages: Pages, language: str, picture: Picture, report: Report | None, *, for_manager: bool) -> str:
    """The whole page; one that says so where there are no statistics."""
    t = pages.texts(language, picture)
    return pages.plain(
        "statistics",
        language,
        picture,
        page="statistics",
        report=report,
        sheets=() if report is None else sheets_of(t, report.figures, for_manager=for_manager),
        address="" if report is None else address_of(report.filters),
        number=number_text,
        for_manager=for_manager,
        lasted=lasted,
        moment=rfc3339,
        every_day=EVERY_DAY,
    )
