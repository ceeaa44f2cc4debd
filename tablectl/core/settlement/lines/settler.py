"""What settles the lines of one game under a house's choices: the same for the command of every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

from tablectl.core.options.choices import Profile, profile_of
from tablectl.core.settlement.lines import pots
from tablectl.core.settlement.lines.pot_rules import pot_rules_of
from tablectl.core.settlement.pot_rules import PotRules
from tablectl.core.validation import Mistake

Result: TypeAlias = dict[str, Any] | list[Mistake]
#: A parsed line, and where it stands, to its result or everything that is wrong with it.
SettleOne: TypeAlias = Callable[[object, str], Result]
#: The keys of a house's file, and its name, to what settles lines under them or everything that is wrong with them.
Settler: TypeAlias = Callable[[Mapping[str, object], str], SettleOne | list[Mistake]]

P = TypeVar("P", bound=Profile)
P_contra = TypeVar("P_contra", bound=Profile, contravariant=True)


class _SettleLine(Protocol[P_contra]):
    def __call__(self, line: object, *, where: str, profile: P_contra) -> Result: ...


def of_bank_game(options: type[P], settle_line: _SettleLine[P]) -> Settler:
    """Of a game against the bank: the keys are those of its options."""

    def under(keys: Mapping[str, object], where: str) -> SettleOne | list[Mistake]:
        profile = profile_of(options, keys, where)
        if isinstance(profile, list):
            return profile
        return lambda line, where: settle_line(line, where=where, profile=profile)

    return under


def of_pot_game(rulebook: str, rules: PotRules, game: pots.PotGame) -> Settler:
    """Of a game in which players win each other's money: the keys are about pots."""

    def under(keys: Mapping[str, object], where: str) -> SettleOne | list[Mistake]:
        found = pot_rules_of(rulebook, rules, keys, where)
        if isinstance(found, list):
            return found
        return lambda line, where: pots.settle_line(line, where=where, game=game, rules=found)

    return under
