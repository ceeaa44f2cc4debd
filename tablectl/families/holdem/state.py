"""What the engine remembers of a game with blinds and common cards."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.core.engine.lifetime import none, of_hand
from tablectl.families.holdem.rulebook import HoldemRulebook
from tablectl.families.pots.state import PotGameState


@dataclass(slots=True, eq=False)
class HoldemState(PotGameState):
    """Mutable and private to the engine."""

    rulebook: HoldemRulebook
    #: the draw for the button waits until a person says which card an unread one is
    draw_waits: bool = of_hand(bool)
    #: the seat that lost just now because it has one card too many; until something else follows
    has_one_more: int | None = of_hand(none)
