"""What a person can declare in a circle game: one literal table, in the order in which it is offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.engine.circle import conduct
from tablectl.engine.circle.common_cards import board
from tablectl.engine.circle.deal_errors import misdeal
from tablectl.engine.circle.ending import after_hand
from tablectl.engine.circle.lost_hands import hands
from tablectl.engine.circle.speech import talk
from tablectl.engine.errors.rule import Rule
from tablectl.engine.words import Declaration

RULES: Final[Mapping[Declaration, Rule]] = {
    **misdeal.RULES,
    **board.RULES,
    **hands.RULES,
    **talk.RULES,
    **after_hand.RULES,
    **conduct.RULES,
}
