"""A seat with a wrong number of cards, in the deal (FCD-IRR-7 to -12) and in the draw (FCD-DSC-2, AMB-73)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.engine.errors.rule import Rule
from tablectl.engine.state import Incident, Pending, State
from tablectl.engine.words import Declaration, Question, Remedy

RULES: Final[Mapping[Declaration, Rule]] = {}
#: The seats that a declaration can be about.
SEATS_ASKED: Final[Mapping[Declaration, Callable[[State], tuple[int, ...]]]] = {}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {}
