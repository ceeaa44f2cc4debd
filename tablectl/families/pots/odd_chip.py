"""How the games in which players bet against each other pay a pot."""

from __future__ import annotations

from tablectl.core.options import pots
from tablectl.core.settlement.pot_rules import OddChip, PotRules


def pot_rules(odd_chip: pots.OddChip) -> PotRules:
    """The rules of a game's pots, with whoever gets an odd chip in this house (AMB-31)."""
    return PotRules(odd_chip=OddChip(odd_chip.value))
