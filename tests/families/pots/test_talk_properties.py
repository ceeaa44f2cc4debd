"""What holds whatever croupier, players and pit boss do in the betting, in any order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_KEYS, Action, Declaration, Key, Question, Tracking
from tablectl.families.pots.state import PotGameState
from tests.families.pots.talking import deal, dealt, money, remembered, told

AMOUNTS = st.sampled_from([0, 100, 150, 200, 400, 600, 800, 1000, 2000, 5000, -5, 10**12])
MAYBE = st.one_of(st.none(), AMOUNTS)
SEATS = st.integers(0, 7)
SPOTS = st.one_of(st.none(), st.sampled_from(["seat-1", "seat-2", "seat-3", "seat-4", "house", "seat-x"]))
TALK = st.sampled_from([Declaration.SKIPPED, Declaration.STRING_BET, Declaration.WRONG_AMOUNT, Declaration.NOT_CHIPS])
#: An action of whose turn it is is most of what happens; None stands for what a table does next by itself.
ANYTHING: st.SearchStrategy[f.Fact | None] = st.one_of(
    st.none(),
    st.builds(
        f.Acted,
        at_us=st.just(0),
        action=st.sampled_from(Action),
        seat=st.one_of(st.none(), st.none(), SEATS),
        to=MAYBE,
        is_all_in=st.booleans(),
    ),
    st.builds(
        f.PutIn,
        at_us=st.just(0),
        seat=SEATS,
        chips=AMOUNTS,
        is_single=st.booleans(),
        said=st.one_of(st.none(), st.sampled_from(Action)),
        said_to=MAYBE,
    ),
    st.builds(f.Declared, at_us=st.just(0), what=TALK, spot=SPOTS),
    st.builds(f.Pressed, at_us=st.just(0), key=st.sampled_from([Key.CANCEL, Key.CONFIRM, Key.FOLD, Key.RAISE])),
    st.builds(f.Pressed, at_us=st.just(0), key=st.sampled_from(Key)),
)
HOUSES = st.fixed_dictionaries(
    {
        "structure": st.sampled_from(["no-limit", "pot-limit", "fixed-limit"]),
        "short_raise": st.sampled_from(["word-completes", "call"]),
        "several_chips": st.sampled_from(["raise-if-enough", "call"]),
        "out_of_turn": st.sampled_from(["may-fold", "call-or-raise"]),
        "skipped_late": st.sampled_from(["loses-the-round", "hand-dead"]),
        "wrong_amount_until": st.sampled_from(["next-action", "round-end"]),
    }
)


@pytest.mark.parametrize("tracking", ["amounts", "actions", "rounds"])
@given(
    data=st.data(), house=HOUSES, rulebook=st.sampled_from(["circle-holdem", "open-holdem"]), seats=st.integers(2, 6)
)
def test_nothing_raises_refusals_change_nothing_money_stays_and_the_hand_can_be_ended(
    tracking: str, data: st.DataObject, house: dict[str, str], rulebook: str, seats: int
) -> None:
    stacks = data.draw(st.fixed_dictionaries({seat: st.sampled_from([150, 900, 5000]) for seat in range(1, seats + 1)}))
    table = dealt(rulebook=rulebook, seats=seats, tracking=tracking, stacks=stacks, **house)
    before = money(table)
    for fact in data.draw(st.lists(ANYTHING, max_size=40)):
        kept = remembered(table)
        found = told(table, fact) if fact is not None else go_on(table)
        assert_refusals_change_nothing(table, kept, found)
        assert_the_same_seats_are_in(table)
        assert money(table) == before
    end(table)
    assert money(table) == before


def assert_refusals_change_nothing(table: Table, kept: dict[str, object], found: list[str]) -> None:
    """But what the keys choose before an entry, and what is asked."""
    if found and all(line.startswith("refused") for line in found) and not any("taken-back" in line for line in found):
        after = remembered(table)
        for name in ("prompt", "offered"):
            after.pop(name)
            kept.pop(name)
        assert after == kept


def assert_the_same_seats_are_in(table: Table) -> None:
    circle = table.state
    assert isinstance(circle, PotGameState)
    if circle.rounds is not None and table.state.phase.kind is not Kind.VOIDED:
        assert set(circle.rounds.live) == set(table.state.staying)
        assert table.state.phase.kind is not Kind.DECIDING or len(table.state.staying) > 1
    if table.state.setup.tracking is not Tracking.ROUNDS and table.state.phase.kind is Kind.DECIDING:
        assert circle.turn in table.state.staying, "somebody has the turn as long as a round is open"


def go_on(table: Table) -> list[str]:
    """What is asked for: a card, an answer, a ruling, a call or a check, a hand to show, the pot to deliver."""
    state = table.state
    if state.phase.kind is Kind.DEALING and not state.held:
        deal(table)
        return []
    if state.phase.kind is Kind.DECIDING and not (state.held or state.menu):
        return _speak(table)
    return told(table, _fact(table))


def _fact(table: Table) -> f.Fact:
    state = table.state
    if table.prompt().instruction is Instruction.WAIT_PIT_BOSS:
        number = min(state.ruling)
        return f.Ruled(at_us=0, incident=number, remedy=state.ruling[number].remedies[0], by="ana", reason="seen")
    if state.menu:
        return f.Pressed(at_us=0, key=Key.CANCEL)
    if state.asking:
        return f.Pressed(at_us=0, key=_answer(table))
    return f.Pressed(at_us=0, key=Key.SHOW_ALL if state.phase.kind is Kind.REVEALING else Key.CONFIRM)


def _speak(table: Table) -> list[str]:
    """A call, a check, or the raise that a player owes who bet out of turn."""
    circle = table.state
    assert isinstance(circle, PotGameState)
    assert circle.rounds is not None
    if table.state.setup.tracking is Tracking.ROUNDS:
        return told(table, f.Pressed(at_us=0, key=Key.CONFIRM))
    action = Action.CALL if circle.rounds.legal().may_call else Action.CHECK
    found = told(table, f.Acted(at_us=0, action=action))
    if found[0].startswith("spoke") or table.state.held:
        return found
    told(table, f.Pressed(at_us=0, key=Key.CANCEL))
    return told(table, f.Pressed(at_us=0, key=Key.RAISE))


def _answer(table: Table) -> Key:
    keys = table.prompt().keys
    if table.state.asking[0].question is Question.WHICH_SEAT:
        return next((key for key in keys if key in SEAT_KEYS), Key.CANCEL)
    return Key.CONFIRM if Key.CONFIRM in keys else next(key for key in keys if key not in (Key.INCIDENT,))


def end(table: Table) -> None:
    """Everybody does what is asked for, until the hand is over."""
    for _ in range(120):
        if not table.state.in_play and not table.state.held:
            return
        go_on(table)
    raise AssertionError(f"the hand does not end: {table.prompt()}")
