"""Who gets the first button, where a card decides (THL-INI-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.cards import Card

#: Lowest first. The one place where suits rank (THL-INI-3); at a showdown they never do.
SUIT_ORDER: Final = "cdhs"


def high_card(cards: Mapping[int, Card]) -> int:
    """The seat whose card gives it the button: the highest rank, ace high, and among equals the suit (THL-INI-3).

    `cards`: seat to card, one for each seated player. Raises `ValueError` where there is none, or where two seats have
    the same card: that deck is defective, and nobody has won the draw (THL-MIS-5).
    """
    if not cards:
        raise ValueError("no card was drawn")
    if len(set(cards.values())) != len(cards):
        raise ValueError("two seats have the same card")
    return max(cards, key=lambda seat: (cards[seat].rank, SUIT_ORDER.index(cards[seat].suit)))
