"""What a person can declare in a game with discards: one literal table, in the order in which it is offered.

What goes wrong in the betting, and hands that touch or are taken away, is as in hold'em (our reading "betting errors").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.declarations import IN_EVERY_GAME, LAST
from tablectl.core.engine.rule import Rule
from tablectl.core.engine.vocabulary import Declaration
from tablectl.families.draw import conduct, counts, dealt_order, demands, false_opening, leaving, seat_draw
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import claims, hands, own_cards, talk

_OF_HANDS: Final = (Declaration.CARDS_IN_CONTACT, Declaration.PROTECTED_TAKEN, Declaration.UNPROTECTED_TAKEN)
RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    **demands.RULES,
    **counts.RULES,
    **{what: hands.RULES[what] for what in _OF_HANDS},
    **talk.RULES,
    **claims.RULES,
    **false_opening.RULES,
    **conduct.RULES,
    **own_cards.RULES,
    **leaving.RULES,
    **seat_draw.RULES,
    **IN_EVERY_GAME,
    **dealt_order.RULES,
    **LAST,
}
