"""Whole hands at a table, fact by fact, and the same hands in PokerKit: same actor, call, raises, pots and stacks.

A table of `open-holdem` is told everything that happens: chips, button, cards one by one, actions, who shows. It plays
hand after hand, so whatever a hand leaves behind is there in the next one. How the rules of the two are brought
together stands in `test_rounds_oracle.py`. Beyond the betting:

- PokerKit gives all odd chips of a pot to one player, the documents one to each (AMB-31): every amount is a multiple of
  a number that all shares divide.
- The pots are compared where PokerKit has gathered the bets of a round, which is when the table says them. It divides
  them otherwise where a folded player put in less than others; what each player can win is the same, and so the pots
  are compared by who competes for them.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest
from pokerkit import Automation, BettingStructure, Deck, Opening, StandardHighHand, State, Street

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import Decision, IncidentRaised, PotMade, Refused
from tablectl.core.engine.prompt import Legal
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_KEYS, Action, Key, Tracking
from tablectl.core.options.holdem import Structure
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import rulebook_of

AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
#: Shares of up to ten players divide it.
UNIT: Final = 2520
SMALL: Final = UNIT
BIG: Final = 2 * UNIT
MANY: Final = 10**12
#: How many actions a hand may take before it is said to be stuck.
MOST_STEPS: Final = 400


class OneTable:
    """A table of ten seats, with so many players that hand after hand plays in both."""

    def __init__(self, structure: Structure, players: int, chance: Random, counted: Counter[str]) -> None:
        self.structure, self.players, self.chance, self.counted = structure, players, chance, counted
        setup = f.Setup(
            table="t",
            rulebook="open-holdem",
            seats=10,
            tracking=Tracking.AMOUNTS,
            limits={"bet": f.Limits(least=BIG, most=MANY)},
            profile={"structure": structure, "two_players": "button"},
        )
        self.table = Table(setup, rulebook_of)
        #: the seats taken; empty ones are between them
        self.seats = tuple(sorted(chance.sample(range(1, 11), players)))
        self.table.seat_players(self.seats)
        self.button = chance.choice(self.seats)
        self.tell(f.ButtonPlaced(at_us=0, seat=self.button))

    def tell(self, fact: f.Fact) -> tuple[Decision, ...]:
        """Nothing that happens in these hands is refused or an incident, but a hand shown before its turn."""
        decisions = self.table.apply(fact)
        for decision in decisions:
            assert not isinstance(decision, Refused), (fact, decisions)
            assert not isinstance(decision, IncidentRaised) or decision.clause == "THO-SDN-1", (fact, decisions)
        return decisions

    def press(self, key: Key) -> tuple[Decision, ...]:
        return self.tell(f.Pressed(at_us=0, key=key))

    def play(self) -> None:
        """One hand more."""
        Hand(self).play()
        self.counted["hands"] += 1


class Hand:
    """One hand in both. `order`: the seats in the order of the deal, which is that of PokerKit's players."""

    def __init__(self, at: OneTable) -> None:
        self.at, self.table, self.chance, self.counted = at, at.table, at.chance, at.counted
        circle = self.table.state
        assert isinstance(circle, PotGameState)
        self.circle: PotGameState = circle
        stacks = {
            seat: (self.chance.choice((2, 5, 20, 60, 100, 200, 400)) + self.chance.randint(0, 3)) * UNIT
            for seat in at.seats
        }
        for seat, stack in stacks.items():
            at.tell(f.Stacked(at_us=0, seat=seat, amount=stack))
        at.press(Key.NEW_HAND)
        assert self.circle.button is not None
        self.order = self.table.state.order
        assert self.order[-1] == self.circle.button
        at.press(Key.NO_MORE_BETS)
        self.before = [stacks[seat] for seat in self.order]
        self.deck = list(DECK)
        self.chance.shuffle(self.deck)
        self.theirs = self._begun()

    def _begun(self) -> State:
        structure = self.at.structure
        return State(
            AUTOMATIONS,
            Deck.STANDARD,
            (StandardHighHand,),
            tuple(_street(structure, index) for index in range(4)),
            BettingStructure(structure.replace("-", " ").capitalize().replace(" l", "-l")),
            True,
            0,
            (SMALL, BIG),
            0,
            self.before,
            len(self.before),
        )

    def play(self) -> None:
        """From the first card to the last chip."""
        for _ in range(MOST_STEPS):
            match self.table.state.phase.kind:
                case Kind.DEALING:
                    self._deal()
                case Kind.DECIDING:
                    self._speak()
                case Kind.REVEALING:
                    self._show()
                case Kind.SETTLING:
                    self.at.press(Key.CONFIRM)
                    return self._ended()
                case kind:
                    raise AssertionError(f"stuck: {kind}")
        raise AssertionError("the hand does not end")

    def _ended(self) -> None:
        self._close_theirs()
        assert not self.theirs.status
        assert not self.table.state.in_play
        assert not self.table.state.held
        stacks = [self.circle.stacks[seat] for seat in self.order]
        assert stacks == self.theirs.stacks
        assert sum(stacks) == sum(self.before)

    # --- cards --------------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """The card that is due, and in PokerKit the same one. It deals no card before all bets are gathered."""
        due, card = self.table.state.deal.due, self.deck.pop()
        assert due is not None
        state = self.theirs
        if due.spot == "burn":
            self._close_theirs()
            state.burn_card(_text(card))
        elif due.spot == "board":
            state.deal_board(_text(card))
        else:
            assert state.hole_dealee_index == self.order.index(due.seat or 0)
            state.deal_hole(_text(card))
        self.at.tell(f.Drawn(at_us=0, card=card))

    def _close_theirs(self) -> None:
        """Gather the bets. Where only one has chips left, PokerKit lets him check first; and before another card comes
        everybody who is all-in shows."""
        self._gather_theirs()
        while self.theirs.showdown_index is not None:
            self.theirs.show_or_muck_hole_cards(True)

    def _gather_theirs(self) -> None:
        state, rounds = self.theirs, self.circle.rounds
        if state.actor_index is not None:
            self.counted["moot check"] += 1
            assert rounds is not None
            assert rounds.no_more_betting
            assert state.checking_or_calling_amount == 0
            assert state.min_completion_betting_or_raising_to_amount is None
            state.check_or_call()
        if state.can_collect_bets():
            state.collect_bets()

    # --- bets ---------------------------------------------------------------------------------------------------------

    def _speak(self) -> None:
        rounds, state = self.circle.rounds, self.theirs
        assert rounds is not None
        legal = rounds.legal()
        self.counted["steps"] += 1
        assert self.table.state.turn == legal.seat
        if state.can_collect_bets() and state.actor_index is None:
            state.collect_bets()
        assert state.actor_index == self.order.index(legal.seat)
        assert [rounds.stack(seat) for seat in self.order] == state.stacks
        assert rounds.pot == state.total_pot_amount
        assert (legal.call or 0) == state.checking_or_calling_amount
        bounds = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
        same = bounds == (legal.raise_from, legal.raise_to)
        if not same:
            self._explained(legal, may_raise=bounds[0] is not None)
        self._carry_out(legal, may_raise=same)

    def _explained(self, legal: Legal, *, may_raise: bool) -> None:
        """The two differences of `test_rounds_oracle.py`; in such a place nobody raises."""
        state, rounds = self.theirs, self.circle.rounds
        assert rounds is not None
        size = state.completion_betting_or_raising_amount
        if may_raise and not legal.may_raise:
            self.counted["short first bet"] += 1
            assert 0 < size < rounds.rules.first_raise(state.street_index or 0), legal
        else:
            self.counted["third short all-in"] += 1
            assert legal.may_raise
            assert 0 < sum(state.consecutive_short_all_in_amounts) < size <= (legal.call or 0), legal

    def _carry_out(self, legal: Legal, *, may_raise: bool) -> None:
        what, state = self.chance.random(), self.theirs
        to, least, most = None, legal.raise_from, legal.raise_to
        if may_raise and what < 0.3 and least is not None and most is not None:
            to = self.chance.choice((least, most, self.chance.randint(least // UNIT, most // UNIT) * UNIT))
            action = Action.BET if legal.is_bet else Action.RAISE
            state.complete_bet_or_raise_to(to)
        elif what > 0.8 and legal.may_call:
            action = Action.FOLD
            state.fold()
        else:
            action = Action.CALL if legal.may_call else Action.CHECK
            state.check_or_call()
        self.counted[action] += 1
        seat = legal.seat if self.chance.random() < 0.5 else None
        pots = [
            pot_made
            for pot_made in self.at.tell(f.Acted(at_us=0, action=action, seat=seat, to=to))
            if isinstance(pot_made, PotMade)
        ]
        if pots:
            self._compare_pots(pots)

    def _compare_pots(self, pots: list[PotMade]) -> None:
        state = self.theirs
        if state.actor_index is not None:
            return  # PokerKit still has the one with chips check
        if state.can_collect_bets():
            state.collect_bets()
        theirs: Counter[tuple[int, ...]] = Counter()
        for pot in state.pots:
            theirs[tuple(sorted(self.order[index] for index in pot.player_indices))] += pot.amount
        # What nobody can match PokerKit gives back at once, and here it goes back when the hand is settled.
        ours = Counter({pot_made.seats: pot_made.amount for pot_made in pots})
        assert ours == theirs, (ours, theirs)
        self.counted["side pots"] += len(pots) > 1

    # --- showdown -----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Some give their hand up where PokerKit lets them; the croupier chooses who is next, or takes the order."""
        state = self.theirs
        self._gather_theirs()
        seat = self.circle.to_show[0]
        if state.showdown_index is not None:
            seat = self.order[state.showdown_index]
            gives_up = self.chance.random() < 0.7 and not state.can_win_now(state.showdown_index)
            state.show_or_muck_hole_cards(not gives_up)
        else:
            gives_up = False  # shown before the last card, or without a chance in PokerKit
        if seat != self.circle.to_show[0] and seat in self.circle.to_show:
            self.counted["shown out of order"] += 1
            self.at.press(SEAT_KEYS[seat - 1])
        self.counted["given up" if gives_up else "shown"] += 1
        self.at.press(Key.FOLD if gives_up else Key.SHOW)


def _street(structure: Structure, index: int) -> Street:
    """A betting round of hold'em, with the documents' cap at fixed limit."""
    is_fixed = structure is Structure.FIXED_LIMIT
    return Street(
        index > 0,
        () if index else (False, False),
        (0, 3, 1, 1)[index],
        False,
        Opening.POSITION,
        BIG * (1 + (index > 1)) if is_fixed else BIG,
        3 + (index > 0) if is_fixed else None,
    )


def _text(card: Card) -> str:
    return card.code


def compare(structure: Structure, *, seed: int, hands: int, players: int | None = None) -> Counter[str]:
    """That many hands at tables where ten are played each; how often what came up."""
    chance = Random(seed)
    counted: Counter[str] = Counter()
    while counted["hands"] < hands:
        table = OneTable(structure, players or chance.randint(2, 10), chance, counted)
        for _ in range(min(10, hands - counted["hands"])):
            table.play()
    return counted


@pytest.mark.parametrize("structure", Structure)
def test_whole_hands_of_two_to_ten_players_are_those_of_pokerkit(structure: Structure) -> None:
    counted = compare(structure, seed=1, hands=40)
    assert counted["hands"] == 40
    assert counted["steps"] > 300, counted
    assert min(counted[event] for event in ("side pots", "given up", "shown", Action.FOLD, Action.RAISE)) > 5, counted


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("structure", Structure)
def test_ten_thousand_hands_of_ten_players_are_those_of_pokerkit(structure: Structure) -> None:
    counted = compare(structure, seed=2, hands=10_000, players=10)
    assert counted["hands"] == 10_000
    assert min(counted[event] for event in ("side pots", "given up", "shown", Action.FOLD, Action.RAISE)) > 1_000, (
        counted
    )
