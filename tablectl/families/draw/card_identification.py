"""A person identifies one of several cards: it is known which were dealt to a player, not where each of them lies."""

from __future__ import annotations

from tablectl.core.cards import Card
from tablectl.core.engine.decisions import CardTurned
from tablectl.core.engine.incidents import can_void
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.unread_cards import same_card_again
from tablectl.core.engine.vocabulary import Refusal, Remedy
from tablectl.families.draw.card_uncertainty import Pool
from tablectl.families.draw.state import DrawState


def identify_in_pool(state: DrawState, pool: Pool, slot: Slot, card: Card, by: str) -> bool:
    """This card lies here, as far as it can: True where it was the last name that was missing."""
    lies_here = pool.holds(card) or state.draw.card_pools.doubted_at(slot)
    if lies_here is None and pool.is_short and not state.deal.knows(card):
        # More cards lie there than were reported: this is one that no reader saw come.
        lies_here, _ = state.deal.note(card)
        pool.cards.append(lies_here)
    if lies_here is None:
        state.refuse(Refusal.CARD_ELSEWHERE, state.rulebook.errors.outside_shoe, slot.name)
        return False
    stood_for = state.draw.card_pools.lies(state.deal, pool, slot, lies_here)
    if lies_here.card is None:
        state.deal.name(lies_here, card, by)
    elif not state.was_awarded:
        # The shoe read it: he only says where it lies, before everybody. Nobody has to confirm that, but where it makes
        # another award.
        state.names_confirmed[lies_here.number] = card
    lies_here.named, lies_here.named_by = True, by
    state.say(CardTurned(draw=lies_here.number, slot=slot))
    if state.deal.others(lies_here, card):
        same_card_again(state, (Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,))
    if stood_for not in state.unnamed:
        return False
    state.unnamed.remove(stood_for)
    return not state.unnamed
