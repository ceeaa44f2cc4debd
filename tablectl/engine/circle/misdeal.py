"""Errors of the deal (THL-MIS, THL-CRE-2, THL-CRE-8, THL-PLE-11, -12): void before two actions, accepted afterwards."""

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
