"""Exact Poisson limits, against the published table and against the definition."""

from __future__ import annotations

from math import exp, factorial

import pytest

from tablectl.statistics.poisson import FAR, garwood


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [
        # as tables of exact Poisson limits print them
        (0, 0.0, 3.689),
        (1, 0.0253, 5.572),
        (2, 0.2422, 7.225),
        (5, 1.623, 11.668),
        (10, 4.795, 18.390),
        (20, 12.217, 30.888),
        (50, 37.111, 65.919),
        (100, 81.364, 121.627),
    ],
)
def test_the_limits_are_those_of_the_table(count: int, low: float, high: float) -> None:
    assert garwood(count) == pytest.approx((low, high), abs=6e-4)


def at_most(count: int, mean: float) -> float:
    return sum(exp(-mean) * mean**k / factorial(k) for k in range(count + 1))


@pytest.mark.parametrize("level", [0.95, FAR])
@pytest.mark.parametrize("count", [0, 1, 3, 17, 60])
def test_beyond_each_limit_the_count_is_as_rare_as_the_level_says(count: int, level: float) -> None:
    low, high = garwood(count, level=level)
    assert at_most(count, high) == pytest.approx((1 - level) / 2, rel=1e-6)
    if count:
        assert 1 - at_most(count - 1, low) == pytest.approx((1 - level) / 2, rel=1e-6)


def test_thousands_of_errors_have_limits_too() -> None:
    low, high = garwood(5000)
    assert 4800 < low < 5000 < high < 5200
