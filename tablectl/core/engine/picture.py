"""The picture of the felt, card by card: where each one lies, who says so, and where a reader says something else.

It is what the rules of the deal look at, put together for whoever asks: `tablectl play --json`, and tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tablectl.core.cards import Card
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.unread_cards import lies_open
from tablectl.core.engine.vocabulary import Equipment


class Source(StrEnum):
    """Who says where a card lies."""

    #: the order of drawing, and the deal plan
    SHOE = "shoe"
    #: one sees it there now
    ANTENNA = "antenna"
    #: a person, where the antennas do not see it
    PERSON = "person"


@dataclass(frozen=True, kw_only=True, slots=True)
class LyingCard:
    """One card that is out. `draw`: its number in the hand. `spot`: where it lies, None where nobody says it. `slot`:
    its place there, None for a card that has none yet. `seen_at`: another spot, at which an antenna sees it. `card`:
    which one it is, None where nobody has read it. `is_open`: whether everybody sees that."""

    draw: int
    spot: str | None
    slot: Slot | None
    by: Source | None
    seen_at: str | None
    card: Card | None
    is_open: bool


def lying(state: State) -> Iterator[LyingCard]:
    """The cards of the hand, in the order in which they came; but for those that went back into the deck."""
    placed_by = Source.PERSON if state.setup.equipment is Equipment.ANTENNAS else Source.SHOE
    for draw in state.deal.draws:
        if draw.is_back:
            continue
        seen = state.felt.spot_of(draw)
        spot = seen if draw.slot is None else draw.slot.spot
        is_seen_there = seen is not None and seen == spot
        yield LyingCard(
            draw=draw.number,
            spot=spot,
            slot=draw.slot,
            by=Source.ANTENNA if is_seen_there else placed_by if spot is not None else None,
            seen_at=None if is_seen_there else seen,
            card=draw.card,
            is_open=lies_open(state, draw),
        )
