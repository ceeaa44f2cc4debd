"""What a hand remembers of common cards that came too soon, and of burns that were made too often or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.slots import Slot

if TYPE_CHECKING:
    from tablectl.core.engine.pending import Incident


class EarlyCards(Struct, eq=False):
    """Mutable, one for each hand; private to the engine."""

    #: the incident about cards of which the croupier is asked whether anybody saw them, and those cards
    question: Incident | None = None
    asked: list[Draw] = field(default_factory=list)
    #: that about a card of which only the croupier can say where it lies
    where: Incident | None = None
    #: that about a single card of the flop, which the pit boss has; about a burn left out; about the size of the flop
    single: Incident | None = None
    no_burn: Incident | None = None
    flop: Incident | None = None
    #: cards burnt before they were due, in the round that is open
    burns: list[Draw] = field(default_factory=list)
    #: common cards that everybody saw in the round that is open
    shown: list[Draw] = field(default_factory=list)
    #: those that lie aside until the river (THL-CRE-5), and those that are laid when their street comes
    later: list[Draw] = field(default_factory=list)
    kept: list[Draw] = field(default_factory=list)
    #: THL-CRE-5: the new turn has a burn of its own, and the river none
    burns_again: bool = False
    river_without_burn: bool = False
    #: burns that are not made any more: they were, and went back into the deck, or they were left out
    spent: set[Slot] = field(default_factory=set)
    #: the draws of which it was said that they left their place too soon
    missed: set[int] = field(default_factory=set)
