"""Hands that were thrown, taken away, left or touched (THL-CRE-3, -4, THL-GEN-8, THL-PLE-1, -2, -14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.engine.errors.rule import Rule
from tablectl.engine.state import Incident, Pending, State
from tablectl.engine.words import Declaration, Question, Remedy

RULES: Final[Mapping[Declaration, Rule]] = {}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {}
