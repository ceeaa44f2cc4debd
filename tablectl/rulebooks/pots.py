"""How the games in which players bet against each other pay a pot: what ships, under a house's choice."""

from __future__ import annotations

from dataclasses import replace

from tablectl.profile import pots
from tablectl.settlement.pot_rules import RULES, OddChip, PotRules


def pot_rules(rulebook: str, odd_chip: pots.OddChip) -> PotRules:
    """The rules of this game's pots, with whoever gets an odd chip in this house (AMB-31)."""
    return replace(RULES[rulebook], odd_chip=OddChip(odd_chip.value))
