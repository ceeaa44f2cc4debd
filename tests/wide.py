"""The same way once more: what `make test` goes one way, `make test-wide` goes all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

_Value = TypeVar("_Value")


def once(values: Iterable[_Value], *quick: _Value) -> list[ParameterSet]:
    """Parameters: those that are `quick` (the first, where none is named) in every run, the others wide."""
    every = list(values)
    chosen = quick or every[:1]
    return [pytest.param(value, id=str(value), marks=() if value in chosen else pytest.mark.wide) for value in every]
