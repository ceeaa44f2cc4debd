"""What a house that plays `texas-bonus` should know of what it has chosen."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.games.texas_bonus.options import PairOfJacksBonus, TexasBonusProfile


def notices(profile: TexasBonusProfile) -> Iterator[str]:
    """A sentence for a house that has chosen nothing about a pair of jacks."""
    if profile.pair_of_jacks_bonus is PairOfJacksBonus.LOSES:
        yield (
            "profile.pair_of_jacks_bonus = loses: a pair of jacks is in no line of the document's bonus table, so it "
            "loses (THB-BON-9, AMB-50); the house may choose pays-10-to-1"
        )
