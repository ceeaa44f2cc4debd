"""A slow evaluation of our own: what a hand is worth, without any table and without the evaluator in use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from tablectl.core.cards import Card

Worth = tuple[int, tuple[int, ...]]


def worth_of_five(five: Sequence[Card]) -> Worth:
    """Category (1 to 10) and the ranks that decide, by the book and without any table."""
    counted = Counter(card.rank for card in five)
    ranks = tuple(sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True))
    if ranks == (14, 5, 4, 3, 2):
        ranks = (5, 4, 3, 2, 1)
    flush = len({card.suit for card in five}) == 1
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    shapes = {(4, 1): 8, (3, 2): 7, (3, 1, 1): 4, (2, 2, 1): 3, (2, 1, 1, 1): 2, (1, 1, 1, 1, 1): 1}
    if straight and flush:
        return (10 if ranks[0] == 14 else 9), ranks
    if flush:
        return 6, ranks
    if straight:
        return 5, ranks
    return shapes[tuple(sorted(counted.values(), reverse=True))], ranks


def worth(of: Sequence[Card]) -> Worth:
    return max(worth_of_five(five) for five in combinations(of, 5))
