"""What every seat of a circle game put in during a hand, what it has left, and who is still in.

Where the table enters who did what and no amounts (`BettingRules.amounts` is False), stakes are counted in steps: a
blind below the big one is one step, the big blind two, and every bet or raise one more. The order of speech follows
from them as it does from chips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tablectl.core.options.holdem import Structure
from tablectl.core.settlement.pots import Stake
from tablectl.core.settlement.ranking import Strength
from tablectl.families.pots.betting.limits import BettingRules

#: Steps of the blinds where amounts are not entered.
SMALL_STEP: Final = 1
BIG_STEP: Final = 2
#: No place: nobody has the turn, or nobody has bet.
NOBODY: Final = -1


class Chips:
    """Seats by their place in the order of the deal, and their chips. Lists hold one entry a place."""

    __slots__ = (
        "_able",
        "_all_in",
        "_bets",
        "_bettors",
        "_dead",
        "_folded",
        "_high",
        "_live",
        "_owed",
        "_places",
        "_pot",
        "_stacks",
        "_stakes",
        "index",
        "order",
        "rules",
    )

    def __init__(self, rules: BettingRules, order: Sequence[int], stacks: Mapping[int, int | None]) -> None:
        """`order`: the seats dealt in, clockwise from the left of the button. `stacks`: the chips of each before it
        posts anything; None, or no entry, where that is not known."""
        count = len(order)
        if count < 2 or len(set(order)) < count:
            raise ValueError("two different seats or more are dealt in")
        if rules.structure is Structure.FIXED_LIMIT and rules.amounts and not rules.units:
            raise ValueError("fixed limit needs the units of its rounds")
        self.rules = rules
        self.order = tuple(order)
        #: the betting round: 0 before the flop; None before the first was opened
        self.index: int | None = None
        self._places = {seat: place for place, seat in enumerate(order)}
        self._stacks = [stacks.get(seat) if rules.amounts else None for seat in order]
        #: live money of this round, of the whole hand, and dead money
        self._stakes = [0] * count
        self._bets = [0] * count
        self._dead = [0] * count
        self._folded = [False] * count
        self._all_in = [stack == 0 for stack in self._stacks]
        #: still in and not all-in, and how many are
        self._able = [not all_in for all_in in self._all_in]
        self._bettors = sum(self._able)
        self._live = count
        #: the highest stake of the round, and what everybody owes though nobody may have posted as much
        self._high = self._owed = 0
        self._pot = 0

    # --- what there is ------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether all but one are out: the hand is that one's, and no card follows (THL-END-2)."""
        return self._live <= 1

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that are still in, in the order of the deal."""
        return tuple([seat for seat, folded in zip(self.order, self._folded, strict=True) if not folded])

    @property
    def is_level(self) -> bool:
        """Whether several are still in and each of them has bet as much as anybody in this hand, antes too: then there
        is one pot, which all of them compete for, and nobody gets anything back."""
        high = max(self._bets)
        levels = [bets == high for bets, folded in zip(self._bets, self._folded, strict=True) if not folded]
        return high > 0 and len(levels) > 1 and all(levels)

    @property
    def high(self) -> int | None:
        """The highest stake of this round, or the big blind where that was posted short; None without amounts."""
        return self._high if self.rules.amounts else None

    @property
    def pot(self) -> int | None:
        """All the money that was put in and not given back, of this round too; None without amounts."""
        return self._pot if self.rules.amounts else None

    def stake(self, seat: int) -> int | None:
        """What the seat has put in in this round, without dead money; None without amounts."""
        return self._stakes[self._place(seat)] if self.rules.amounts else None

    def put_in(self, seat: int) -> int | None:
        """What the seat has put in during the hand, dead money too; None without amounts."""
        place = self._place(seat)
        return self._bets[place] + self._dead[place] if self.rules.amounts else None

    def has_put_in(self, seat: int) -> bool:
        """Whether the seat has put in anything during the hand that did not go back to it: known without amounts too,
        as far as actions are entered."""
        place = self._place(seat)
        return self._bets[place] + self._dead[place] > 0

    def has_bet(self, seat: int, ante: int) -> bool:
        """Whether the seat has put in more than its ante; without amounts the ante is dead money."""
        place = self._place(seat)
        return self._bets[place] + (self._dead[place] if self.rules.amounts else 0) > ante

    def stack(self, seat: int) -> int | None:
        """What the seat has left; None where that is not known."""
        return self._stacks[self._place(seat)]

    def is_in(self, seat: int) -> bool:
        """Whether the seat still competes for the pot."""
        return not self._folded[self._place(seat)]

    def is_all_in(self, seat: int) -> bool:
        """Whether the seat has put in its whole stack (THO-ALL-1)."""
        return self._all_in[self._place(seat)]

    def stakes(
        self, strengths: Mapping[int, Strength] | None = None, *, is_round_open: bool = False
    ) -> tuple[Stake, ...]:
        """What every seat put in, for the pots, in the order of the deal; with the strength of each hand, where these
        are given by seat. `is_round_open`: without what was put in since, which is in no pot yet.

        One who is left alone and could have put in more has the pot, and what the others lost is all in it: the blinds
        of those who folded out of turn, the raise of a hand that died (THL-END-2, THL-PLE-12, THL-PLE-14, THO-ACT-1).
        One who is all-in wins no more of each than he put in himself (THL-END-3, THO-ALL-12).

        Raises `ValueError` without amounts."""
        if not self.rules.amounts:
            raise ValueError("no amounts are entered at this table")
        known, all_bets = strengths or {}, self._bets
        if is_round_open:
            all_bets = [bets - stake for bets, stake in zip(self._bets, self._stakes, strict=True)]
        most = self._counts_as_bet(all_bets)
        return tuple(
            [
                Stake(
                    seat=seat,
                    bets=min(bets, most) if folded else bets,
                    dead=dead + max(0, bets - most) if folded else dead,
                    folded=folded,
                    strength=known.get(seat),
                )
                for seat, bets, dead, folded in zip(self.order, all_bets, self._dead, self._folded, strict=True)
            ]
        )

    def _counts_as_bet(self, bets: Sequence[int]) -> int:
        """Up to where what a lost hand put in counts as a bet, that may come back where nobody matched it."""
        places = range(len(self.order))
        alone = [bets[place] for place in places if not self._folded[place] and not self._all_in[place]]
        return alone[0] if self._live == 1 and alone else max(bets)

    def begins_with(self, seat: int, amount: int) -> None:
        """A seat has this much before it acts, beside what it has put in: also one whose last chips were its ante. With
        nothing left it is all-in."""
        place = self._place(seat)
        self._stacks[place] = amount
        if self._all_in[place] and not self._folded[place] and amount:
            self._all_in[place], self._able[place] = False, True
            self._bettors += 1
        elif self._able[place] and not amount:
            self._goes_all_in(place)

    # --- what is put in -----------------------------------------------------------------------------------------------

    def post(
        self, seat: int, amount: int | None, *, live: bool = True, is_full: bool = True, is_all_in: bool = False
    ) -> int | None:
        """A blind or entry bet before the first round; returns what was posted, all the seat has if that is less.

        Dead money (not `live`) does not count towards what is to be matched. After a live blind everybody owes the
        table's minimum, though it may have been posted short. Without amounts `amount` is None, and `is_full` is False
        for a blind below the big one. `is_all_in` is what a person says where the stack is not known.
        """
        place = self._place(seat)
        if self.index is not None:
            raise ValueError("blinds are posted before the first round")
        if (amount is not None) is not self.rules.amounts or (amount is not None and amount < 0):
            raise ValueError(f"a blind of {amount}")
        if not self._able[place]:
            raise ValueError(f"seat {seat} has nothing to post")
        stack = self._stacks[place]
        if amount is not None:
            amount = amount if stack is None else min(amount, stack)
            self._put(place, amount, live=live)
            if live:
                self._owed = self.rules.least_bet
        elif live:
            self._put(place, (BIG_STEP if is_full else SMALL_STEP) - self._stakes[place])
            self._owed = BIG_STEP
        else:
            self._put(place, SMALL_STEP, live=False)
        if is_all_in or (stack is not None and amount == stack):
            self._goes_all_in(place)
        return amount

    def ante(self, seat: int, amount: int | None) -> int | None:
        """What everybody puts in to be dealt cards (FCD-OPN-2); returns what it came to, all the seat has if that is
        less. Nobody has to match it in a round, yet a pot is divided by it as by a bet (AMB-69)."""
        place = self._place(seat)
        if self.index is not None or not self._able[place]:
            raise ValueError(f"seat {seat} posts no ante now")
        if (amount is not None) is not self.rules.amounts or (amount is not None and amount < 0):
            raise ValueError(f"an ante of {amount}")
        if amount is None:
            self._put(place, SMALL_STEP, live=False)
            return None
        stack = self._stacks[place]
        put_in = amount if stack is None else min(amount, stack)
        self._bets[place] += put_in
        self._pot += put_in
        if stack is not None:
            self._stacks[place] = stack - put_in
            if put_in == stack:
                self._goes_all_in(place)
        return put_in

    def _put(self, place: int, added: int, *, live: bool = True) -> None:
        stack = self._stacks[place]
        if stack is not None:
            self._stacks[place] = stack - added
        self._pot += added
        if live:
            self._stakes[place] += added
            self._bets[place] += added
        else:
            self._dead[place] += added

    def _give_back(self, place: int) -> None:
        """Everything that the seat has put in during the hand."""
        returned = self._bets[place] + self._dead[place]
        stack = self._stacks[place]
        if stack is not None:
            self._stacks[place] = stack + returned
        self._pot -= returned
        self._stakes[place] = self._bets[place] = self._dead[place] = 0

    def _goes_all_in(self, place: int) -> None:
        self._all_in[place] = True
        self._able[place] = False
        self._bettors -= 1

    def _goes_out(self, place: int) -> None:
        self._folded[place] = True
        self._live -= 1
        if self._able[place]:
            self._able[place] = False
            self._bettors -= 1

    def _place(self, seat: int) -> int:
        place = self._places.get(seat)
        if place is None:
            raise ValueError(f"seat {seat} is not dealt in")
        return place
