"""Common cards and burns that came too soon, too many or not at all (THL-CRE-5 to -7, THL-RD2-2, THL-RD2-3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.engine.deal import Draw
from tablectl.engine.errors.rule import Rule
from tablectl.engine.incidents import hand_over
from tablectl.engine.state import Incident, Pending, State
from tablectl.engine.words import Declaration, Question, Remedy

RULES: Final[Mapping[Declaration, Rule]] = {}
#: What follows from the answers to this module's questions.
ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {}
#: What the pit boss's choices do, where an incident is one of this module's.
RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {}


def early(state: State, draw: Draw) -> None:
    """A card left the deck although none is due."""
    hand_over(state, observed="card", choices=(Remedy.NEXT_CARD, Remedy.DISCARD), draw=draw)
