"""What holds for any facts in any order at a circle table: nonsense, mistakes and restarts among the steps of hands."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.core.engine import antennas
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_OF, Key, Refusal
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import CIRCLE_GAMES, rulebook_of
from tests.engine.scenarios import Snapshot, places
from tests.engine.states import pots
from tests.engine.tables import fingerprint, remembered
from tests.families.pots.any_order import (
    GAMES,
    SEATS,
    STEPS_AND_KEYS,
    Lit,
    Step,
    fact_of,
    money,
    onward,
    opened,
    setups,
    steps_of,
)

#: A scenario plays whole hands of up to ten players: one costs as much as five of a game against the bank.
EXAMPLES = settings(max_examples=max(1, settings().max_examples // 5))
#: Where a card is only put down, and is dealt to nobody: it lies there, whatever is held.
_PUT_DOWN = frozenset({"discard", "burn", "aside"})


class Listener:
    """A table, and what must hold after each fact that it is told."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.facts: list[f.Fact] = []
        #: after each fact, what was concluded; and what was carried over from the hand before, after so many facts
        self.decisions: list[tuple[d.Decision, ...]] = []
        self.carry, self.carried_at = table.carry(), 0

    def tell(self, fact: f.Fact) -> tuple[d.Decision, ...]:
        before, chips = Snapshot.at(self.table.state), money(self.table)
        had = money_before(self.table, fact)
        decisions = self.table.apply(fact)
        if (
            chips is not None
            and isinstance(fact, f.Stacked)
            and any(isinstance(decision, d.StackNow) for decision in decisions)
        ):
            # THL-PRO-4: before the first card who has put in nothing may add chips to his own.
            chips += fact.amount - had
        self.facts.append(fact)
        self.decisions.append(decisions)
        if any(isinstance(decision, d.HandClosed) for decision in decisions):
            self.carry, self.carried_at = self.table.carry(), len(self.facts)
        after = Snapshot.at(self.table.state)
        self._nothing_is_dealt_while_held(before, after, decisions, fact)
        self._cards_are_conserved(fact)
        self._a_face_comes_twice_only_if_somebody_was_told(fact)
        self._money_is_conserved(chips, decisions, fact)
        return decisions

    def _nothing_is_dealt_while_held(
        self, before: Snapshot, after: Snapshot, decisions: tuple[d.Decision, ...], fact: f.Fact
    ) -> None:
        is_draw = isinstance(fact, f.Drawn | f.Declared)
        if not before.holding & after.holding or (before.gap and is_draw):
            return
        for decision in decisions:
            if isinstance(decision, d.CardPlaced) and decision.slot.spot not in _PUT_DOWN:
                assert decision.draw <= len(before.laid), (fact, "a new card was dealt", decision)
                assert before.laid[decision.draw - 1], (fact, "a waiting card was dealt", decision)

    def _cards_are_conserved(self, fact: f.Fact) -> None:
        state = self.table.state
        least = 0 if state.phase.kind is Kind.VOIDED else 1
        for draw, count in zip(state.deal.draws, places(state), strict=True):
            asked = isinstance(state, PotGameState) and draw in state.early.asked
            assert draw.is_back or least <= count + (asked and count == 0) <= 1, (fact, draw.number, count)
        if state.phase.kind is Kind.SETTLING and not state.held and len(state.staying) > 1:
            # Two cards with one face may lie there if the pit boss let them (THL-MIS-5), but no hand is made of both.
            up = {slot: draw.card for slot, draw in state.deal.at.items() if draw.card is not None}
            board = [card for slot, card in up.items() if slot.spot == "board" and slot.position < 6]
            for seat in state.staying:
                hand = [*board, *(card for slot, card in up.items() if slot.seat == seat and slot.position < 3)]
                assert len(set(hand)) == len(hand), fact

    def _a_face_comes_twice_only_if_somebody_was_told(self, fact: f.Fact) -> None:
        lying = Counter(draw.card for draw in self.table.state.deal.at.values() if draw.card is not None)
        raised = (
            incident_raised
            for made in self.decisions
            for incident_raised in made
            if isinstance(incident_raised, d.IncidentRaised)
        )
        assert max(lying.values(), default=1) == 1 or any(
            incident_raised.observed == "same-card-again" for incident_raised in raised
        ), fact

    def _money_is_conserved(self, before: int | None, decisions: tuple[d.Decision, ...], fact: f.Fact) -> None:
        if before is None:
            return
        after = money(self.table)
        if after is not None:
            assert after == before, fact
            return
        closed = [decision for decision in decisions if isinstance(decision, d.HandClosed)]
        paid = [decision.amount for decision in decisions if isinstance(decision, d.StackNow)]
        if closed and paid:
            assert sum(paid) + (closed[0].float_change or 0) == before, fact

    def play_on(self) -> None:
        """Do what the prompt says until the hand is over and nothing waits."""
        for number in range(500):
            if not self.table.state.in_play and not self.table.state.held:
                return
            self.tell(onward(self.table, 0 if number < 300 else number))
        raise AssertionError(f"the hand does not end: {self.table.prompt()}, after {self.facts[-4:]}")


def money_before(table: Table, fact: f.Fact) -> int:
    """What lies before the player whose chips are entered; of one who is not in the hand nothing counts in it."""
    circle = table.state
    if not isinstance(fact, f.Stacked) or not isinstance(circle, PotGameState) or circle.rounds is None:
        return 0
    return (circle.rounds.stack(fact.seat) or 0) if fact.seat in circle.rounds.order else fact.amount


def told(listener: Listener, steps: list[Step | Lit]) -> None:
    for step in steps:
        for number in range(steps_of(step)):
            listener.tell(fact_of(listener.table, step, number))


@pytest.mark.parametrize("rulebook", GAMES)
@EXAMPLES
@given(st.data())
def test_any_facts_in_any_order_raise_nothing_deal_nothing_while_held_conserve_cards_and_money_and_can_be_ended(
    rulebook: str, data: st.DataObject
) -> None:
    """And what the next hand needs of those before it is what is carried over; a replay comes to the same."""
    setup, seats, choice = data.draw(setups(rulebook)), data.draw(SEATS), data.draw(st.integers(0, 3))
    listener = Listener(opened(setup, seats, choice))
    told(listener, data.draw(STEPS_AND_KEYS))
    assert_a_key_works(setup, seats, choice, listener)
    listener.play_on()
    again = opened(setup, seats, choice)
    assert [again.apply(fact) for fact in listener.facts] == listener.decisions
    assert fingerprint(again.state) == fingerprint(listener.table.state)
    assert_carried(listener)


@pytest.mark.parametrize("rulebook", sorted(CIRCLE_GAMES))
@EXAMPLES
@given(st.data())
def test_keys_that_are_not_lit_change_nothing(rulebook: str, data: st.DataObject) -> None:
    """As against the bank (`../test_properties.py`); here after every step."""
    table = opened(data.draw(setups(rulebook)), data.draw(SEATS), data.draw(st.integers(0, 3)))
    for step in data.draw(STEPS_AND_KEYS):
        for number in range(steps_of(step)):
            table.apply(fact_of(table, step, number))
        assert_dark_keys_change_nothing(table)


def assert_dark_keys_change_nothing(table: Table) -> None:
    lit, before = table.prompt().keys, remembered(table.state)
    for key in [unlit for unlit in Key if unlit not in lit]:
        decisions = table.apply(f.Pressed(at_us=0, key=key))
        (only,) = decisions
        assert isinstance(only, d.Refused), key
        assert remembered(table.state) == before, key


@pytest.mark.parametrize("rulebook", sorted(CIRCLE_GAMES))
@EXAMPLES
@given(st.data())
def test_each_key_that_is_lit_does_something(rulebook: str, data: st.DataObject) -> None:
    """As against the bank; the seat that is chosen can be chosen again."""
    setup, seats, choice = data.draw(setups(rulebook)), data.draw(SEATS), data.draw(st.integers(0, 3))
    before, facts = opened(setup, seats, choice), list[f.Fact]()
    for step in data.draw(STEPS_AND_KEYS):
        for number in range(steps_of(step)):
            facts.append(fact_of(before, step, number))
            before.apply(facts[-1])
    chosen = pots(before).chosen
    for key in before.prompt().keys:
        table = opened(setup, seats, choice)
        for fact in facts:
            table.apply(fact)
        decisions = table.apply(f.Pressed(at_us=0, key=key))
        refusals = {decision.why for decision in decisions if isinstance(decision, d.Refused)}
        assert not refusals & {Refusal.NOT_LIVE, Refusal.HELD, Refusal.NOT_OFFERED}, key
        is_again = key in SEAT_OF and SEAT_OF[key] == chosen
        assert decisions or is_again or remembered(table.state) != remembered(before.state), key


def assert_carried(listener: Listener) -> None:
    """Behind the last hand that was closed: with nothing but what is carried over, the same follows."""
    resumed = Table.resume(listener.carry, rulebook_of)
    for fact, decisions in zip(
        listener.facts[listener.carried_at :], listener.decisions[listener.carried_at :], strict=True
    ):
        assert resumed.apply(fact) == decisions, fact
    assert fingerprint(resumed.state) == fingerprint(listener.table.state)


def assert_a_key_works(setup: f.Setup, seats: set[int], choice: int, listener: Listener) -> None:
    """Somebody can go on: the croupier with a key that is lit, or a card, the pit boss, a device is waited for, or
    cards are to be collected."""
    prompt = listener.table.prompt()
    waits = {
        Instruction.SIGN_ON,
        Instruction.WAIT_PIT_BOSS,
        Instruction.WAIT_SHOE,
        Instruction.DEAL,
        Instruction.NAME_CARD,
    }
    if prompt.instruction in waits or antennas.still_there(listener.table.state):
        return
    found: list[tuple[d.Decision, ...]] = []
    for key in prompt.keys:
        table = opened(setup, seats, choice)
        for fact in listener.facts:
            table.apply(fact)
        found.append(table.apply(f.Pressed(at_us=0, key=key)))
        dead = {refused.why for refused in found[-1] if isinstance(refused, d.Refused)}
        assert not dead & {Refusal.NOT_LIVE, Refusal.HELD, Refusal.NOT_OFFERED}, key
        if key is not Key.INCIDENT and not dead:
            return
    raise AssertionError(f"no key does anything: {prompt}, {found}")
