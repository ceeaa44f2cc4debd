"""What a plot draws: where its shapes are, that it says what the table says, and that one bar is none."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import time
from typing import Final

import pytest

from tablectl.statistics.figures import Bucket, Figures, PhaseFigure, RateFigure, figures_of
from tablectl.statistics.poisson import FAR, USUAL, garwood
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.plots import PLOTS, Drawing, drawing_of
from tests.screens.controller import Bench
from tests.screens.test_pages import PAGES
from tests.statistics.test_figures import HANDS, INCIDENTS, SHIFTS

T: Final = PAGES.texts("es", Picture(table=table_info(Bench().greeting)))


def bucket(hour: int, *, since_start: int = 100, expected: int | None = None) -> Bucket:
    return Bucket(
        when=time(hour), hands=4, rate=4.0, incidents=0, change=100, since_start=since_start, expected=expected
    )


PLAIN: Final = figures_of(HANDS, INCIDENTS, SHIFTS, by_day=False)
FULL: Final = replace(
    PLAIN,
    buckets=tuple(replace(one, expected=2_500_000 + at) for at, one in enumerate(PLAIN.buckets)),
    clauses=(("THB-ERR-4", 6), ("THB-ERR-2", 3), ("THB-ERR-1", 1)),
    devices=(("shoe", 2), ("panel", 1)),
    croupiers=(RateFigure(name="ana", hands=900, errors=9), RateFigure(name="luis", hands=100, errors=9)),
    shifts=(RateFigure(name="06:00–14:00", hands=500, errors=2), RateFigure(name="14:00–22:00", hands=500, errors=3)),
    phases=(
        PhaseFigure(phase="betting", hands=3, median_s=20.0, quarter_s=15.0, three_quarters_s=40.0),
        PhaseFigure(phase="dealing", hands=3, median_s=10.0, quarter_s=9.0, three_quarters_s=11.0),
    ),
)


def drawn(name: str, of: Figures = FULL) -> Drawing:
    found = drawing_of(name, T, of)
    assert found is not None
    return found


def points(line: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.split())]


@pytest.mark.parametrize("name", PLOTS)
def test_everything_of_a_plot_lies_on_it(name: str) -> None:
    drawing = drawn(name)
    places = [place for line in drawing.lines for place in points(line.points)]
    places += [(dot.x, dot.y) for dot in drawing.dots] + [(text.x, text.y) for text in drawing.texts]
    places += [place for bar in drawing.bars for place in ((bar.x, bar.y), (bar.x + bar.width, bar.y + bar.height))]
    assert [(x, y) for x, y in places if not (0 <= x <= drawing.width and 0 <= y <= drawing.height)] == []
    assert drawing.bars or drawing.dots


ONE: Final = replace(
    FULL,
    **{name: getattr(FULL, name)[:1] for name in ("buckets", "clauses", "devices", "croupiers", "shifts", "phases")},
)


@pytest.mark.parametrize("name", PLOTS)
def test_one_bar_is_no_plot_and_neither_is_nothing(name: str) -> None:
    assert drawing_of(name, T, ONE) is None
    assert drawing_of(name, T, figures_of((), (), SHIFTS, by_day=False)) is None


def test_without_an_error_there_is_no_funnel() -> None:
    none = tuple(replace(rate, errors=0) for rate in FULL.croupiers)
    assert drawing_of("croupiers", T, replace(FULL, croupiers=none)) is None


def test_the_longest_bar_is_the_most_frequent_and_the_line_adds_up_to_all() -> None:
    drawing = drawn("clauses")
    assert [bar.width for bar in drawing.bars] == sorted((bar.width for bar in drawing.bars), reverse=True)
    assert drawing.bars[0].width == pytest.approx(2 * drawing.bars[1].width)
    (share,) = (line for line in drawing.lines if line.kind == "share")
    along = [
        (x - drawing.bars[0].x) / (points(share.points)[-1][0] - drawing.bars[0].x) for x, _ in points(share.points)
    ]
    assert along == pytest.approx([0.6, 0.9, 1.0], abs=1e-3)
    assert {"6 · 60 %", "3 · 90 %", "1 · 100 %"} < {text.text for text in drawing.texts}


def test_a_phase_has_its_median_and_the_line_of_half_of_the_hands() -> None:
    drawing = drawn("phases")
    betting, _ = drawing.bars
    (low, high), _ = (points(line.points) for line in drawing.lines)
    left, scale = betting.x, betting.width / 20
    assert (low[0], high[0]) == pytest.approx((left + 15 * scale, left + 40 * scale), abs=0.1)
    assert "20,0 s" in {text.text for text in drawing.texts}


def test_a_line_is_broken_where_nobody_knew_it_and_needs_no_zero() -> None:
    amounts = (2_500_000, 2_510_000, None, 2_520_000)
    drawing = drawn("expected", replace(FULL, buckets=tuple(bucket(at, expected=n) for at, n in enumerate(amounts))))
    assert sum(line.kind == "data" for line in drawing.lines) == 1
    assert len(drawing.dots) == 3
    low = min(int(re.sub(r"\D", "", text.text)) for text in drawing.texts if "€" in text.text)
    assert 24_000 <= low <= 25_000


@pytest.mark.parametrize("cents", [-700, -36_000, 123_456_700])
def test_the_axis_of_a_change_has_zero_and_few_lines_however_much_it_is(cents: int) -> None:
    drawing = drawn("float", replace(FULL, buckets=(bucket(1, since_start=0), bucket(2, since_start=cents))))
    assert "0 €" in {text.text for text in drawing.texts}
    assert 2 <= sum(line.kind == "grid" for line in drawing.lines) <= 9


# --- the funnel -------------------------------------------------------------------------------------------------------


def test_each_point_stands_at_its_hands_and_rate_with_its_exact_interval() -> None:
    drawing = drawn("croupiers")
    ana, luis = drawing.dots
    assert ana.x > luis.x
    assert ana.y > luis.y, "a higher rate stands higher"
    intervals = [points(line.points) for line in drawing.lines if line.kind == "interval"]
    for dot, rate, ((x, low), (_, high)) in zip(drawing.dots, FULL.croupiers, intervals, strict=True):
        assert x == pytest.approx(dot.x, abs=0.1)
        assert low > dot.y > high
        assert (low - dot.y) / (dot.y - high) == pytest.approx(
            (rate.per_100 - rate.interval[0]) / (rate.interval[1] - rate.per_100), rel=0.02
        )
    assert {"ana", "luis"} < {text.text for text in drawing.texts}


def outside(drawing: Drawing, kind: str, dot: int) -> bool:
    """Whether a point stands above the upper side of the funnel."""
    x, y = drawing.dots[dot].x, drawing.dots[dot].y
    upper = points(next(line.points for line in drawing.lines if line.kind == kind))
    before = [point for point in upper if point[0] <= x]
    if not before:
        return False  # the side is above the plot there
    left = max(before, key=lambda point: point[0])
    right = min((point for point in upper if point[0] >= x), key=lambda point: point[0])
    share = 0.0 if right[0] == left[0] else (x - left[0]) / (right[0] - left[0])
    return y < left[1] + share * (right[1] - left[1])


@pytest.mark.parametrize(("kind", "level"), [("usual", USUAL), ("far", FAR)])
@pytest.mark.parametrize("errors", [1, 4, 6, 9, 12])
def test_a_point_is_outside_of_the_funnel_where_its_interval_has_not_the_common_rate(
    kind: str, level: float, errors: int
) -> None:
    rates = (RateFigure(name="ana", hands=900, errors=18), RateFigure(name="luis", hands=100, errors=errors))
    common = (18 + errors) / 1000
    drawing = drawn("croupiers", replace(FULL, croupiers=rates))
    is_more = garwood(errors, level=level)[0] > common * 100
    assert outside(drawing, kind, 1) is is_more
