"""What can be declared, as data: when, what will follow from it, and what does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.vocabulary import Chooser, Remedy, Severity
from tablectl.core.records import record

#: The state of the family whose rule it is.
S_contra = TypeVar("S_contra", contravariant=True)


@record
class Outcome:
    """One departure from the rulebook and what the clause says to do. Where the rule itself decides, there is one
    remedy."""

    clause: str
    expected: str
    observed: str
    remedies: tuple[Remedy, ...]
    chooser: Chooser = Chooser.RULE
    severity: Severity = Severity.ALERT
    draw: Draw | None = None
    spot: str | None = None
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule(Generic[S_contra]):
    """When something can be declared, what will follow from it, and what does it."""

    applies: Callable[[S_contra], bool]
    foretells: Callable[[S_contra], Outcome]
    does: Callable[[S_contra, Declared], None]
