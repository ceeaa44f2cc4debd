"""Exact limits of what a count says of its mean, where single events are rare and independent (Poisson). Pure.

F. Garwood, "Fiducial Limits for the Poisson Distribution", Biometrika 28 (1936): the limits are quantiles of chi-square
distributions with even degrees of freedom, which are sums of a few Poisson terms.
"""

from __future__ import annotations

from functools import cache
from math import exp, lgamma, log
from typing import Final

#: Bisections: more halves than a double has bits.
_HALVES: Final = 64
#: How much of the distribution the limits hold, and what a funnel calls far outside of it.
USUAL: Final = 0.95
FAR: Final = 0.998


def garwood(count: int, *, level: float = USUAL) -> tuple[float, float]:
    """Between which means this count is no surprise, at this level."""
    outside = (1 - level) / 2
    low = 0.0 if count == 0 else chi_square_quantile(outside, half_degrees=count) / 2
    return low, chi_square_quantile(1 - outside, half_degrees=count + 1) / 2


@cache
def chi_square_quantile(share: float, *, half_degrees: int) -> float:
    """Below which this share of a chi-square distribution with twice as many degrees of freedom lies."""
    low, high = 0.0, 1.0
    while _below(high, half_degrees) < share:
        low, high = high, 2 * high
    for _ in range(_HALVES):
        middle = (low + high) / 2
        if _below(middle, half_degrees) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _below(value: float, half_degrees: int) -> float:
    """The share of the distribution below a value: 1 less the Poisson terms up to `half_degrees` - 1."""
    mean = value / 2
    if mean == 0.0:
        return 0.0
    return 1.0 - sum(exp(k * log(mean) - mean - lgamma(k + 1)) for k in range(half_degrees))
