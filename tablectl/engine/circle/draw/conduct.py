"""What players may not do with discards and chips (FCD-DSC-11, FCD-DSC-16, FCD-RST-7, FCD-RST-10)."""

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
