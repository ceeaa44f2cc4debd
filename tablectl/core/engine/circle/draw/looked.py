"""Who has looked at his cards, and who has bet: until when the cards are better dealt again (FCD-IRR-12).

That a player looked is a person's word; it is remembered, and a wrong number of his cards is his loss (FCD-IRR-7).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.circle.draw import cases
from tablectl.core.engine.circle.draw.memory import HandMemory
from tablectl.core.engine.circle.game import DrawHouse
from tablectl.core.engine.errors.outcome import Outcome, carried_out
from tablectl.core.engine.errors.seat_said import one_seat
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Declaration, Refusal, Remedy, Severity
from tablectl.core.options.draw import UnlookedCount

DEAL_AGAIN: Final = "FCD-IRR-12"
#: Until the draw begins it is an error of the deal.
_OF_THE_DEAL: Final = frozenset({"dealing", "first-betting"})


def applies(state: State) -> bool:
    """Whether it can still be said of somebody."""
    return state.phase.kind in IN_HAND and bool(state.deal.at) and bool(unlooked(state))


def unlooked(state: State) -> tuple[int, ...]:
    """The seats that are in and of which nobody has said it."""
    return tuple(seat for seat in state.staying if seat not in hand_of(state).looked)


def foretold(state: State) -> Outcome:
    """Nothing but a word for the record."""
    return Outcome(
        clause=DEAL_AGAIN,
        expected="unlooked",
        observed=Declaration.LOOKED_AT_HAND,
        remedies=(Remedy.CONTINUE,),
        severity=Severity.NOTICE,
    )


def declared(state: State, fact: Declared) -> None:
    """It is only remembered: a wrong number of his cards is an error that he loses by (FCD-IRR-7)."""
    if not applies(state):
        state.refuse(Refusal.NOT_OFFERED, DEAL_AGAIN)
        return
    seat = one_seat(state, fact, unlooked(state), DEAL_AGAIN)
    if seat is not None:
        hand_of(state).looked.add(seat)
        carried_out(state, replace(foretold(state), seats=(seat,)))


def has_bet(state: State) -> bool:
    """Whether anybody has bet, as far as it is entered."""
    assert state.circle is not None
    return cases.has_bet(state, state.circle)


def may_deal_again(state: State) -> bool:
    """FCD-IRR-12: in the deal, as long as nobody has bet or is known to have looked."""
    return in_the_deal(state) and not hand_of(state).looked and not has_bet(state)


def with_redeal(state: State, put_right: Remedy) -> tuple[Remedy, ...]:
    """AMB-75: what the house proposes stands first."""
    if not may_deal_again(state):
        return (put_right,)
    both = (Remedy.REDEAL, put_right)
    return both if house_of(state).unlooked_count is UnlookedCount.REDEAL else both[::-1]


def in_the_deal(state: State) -> bool:
    """Whether the draw has not begun: a wrong number is an error of the deal."""
    return state.phase.name in _OF_THE_DEAL


def hand_of(state: State) -> HandMemory:
    """What this game remembers of the hand."""
    assert state.circle is not None
    return state.circle.draw.hand


def house_of(state: State) -> DrawHouse:
    """What the house chose."""
    assert state.rulebook.circle is not None
    return state.rulebook.circle.draw
