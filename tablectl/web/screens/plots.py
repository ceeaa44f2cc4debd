"""The plots of the statistics: from figures to shapes with their places, which a template draws as SVG. Pure.

A plot is drawn in the page itself, so that its colours are those of the page, on paper too. It says nothing that does
not stand in the table beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from fractions import Fraction
from itertools import count, pairwise, takewhile
from math import ceil, floor
from typing import Final

from tablectl.statistics.figures import Bucket, Figures, PhaseFigure, RateFigure
from tablectl.statistics.poisson import FAR, USUAL, garwood
from tablectl.web.screens.screen_texts import ScreenTexts

#: In units of the drawing.
_WIDTH: Final = 720
_HEIGHT: Final = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 104, 700, 16, 252
#: Of a ranked plot: where its bars begin and end, and how high a row is.
_BARS_LEFT, _BARS_RIGHT, _ROW = 230, 610, 30
#: More names than these in one plot cannot be read; the table beside it has all of them.
_MOST_NAMES: Final = 12
#: About as many lines of an axis can be told apart, and as many labels below it read.
_MOST_LINES: Final = 6
_MOST_LABELS: Final = 9
#: One bar or one point is no plot.
_ENOUGH: Final = 2
_PERCENT: Final = 100
#: Errors of the deal are said of so many hands.
_PER: Final = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """Words, at the end (`anchor`) that stands at their place."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """A rectangle from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Through points, as SVG has them. `kind`: a word of the style sheet."""

    points: str
    kind: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Dot:
    """A point. `kind`: a word of the style sheet."""

    x: float
    y: float
    kind: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """A plot, shapes of one kind together, those behind first."""

    height: float = _HEIGHT
    lines: tuple[Line, ...] = ()
    bars: tuple[Bar, ...] = ()
    dots: tuple[Dot, ...] = ()
    texts: tuple[Text, ...] = ()
    width: int = _WIDTH


def when_text(t: ScreenTexts, bucket: Bucket) -> str:
    """An hour, or a day as the language writes it."""
    return f"{bucket.when:%H:%M}" if isinstance(bucket.when, time) else t.date(bucket.when.isoformat())


def number_text(t: ScreenTexts, value: float) -> str:
    """With one decimal place, as the language writes it."""
    return f"{value:.1f}".replace(".", t.word("number", "point"))


def drawing_of(name: str, t: ScreenTexts, figures: Figures) -> Drawing | None:
    """The plot of a name in `PLOTS`; None where there is not enough to be drawn. Raises `KeyError`."""
    return PLOTS[name](t, figures)


# --- over time --------------------------------------------------------------------------------------------------------


def _hands(t: ScreenTexts, figures: Figures) -> Drawing | None:
    buckets = figures.buckets
    if len(buckets) < _ENOUGH:
        return None
    y = _Scale.over([bucket.rate for bucket in buckets], with_zero=True)
    step = (_RIGHT - _LEFT) / len(buckets)
    bars = tuple(
        Bar(
            x=_LEFT + step * at + step * 0.15, y=y.at(bucket.rate), width=step * 0.7, height=_BOTTOM - y.at(bucket.rate)
        )
        for at, bucket in enumerate(buckets)
    )
    grid = y.grid(lambda value: t.count(round(value)))
    return Drawing(lines=grid[0], bars=bars, texts=(*grid[1], *_times(t, buckets)))


def _float(t: ScreenTexts, figures: Figures) -> Drawing | None:
    return _money_line(t, figures.buckets, [bucket.since_start for bucket in figures.buckets], with_zero=True)


def _expected(t: ScreenTexts, figures: Figures) -> Drawing | None:
    """Of a tray with tens of thousands nobody would see a change of hundreds on an axis that begins with nothing."""
    return _money_line(t, figures.buckets, [bucket.expected for bucket in figures.buckets], with_zero=False)


def _money_line(
    t: ScreenTexts, buckets: Sequence[Bucket], amounts: Sequence[int | None], *, with_zero: bool
) -> Drawing | None:
    """Broken where there is no amount."""
    known = [amount for amount in amounts if amount is not None]
    if len(known) < _ENOUGH:
        return None
    y = _Scale.over(known, with_zero=with_zero)
    step = (_RIGHT - _LEFT) / len(buckets)
    points = [
        None if amount is None else (_LEFT + step * (at + 0.5), y.at(amount)) for at, amount in enumerate(amounts)
    ]
    parts = [
        _line("data", (first, second)) for first, second in pairwise(points) if first is not None and second is not None
    ]
    dots = tuple(Dot(x=point[0], y=point[1]) for point in points if point is not None)
    grid = y.grid(lambda value: t.money(round(value)))
    return Drawing(lines=(*grid[0], *parts), dots=dots, texts=(*grid[1], *_times(t, buckets)))


def _times(t: ScreenTexts, buckets: Sequence[Bucket]) -> Iterator[Text]:
    """Below the axis, as many as can be read."""
    step, every = (_RIGHT - _LEFT) / len(buckets), 1 + (len(buckets) - 1) // _MOST_LABELS
    for at, bucket in enumerate(buckets):
        if at % every == 0:
            yield Text(x=_LEFT + step * (at + 0.5), y=_BOTTOM + 24, text=when_text(t, bucket))


# --- ranked -----------------------------------------------------------------------------------------------------------


def _clauses(t: ScreenTexts, figures: Figures) -> Drawing | None:
    """Pareto: the most frequent first, and which share of all incidents it and those before it are."""
    if len(figures.clauses) < _ENOUGH:
        return None
    total = sum(n for _, n in figures.clauses)
    rows, so_far, points = [], 0, []
    for at, (clause, n) in enumerate(figures.clauses[:_MOST_NAMES]):
        so_far += n
        points.append((_BARS_LEFT + (_BARS_RIGHT - _BARS_LEFT) * so_far / total, _row_middle(at)))
        rows.append((clause, n, f"{t.count(n)} · {round(_PERCENT * so_far / total)} %"))
    ranked = _ranked(rows, most=total)
    return Drawing(
        height=ranked.height,
        lines=(_line("share", points),),
        bars=ranked.bars,
        dots=tuple(Dot(x=x, y=y, kind="share") for x, y in points),
        texts=ranked.texts,
    )


def _devices(t: ScreenTexts, figures: Figures) -> Drawing | None:
    if len(figures.devices) < _ENOUGH:
        return None
    shown = figures.devices[:_MOST_NAMES]
    return _ranked([(name, n, t.count(n)) for name, n in shown], most=max(n for _, n in shown))


def _phases(t: ScreenTexts, figures: Figures) -> Drawing | None:
    """The median of each phase, and a line between the times of half of the hands."""
    phases = figures.phases
    if len(phases) < _ENOUGH:
        return None
    most = max(phase.three_quarters_s for phase in phases)
    ranked = _ranked(
        [(t.word("phase", phase.phase), phase.median_s, f"{number_text(t, phase.median_s)} s") for phase in phases],
        most=most,
    )

    def x(seconds: float) -> float:
        return _BARS_LEFT + (_BARS_RIGHT - _BARS_LEFT) * seconds / most

    halves = tuple(_half(phase, _row_middle(at), x) for at, phase in enumerate(phases))
    return Drawing(height=ranked.height, lines=halves, bars=ranked.bars, texts=ranked.texts)


def _half(phase: PhaseFigure, y: float, x: Callable[[float], float]) -> Line:
    return _line("interval", ((x(phase.quarter_s), y), (x(phase.three_quarters_s), y)))


def _ranked(rows: Sequence[tuple[str, float, str]], *, most: float) -> Drawing:
    """One bar a row: its name before it, what it comes to at the end."""
    bars, texts = [], []
    for at, (name, value, said) in enumerate(rows):
        width = (_BARS_RIGHT - _BARS_LEFT) * value / most
        bars.append(Bar(x=_BARS_LEFT, y=_TOP + _ROW * at + 4, width=width, height=_ROW - 8))
        texts.append(Text(x=_BARS_LEFT - 10, y=_row_middle(at) + 5, text=name, anchor="end"))
        texts.append(Text(x=_RIGHT + 14, y=_row_middle(at) + 5, text=said, anchor="end"))
    return Drawing(height=2 * _TOP + _ROW * len(rows), bars=tuple(bars), texts=tuple(texts))


def _row_middle(at: int) -> float:
    return _TOP + _ROW * (at + 0.5)


# --- a funnel ---------------------------------------------------------------------------------------------------------


def _croupiers(t: ScreenTexts, figures: Figures) -> Drawing | None:
    return _funnel(t, figures.croupiers)


def _shifts(t: ScreenTexts, figures: Figures) -> Drawing | None:
    return _funnel(t, figures.shifts)


def _funnel(t: ScreenTexts, rates: Sequence[RateFigure]) -> Drawing | None:
    """Errors in a hundred hands by hands dealt, each with its exact interval, in the funnel of the common rate: whoever
    is inside of it differs from the others no more than chance does."""
    errors, hands = sum(rate.errors for rate in rates), sum(rate.hands for rate in rates)
    if len(rates) < _ENOUGH or errors == 0:
        return None
    common = errors / hands
    most_hands = max(rate.hands for rate in rates)
    x = _Scale.over([most_hands], with_zero=True, low_end=_LEFT, high_end=_RIGHT)
    y = _Scale.over([*(rate.interval[1] for rate in rates)], with_zero=True)
    bounds = [
        _line(kind, _inside([(x.at(n), y.at(_PER * k / n)) for k, n in side]))
        for level, kind in ((USUAL, "usual"), (FAR, "far"))
        for side in _limits(common, most_hands=x.most, level=level)
    ]
    dots, texts, intervals = [], [], []
    for rate in rates:
        at, (low, high) = x.at(rate.hands), rate.interval
        intervals.append(_line("interval", ((at, y.at(low)), (at, y.at(high)))))
        dots.append(Dot(x=at, y=y.at(rate.per_100)))
        anchor, aside = ("end", -8) if at > (_LEFT + _RIGHT) / 2 else ("start", 8)
        texts.append(Text(x=at + aside, y=y.at(rate.per_100) + 5, text=rate.name, anchor=anchor))
    grid = y.grid(lambda value: number_text(t, value))
    mean = _line("mean", ((_LEFT, y.at(_PER * common)), (_RIGHT, y.at(_PER * common))))
    below = [Text(x=x.at(tick), y=_BOTTOM + 24, text=t.count(round(tick))) for tick in x.ticks]
    return Drawing(lines=(*grid[0], mean, *bounds, *intervals), dots=tuple(dots), texts=(*grid[1], *below, *texts))


def _limits(
    common: float, *, most_hands: float, level: float
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """The funnel's upper and lower side, as errors and hands: in so many hands exactly so many errors begin, or cease,
    to be more than chance."""
    upper = [(k, garwood(k, level=level)[0] / common) for k in _until(most_hands * common, level)]
    lower = [(k, garwood(k, level=level)[1] / common) for k in _until(most_hands * common, level)]
    return upper[1:], lower


def _until(mean: float, level: float) -> Iterator[int]:
    """Counts up to the first one whose limits both lie above a mean."""
    last = next(k for k in count() if garwood(k, level=level)[0] > mean)
    return takewhile(lambda k: k <= last, count())


def _inside(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """What of a line is on the plot, cut off at its right edge; what is above it is left out."""
    kept: list[tuple[float, float]] = []
    for first, second in pairwise(points):
        end = second
        if first[0] <= _RIGHT < second[0]:
            share = (_RIGHT - first[0]) / (second[0] - first[0])
            end = (_RIGHT, first[1] + share * (second[1] - first[1]))
        kept += [point for point in (first, end) if point[0] <= _RIGHT and point[1] >= _TOP]
    return list(dict.fromkeys(kept))


# --- scales -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Scale:
    """From values to places, between round numbers."""

    ticks: tuple[float, ...]
    low_end: float
    high_end: float

    @classmethod
    def over(
        cls, values: Iterable[float], *, with_zero: bool, low_end: float = _BOTTOM, high_end: float = _TOP
    ) -> _Scale:
        """Few enough ticks to be read, 0 among them where it says something."""
        found = list(values)
        low, high = min(found), max(found)
        if with_zero:
            low, high = min(low, 0), max(high, 0)
        span = Fraction(high) - Fraction(low) or Fraction(1)
        steps = (Fraction(digit) * Fraction(10) ** power for power in count(-2) for digit in (1, 2, 5))
        step = next(step for step in steps if span <= step * _MOST_LINES)
        first = floor(low / step)
        ticks = tuple(float(step * at) for at in range(first, max(ceil(high / step), first + 1) + 1))
        return cls(ticks=ticks, low_end=low_end, high_end=high_end)

    @property
    def most(self) -> float:
        """The greatest value that has a place."""
        return self.ticks[-1]

    def at(self, value: float) -> float:
        """Its place."""
        share = (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return self.low_end + share * (self.high_end - self.low_end)

    def grid(self, said: Callable[[float], str]) -> tuple[tuple[Line, ...], tuple[Text, ...]]:
        """Of a scale that goes upwards: its lines, and what stands before them."""
        lines = tuple(_line("grid", ((_LEFT, self.at(tick)), (_RIGHT, self.at(tick)))) for tick in self.ticks)
        texts = tuple(Text(x=_LEFT - 8, y=self.at(tick) + 5, text=said(tick), anchor="end") for tick in self.ticks)
        return lines, texts


def _line(kind: str, points: Iterable[tuple[float, float]]) -> Line:
    return Line(points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), kind=kind)


#: Every plot there is, in the order of the page.
PLOTS: Final[Mapping[str, Callable[[ScreenTexts, Figures], Drawing | None]]] = {
    "hands": _hands,
    "phases": _phases,
    "clauses": _clauses,
    "croupiers": _croupiers,
    "shifts": _shifts,
    "devices": _devices,
    "float": _float,
    "expected": _expected,
}
#: What only managers see: what it says of a person is for who has to answer for it.
OF_MANAGERS: Final = frozenset({"croupiers", "shifts"})
