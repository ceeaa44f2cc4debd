"""What a person can declare in a game with discards: one literal table, in the order in which it is offered.

What goes wrong in the betting, and hands that touch or are taken away, is as in hold'em (our reading "betting errors").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.circle.draw import conduct, counts, demands, false_opening, leaving, seat_draw
from tablectl.core.engine.circle.lost_hands import hands
from tablectl.core.engine.circle.speech import talk
from tablectl.core.engine.errors.rule import Rule
from tablectl.core.engine.words import Declaration

_OF_HANDS: Final = (Declaration.CARDS_IN_CONTACT, Declaration.PROTECTED_TAKEN, Declaration.UNPROTECTED_TAKEN)
RULES: Final[Mapping[Declaration, Rule]] = {
    **demands.RULES,
    **counts.RULES,
    **{what: hands.RULES[what] for what in _OF_HANDS},
    **talk.RULES,
    **false_opening.RULES,
    **conduct.RULES,
    **leaving.RULES,
    **seat_draw.RULES,
}
