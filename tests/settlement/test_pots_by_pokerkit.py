"""Random hands with side pots and ties, paid by PokerKit and by us."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tablectl.settlement.pot_rules import RULES
from tablectl.settlement.pots import PotSettlement, Stake, settle
from tablectl.settlement.ranking import strength
from tests.settlement.pokerkit_hands import PlayedHand, played

#: What every number of winners up to ten divides.
NOTHING_ODD = 2_520


def paid_by_us(hand: PlayedHand, unit: int) -> PotSettlement:
    """Under the rules of open-holdem, the button at the last player."""
    stakes = [
        Stake(
            seat=player + 1,
            bets=bets,
            folded=folded,
            strength=strength((*hand.board, *own)) if len(hand.board) == 5 else None,
        )
        for player, (own, bets, folded) in enumerate(zip(hand.hole, hand.put_in, hand.folded, strict=True))
    ]
    rules = RULES["open-holdem"]
    return settle(stakes, button=len(stakes), last_aggressor=None, smallest_chip=unit, rules=rules)


def compare(seed: int, hands: int, unit: int, counted: Counter[str]) -> None:
    """Every hand is paid alike; PokerKit gives all odd chips of a pot to one player, we give one to each."""
    chance = Random(seed)
    for number in range(hands):
        hand = played(chance, unit=unit)
        ours = paid_by_us(hand, 1)
        more_than_one_odd = any(pot.amount % len(pot.winners) > 1 for pot in ours.pots)
        counted["side pots"] += len(ours.pots) > 1
        counted["shared pots"] += any(len(pot.winners) > 1 for pot in ours.pots)
        counted["odd chips"] += any(pot.amount % len(pot.winners) for pot in ours.pots)
        counted["returned"] += bool(ours.returned)
        counted["no showdown"] += len(hand.board) < 5
        if not more_than_one_odd:
            counted["compared"] += 1
            assert tuple(each.amount for each in ours.nets) == hand.won, (seed, number, hand)


def test_hands_without_odd_chips_are_paid_as_pokerkit_pays_them() -> None:
    counted: Counter[str] = Counter()
    compare(seed=1, hands=200, unit=NOTHING_ODD, counted=counted)
    assert counted["compared"] == 200
    assert min(counted[each] for each in ("side pots", "shared pots", "returned", "no showdown")) > 10, counted


def test_amb_31_one_odd_chip_goes_where_pokerkit_puts_it() -> None:
    counted: Counter[str] = Counter()
    compare(seed=2, hands=200, unit=1, counted=counted)
    assert counted["compared"] > 150, counted
    assert counted["odd chips"] > 10, counted


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("unit", [1, NOTHING_ODD])
def test_thousands_of_hands_are_paid_as_pokerkit_pays_them(unit: int) -> None:
    counted: Counter[str] = Counter()
    compare(seed=3, hands=10_000, unit=unit, counted=counted)
    assert counted["compared"] > 8_000, counted
    assert min(counted[each] for each in ("side pots", "shared pots", "returned", "no showdown")) > 1_000, counted
