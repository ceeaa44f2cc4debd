"""`rank_hands.py SEED N`: the strength of N hands of five cards, of N of six and of N of seven, a number a line.
The same hands on every machine."""

from __future__ import annotations

import sys
from random import Random

from tablectl.core.cards import DECK
from tablectl.core.settlement.ranking import strength


def main(seed: int, n_hands: int) -> None:
    """Says them."""
    chance = Random(seed)
    for n_cards in (5, 6, 7):
        for _ in range(n_hands):
            sys.stdout.write(f"{strength(chance.sample(DECK, n_cards))}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
