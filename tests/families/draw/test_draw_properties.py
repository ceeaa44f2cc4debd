"""What holds for any facts in any order at a table of five-card draw: mistakes, nonsense and people who play on."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.core.cards import Card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Tracking
from tablectl.families.draw import stub
from tests.engine.scenarios import Snapshot, places
from tests.engine.states import draws
from tests.engine.tables import fingerprint
from tests.families.draw.tables import COUNTS, GAME, at_rest, hand_of, money, next_of, pools_of
from tests.families.pots.any_order import SEATS as PLAYERS
from tests.families.pots.any_order import STEPS, Chance, Go, Step, by_chance, opened, setups
from tests.families.pots.people import circle_of

#: A scenario plays whole hands of up to ten players, each with two deals.
EXAMPLES = settings(max_examples=max(1, settings().max_examples // 5))
_PUT_DOWN = frozenset({"discard", "burn", "aside"})
_FIVE = 5


class Listener:
    """A table, and what must hold after each fact that it is told."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.facts: list[f.Fact] = []
        self.decisions: list[tuple[d.Decision, ...]] = []
        #: the chips at the table when the hand was opened
        self.before_the_hand: int | None = None
        #: discards that stay apart while a new stub is dealt
        self.excluded: set[Card] = set()
        self.n_ruled = 0

    def tell(self, fact: f.Fact) -> None:
        state = self.table.state
        before, chips = Snapshot.at(state), money(self.table)
        decisions = self.table.apply(fact)
        self.facts.append(fact)
        self.decisions.append(decisions)
        after = Snapshot.at(state)
        self._nothing_is_dealt_while_held(before, after, decisions, fact)
        self._each_card_is_in_one_place(fact)
        self._hands_are_whole(decisions, fact)
        self._excluded_discards_stay_apart(decisions, fact)
        self._the_last_card_stays(decisions, fact)
        self._money_is_conserved(chips, decisions, fact)

    def _nothing_is_dealt_while_held(
        self, before: Snapshot, after: Snapshot, decisions: tuple[d.Decision, ...], fact: f.Fact
    ) -> None:
        is_draw = isinstance(fact, f.Drawn | f.Declared)
        if not before.holding & after.holding or (before.gap and is_draw):
            return
        for decision in decisions:
            if isinstance(decision, d.CardPlaced) and decision.slot.spot not in _PUT_DOWN:
                assert decision.draw <= len(before.laid), (fact, "a new card was dealt", decision)

    def _each_card_is_in_one_place(self, fact: f.Fact) -> None:
        state = self.table.state
        least = 0 if state.phase.kind is Kind.VOIDED else 1
        pooled = Counter(id(card) for pool in pools_of(state) for card in pool.cards)
        for draw, count in zip(state.deal.draws, places(state), strict=True):
            there = count + pooled[id(draw)]
            assert draw.is_back or least <= there <= 1, (fact, draw.number, count, pooled[id(draw)])
        assert all(card.slot is None for pool in pools_of(state) for card in pool.cards), (fact, "nobody knows where")
        stand_ins = Counter(id(stand_in) for pool in pools_of(state) for stand_in in pool.stand_ins)
        assert max(stand_ins.values(), default=1) == 1, fact
        unknown = {id(card) for card in state.deal.at.values() if card.number == 0}
        assert unknown <= set(stand_ins), (fact, "every place that nobody knows is one of a pool")

    def _hands_are_whole(self, decisions: tuple[d.Decision, ...], fact: f.Fact) -> None:
        """Whoever comes to the showdown has five cards, or less than two are in."""
        if not any(isinstance(decision, d.PhaseEntered) and decision.phase == "showdown" for decision in decisions):
            return
        state = self.table.state
        for seat in state.staying:
            assert sum(slot in state.deal.at for slot in SEATS[seat - 1]) == _FIVE, (fact, seat)

    def _excluded_discards_stay_apart(self, decisions: tuple[d.Decision, ...], fact: f.Fact) -> None:
        state = self.table.state
        for decision in decisions:
            if isinstance(decision, d.StubMade):
                apart = () if decision.without is None else hand_of(self.table).discards.get(decision.without, ())
                self.excluded = {draw.card for draw in apart if draw.card is not None}
            if isinstance(decision, d.HandClosed | d.HandVoided):
                self.excluded = set()
            if (
                isinstance(decision, d.CardPlaced)
                and decision.slot in SEATS[(decision.slot.seat or 1) - 1]
                and self.excluded
            ):
                is_ruled = isinstance(fact, f.Ruled)
                assert is_ruled or state.deal.draws[decision.draw - 1].card not in self.excluded, (fact, decision)

    def _the_last_card_stays(self, decisions: tuple[d.Decision, ...], fact: f.Fact) -> None:
        """What came to a seat by itself was never the last card of the stub."""
        if not isinstance(fact, f.Drawn | f.Seen):
            return
        state = self.table.state
        for decision in decisions:
            if (
                isinstance(decision, d.CardPlaced)
                and decision.draw == len(state.deal.draws)
                and decision.slot.seat is not None
            ):
                assert stub.left(draws(self.table)) >= 1, (fact, decision)

    def _money_is_conserved(self, before: int | None, decisions: tuple[d.Decision, ...], fact: f.Fact) -> None:
        state, order = self.table.state, self.table.state.order
        if before is not None and state.in_play and state.phase.kind is not Kind.VOIDED:
            after = money(self.table)
            assert after is None or after == before, fact
        closed = next((decision for decision in decisions if isinstance(decision, d.HandClosed)), None)
        paid = [decision.amount for decision in decisions if isinstance(decision, d.StackNow)]
        if before is not None and closed is not None and paid and not order:
            kept = sum(amount or 0 for bets in draws(self.table).kept.values() for amount in bets.values())
            carried = draws(self.table).carried
            assert sum(paid) + carried + kept + (closed.float_change or 0) == before, fact

    def play_on(self) -> None:
        """Do what the prompt says until the hand is over and nothing waits."""
        for number in range(900):
            if not self.table.state.in_play and not self.table.state.held:
                return
            self.tell(next_of(self.table, 0 if number < 400 else number))
        raise AssertionError(f"the hand does not end: {self.table.prompt()}, after {self.facts[-4:]}")


def told(listener: Listener, steps: list[Step]) -> None:
    for step in steps:
        table = listener.table
        if isinstance(step, Go):
            for number in range(step.steps):
                listener.tell(next_of(table, step.choice + number))
        elif step.kind == 0 and table.state.order:
            listener.tell(_miscounted(table, step))
        else:
            listener.tell(by_chance(table, step.kind, step.choice))


def _miscounted(table: Table, step: Chance) -> f.Fact:
    """A number of cards that is wrong, of this game's own errors the one with most that can follow."""
    order, choice = table.state.order, step.choice
    spots = [f"seat-{seat}" for seat in order]
    return f.Declared(
        at_us=0,
        what=COUNTS[choice % len(COUNTS)],
        spot=spots[choice // 4 % len(spots)],
        other=spots[choice // 8 % len(spots)] if choice % 5 == 0 else None,
        cards=(4, 6, 3, 5, 7)[choice // 16 % 5],
    )


@EXAMPLES
@given(st.data())
def test_any_facts_in_any_order_raise_nothing_and_every_hand_of_draw_can_be_ended(data: st.DataObject) -> None:
    setup, seats, choice = data.draw(setups(GAME)), data.draw(PLAYERS), data.draw(st.integers(0, 3))
    listener = Listener(opened(setup, seats, choice))
    told(listener, data.draw(STEPS))
    listener.play_on()
    again = opened(setup, seats, choice)
    assert [again.apply(fact) for fact in listener.facts] == listener.decisions
    assert fingerprint(again.state) == fingerprint(listener.table.state)


@EXAMPLES
@given(st.data())
def test_antes_that_stay_for_a_redeal_and_pots_that_nobody_opened_lose_no_chip(data: st.DataObject) -> None:
    """Behind each hand, void or settled, everybody who was in it has together what they had before it."""
    setup = data.draw(setups(GAME).filter(lambda chosen: chosen.tracking is Tracking.AMOUNTS))
    listener = Listener(opened(setup, data.draw(PLAYERS), data.draw(st.integers(0, 3))))
    for number in range(data.draw(st.integers(20, 160))):
        table = listener.table
        seats = tuple(player.seat for player in circle_of(table).players)
        before = at_rest(table, seats) if not table.state.in_play else None
        if before is not None:
            if listener.before_the_hand is not None:
                assert before == listener.before_the_hand, listener.facts[-3:]
            listener.before_the_hand = before
        is_odd = number % 17 == 16 and table.state.in_play
        listener.tell(_miscounted(table, Chance(0, number * 37)) if is_odd else next_of(table, number * 7))
        last = listener.facts[-1]
        if isinstance(last, f.Moved | f.Stacked):
            listener.before_the_hand = None
