"""How much a bet or a raise must be and may be, by structure and by the house's choice of the least raise.

Sources: THL-DLG-2, THL-RD1-4, THL-RD2-5, THO-ACT-6, THO-LIM-1 to -3, FCD-ENV-5 and the open points AMB-01, -02, -03,
-58, -87, -91. All amounts are integers of the smallest unit of money and mean the whole stake of a seat in the betting
round: a raise TO 6 and not BY 4. `high` is the highest stake of the round.
"""

from __future__ import annotations

from tablectl.core.options.holdem import Structure
from tablectl.core.options.pots import MinimumRaise, ShortAllIn
from tablectl.core.records import record


@record
class BettingRules:
    """What a table's rulebook, profile and limits say about its bets."""

    structure: Structure
    minimum_raise: MinimumRaise
    short_all_in: ShortAllIn
    #: the table's minimum, which is the big blind (THL-DLG-2, AMB-02)
    least_bet: int
    #: the table's maximum, as a stake in one round; None: there is none. Fixed limit has its units instead
    most_bet: int | None = None
    #: fixed limit: the unit of every betting round, from the first
    units: tuple[int, ...] = ()
    #: fixed limit: raises after the bet (THO-LIM-1)
    raises: int = 3
    #: whether a player may call with less than he is asked for, all-in (THL-RD1-5); otherwise he folds (AMB-69)
    calls_for_less: bool = True
    #: the smallest chip in play: a stake that only has to be greater is greater by one
    chip: int = 1
    #: False where only who did what is entered: order and deadlines are kept then, and no amount is known
    amounts: bool = True

    def first_raise(self, index: int) -> int:
        """By how much the first raise of a betting round raises (0: the first round); at fixed limit every one.

        Without limits that is the big blind, which is the table's minimum too. Without amounts it is one step.
        """
        if not self.amounts:
            return 1
        return self.units[index] if self.structure is Structure.FIXED_LIMIT else self.least_bet

    def least(self, high: int, last_raise: int) -> int:
        """The least full bet (`high` is 0) or full raise. `last_raise` is the size of the round's last full one.

        A bet that is short of the table's minimum, all-in, does not lower what is asked of the next one (AMB-02).
        """
        if self.structure is Structure.FIXED_LIMIT:
            return high + last_raise
        if not high:
            return self.least_bet
        if self.minimum_raise is MinimumRaise.LAST_FULL_RAISE:
            return high + last_raise
        greater = 2 * high if self.minimum_raise is MinimumRaise.TWICE_THE_HIGHEST else high + self.chip
        return max(greater, self.least_bet)

    def in_chips(self, amount: int) -> int:
        """The least amount that a player can choose from this one on: what is bet or raised is a multiple of the
        smallest chip (ruling "smallest chip"), also where an all-in has made the stake before it odd. At fixed limit
        nobody chooses."""
        return amount if self.structure is Structure.FIXED_LIMIT else amount + -amount % self.chip

    def most(self, high: int, least: int, pot: int, due: int) -> int | None:
        """The greatest bet or raise that the rules allow, whatever the stack; None: any.

        `pot` is all the money that was put in, of this round too, and `due` what the seat has to call: at pot limit a
        raise is as much as the pot holds after the call. What `most` leaves below `least` cannot be raised in full.
        """
        if self.structure is Structure.FIXED_LIMIT:
            return least
        if self.structure is Structure.POT_LIMIT:
            by_pot = max(least, high + pot + due)
            return by_pot if self.most_bet is None else min(by_pot, self.most_bet)
        return self.most_bet

    def reopened(self, high: int, level: int, last_raise: int) -> bool:
        """Whether a seat may raise once more that has acted when the highest stake was `level`.

        Where only a full raise reopens, what was raised since must come to one: one full raise, or several all-ins
        below it that add up (AMB-91). Who has called one of these faces only the rest.
        """
        if not self.amounts or self.short_all_in is ShortAllIn.REOPENS:
            return high > level
        return high >= self.least(level, last_raise)
