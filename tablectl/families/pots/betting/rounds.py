"""The betting rounds of one hand of a circle game: whose turn it is, what he may do, and what lies in the pot.

It knows seats and chips, and neither cards nor facts. A betting round is closed when everybody who is still in and not
all-in has spoken and has put in the same (THL-END-1, THO-ALL-3, FCD-ENV-7), when all but one have folded (THL-END-2),
or when nobody is left whom a bet could be made against. After a raise the others speak again, in order (THL-RD1-6);
"last to speak" binds the first lap only (AMB-04).

`chips` holds what was put in, `turns` judges an action, and here the turn goes round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tablectl.core.engine.vocabulary import Action
from tablectl.core.options.holdem import TwoActions
from tablectl.families.pots.betting.chips import NOBODY
from tablectl.families.pots.betting.legal import Done
from tablectl.families.pots.betting.limits import BettingRules
from tablectl.families.pots.betting.turns import SILENT, Turns

#: What an action changes, as it was. Of its seat: stack, stake, bets, dead money, folded, all-in, able, level ...
_Seat = tuple[int | None, int, int, int, bool, bool, bool, int]
#: ... and of the round: highest stake, last full raise, raises, pot, seats in, seats able, turn, aggressor of the hand
#: and of the round, actions, actions with chips, seats that acted.
_Round = tuple[int, int, int, int, int, int, int, int, int, int, int, int]
_Entry = tuple[Done, int, _Seat, _Round]


class Rounds(Turns):
    """The betting of one hand: `post` the blinds, `open` a round, `act` in turn until `is_closed`, open the next.

    Every action can be taken back until the next round is opened. Methods raise `ValueError` where the caller broke the
    order of calls or named a seat that is not dealt in; what a player may not do comes back as `Wrong` from `judged`.
    """

    __slots__ = ("_actors", "_acts", "_aggressor", "_chip_acts", "_log", "_ring", "_round_aggressor")

    def __init__(self, rules: BettingRules, order: Sequence[int], stacks: Mapping[int, int | None]) -> None:
        super().__init__(rules, order, stacks)
        self._ring = tuple(range(len(order))) * 2
        self._aggressor = self._round_aggressor = NOBODY
        self._acts = self._chip_acts = 0
        self._actors: list[int] = []
        self._log: list[_Entry] = []

    @property
    def is_closed(self) -> bool:
        """Whether the round that was opened last is over."""
        return self._turn == NOBODY and self.index is not None

    @property
    def no_more_betting(self) -> bool:
        """Whether the round is closed and nobody is left to bet against: the streets are dealt out."""
        return self._bettors <= 1 and self.is_closed

    @property
    def last_aggressor(self) -> int | None:
        """Who made the last bet or raise of the hand; a blind or a call is none (THL-SDN-1, AMB-30).

        His hand may have been declared dead since, while his chips stay or others have called them.
        """
        return None if self._aggressor == NOBODY else self.order[self._aggressor]

    @property
    def last_aggressor_of_round(self) -> int | None:
        """Who made the last bet or raise of the round that was opened last."""
        return None if self._round_aggressor == NOBODY else self.order[self._round_aggressor]

    @property
    def actors(self) -> tuple[int, ...]:
        """The different seats that have acted in their turn since the deal, in that order (THL-MIS-8, AMB-11)."""
        return tuple(self._actors)

    def voluntary(self, which: TwoActions) -> int:
        """How many actions count towards the two that end the time for a misdeal (THL-MIS-8, AMB-11)."""
        if which is TwoActions.TWO_PLAYERS:
            return len(self._actors)
        return self._acts if which is TwoActions.ANY_TWO else self._chip_acts

    def open(self, first: int, index: int) -> None:
        """Begin a betting round, 0 before the flop. `first` is the number of the seat that speaks first by position.

        If that one cannot act, or is not dealt in, the next clockwise who can is first (THL-RD3-4, AMB-06).
        """
        if self._turn != NOBODY:
            raise ValueError("the round before is not closed")
        count = len(self.order)
        if self.index is not None:
            self._stakes = [0] * count
            self._owed = 0
        self.index = index
        self._high = max(self._owed, *self._stakes)
        self._last_raise = self.rules.first_raise(index)
        self._raises = 1 if self._high else 0
        self._levels = [SILENT] * count
        self._round_aggressor = NOBODY
        self._log.clear()
        self._pass_turn(self._clockwise_from(first))

    def act(self, action: Action, to: int | None = None, *, is_all_in: bool = False) -> Done:
        """The seat whose turn it is acts, as `judged` takes it. Raises `ValueError` if it is not legal."""
        done = self._judged(action, to, is_all_in=is_all_in)
        if not isinstance(done, Done):
            raise ValueError(f"not legal: {done.reason}")
        self.carry_out(done)
        return done

    def carry_out(self, done: Done, *, dead: int = 0) -> Done:
        """What `judged` gave for the seat whose turn it is happens, and the turn passes on; returns what was done.

        `dead`: chips of the seat that lie there beside it and stay in the pot as dead money (THL-PLE-7).
        """
        place = self._turn
        if place == NOBODY or self.order[place] != done.seat:
            raise ValueError(f"it is not the turn of seat {done.seat}")
        if dead and done.added is not None:
            is_all_in = done.is_all_in or self._stacks[place] == done.added + dead
            done = replace(done, added=done.added + dead, is_all_in=is_all_in)
        self._log.append(self._before(done, place))
        action = done.action
        if action is Action.FOLD:
            self._goes_out(place)
        else:
            if action is not Action.CHECK:
                self._chips_in(place, done, dead)
            self._levels[place] = self._high
        self._acts += 1
        if done.seat not in self._actors:
            self._actors.append(done.seat)
        self._pass_turn(place + 1)
        return done

    def fold_out_of_turn(self, seat: int) -> Done:
        """A fold before the seat's turn is final (AMB-26); it is no action in turn, so it is not counted as one."""
        place = self._place(seat)
        if not self._able[place] or place == self._turn:
            raise ValueError(f"seat {seat} cannot fold out of turn")
        return self._take_out(place, returned=False)

    def fold_with(self, added: int) -> Done:
        """The seat whose turn it is folds, and loses chips that it had put in before (THL-PLE-5, THL-PLE-7).

        They count as its bet up to the highest stake; what is above that is dead money, so that it does not come back.
        """
        place = self._turn
        if place == NOBODY or not self.rules.amounts or added < 0:
            raise ValueError(f"nobody folds with {added}")
        stake, stack = self._stakes[place], self._stacks[place]
        if stack is not None and added > stack:
            raise ValueError(f"seat {self.order[place]} has no {added}")
        done = Done(seat=self.order[place], action=Action.FOLD, to=stake + added, added=added)
        live = min(added, self._high - stake)
        self.carry_out(done)
        self._put(place, live)
        self._put(place, added - live, live=False)
        return done

    def leave(self, seat: int, *, returned: bool) -> Done:
        """The hand of a seat is dead, all-in or not: by ruling, or taken away by mistake.

        Its chips stay in the pot, or all that it put in during the hand goes back (THL-CRE-4, AMB-35): then what the
        others have to match drops to the highest stake that is left, and the raise that is gone counts no more.
        """
        place = self._place(seat)
        if self._folded[place]:
            raise ValueError(f"seat {seat} is out already")
        return self._take_out(place, returned=returned)

    @property
    def done(self) -> tuple[Done, ...]:
        """What was done since the round was opened, in order: actions, folds out of turn, hands that died."""
        return tuple(entry[0] for entry in self._log)

    @property
    def n_done(self) -> int:
        """How many things were done since the round was opened."""
        return len(self._log)

    @property
    def can_undo(self) -> bool:
        """Whether anything was done since the round was opened."""
        return bool(self._log)

    def undo(self) -> Done:
        """Take back the last thing that a seat did, or that was done to it, since the round was opened; returns it."""
        if not self._log:
            raise ValueError("nothing was done in this round")
        done, place, seat, of_round = self._log.pop()
        (
            self._stacks[place],
            self._stakes[place],
            self._bets[place],
            self._dead[place],
            self._folded[place],
            self._all_in[place],
            self._able[place],
            self._levels[place],
        ) = seat
        (
            self._high,
            self._last_raise,
            self._raises,
            self._pot,
            self._live,
            self._bettors,
            self._turn,
            self._aggressor,
            self._round_aggressor,
            self._acts,
            self._chip_acts,
            actors,
        ) = of_round
        del self._actors[actors:]
        return done

    # --- how it goes --------------------------------------------------------------------------------------------------

    def _before(self, done: Done, place: int) -> _Entry:
        return (
            done,
            place,
            (
                self._stacks[place],
                self._stakes[place],
                self._bets[place],
                self._dead[place],
                self._folded[place],
                self._all_in[place],
                self._able[place],
                self._levels[place],
            ),
            (
                self._high,
                self._last_raise,
                self._raises,
                self._pot,
                self._live,
                self._bettors,
                self._turn,
                self._aggressor,
                self._round_aggressor,
                self._acts,
                self._chip_acts,
                len(self._actors),
            ),
        )

    def _chips_in(self, place: int, done: Done, dead: int) -> None:
        """A call, bet or raise."""
        high = self._high
        raises = done.action is not Action.CALL
        self._put(place, high + raises - self._stakes[place] if done.added is None else done.added - dead)
        if dead:
            self._put(place, dead, live=False)
        if raises:
            self._high = self._stakes[place]
            self._raises += 1
            self._aggressor = self._round_aggressor = place
            if done.is_full:
                self._last_raise = self._high - high
        if done.is_all_in:
            self._goes_all_in(place)
        self._chip_acts += 1

    def _take_out(self, place: int, *, returned: bool) -> Done:
        done = self._adds_nothing(place, Action.FOLD)
        self._log.append(self._before(done, place))
        self._goes_out(place)
        if returned:
            self._give_back(place)
            self._lower_the_stake()
        if self._turn != NOBODY:
            self._pass_turn(self._turn)
        return done

    def _lower_the_stake(self) -> None:
        """To the highest stake left: the round's last full raise, its count and its aggressor are as they were then."""
        high = max(self._owed, *self._stakes)
        if high == self._high:
            return
        for _, _, _, before in reversed(self._log):
            if before[0] <= high:
                _, self._last_raise, self._raises, _, _, _, _, self._aggressor, self._round_aggressor, *_ = before
                break
        self._high = high

    def _pass_turn(self, start: int) -> None:
        """To the first from this place who has not spoken, or has not put in as much as the highest stake."""
        if self._live <= 1:
            self._turn = NOBODY
        elif self._bettors <= 1:
            self._turn = self._last_to_answer()
        else:
            able, levels, stakes, high = self._able, self._levels, self._stakes, self._high
            for place in self._ring[start : start + len(able)]:
                if able[place] and (levels[place] == SILENT or stakes[place] < high):
                    self._turn = place
                    return
            self._turn = NOBODY

    def _last_to_answer(self) -> int:
        """The only one left who is not all-in, if somebody put in more than he did in this round.

        What is owed is not asked of him where nobody posted as much: it would come straight back.
        """
        for place, able in enumerate(self._able):
            if able:
                return place if self._stakes[place] < max(self._stakes) else NOBODY
        return NOBODY

    def _clockwise_from(self, first: int) -> int:
        """The place of this seat, or of the next one dealt in; seats are numbered clockwise."""
        place = self._places.get(first)
        if place is not None:
            return place
        nearest = min((seat for seat in self.order if seat > first), default=min(self.order))
        return self._places[nearest]

    # --- hands that were thrown ---------------------------------------------------------------------------------------

    @property
    def was_called(self) -> bool:
        """Whether somebody who is still in has matched the last bet or raise of the round, all-in for less too
        (THL-PLE-1a)."""
        bettor = self._round_aggressor
        return bettor != NOBODY and any(
            place != bettor and level == self._high and not self._folded[place]
            for place, level in enumerate(self._levels)
        )

    @property
    def folds_facing_a_bet(self) -> set[int]:
        """The seats that folded in this round to somebody's bet or raise: a blind alone is none (THL-PLE-2c)."""
        return {
            self.order[place]
            for done, place, seat, before in self._log
            if before[8] != NOBODY and seat[1] < before[0] and done.action is Action.FOLD
        }

    def revive(self, seat: int, *, speaks: bool) -> None:
        """A hand that was thrown is live again (THL-PLE-1); nothing done before can be undone any more.

        `speaks`: the round is not left yet, and the seat is asked again if it has not spoken or owes something: at once
        if it folded in its turn and nobody has acted since.
        """
        place = self._place(seat)
        if not self._folded[place]:
            raise ValueError(f"seat {seat} is not out")
        is_his_turn = self._turn == NOBODY or self._spoke_last(place)
        self._folded[place] = False
        self._live += 1
        if not self._all_in[place]:
            self._able[place] = True
            self._bettors += 1
        self._log.clear()
        if speaks:
            self._pass_turn(place if is_his_turn else self._turn)

    def _spoke_last(self, place: int) -> bool:
        """Whether the last thing done in the round was what this seat did in its turn."""
        if not self._log:
            return False
        _, last, _, (_, _, _, _, _, _, turn, *_) = self._log[-1]
        return last == place == turn
