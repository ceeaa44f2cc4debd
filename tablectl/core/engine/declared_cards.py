"""Which card a declaration is about: the one that it names, or the one that the picture of the felt proposes (ruling
17). A card is named by its number in the order of drawing or by its place, never by its face."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.slots import DISCARD, Slot
from tablectl.core.engine.state import State

_DISCARD: Final = DISCARD[0].spot
_NUMBER: Final = attrgetter("number")


def newest_first(draws: Iterable[Draw]) -> tuple[Draw, ...]:
    """The cards that can be told apart, the one drawn last in front: that one is proposed."""
    return tuple(sorted([draw for draw in draws if draw.number != STAND_IN], key=_NUMBER, reverse=True))


def lying(state: State) -> tuple[Draw, ...]:
    """The cards of the hand that lie at places of the layout; of hands that are dead none."""
    live = {seat for seat, held in state.seats.items() if not (held.void or held.withdrawn)}
    at = state.deal.at.items()
    return newest_first(
        [draw for slot, draw in at if slot.spot != _DISCARD and (slot.seat is None or slot.seat in live)]
    )


def is_named(fact: Declared) -> bool:
    """Whether it says which card it is about."""
    return fact.drawn is not None or fact.spot is not None


def meant(fact: Declared, cards: tuple[Draw, ...]) -> Draw | None:
    """Which of these it is: as it was said; otherwise the first one. None where it is none of them."""
    if fact.drawn is not None:
        return next((draw for draw in cards if draw.number == fact.drawn), None)
    if fact.spot is None:
        return cards[0] if cards else None
    there = [draw for draw in cards if _lies(draw, fact.spot, fact.lap)]
    return max(there, key=lambda draw: draw.number, default=None)


def _lies(draw: Draw, spot: str, lap: int | None) -> bool:
    slot = draw.slot
    return slot is not None and slot.spot == spot and lap in (None, slot.position)


def lap_before(state: State, drawn: int | None, slots: Iterable[Slot]) -> int | None:
    """In which lap a card too many came to a seat, whose places these are: after the card that comes before it in the
    plan. None where no card is named, or that one lies elsewhere."""
    dealt = state.deal.plan[: state.deal.next]
    at = next((at for at, slot in enumerate(dealt) if (card := state.deal.at.get(slot)) and card.number == drawn), 0)
    return dealt[at - 1].position if at > 0 and dealt[at - 1] in slots else None
