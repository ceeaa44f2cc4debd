"""Random hands with side pots and ties, paid by PokerKit and by us."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tablectl.core.settlement.pot_rules import OddChip, PotRules
from tablectl.core.settlement.pots import PotSettlement, Stake, settle
from tablectl.core.settlement.ranking import strength
from tests.settlement.pokerkit_hands import PlayedHand, played

#: What every number of winners up to ten divides.
NOTHING_ODD = 2_520


def paid_by_us(hand: PlayedHand) -> PotSettlement:
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
    rules = PotRules(odd_chip=OddChip.CLOCKWISE)
    return settle(stakes, button=len(stakes), last_aggressor=None, smallest_chip=1, rules=rules)


def same_odd_chips(ours: PotSettlement) -> bool:
    """Whether PokerKit's way with odd chips leads where ours does.

    It gives all odd chips of a pot to one player, where we give one to each (AMB-31); and before it pays, it puts pots
    together that differ only in seats that have lost by then, where we pay the pots that lay on the table.
    """
    odd = [pot for pot in ours.pots if pot.amount % len(pot.winners)]
    one_pot_each = len({pot.winners for pot in ours.pots}) == len(ours.pots)
    return not odd or (one_pot_each and all(pot.amount % len(pot.winners) == 1 for pot in odd))


def compare(seed: int, hands: int, unit: int) -> Counter[str]:
    """Pay that many hands and compare; how many of them had what."""
    chance = Random(seed)
    counted: Counter[str] = Counter()
    for number in range(hands):
        hand = played(chance, unit=unit)
        ours = paid_by_us(hand)
        counted["side pots"] += len(ours.pots) > 1
        counted["shared pots"] += any(len(pot.winners) > 1 for pot in ours.pots)
        counted["odd chips"] += any(pot.amount % len(pot.winners) for pot in ours.pots)
        counted["returned"] += bool(ours.returned)
        counted["no showdown"] += len(hand.board) < 5
        if same_odd_chips(ours):
            counted["compared"] += 1
            assert tuple(net.amount for net in ours.nets) == hand.won, (seed, number, hand)
    return counted


@pytest.mark.wide
def test_hands_without_odd_chips_are_paid_as_pokerkit_pays_them() -> None:
    counted = compare(seed=1, hands=200, unit=NOTHING_ODD)
    assert counted["compared"] == 200
    assert min(counted[text] for text in ("side pots", "shared pots", "returned", "no showdown")) > 10, counted


@pytest.mark.wide
def test_amb_31_one_odd_chip_goes_where_pokerkit_puts_it() -> None:
    counted = compare(seed=2, hands=200, unit=1)
    assert counted["compared"] > 130, counted
    assert counted["odd chips"] > 10, counted


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("unit", [1, NOTHING_ODD])
def test_thousands_of_hands_are_paid_as_pokerkit_pays_them(unit: int) -> None:
    counted = compare(seed=3, hands=10_000, unit=unit)
    assert counted["compared"] > 7_000, counted
    assert min(counted[text] for text in ("side pots", "shared pots", "returned", "no showdown")) > 1_000, counted
