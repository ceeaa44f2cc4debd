"""Values that are made once and never changed: facts, decisions, verdicts.

To mypy a `record` is a frozen, keyword-only dataclass, and a write to one is an error in `make check`. At run time the
guard against writing is left out: it trebles the time that making one takes, and a hand makes seventy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=True)
def record(made: type[T]) -> type[T]:
    """A dataclass with slots and keyword-only fields, compared and hashed by value."""
    return dataclass(kw_only=True, slots=True, unsafe_hash=True)(made)
