"""Tables to bet at: the rules that ship for the two hold'em games, and hands begun with their blinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.options.holdem import Structure
from tablectl.core.options.pots import MinimumRaise, ShortAllIn
from tablectl.families.pots.betting.limits import BettingRules
from tablectl.families.pots.betting.rounds import Rounds

#: as `circle-holdem` ships, blinds of 1 and 2
CIRCLE: Final = BettingRules(
    structure=Structure.NO_LIMIT,
    minimum_raise=MinimumRaise.TWICE_THE_HIGHEST,
    short_all_in=ShortAllIn.REOPENS,
    least_bet=2,
)
#: as `open-holdem` ships
OPEN: Final = BettingRules(
    structure=Structure.NO_LIMIT,
    minimum_raise=MinimumRaise.LAST_FULL_RAISE,
    short_all_in=ShortAllIn.FULL_RAISE_ONLY,
    least_bet=2,
)
POT: Final = BettingRules(
    structure=Structure.POT_LIMIT,
    minimum_raise=MinimumRaise.LAST_FULL_RAISE,
    short_all_in=ShortAllIn.FULL_RAISE_ONLY,
    least_bet=2,
)
FIXED: Final = BettingRules(
    structure=Structure.FIXED_LIMIT,
    minimum_raise=MinimumRaise.LAST_FULL_RAISE,
    short_all_in=ShortAllIn.FULL_RAISE_ONLY,
    least_bet=2,
    units=(2, 2, 4, 4),
)
DRAW: Final = BettingRules(
    structure=Structure.NO_LIMIT,
    minimum_raise=MinimumRaise.ANY_GREATER_AMOUNT,
    short_all_in=ShortAllIn.FULL_RAISE_ONLY,
    least_bet=5,
    most_bet=50,
)
#: order and deadlines only
ACTIONS: Final = BettingRules(
    structure=Structure.NO_LIMIT,
    minimum_raise=MinimumRaise.TWICE_THE_HIGHEST,
    short_all_in=ShortAllIn.REOPENS,
    least_bet=2,
    amounts=False,
)


def before_the_flop(rules: BettingRules, *stacks: int | None) -> Rounds:
    """Seats 1, 2, ... with these stacks; 1 posts the small blind, 2 the big one, and the next speaks first."""
    rounds = Rounds(rules, range(1, len(stacks) + 1), dict(enumerate(stacks, start=1)))
    amounts = rules.amounts
    rounds.post(1, rules.least_bet // 2 if amounts else None, is_full=False)
    rounds.post(2, rules.least_bet if amounts else None)
    rounds.open(3 if len(stacks) > 2 else 1, 0)
    return rounds


def on_the_flop(rules: BettingRules, *stacks: int | None, dead: Mapping[int, int] | None = None) -> Rounds:
    """The second round, seat 1 first, with no blinds before it; `dead` money of some seats lies in the pot."""
    rounds = Rounds(rules, range(1, len(stacks) + 1), dict(enumerate(stacks, start=1)))
    for seat, amount in (dead or {}).items():
        rounds.post(seat, amount, live=False)
    rounds.open(1, 1)
    return rounds
