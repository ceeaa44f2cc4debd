"""What a house that plays `texas-bonus` should know of what it has chosen."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.games.texas_bonus.options import PairOfJacksBonus, TexasBonusProfile


def notices(profile: TexasBonusProfile) -> Iterator[str]:
    """The name of the sentence for a house that has chosen nothing about a pair of jacks."""
    if profile.pair_of_jacks_bonus is PairOfJacksBonus.LOSES:
        yield "pair-of-jacks-loses"
