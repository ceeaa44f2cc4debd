"""What a person can declare in a game against the bank: one literal table, in the order in which it is offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.declarations import IN_EVERY_GAME, LAST
from tablectl.core.engine.rule import Rule
from tablectl.core.engine.vocabulary import Declaration
from tablectl.families.banked import burns, conduct, counting, dealt_order, exposure
from tablectl.families.banked.state import BankedState

_LAST: Final = (Declaration.PIT_BOSS, Declaration.NOT_OF_DECK, Declaration.CARD_ELSEWHERE)
#: In the order in which they are offered: what happens most often while cards are dealt first.
RULES: Final[Mapping[Declaration, Rule[BankedState]]] = {
    Declaration.BANK_CARD_EXPOSED: Rule(
        applies=exposure.bank_can_show, foretells=exposure.bank_outcome, does=exposure.bank_exposed
    ),
    Declaration.FACE_UP_IN_SHOE: Rule(
        applies=exposure.face_up_applies,
        foretells=exposure.face_up_outcome,
        does=exposure.face_up,
        cards=exposure.face_up_cards,
    ),
    Declaration.TURNED_WHILE_DEALT: Rule(
        applies=exposure.turned_applies,
        foretells=exposure.turned_outcome,
        does=exposure.turned_while_dealt,
        cards=exposure.turned_cards,
    ),
    Declaration.WRONG_COUNT: Rule(
        applies=counting.can_count,
        foretells=counting.foretold,
        does=counting.wrong_count,
        cards=counting.extra_cards,
    ),
    Declaration.WRONG_ORDER: Rule(
        applies=dealt_order.wrong_order_applies, foretells=dealt_order.wrong_order_outcome, does=dealt_order.wrong_order
    ),
    Declaration.BURNED: Rule(
        applies=dealt_order.burnt_applies, foretells=dealt_order.burnt_outcome, does=dealt_order.burnt
    ),
    Declaration.NO_BURN: Rule(applies=burns.no_burn_applies, foretells=burns.no_burn_outcome, does=burns.no_burn),
    Declaration.DOUBLE_BURN: Rule(
        applies=burns.double_burn_applies, foretells=burns.double_burn_outcome, does=burns.double_burn
    ),
    Declaration.CARDS_IN_CONTACT: Rule(
        applies=conduct.contact_applies, foretells=conduct.contact_outcome, does=conduct.contact
    ),
    Declaration.OWN_CARDS_SHOWN: Rule(
        applies=conduct.own_cards_apply, foretells=conduct.own_cards_outcome, does=conduct.own_cards_shown
    ),
    Declaration.SHOWED_CARDS: Rule(
        applies=conduct.talk_applies, foretells=conduct.showed_outcome, does=conduct.showed_cards
    ),
    Declaration.COMMENTED: Rule(
        applies=conduct.talk_applies, foretells=conduct.commented_outcome, does=conduct.commented
    ),
    Declaration.TWO_BOXES: Rule(
        applies=conduct.two_boxes_apply, foretells=conduct.two_boxes_outcome, does=conduct.two_boxes
    ),
    Declaration.NOT_CHIPS: Rule(
        applies=conduct.not_chips_applies, foretells=conduct.not_chips_outcome, does=conduct.not_chips
    ),
    **{what: rule for what, rule in IN_EVERY_GAME.items() if what not in _LAST},
    Declaration.STANDING_BET: Rule(
        applies=conduct.standing_applies, foretells=conduct.standing_outcome, does=conduct.standing_bet
    ),
    **{what: IN_EVERY_GAME[what] for what in _LAST},
    **LAST,
}
