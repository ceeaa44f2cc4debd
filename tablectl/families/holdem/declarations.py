"""What a person can declare in a circle game: one literal table, in the order in which it is offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.declarations import IN_EVERY_GAME, LAST
from tablectl.core.engine.rule import Rule
from tablectl.core.engine.vocabulary import Declaration
from tablectl.families.holdem import after_hand, board, conduct, misdeal, retrieval
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots import hands, talk

RULES: Final[Mapping[Declaration, Rule[HoldemState]]] = {
    **misdeal.RULES,
    **board.RULES,
    **hands.RULES,
    **retrieval.RULES,
    **talk.RULES,
    **after_hand.RULES,
    **conduct.RULES,
    **IN_EVERY_GAME,
    **LAST,
}
