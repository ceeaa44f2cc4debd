"""Whether a hand is open, and whether its first card was dealt: what every deadline of a deal begins with."""

from __future__ import annotations

from tablectl.core.engine.incidents import can_void
from tablectl.core.engine.rulebook import Kind, Part
from tablectl.families.pots.state import PotGameState


def is_open(state: PotGameState) -> bool:
    """Whether a hand is being dealt or played and its pot is not delivered: an error of the deal can be found."""
    return can_void(state) and state.phase.kind is not Kind.BETTING


def before_the_first_card(state: PotGameState) -> bool:
    """Whether a hand is open of which no card was dealt; those of the draw for the button went back."""
    is_before = state.phase.kind is Kind.BETTING or state.phase.part is Part.HOLE_CARDS
    return is_before and all(draw.is_back for draw in state.deal.draws)


def is_first_deal(state: PotGameState) -> bool:
    """Whether the first cards are being dealt, or bet on for the first time."""
    return state.phase.part is Part.HOLE_CARDS or state.phase.round == 0
