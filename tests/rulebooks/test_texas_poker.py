"""What the game says, read off its data: the order of the deal, what a house may burn, and whose cards are turned."""

from __future__ import annotations

from tablectl.core.engine.vocabulary import Key
from tablectl.games.texas_poker.rules import rulebook

GAME = rulebook({})


def plan(phase: str, seats: tuple[int, ...] = (), **choices: str) -> list[str]:
    plan_of = rulebook(choices).phases[phase].plan
    assert plan_of is not None
    return [slot.name for slot in plan_of(seats)]


def test_tpc_dev_5_tpc_dev_6_two_laps_from_the_left_with_the_bank_last_in_each() -> None:
    assert plan("dealing", (2, 9)) == ["seat-2.1", "seat-9.1", "house.1", "seat-2.2", "seat-9.2", "house.2"]


def test_tpc_dev_6_a_house_may_deal_to_the_bank_first_in_each_lap() -> None:
    first = plan("dealing", (2, 9), bank_card="first")
    assert first == ["house.1", "seat-2.1", "seat-9.1", "house.2", "seat-2.2", "seat-9.2"]


def test_tpc_dev_7_tpc_dev_17_nothing_is_burnt_unless_the_house_has_it_so() -> None:
    flop, streets = ["board.1", "board.2", "board.3"], ["board.4", "board.5"]
    assert (plan("flop"), plan("turn-river")) == (flop, streets)
    assert (plan("flop", burn="flop"), plan("turn-river", burn="flop")) == (["burn.1", *flop], streets)
    every = plan("flop", burn="every-street"), plan("turn-river", burn="every-street")
    assert every == (["burn.1", *flop], ["burn.2", "board.4", "burn.3", "board.5"])


def test_tpc_dev_7_a_burn_is_an_error_only_where_none_is_due() -> None:
    for burn, flop, streets in (
        ("none", "TPC-DEV-7", "TPC-DEV-17"),
        ("flop", None, "TPC-DEV-17"),
        ("every-street", None, None),
    ):
        phases = rulebook({"burn": burn}).phases
        assert (phases["flop"].burnt, phases["turn-river"].burnt) == (flop, streets)


def test_tpc_dev_7_the_flop_lies_there_before_anybody_decides_and_they_decide_in_any_order() -> None:
    assert [row.dest for row in GAME.transitions if (row.source, row.trigger) == ("dealing", "dealt")] == ["flop"]
    choice = GAME.phases["decision"].choice
    assert choice is not None
    assert (choice.in_turn, choice.otherwise) == (False, Key.FOLD)


def test_tpc_dev_9_the_second_bet_is_twice_the_ante_or_as_much_where_the_house_has_it_so() -> None:
    assert GAME.bets["second"].multiple_of == ("ante", 2)
    assert rulebook({"second_bet": "same-as-ante"}).bets["second"].multiple_of == ("ante", 1)


def test_tpc_tab_1_a_box_has_three_spaces() -> None:
    assert list(GAME.bets) == ["ante", "second", "txb"]
