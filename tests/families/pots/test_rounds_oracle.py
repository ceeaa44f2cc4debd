"""Random hands bet in PokerKit and here, step by step: same actor, call, bounds of a raise, stacks and pot.

The rules agree for the increment as the least raise and all-ins that reopen only as full raises (as `open-holdem`
ships). Where the documents say something else than PokerKit does, this is how the two are brought together:

- Two players: PokerKit gives the small blind to the button. The order of ours is the caller's (AMB-61), and is that
  one here.
- Fixed limit: the big blind is the bet, so three raises follow before the flop (AMB-58); PokerKit's own game allows
  four. It is given the documents' cap as the cap of its first street, and four bets and raises for the others.
- A big blind posted short leaves the others owing the whole blind (DLG-2), in PokerKit only what was posted. The big
  blind can always be paid here; the small blind, antes and entry bets need not.
- A fold with nothing outstanding is allowed (THL-RD1-2), and PokerKit forbids it: nobody does it here.
- The only one left with chips, everything matched, has no turn (THL-END-1). PokerKit lets him check, which is done
  for it.
- A bet below the table's minimum, all-in, and a first raise below the big blind, is not a full one (AMB-03), so who
  has acted may not raise. PokerKit takes the first amount of a round for the measure of the next ones, and lets him.
- Two short all-ins that add up reopen the betting (AMB-91), and a third one does not close it again. In PokerKit it
  does.

The last two are counted; nobody raises in such a place, and all the rest is compared there too.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest
from pokerkit import Automation, BettingStructure, Deck, Opening, StandardHighHand, State, Street

from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.vocabulary import Action
from tablectl.core.options.holdem import Structure
from tablectl.families.pots.betting.limits import BettingRules
from tablectl.families.pots.betting.rounds import Rounds
from tests.families.pots.betting import FIXED, OPEN, POT

RULES: Final = {rules.structure: rules for rules in (OPEN, POT, FIXED)}
AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
)
BLINDS: Final = (1, 2)
HOLE_CARDS: Final = (False, False)
LAST_ROUND: Final = 3


class Hand:
    """One hand in both, with everything that had to be brought together counted."""

    def __init__(self, rules: BettingRules, players: int, chance: Random, counted: Counter[str]) -> None:
        self.chance = chance
        self.counted = counted
        stacks = [chance.choice((2, 5, 8, 20, 45, 60, 200)) + chance.randint(1, 3) for _ in range(players)]
        ante = chance.choice((0, 0, 1))
        entries = [seat for seat in range(3, players) if chance.random() < 0.1]
        blinds = [*BLINDS, *(-BLINDS[1] if seat in entries else 0 for seat in range(3, players + 1))]
        self.state = State(
            AUTOMATIONS,
            Deck.STANDARD,
            (StandardHighHand,),
            tuple(_street(rules, index) for index in range(4)),
            BettingStructure(rules.structure.replace("-", " ").capitalize().replace(" l", "-l")),
            True,
            ante,
            blinds,
            0,
            stacks,
            players,
        )
        self.ours = Rounds(rules, range(1, players + 1), dict(enumerate(stacks, start=1)))
        for seat in range(1, players + 1):
            if ante:
                self.ours.post(seat, ante, live=False)
        small, big = (1, 2) if players > 2 else (2, 1)
        for seat, blind in ((small, BLINDS[0]), (big, BLINDS[1]), *((seat, BLINDS[1]) for seat in entries)):
            if not self.ours.is_all_in(seat):
                self.ours.post(seat, blind)
        if self.state.can_collect_bets():
            self.state.collect_bets()
        self.first = 3 if players > 2 else small

    def play(self) -> None:
        """To the end of the betting."""
        for index in range(LAST_ROUND + 1):
            self.ours.open(self.first if index == 0 else 1, index)
            while self.ours.turn is not None:
                self._step(self.ours.legal())
            assert self.ours.is_over == (sum(self.state.statuses) == 1)
            self._close(index)
            if self.ours.is_over or self.ours.no_more_betting:
                assert self.ours.is_over or self.state.all_in_status
                return

    def _close(self, index: int) -> None:
        """The round is closed here, so it has to be in PokerKit, which goes on by itself where nobody bet."""
        state = self.state
        if state.street_index == index and state.actor_index is not None:
            self.counted["moot check"] += 1
            assert self.ours.no_more_betting
            assert state.checking_or_calling_amount == 0
            assert state.min_completion_betting_or_raising_to_amount is None
            state.check_or_call()
        assert state.street_index != index or state.actor_index is None
        if state.can_collect_bets():
            state.collect_bets()

    def _step(self, legal: Legal) -> None:
        state = self.state
        assert state.actor_index == legal.seat - 1
        assert [self.ours.stack(seat) for seat in self.ours.order] == state.stacks
        assert [self.ours.stake(seat) for seat in self.ours.order] == state.bets
        assert self.ours.pot == state.total_pot_amount
        assert (legal.call or 0) == state.checking_or_calling_amount
        assert legal.may_check == (state.checking_or_calling_amount == 0)
        theirs = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        same = theirs == (legal.raise_from, legal.raise_to)
        if not same:
            assert self._explained(legal, may_raise=theirs[0] is not None), (legal, theirs)
        self.counted["steps"] += 1
        self._act(legal, may_raise=same)

    def _explained(self, legal: Legal, *, may_raise: bool) -> bool:
        state = self.state
        size = state.completion_betting_or_raising_amount
        if may_raise and not legal.may_raise:
            self.counted["short first bet"] += 1
            return 0 < size < self.ours.rules.first_raise(state.street_index or 0)
        if legal.may_raise and not may_raise:
            self.counted["third short all-in"] += 1
            return 0 < sum(state.consecutive_short_all_in_amounts) < size <= (legal.call or 0)
        return False

    def _act(self, legal: Legal, *, may_raise: bool) -> None:
        what = self.chance.random()
        if may_raise and what < 0.4 and legal.raise_from is not None and legal.raise_to is not None:
            bounds = (legal.raise_from, legal.raise_to)
            to = self.chance.choice((*bounds, self.chance.randint(*bounds)))
            done = self.ours.act(Action.ALL_IN if to == legal.all_in else Action.RAISE, to)
            self.state.complete_bet_or_raise_to(to)
            self.counted["full raise" if done.is_full else "short raise"] += 1
            self.counted["two short ones add up"] += done.reopens and not done.is_full
        elif what > 0.85 and legal.may_call:
            self.ours.act(Action.FOLD)
            self.state.fold()
        elif legal.may_call:
            self.counted["may only call"] += not legal.may_raise and legal.call != self.ours.stack(legal.seat)
            self.counted["all-in call"] += self.ours.act(Action.CALL).is_all_in
            self.state.check_or_call()
        else:
            self.ours.act(Action.CHECK)
            self.state.check_or_call()


def _street(rules: BettingRules, index: int) -> Street:
    """A betting round of hold'em, with the documents' cap."""
    return Street(
        index > 0,
        () if index else HOLE_CARDS,
        (0, 3, 1, 1)[index],
        False,
        Opening.POSITION,
        rules.first_raise(index),
        None if rules.structure is not Structure.FIXED_LIMIT else rules.raises + (index > 0),
    )


def compare(rules: BettingRules, *, seed: int, hands: int, players: int | None = None) -> Counter[str]:
    """Bet that many hands; how often what came up."""
    chance = Random(seed)
    counted: Counter[str] = Counter()
    for _ in range(hands):
        Hand(rules, players or chance.randint(2, 10), chance, counted).play()
    return counted


@pytest.mark.parametrize("structure", RULES)
def test_hands_of_two_to_ten_players_are_bet_as_in_pokerkit(structure: Structure) -> None:
    counted = compare(RULES[structure], seed=1, hands=200)
    assert counted["steps"] > 2_000, counted
    assert min(counted[text] for text in ("full raise", "short raise", "all-in call", "may only call")) > 25, counted
    assert counted["two short ones add up"] > 10, counted


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("structure", RULES)
def test_ten_thousand_hands_of_ten_players_are_bet_as_in_pokerkit(structure: Structure) -> None:
    counted = compare(RULES[structure], seed=2, hands=10_000, players=10)
    often = ("full raise", "short raise", "all-in call", "may only call", "two short ones add up")
    assert min(counted[text] for text in often) > 1_000, counted


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("structure", RULES)
def test_ten_thousand_hands_of_three_players_are_bet_as_in_pokerkit(structure: Structure) -> None:
    counted = compare(RULES[structure], seed=3, hands=10_000, players=3)
    assert min(counted[text] for text in ("moot check", "short first bet")) > 10, counted
