"""What follows from answers and rulings in a circle game: each module's own, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.engine.circle import after_hand, board, conduct, hands, misdeal, talk
from tablectl.engine.state import Incident, Pending, State
from tablectl.engine.words import Question, Remedy

_MODULES: Final = (misdeal, board, hands, talk, after_hand, conduct)
ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {
    question: answer for module in _MODULES for question, answer in module.ANSWERED.items()
}
_RULED: Final = {remedy: module.RULED for module in _MODULES for remedy in module.RULED}


def ruled(state: State, incident: Incident, remedy: Remedy) -> bool:
    """Carry out a remedy that only circle games have; False where it is a general one."""
    found = _RULED.get(remedy)
    if found is None:
        return False
    found[remedy](state, incident)
    return True
