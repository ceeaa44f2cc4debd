"""A deck that is defective (FCD-IRR-4): any player may demand a new deal until the pot is delivered, from another deck.

Until the first card another deck simply takes its place. A card that comes twice and a foreign one stop the table
without a demand, and the pit boss decides (AMB-13). Where he lets a card that came twice be used or put away, the deck
is still defective, and a player may demand a new deal.
"""

from __future__ import annotations

from tablectl.core.engine.incidents import can_void
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.vocabulary import Remedy
from tablectl.core.options.draw import DeckFaultDrawn
from tablectl.families.draw import cases
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import before_the_first_card


def outcome(state: DrawState, expected: str, observed: str) -> Outcome:
    """What a person's word does that a card is missing or the deck not sound."""
    return Outcome(clause=cases.DECK, expected=expected, observed=observed, remedies=(_remedy(state),))


def _remedy(state: DrawState) -> Remedy:
    if not can_void(state):
        return Remedy.CONTINUE  # between hands: another deck, and that is all
    if before_the_first_card(state):
        return Remedy.NEW_DECK
    voids = state.rulebook.house.deck_fault is DeckFaultDrawn.VOID_HAND
    return Remedy.VOID_HAND if voids else Remedy.REDEAL_ON_DEMAND
