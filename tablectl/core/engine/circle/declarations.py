"""What a person can declare in a circle game: one literal table, in the order in which it is offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.circle import conduct
from tablectl.core.engine.circle.common_cards import board
from tablectl.core.engine.circle.deal_errors import misdeal
from tablectl.core.engine.circle.ending import after_hand
from tablectl.core.engine.circle.lost_hands import hands
from tablectl.core.engine.circle.speech import talk
from tablectl.core.engine.errors.rule import Rule
from tablectl.core.engine.words import Declaration

RULES: Final[Mapping[Declaration, Rule]] = {
    **misdeal.RULES,
    **board.RULES,
    **hands.RULES,
    **talk.RULES,
    **after_hand.RULES,
    **conduct.RULES,
}
