"""The shape of one line in a table of declarations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablectl.core.engine.errors.outcome import Outcome
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.state import State


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """When something can be declared, what will follow from it, and what does it."""

    applies: Callable[[State], bool]
    foretells: Callable[[State], Outcome]
    does: Callable[[State, Declared], None]
