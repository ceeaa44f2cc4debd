"""How the games in which players bet against each other pay a pot: what ships, under a house's choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tablectl.profile import pots
from tablectl.settlement.pot_rules import RULES, OddChip, PotRules

_ODD_CHIPS: Final[Mapping[pots.OddChip, OddChip]] = {
    pots.OddChip.LAST_BETTOR: OddChip.LAST_AGGRESSOR,
    pots.OddChip.LAST_BETTOR_ALWAYS: OddChip.LAST_AGGRESSOR_ALWAYS,
    pots.OddChip.CLOCKWISE: OddChip.CLOCKWISE,
}


def pot_rules(rulebook: str, odd_chip: pots.OddChip) -> PotRules:
    """The rules of this game's pots, with whoever gets an odd chip in this house (AMB-31)."""
    return replace(RULES[rulebook], odd_chip=_ODD_CHIPS[odd_chip])
