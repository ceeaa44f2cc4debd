"""The phases of the two hold'em games of a circle: every state with every trigger, against a table of their own."""

from __future__ import annotations

import pytest

from tablectl.core.engine.facts import Setup
from tablectl.core.engine.machine import PhaseMachine
from tablectl.core.engine.vocabulary import Tracking
from tablectl.families.holdem.family import HOLDEM
from tablectl.families.holdem.rulebook import HoldemRulebook
from tablectl.families.holdem.state import HoldemState
from tablectl.families.pots.places import drawn
from tablectl.games.registry import RULEBOOKS

GAMES: dict[str, HoldemRulebook] = {
    name: book for name, made in RULEBOOKS.items() if isinstance(book := made({}), HoldemRulebook)
}
SEVERAL, ONE = "several are in", "one is left"
ROUNDS = ("pre-flop-betting", "flop-betting", "turn-betting", "river-betting")
STREETS = ("flop", "turn", "river")
IN_A_HAND = ("seating", "blinds", "dealing", *ROUNDS, *STREETS, "showdown", "settlement")
ANY: dict[tuple[str, str], str] = {
    ("seating", "dealt"): "blinds",
    ("blinds", "no-more-bets"): "dealing",
    ("dealing", "dealt"): "pre-flop-betting",
    ("flop", "dealt"): "flop-betting",
    ("turn", "dealt"): "turn-betting",
    ("river", "dealt"): "river-betting",
    ("showdown", "revealed"): "settlement",
    ("settlement", "closed"): "closed",
    ("voided", "closed"): "closed",
    ("flop", "take-back"): "pre-flop-betting",
    ("turn", "take-back"): "flop-betting",
    ("river", "take-back"): "turn-betting",
    ("showdown", "take-back"): "river-betting",
    ("pre-flop-betting", "reopen"): "dealing",
    ("flop-betting", "reopen"): "flop",
    ("turn-betting", "reopen"): "turn",
    ("river-betting", "reopen"): "river",
    **{(phase, "void"): "voided" for phase in IN_A_HAND},
}
BY_SEATS: dict[str, dict[tuple[str, str], str]] = {
    SEVERAL: {
        ("pre-flop-betting", "round-closed"): "flop",
        ("flop-betting", "round-closed"): "turn",
        ("turn-betting", "round-closed"): "river",
        ("river-betting", "round-closed"): "showdown",
    },
    ONE: {
        **{(phase, "round-closed"): "settlement" for phase in ROUNDS},
        **{(phase, "one-left"): "settlement" for phase in ("dealing", *STREETS, "showdown")},
    },
}
UNKNOWN = "to_settlement"


def state_with(game: str, seats: str, *, has_button: bool) -> HoldemState:
    setup = Setup(table="t", rulebook=game, seats=10, tracking=Tracking.ACTIONS, limits={})
    state = HOLDEM.begin(setup, GAMES[game])
    for seat in (1, 2):
        state.seats.sit(seat)
    if seats == ONE:
        state.seats.fold(1)
    if has_button:
        state.markers = drawn(2)
    return state


@pytest.mark.parametrize("has_button", [False, True])
@pytest.mark.parametrize("seats", BY_SEATS)
@pytest.mark.parametrize("game", GAMES)
def test_a_trigger_moves_where_the_table_says_and_is_refused_everywhere_else(
    game: str, seats: str, *, has_button: bool
) -> None:
    book = GAMES[game]
    moves = {**ANY, **BY_SEATS[seats], ("closed", "new-hand"): "blinds" if has_button else "seating"}
    for phase in book.phases:
        for trigger in (*{row.trigger for row in book.transitions}, UNKNOWN):
            machine = PhaseMachine(book.phases, book.transitions, phase)
            state = state_with(game, seats, has_button=has_button)
            announced = machine.refusal(trigger, state)
            assert machine.phase.name == phase, "asking changes nothing"
            refused = machine.fire(trigger, state)
            assert refused == announced
            assert (machine.phase.name, refused is None) == (
                moves.get((phase, trigger), phase),
                (phase, trigger) in moves,
            ), (phase, trigger)


@pytest.mark.parametrize("game", GAMES)
def test_the_triggers_tried_here_are_those_of_the_rulebook(game: str) -> None:
    tried = {trigger for table in (ANY, *BY_SEATS.values()) for _, trigger in table} | {"new-hand"}
    assert {row.trigger for row in GAMES[game].transitions} == tried
