"""The phases of texas-bonus: every state is tried with every trigger, against the table written out here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.engine.facts import Setup
from tablectl.engine.machine import BrokenTable, PhaseMachine
from tablectl.engine.rulebook import Kind, Phase, Rulebook, Transition
from tablectl.engine.state import State
from tablectl.engine.words import Refusal, Tracking
from tablectl.rulebooks.texas_bonus import rulebook

SETUP = Setup(table="t", rulebook="texas-bonus", seats=9, tracking=Tracking.AMOUNTS, limits={})
GAME: Rulebook = rulebook({})

NOBODY = "nobody has an ante"
STAYING = "somebody stays"
FOLDED = "everybody folded"

ANY: dict[tuple[str, str], str] = {
    ("closed", "new-hand"): "betting",
    ("dealing", "dealt"): "flop-decision",
    ("flop", "dealt"): "turn-decision",
    ("turn", "dealt"): "river-decision",
    ("river", "dealt"): "showdown",
    ("showdown", "revealed"): "settlement",
    ("settlement", "closed"): "closed",
    ("voided", "closed"): "closed",
    ("flop-decision", "reopen"): "dealing",
    ("turn-decision", "reopen"): "flop",
    ("river-decision", "reopen"): "turn",
    ("showdown", "reopen"): "river",
    ("betting", "void"): "voided",
    ("dealing", "void"): "voided",
    ("flop-decision", "void"): "voided",
    ("flop", "void"): "voided",
    ("turn-decision", "void"): "voided",
    ("turn", "void"): "voided",
    ("river-decision", "void"): "voided",
    ("river", "void"): "voided",
    ("showdown", "void"): "voided",
    ("settlement", "void"): "voided",
}
WITH_AN_ANTE: dict[tuple[str, str], str] = {("betting", "no-more-bets"): "dealing"}
TABLE: dict[str, dict[tuple[str, str], str]] = {
    NOBODY: {
        **ANY,
        ("flop-decision", "decided"): "showdown",
        ("turn-decision", "decided"): "showdown",
        ("river-decision", "decided"): "showdown",
        ("flop", "nobody-stays"): "showdown",
        ("turn", "nobody-stays"): "showdown",
        ("river", "nobody-stays"): "showdown",
    },
    STAYING: {
        **ANY,
        **WITH_AN_ANTE,
        ("flop-decision", "decided"): "flop",
        ("turn-decision", "decided"): "turn",
        ("river-decision", "decided"): "river",
    },
}
TABLE[FOLDED] = {**TABLE[NOBODY], **WITH_AN_ANTE}

TRIGGERS = ("new-hand", "no-more-bets", "dealt", "decided", "nobody-stays", "revealed", "closed", "reopen", "void")
SEATS = (NOBODY, STAYING, FOLDED)


def state_with(seats: str) -> State:
    state = State(SETUP, GAME)
    if seats != NOBODY:
        for seat in (1, 2):
            state.seats.sit(seat).bets["ante"] = 1000
        state.seats.fold(1)
    if seats == FOLDED:
        state.seats.annul(2)
    return state


def machine_in(phase: str) -> PhaseMachine:
    return PhaseMachine(GAME.phases, GAME.transitions, phase)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("trigger", TRIGGERS)
@pytest.mark.parametrize("phase", GAME.phases)
def test_a_trigger_moves_where_the_table_says_and_is_refused_everywhere_else(
    phase: str, trigger: str, seats: str
) -> None:
    machine, state = machine_in(phase), state_with(seats)
    wanted = TABLE[seats].get((phase, trigger))
    announced = machine.refusal(trigger, state)
    assert machine.phase.name == phase, "asking changes nothing"
    refused = machine.fire(trigger, state)
    assert refused == announced
    if wanted is None:
        assert refused is not None, "a refusal has a reason"
        assert machine.phase is GAME.phases[phase]
        assert machine.fire("void", state) == (None if (phase, "void") in ANY else (Refusal.NOT_LIVE, None))
    else:
        assert refused is None
        assert machine.phase is GAME.phases[wanted]


def test_thb_dev_2_no_deal_without_an_ante_says_the_clause() -> None:
    assert machine_in("betting").fire("no-more-bets", state_with(NOBODY)) == (Refusal.NO_BETS, "THB-DEV-2")


def test_the_triggers_tried_here_are_those_of_the_rulebook() -> None:
    assert {row.trigger for row in GAME.transitions} == set(TRIGGERS)


def test_a_trigger_that_nobody_knows_is_refused() -> None:
    machine = machine_in("betting")
    assert machine.fire("to_settlement", state_with(STAYING)) == (Refusal.NOT_LIVE, None)
    assert machine.phase.name == "betting"


def phases(*names: str) -> dict[str, Phase]:
    return {name: Phase(name=name, kind=Kind.IDLE, clauses=()) for name in names}


WAY = Transition(trigger="go", source="a", dest="b")


def test_a_whole_table_is_taken() -> None:
    PhaseMachine(phases("a", "b"), [WAY], "a")


def test_a_table_whose_first_phase_is_unknown_is_broken() -> None:
    with pytest.raises(BrokenTable, match="initial phase 'c' is none of"):
        PhaseMachine(phases("a", "b"), [WAY], "c")


@pytest.mark.parametrize(("row", "name"), [(replace(WAY, source="x"), "x"), (replace(WAY, dest="y"), "y")])
def test_a_table_with_a_misspelt_phase_is_broken(row: Transition, name: str) -> None:
    with pytest.raises(BrokenTable, match=f"'go': phase '{name}' is none of"):
        PhaseMachine(phases("a", "b"), [WAY, row], "a")


def test_a_table_with_a_phase_that_nothing_leads_to_is_broken() -> None:
    with pytest.raises(BrokenTable, match=r"no transition leads to \['c'\]"):
        PhaseMachine(phases("a", "b", "c"), [WAY], "a")
