"""The phases of both games against the bank: every state with every trigger, against the tables written out here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.engine.facts import Setup
from tablectl.core.engine.machine import BrokenTable, PhaseMachine
from tablectl.core.engine.rulebook import Kind, Phase, Transition
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Refusal, Tracking
from tablectl.families.banked.family import BANKED
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.games.registry import RULEBOOKS

SETUPS = {name: Setup(table="t", rulebook=name, seats=9, tracking=Tracking.AMOUNTS, limits={}) for name in RULEBOOKS}
GAMES: dict[str, BankedRulebook] = {
    name: book for name, made in RULEBOOKS.items() if isinstance(book := made({}), BankedRulebook)
}
BONUS, POKER = "texas-bonus", "texas-poker"

NOBODY = "nobody has an ante"
STAYING = "somebody stays"
FOLDED = "everybody folded"
#: of texas-bonus: the bank is turned for the bonus
FOLDED_BONUS = "everybody folded, and there is a bonus"
#: of texas-poker: somebody bet TXB
STAYING_TXB = "somebody stays, and there is a TXB"
FOLDED_TXB = "everybody folded, and there is a TXB"

Table = dict[tuple[str, str], str]
IN_A_HAND = {
    BONUS: (
        [
            "betting",
            "dealing",
            "flop-decision",
            "flop",
            "turn-decision",
            "turn",
            "river-decision",
            "river",
            "showdown",
            "settlement",
        ]
    ),
    POKER: ["betting", "dealing", "flop", "decision", "txb", "txb-payment", "turn-river", "showdown", "settlement"],
}
ANY: dict[str, Table] = {
    BONUS: {
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
    },
    POKER: {
        ("closed", "new-hand"): "betting",
        ("dealing", "dealt"): "flop",
        ("flop", "dealt"): "decision",
        ("txb", "asked"): "txb-payment",
        ("turn-river", "dealt"): "showdown",
        ("showdown", "revealed"): "settlement",
        ("settlement", "closed"): "closed",
        ("voided", "closed"): "closed",
    },
}
for name, table in ANY.items():
    table.update({(phase, "void"): "voided" for phase in IN_A_HAND[name]})
WITH_AN_ANTE: Table = {("betting", "no-more-bets"): "dealing"}
NOBODY_STAYS: dict[str, Table] = {
    BONUS: {
        ("flop-decision", "decided"): "settlement",
        ("turn-decision", "decided"): "settlement",
        ("river-decision", "decided"): "settlement",
        ("flop", "nobody-stays"): "settlement",
        ("turn", "nobody-stays"): "settlement",
        ("river", "nobody-stays"): "settlement",
        ("showdown", "nobody-stays"): "settlement",
    },
    POKER: {
        ("decision", "decided"): "settlement",
        ("txb-payment", "paid"): "settlement",
        ("dealing", "nobody-stays"): "settlement",
        ("flop", "nobody-stays"): "settlement",
        ("turn-river", "nobody-stays"): "settlement",
        ("showdown", "nobody-stays"): "settlement",
    },
}
SOMEBODY_STAYS: dict[str, Table] = {
    BONUS: {
        ("flop-decision", "decided"): "flop",
        ("turn-decision", "decided"): "turn",
        ("river-decision", "decided"): "river",
    },
    POKER: {("decision", "decided"): "turn-river", ("txb-payment", "paid"): "turn-river"},
}
#: THB-DEV-4: a bonus stays alive after a fold
TURNED: Table = {(phase, trigger): "showdown" for phase, trigger in NOBODY_STAYS[BONUS] if phase != "showdown"}
ASKED: Table = {("decision", "decided"): "txb"}
TABLES: dict[tuple[str, str], Table] = {
    (game, seats): {
        **ANY[game],
        **(WITH_AN_ANTE if seats != NOBODY else {}),
        **(SOMEBODY_STAYS[game] if seats in (STAYING, STAYING_TXB, FOLDED_BONUS) else NOBODY_STAYS[game]),
        **(ASKED if seats in (STAYING_TXB, FOLDED_TXB) else {}),
        **(TURNED if seats == FOLDED_BONUS else {}),
    }
    for game, several in {
        BONUS: (NOBODY, STAYING, FOLDED, FOLDED_BONUS),
        POKER: (NOBODY, STAYING, FOLDED, STAYING_TXB, FOLDED_TXB),
    }.items()
    for seats in several
}
TRIGGERS = {
    BONUS: ["new-hand", "no-more-bets", "dealt", "decided", "nobody-stays", "revealed", "closed", "reopen", "void"],
    POKER: [
        "new-hand",
        "no-more-bets",
        "dealt",
        "decided",
        "asked",
        "paid",
        "nobody-stays",
        "revealed",
        "closed",
        "void",
    ],
}
#: No game has such a trigger.
UNKNOWN = "to_settlement"


def state_with(game: str, seats: str) -> State:
    state = BANKED.begin(SETUPS[game], GAMES[game])
    if seats != NOBODY:
        for seat in (1, 2):
            state.seats.sit(seat).bets["ante"] = 1000
        state.seats.fold(1)
    if seats in (STAYING_TXB, FOLDED_TXB):
        state.seats[1].bets["txb"] = 500
    if seats == FOLDED_BONUS:
        state.seats[1].bets["bonus"] = 500
    if seats in (FOLDED, FOLDED_TXB, FOLDED_BONUS):
        state.seats.annul(2)
    return state


def machine_in(game: str, phase: str) -> PhaseMachine:
    return PhaseMachine(GAMES[game].phases, GAMES[game].transitions, phase)


@pytest.mark.parametrize(
    ("game", "seats", "phase"),
    [(game, seats, phase) for game, seats in TABLES for phase in GAMES[game].phases],
)
def test_a_trigger_moves_where_the_table_says_and_is_refused_everywhere_else(game: str, seats: str, phase: str) -> None:
    for trigger in (*TRIGGERS[game], UNKNOWN):
        machine, state = machine_in(game, phase), state_with(game, seats)
        wanted = TABLES[game, seats].get((phase, trigger))
        announced = machine.refusal(trigger, state)
        assert machine.phase.name == phase, "asking changes nothing"
        refused = machine.fire(trigger, state)
        assert refused == announced
        if wanted is None:
            assert refused is not None, "a refusal has a reason"
            assert machine.phase is GAMES[game].phases[phase]
            voids = (phase, "void") in ANY[game]
            assert machine.fire("void", state) == (None if voids else (Refusal.NOT_LIVE, None))
        else:
            assert refused is None, trigger
            assert machine.phase is GAMES[game].phases[wanted]


@pytest.mark.parametrize(("game", "clause"), [(BONUS, "THB-DEV-2"), (POKER, "TPC-DEV-1")])
def test_thb_dev_2_tpc_dev_1_no_deal_without_an_ante_says_the_clause(game: str, clause: str) -> None:
    assert machine_in(game, "betting").fire("no-more-bets", state_with(game, NOBODY)) == (Refusal.NO_BETS, clause)


@pytest.mark.parametrize("game", GAMES)
def test_the_triggers_tried_here_are_those_of_the_rulebook(game: str) -> None:
    assert {row.trigger for row in GAMES[game].transitions} == set(TRIGGERS[game])


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
