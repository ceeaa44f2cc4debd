"""What a poker hand is worth: the best five of five, six or seven cards.

The evaluation is phevaluator's; this module gives it our words and the direction in which people compare (higher is
better). Cards of the same category are told apart by all five ranks, so two strengths are equal exactly when the two
hands tie. Suits never decide. The ace stands above the king or below the two, and nothing wraps around (THB-CRD-2,
THB-CRD-3, TPC-CRD-3, TPC-CRD-4).

The circle games rank alike. Document 001 lists the same ten combinations and says how equals are told apart, in places
only by the first card: it goes on through all five (AMB-39), and its ace may also stand before the two (AMB-38).
Document 003 names the usual ranking and any five of the seven cards, all of the board too (THO-DEF-3, THO-DEF-6,
THO-SDN-2, THL-DEF-2, AMB-60). The page with the ranking of document 004 is missing: it ranks like document 001, with 52
cards (FCD-WIN-4, AMB-72).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Final, NewType

from phevaluator.evaluator import evaluate_5cards, evaluate_6cards, evaluate_7cards

from tablectl.core.cards import RANKS, Card

#: 1 (7-5-4-3-2) to 7462 (the royal flush); higher beats lower, equal ties (THB-RNK-11, TPC-RNK-11).
#: The ace is the highest rank and the two the lowest; suits do not decide (THB-CRD-2, TPC-CRD-3). In a straight the ace
#: can also stand before the two (THB-CRD-3, TPC-CRD-4).
Strength = NewType("Strength", int)

BEST_STRENGTH: Final = 7462
CARDS_IN_A_HAND: Final = 5
_JACK: Final = 11
_DEUCE: Final = 2


class Category(IntEnum):
    """The ten combinations, weakest first.

    Document 002 prints its list in two columns that the text runs together; this is the order that it means
    (THB-RNK-0); documents 000 and 001 list it so (TPC-RNK-0, THL-RNK-0).
    """

    HIGH_CARD = 1  # THB-RNK-10, TPC-RNK-10, THL-RNK-10
    PAIR = 2  # THB-RNK-9, TPC-RNK-9, THL-RNK-9
    TWO_PAIR = 3  # THB-RNK-8, TPC-RNK-8, THL-RNK-8
    THREE_OF_A_KIND = 4  # THB-RNK-7, TPC-RNK-7, THL-RNK-7
    STRAIGHT = 5  # THB-RNK-6, TPC-RNK-6, THL-RNK-6
    FLUSH = 6  # THB-RNK-5, TPC-RNK-5, THL-RNK-5
    FULL_HOUSE = 7  # THB-RNK-4, TPC-RNK-4, THL-RNK-4
    FOUR_OF_A_KIND = 8  # THB-RNK-3, TPC-RNK-3, THL-RNK-3
    STRAIGHT_FLUSH = 9  # THB-RNK-2, TPC-RNK-2, THL-RNK-2
    ROYAL_FLUSH = 10  # THB-RNK-1, TPC-RNK-1, THL-RNK-1

    @property
    def word(self) -> str:
        """As a word of the journal: `two-pair`. What people read stands in the catalogues of the languages."""
        return self.name.lower().replace("_", "-")


#: How many different strengths each category has (for example ten straights: five-high to ace-high).
DISTINCT_STRENGTHS: Final = {
    Category.HIGH_CARD: 1277,
    Category.PAIR: 2860,
    Category.TWO_PAIR: 858,
    Category.THREE_OF_A_KIND: 858,
    Category.STRAIGHT: 10,
    Category.FLUSH: 1277,
    Category.FULL_HOUSE: 156,
    Category.FOUR_OF_A_KIND: 156,
    Category.STRAIGHT_FLUSH: 9,
    Category.ROYAL_FLUSH: 1,
}

_CATEGORY_OF: Final = tuple(category for category, count in DISTINCT_STRENGTHS.items() for _ in range(count))

_EVALUATORS: Final[dict[int, Callable[..., int]]] = {5: evaluate_5cards, 6: evaluate_6cards, 7: evaluate_7cards}


def strength(cards: Iterable[Card]) -> Strength:
    """The strength of the best five of these cards.

    Five, six or seven different cards, in any order; any five may play, all of them from the board as well (AMB-60).
    Of one combination the higher ranks win, and equal ones leave it to the cards beside them (THL-TIE-0; THL-TIE-1, -2:
    four of a kind; THL-TIE-3: full houses; THL-TIE-4: straights; THL-TIE-5: flushes; THL-TIE-6: threes; THL-TIE-7: two
    pair; THL-TIE-8: pairs).
    Raises `ValueError` for another number of cards. That no card comes twice is for the caller to know.
    """
    # phevaluator numbers cards as `Card.index` does (rank * 4 + suit, clubs first) and counts 1 as the best.
    ids = [card.index for card in cards]
    evaluate = _EVALUATORS.get(len(ids))
    if evaluate is None:
        raise ValueError(f"a hand is ranked from 5, 6 or 7 cards, not from {len(ids)}")
    return Strength(BEST_STRENGTH + 1 - evaluate(*ids))


def category(of: Strength) -> Category:
    """Which of the ten combinations a strength belongs to."""
    return _CATEGORY_OF[of - 1]


def weakest(of: Category) -> Strength:
    """The lowest strength that still is this category, for comparisons such as "a straight or better"."""
    return Strength(_CATEGORY_OF.index(of) + 1)


def weakest_pair(rank: int) -> Strength:
    """The lowest strength that still is a pair of this rank (2 to 14), however low the three cards beside it are."""
    each_rank = DISTINCT_STRENGTHS[Category.PAIR] // len(RANKS)
    return Strength(weakest(Category.PAIR) + (rank - _DEUCE) * each_rank)


def may_open(five: Iterable[Card]) -> bool:
    """Whether these five cards are a pair of jacks or better, with which a player may open (FCD-OPN-5)."""
    return strength(five) >= weakest_pair(_JACK)
