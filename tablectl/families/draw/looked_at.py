"""Who has looked at his cards, and who has bet: until when the cards are better dealt again (FCD-IRR-12).

That a player looked is a person's word; it is remembered, and a wrong number of his cards is his loss (FCD-IRR-7).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.facts import Declared
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome, noted
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.seat_said import one_seat
from tablectl.core.engine.vocabulary import Declaration, Refusal, Remedy
from tablectl.core.options.draw import UnlookedCount
from tablectl.families.draw import cases
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.hand_open import is_first_deal

DEAL_AGAIN: Final = "FCD-IRR-12"
#: Until the draw begins it is an error of the deal.


def applies(state: DrawState) -> bool:
    """Whether it can still be said of somebody."""
    return state.phase.kind in IN_HAND and bool(state.deal.at) and bool(unlooked(state))


def unlooked(state: DrawState) -> tuple[int, ...]:
    """The seats that are in and of which nobody has said it."""
    return tuple(seat for seat in state.staying if seat not in state.draw.looked)


def foretold(state: DrawState) -> Outcome:
    """Nothing but a word for the record."""
    return noted(DEAL_AGAIN, expected="unlooked", observed=Declaration.LOOKED_AT_HAND)


def declared(state: DrawState, fact: Declared) -> None:
    """It is only remembered: a wrong number of his cards is an error that he loses by (FCD-IRR-7)."""
    if not applies(state):
        state.refuse(Refusal.NOT_OFFERED, DEAL_AGAIN)
        return
    seat = one_seat(state, fact, unlooked(state), DEAL_AGAIN)
    if seat is not None:
        state.draw.looked.add(seat)
        carried_out(state, replace(foretold(state), seats=(seat,)))


def has_bet(state: DrawState) -> bool:
    """Whether anybody has bet, as far as it is entered."""
    return cases.has_bet(state)


def may_deal_again(state: DrawState) -> bool:
    """FCD-IRR-12: in the deal, as long as nobody has bet or is known to have looked."""
    return is_first_deal(state) and not state.draw.looked and not has_bet(state)


def with_redeal(state: DrawState, repair: Remedy) -> tuple[Remedy, ...]:
    """AMB-75: what the house proposes stands first."""
    if not may_deal_again(state):
        return (repair,)
    both = (Remedy.REDEAL, repair)
    return both if state.rulebook.house.unlooked_count is UnlookedCount.REDEAL else both[::-1]
