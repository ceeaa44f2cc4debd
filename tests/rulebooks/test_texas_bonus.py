"""What the game says, read off its data: the order of the deal, and what can happen before it."""

from __future__ import annotations

from tablectl.games.texas_bonus.rules import rulebook

GAME = rulebook({})


def plan(phase: str, seats: tuple[int, ...] = ()) -> list[str]:
    plan_of = GAME.phases[phase].plan
    assert plan_of is not None
    return [slot.name for slot in plan_of(seats)]


def test_thb_dev_7_thb_dev_8_the_first_lap_goes_from_the_left_to_the_bank_s_left_slot() -> None:
    assert plan("dealing", (2, 5, 9))[:4] == ["seat-2.1", "seat-5.1", "seat-9.1", "house.1"]


def test_thb_dev_9_thb_dev_10_the_second_lap_goes_the_same_way_and_ends_in_the_bank_s_right_slot() -> None:
    assert plan("dealing", (2, 5, 9))[4:] == ["seat-2.2", "seat-5.2", "seat-9.2", "house.2"]


def test_thb_tab_4_the_bank_has_two_slots_and_no_more() -> None:
    assert [text for text in plan("dealing", (1,)) if text.startswith("house")] == ["house.1", "house.2"]


def test_thb_dev_13_thb_dev_17_thb_dev_22_each_street_begins_with_a_burn_of_its_own() -> None:
    assert [plan(street)[0] for street in ("flop", "turn", "river")] == ["burn.1", "burn.2", "burn.3"]


def test_thb_tab_3_thb_dev_14_thb_dev_18_thb_dev_23_the_common_cards_fill_five_slots_in_order() -> None:
    streets = {street: plan(street)[1:] for street in ("flop", "turn", "river")}
    assert streets == {"flop": ["board.1", "board.2", "board.3"], "turn": ["board.4"], "river": ["board.5"]}


def test_thb_dev_1_bets_are_invited_only_between_hands_when_the_deck_is_whole() -> None:
    assert [row.source for row in GAME.transitions if row.dest == "betting"] == [GAME.initial]
