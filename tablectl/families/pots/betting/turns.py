"""What the seat whose turn it is may do, and whether an action is legal (THL-RD1, THL-RD2-5, THO-ACT, THO-LIM)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.vocabulary import Action
from tablectl.core.options.holdem import Structure
from tablectl.core.options.pots import ShortAllIn
from tablectl.families.pots.betting.chips import NOBODY, Chips
from tablectl.families.pots.betting.legal import Done, Reason, Wrong
from tablectl.families.pots.betting.limits import BettingRules

#: The level of a seat that has not spoken in this round.
SILENT: Final = -1

#: The bounds of a bet or raise, None: not bounded, or amounts are not entered.
Span = tuple[int | None, int | None]


class Turns(Chips):
    """A seat has the turn, and the highest stake at which every seat last acted is known."""

    __slots__ = ("_last_raise", "_levels", "_raises", "_turn")

    def __init__(self, rules: BettingRules, order: Sequence[int], stacks: Mapping[int, int | None]) -> None:
        super().__init__(rules, order, stacks)
        self._levels = [SILENT] * len(order)
        self._last_raise = 0
        #: bets and raises of this round, all-ins short of a full one too; the big blind counts as the bet (AMB-58)
        self._raises = 0
        self._turn = NOBODY

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None: the round is closed, or none was opened."""
        return None if self._turn == NOBODY else self.order[self._turn]

    @property
    def may_check(self) -> bool:
        """Whether the seat whose turn it is has put in as much as the highest stake."""
        return self._stakes[self._turn] == self._high

    @property
    def may_call(self) -> bool:
        """Whether something is outstanding for the seat whose turn it is, and it has enough to call."""
        due = self._high - self._stakes[self._turn]
        return due > 0 and self._has_enough(self._turn, due)

    def legal(self) -> Legal:
        """What the seat whose turn it is may do. Raises `ValueError` where nobody has the turn."""
        place = self._turn
        if place == NOBODY:
            raise ValueError("nobody has the turn")
        high, stake, stack = self._high, self._stakes[place], self._stacks[place]
        due, may_call = high - stake, self.may_call
        span = self._span(place)
        may_raise = not isinstance(span, Wrong)
        least, most = (None, None) if isinstance(span, Wrong) else span
        total = None if stack is None else stake + stack
        return Legal(
            seat=self.order[place],
            may_check=self.may_check,
            may_call=may_call,
            call=(due if stack is None else min(due, stack)) if may_call and self.rules.amounts else None,
            may_raise=may_raise,
            raise_from=least,
            raise_to=most,
            is_bet=not high,
            all_in=total,
            may_go_all_in=may_raise or due > 0 if total is None else (total <= high and may_call) or total == most,
        )

    def judged(self, action: Action, to: int | None = None, *, is_all_in: bool = False) -> Done | Wrong:
        """What the action would come to if the seat whose turn it is did it now; nothing changes.

        `to` is the whole stake in this round: needed for a bet or raise, and for an all-in of a stack that is not
        known. `BET` and `RAISE` ask for the same, and what is outstanding decides which it is (AMB-02). `is_all_in`
        is what a person says where the stack is not known; a known stack tells by itself.
        """
        verdict = self._judged(action, to, is_all_in=is_all_in)
        if isinstance(verdict, Done) or self._turn == NOBODY:
            return verdict
        return Wrong(reason=verdict.reason, limit=verdict.limit, legal=self.legal())

    def _judged(self, action: Action, to: int | None, *, is_all_in: bool) -> Done | Wrong:
        place = self._turn
        if place == NOBODY:
            return Wrong(reason=Reason.NO_TURN)
        if to is not None and not self.rules.amounts:
            return Wrong(reason=Reason.AMOUNT_NOT_ENTERED)
        if action is Action.FOLD:
            return self._adds_nothing(place, action)
        if action is Action.CHECK:
            if self._stakes[place] < self._high:
                return Wrong(reason=Reason.BET_OUTSTANDING, limit=self.high)
            return self._adds_nothing(place, action)
        if action is Action.CALL:
            return self._call(place, to, is_all_in=is_all_in)
        if action is Action.ALL_IN:
            return self._whole_stack(place, to)
        return self._raise(place, to, is_all_in=is_all_in)

    def _adds_nothing(self, place: int, action: Action) -> Done:
        """A check or a fold."""
        if self.rules.amounts:
            return Done(seat=self.order[place], action=action, to=self._stakes[place], added=0)
        return Done(seat=self.order[place], action=action, to=None, added=None)

    def _call(self, place: int, to: int | None, *, is_all_in: bool) -> Done | Wrong:
        """THL-RD1-3, THO-ACT-5, FCD-EVT-2: what is missing, or the whole stack if that is less (THL-RD1-5)."""
        stake, stack, seat = self._stakes[place], self._stacks[place], self.order[place]
        due = self._high - stake
        if not due:
            return Wrong(reason=Reason.NOTHING_TO_CALL)
        if not self.rules.amounts:
            return Done(seat=seat, action=Action.CALL, to=None, added=None, is_all_in=is_all_in)
        if not self._has_enough(place, due):
            return Wrong(reason=Reason.ABOVE_STACK, limit=None if stack is None else stake + stack)
        if stack is None:
            added = to - stake if is_all_in and to is not None and stake < to < self._high else due
        else:
            added = min(due, stack)
            if is_all_in and added < stack:
                return Wrong(reason=Reason.NOT_HIS_STACK, limit=stake + stack)
        if to is not None and to != stake + added:
            return Wrong(reason=Reason.NOT_THE_CALL, limit=stake + added)
        return Done(
            seat=seat,
            action=Action.CALL,
            to=stake + added,
            added=added,
            is_all_in=is_all_in or added == stack,
        )

    def _has_enough(self, place: int, due: int) -> bool:
        """Whether he may call: with what he has, or where the house has it so, in full alone (FCD-RST-1, AMB-69)."""
        stack = self._stacks[place]
        return self.rules.calls_for_less or stack is None or stack >= due

    def _whole_stack(self, place: int, to: int | None) -> Done | Wrong:
        """An all-in is a bet, a call or a raise by what it amounts to (THL-RD1-5, THO-ALL-1)."""
        if not self.rules.amounts:
            return Wrong(reason=Reason.CALL_OR_RAISE)
        stake, stack = self._stakes[place], self._stacks[place]
        total = to if stack is None else stake + stack
        if total is None or total <= stake:
            return Wrong(reason=Reason.NO_AMOUNT)
        if to is not None and to != total:
            return Wrong(reason=Reason.NOT_HIS_STACK, limit=total)
        if total <= self._high:
            return self._call(place, total, is_all_in=True)
        return self._raise(place, total, is_all_in=True)

    def _raise(self, place: int, to: int | None, *, is_all_in: bool) -> Done | Wrong:
        """THL-RD1-4, THO-ACT-6, FCD-ENV-5: within the bounds, or all-in below the least (AMB-03)."""
        span = self._span(place)
        if isinstance(span, Wrong):
            return span
        rules, high = self.rules, self._high
        seat, action = self.order[place], Action.RAISE if high else Action.BET
        if not rules.amounts:
            return Done(seat=seat, action=action, to=None, added=None, is_all_in=is_all_in, is_full=True, reopens=True)
        if to is None:
            return Wrong(reason=Reason.NO_AMOUNT)
        stake, stack = self._stakes[place], self._stacks[place]
        total = None if stack is None else stake + stack
        if (wrong := self._off(place, to, span, is_all_in=is_all_in)) is not None:
            return wrong
        is_full = to >= rules.least(high, self._last_raise)
        return Done(
            seat=seat,
            action=action,
            to=to,
            added=to - stake,
            is_all_in=is_all_in or to == total,
            is_full=is_full,
            reopens=is_full or rules.short_all_in is ShortAllIn.REOPENS or self._adds_up(place, to),
        )

    def _off(self, place: int, to: int, span: Span, *, is_all_in: bool) -> Wrong | None:
        """Why this amount is not legal, between these bounds."""
        rules, (least, most) = self.rules, span
        stake, stack = self._stakes[place], self._stacks[place]
        total = None if stack is None else stake + stack
        if total is not None and to > total:
            return Wrong(reason=Reason.ABOVE_STACK, limit=total)
        if total is not None and is_all_in and to != total:
            return Wrong(reason=Reason.NOT_HIS_STACK, limit=total)
        if most is not None and to > most:
            return Wrong(reason=self._bound(most), limit=most)
        if least is not None and to < least and not (total is None and is_all_in and to > self._high):
            return Wrong(reason=Reason.BELOW_LEAST, limit=least)
        is_whole_stack = is_all_in if total is None else to == total
        if to != rules.in_chips(to) and not is_whole_stack:
            return Wrong(reason=Reason.NOT_IN_CHIPS, limit=to)
        return None

    def _span(self, place: int) -> Span | Wrong:
        """From what to what he may bet or raise, or why he may not."""
        barred = self._barred(place)
        if barred is not None:
            return barred
        rules, high, stake, stack = self.rules, self._high, self._stakes[place], self._stacks[place]
        if not rules.amounts:
            return None, None
        total = None if stack is None else stake + stack
        least = rules.in_chips(rules.least(high, self._last_raise))
        most = rules.most(high, least, self._pot, high - stake)
        if most is not None and (total is None or most < total) and rules.structure is not Structure.FIXED_LIMIT:
            most -= most % rules.chip
        if total is not None and total < least and (most is None or total <= most):
            return total, total
        if most is None:
            return least, total
        if most < least:
            return Wrong(reason=Reason.ABOVE_TABLE, limit=most)
        return least, most if total is None else min(total, most)

    def beyond(self, to: int) -> tuple[int, int | None] | None:
        """From what to what the seat whose turn it is may raise further, its own chips TO so much counting as a raise
        (THL-PLE-7); None where it cannot."""
        span = self._span(self._turn)
        assert not isinstance(span, Wrong), "it may raise"
        _, most = span
        stack = self._stacks[self._turn]
        total = None if stack is None else self._stakes[self._turn] + stack
        least = self.rules.in_chips(self.rules.least(to, to - self._high))
        if total is not None and to < total < least and most == total:
            return total, total
        return None if most is not None and most < least else (least, most)

    def _barred(self, place: int) -> Wrong | None:
        """Why he may not bet or raise at all."""
        rules, high, stack, level = self.rules, self._high, self._stacks[place], self._levels[place]
        if stack is not None and self._stakes[place] + stack <= high:
            return Wrong(reason=Reason.ABOVE_STACK, limit=self._stakes[place] + stack)
        if level != SILENT and not rules.reopened(high, level, self._last_raise):
            return Wrong(reason=Reason.NOT_REOPENED)
        if self._raises > rules.raises and rules.structure is Structure.FIXED_LIMIT:
            return Wrong(reason=Reason.RAISES_USED_UP, limit=rules.raises)
        return None if self._can_answer(place) else Wrong(reason=Reason.NOBODY_TO_ANSWER)

    @property
    def can_be_answered(self) -> bool:
        """Whether anybody could call a raise of the seat whose turn it is."""
        return self._can_answer(self._turn)

    def _can_answer(self, place: int) -> bool:
        """Whether somebody else has chips beyond the highest stake, to call a raise with."""
        high = self._high
        for other, able in enumerate(self._able):
            if able and other != place:
                stack = self._stacks[other]
                if stack is None or self._stakes[other] + stack > high:
                    return True
        return False

    def _adds_up(self, place: int, to: int) -> bool:
        """Whether an all-in TO so much makes a full raise with others before it, for one who has acted (AMB-91)."""
        return any(
            able and other != place and level != SILENT and self.rules.reopened(to, level, self._last_raise)
            for other, (able, level) in enumerate(zip(self._able, self._levels, strict=True))
        )

    def _bound(self, most: int) -> Reason:
        """Which rule sets the greatest raise, the stack being no hindrance."""
        structure = self.rules.structure
        if structure is Structure.FIXED_LIMIT:
            return Reason.ABOVE_UNIT
        return Reason.ABOVE_TABLE if most == self.rules.most_bet else Reason.ABOVE_POT
