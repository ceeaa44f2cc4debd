"""How much of what could be tried is tried: some of it in `make test-slow`, all of it in `make test-all`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar
from zlib import crc32

from hypothesis import settings

#: How many examples `make test-all` tries for each property (its profile stands in conftest.py).
ALL_EXAMPLES: Final = settings.get_profile("all").max_examples

_Value = TypeVar("_Value")


def is_thorough() -> bool:
    """Whether this run has hours."""
    return settings().max_examples >= ALL_EXAMPLES


def some_of(values: Sequence[_Value], count: int, name: str) -> Sequence[_Value]:
    """So many of the values, spread over all of them, others for each name and the same in every run; in a run that has
    hours all of them."""
    if is_thorough() or count >= len(values):
        return values
    first = crc32(name.encode()) % len(values)
    return [values[(first + number * len(values) // count) % len(values)] for number in range(count)]
