"""Actions in a betting round: the illegal ones with their clause, the keys, and the three levels of tracking."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Key
from tests.families.pots.talking import deal, dealt, legal, opened, pot, press, remembered, tell, to_the_flop, turn

# --- what is refused, under which clause ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "action", "refused"),
    [
        ("circle-holdem", "check", "illegal-action THL-RD2-5 check"),
        ("open-holdem", "check", "illegal-action THO-ACT-3 check"),
        ("circle-holdem", "call 300", "illegal-action THL-RD1-3 call"),
        ("open-holdem", "call 300", "illegal-action THO-ACT-5 call"),
        ("circle-holdem", "raise 399", "illegal-action THL-RD1-4 raise"),
        ("open-holdem", "raise 399", "illegal-action THO-ACT-6 raise"),
        ("circle-holdem", "raise", "illegal-action THL-RD1-4 raise"),
        ("circle-holdem", "raise 5001", "illegal-action THL-RD1-5 raise"),
        ("open-holdem", "raise 5001", "illegal-action THO-ALL-1 raise"),
        ("circle-holdem", "all-in 300", "illegal-action THL-RD1-5 all-in"),
        ("open-holdem", "all-in 300", "illegal-action THO-ALL-1 all-in"),
    ],
)
def test_thl_rd1_tho_act_an_illegal_action_names_its_clause_and_what_is_legal_and_changes_nothing(
    rulebook: str, action: str, refused: str
) -> None:
    table = dealt(rulebook=rulebook)
    before = remembered(table)
    assert tell(table, f"act {action}") == [f"refused {refused} call=200 raise=400..5000"]
    assert remembered(table) == before


def test_thl_rd1_3_there_is_nothing_to_call_where_nothing_is_bet() -> None:
    table = dealt()
    to_the_flop(table)
    assert tell(table, "act call") == ["refused illegal-action THL-RD1-3 call check bet=200..4800"]


def test_thl_rd1_4_above_the_greatest_bet_of_the_table() -> None:
    table = dealt(stacks={3: 9000})
    assert tell(table, "act raise 5001") == ["refused illegal-action THL-RD1-4 raise call=200 raise=400..5000"]


@pytest.mark.parametrize(("rulebook", "clause"), [("circle-holdem", "THL-RD1-4"), ("open-holdem", "THO-LIM-3")])
def test_tho_lim_3_at_pot_limit_the_pot_bounds_the_raise(rulebook: str, clause: str) -> None:
    table = dealt(rulebook=rulebook, structure="pot-limit")
    assert tell(table, "act raise 701") == [f"refused illegal-action {clause} raise call=200 raise=400..700"]
    assert tell(table, "act raise 700") == ["spoke 3 raise to=700 added=700"]


@pytest.mark.parametrize(
    ("rulebook", "unit", "cap"),
    [("circle-holdem", "THL-RD1-4", "THL-RD1-4"), ("open-holdem", "THO-LIM-1", "THO-LIM-2")],
)
def test_tho_lim_1_tho_lim_2_at_fixed_limit_one_unit_and_three_raises(rulebook: str, unit: str, cap: str) -> None:
    table = dealt(rulebook=rulebook, structure="fixed-limit")
    assert tell(table, "act raise 500") == [f"refused illegal-action {unit} raise call=200 raise=400..400"]
    tell(table, "act raise 400\nact raise 600\nact raise 800")
    assert tell(table, "act raise 1000") == [f"refused illegal-action {cap} raise call=600"]


def test_tho_all_1_amb_03_only_a_full_raise_gives_the_word_again() -> None:
    table = dealt(rulebook="open-holdem", stacks={4: 700})
    tell(table, "act raise 600\nact all-in\nact fold\nact call")
    assert tell(table, "act raise 1400") == ["refused illegal-action THO-ALL-1 raise call=100"]


def test_thl_rd1_6_amb_03_in_the_other_game_a_short_all_in_does() -> None:
    table = dealt(stacks={4: 700})
    tell(table, "act raise 400\nact all-in\nact fold\nact call")
    assert tell(table, "act raise 1400") == ["spoke 3 raise to=1400 added=1000"]


@pytest.mark.parametrize(("rulebook", "clause"), [("circle-holdem", "THL-END-1"), ("open-holdem", "THO-ALL-3")])
def test_thl_end_1_no_raise_where_nobody_can_answer_it_and_no_street_before_all_is_matched(
    rulebook: str, clause: str
) -> None:
    table = dealt(rulebook=rulebook, seats=2, stacks={1: 700})
    assert press(table, Key.CONFIRM) == [f"refused bets-open {clause} seat-1 call=100 raise=400..700"]
    tell(table, "act all-in")
    assert tell(table, "act raise 1400") == [f"refused illegal-action {clause} raise call=500"]


def test_who_is_not_in_the_hand_and_who_speaks_before_the_cards_is_refused() -> None:
    table = opened()
    assert tell(table, "act fold") == ["refused bets-closed THL-DLG-5"]
    assert tell(table, "chips 3 200") == ["refused bets-closed THL-DLG-5"]
    press(table, Key.NO_MORE_BETS)
    deal(table)
    assert tell(table, "act fold\nact 3 fold") == ["refused unknown-seat THL-RD1-6 seat-3"]
    assert tell(table, "act 9 fold") == ["refused unknown-seat THL-RD1-6 seat-9"]


def test_nothing_is_entered_while_the_table_is_held() -> None:
    table = dealt()
    tell(table, "call by ana")
    assert tell(table, "act fold") == ["refused held"]
    assert tell(table, "chips 3 200") == ["refused held"]


# --- the keys ---------------------------------------------------------------------------------------------------------


def test_thl_rd1_4_a_key_without_an_amount_is_the_least_legal_raise_of_the_next_to_act() -> None:
    table = dealt()
    assert press(table, Key.RAISE) == ["spoke 3 raise to=400 added=400"]
    assert press(table, Key.RAISE) == ["spoke 4 raise to=800 added=800"]
    assert press(table, Key.CALL) == ["spoke 1 call to=800 added=700"]
    assert press(table, Key.FOLD) == ["spoke 2 fold to=200 added=0"]
    assert press(table, Key.ALL_IN) == ["spoke 3 raise to=5000 added=4600 all-in"]


def test_thl_rd2_5_one_key_where_everybody_checks_as_far_as_that_goes_and_one_correction_for_it() -> None:
    table = dealt()
    assert press(table, Key.ALL_CHECK) == ["refused illegal-action THL-RD2-5 check call=200 raise=400..5000"]
    to_the_flop(table)
    tell(table, "act check")
    before = remembered(table)
    assert press(table, Key.ALL_CHECK) == [
        "spoke 2 check to=0 added=0",
        "spoke 3 check to=0 added=0",
        "spoke 4 check to=0 added=0",
        "pot 1 800 seats=1,2,3,4",
        "phase turn",
    ]
    assert press(table, Key.CANCEL) == [
        "phase flop-betting",
        "taken-back 4 check",
        "taken-back 3 check",
        "taken-back 2 check",
    ]
    assert remembered(table) == before


def test_a_seat_chosen_by_mistake_is_no_entry_and_cancelling_it_corrects_nothing() -> None:
    table = dealt()
    tell(table, "act call")
    press(table, Key.SEAT_1)
    assert table.prompt().about == "seat-1"
    assert press(table, Key.CANCEL) == []
    assert table.prompt().about == "seat-4"
    assert press(table, Key.CANCEL) == ["taken-back 3 call"]


def test_the_keys_that_are_live_are_those_that_do_something() -> None:
    table = dealt()
    assert Key.CALL in table.prompt().keys
    assert Key.CHECK not in table.prompt().keys
    assert Key.CANCEL not in table.prompt().keys
    to_the_flop(table)
    assert Key.CHECK in table.prompt().keys
    assert Key.ALL_CHECK in table.prompt().keys
    assert Key.CALL not in table.prompt().keys
    press(table, Key.CHECK)
    assert Key.CANCEL in table.prompt().keys


# --- how much is entered ----------------------------------------------------------------------------------------------


def test_thl_end_1_actions_alone_keep_order_and_close_the_round() -> None:
    table = dealt(tracking="actions")
    assert legal(table) == "call raise"
    assert tell(table, "act raise 400") == ["refused amount-at-presence THL-RD1-4 raise call raise"]
    assert tell(table, "chips 3 400") == ["refused amount-at-presence THL-RD1-4 bet call raise"]
    assert tell(table, "act all-in") == ["refused illegal-action THL-RD1-5 all-in call raise"]
    assert press(table, Key.RAISE) == ["spoke 3 raise"]
    press(table, Key.ALL_IN)
    assert press(table, Key.CALL) == ["spoke 4 call all-in"]
    assert tell(table, "act fold\nact call") == ["spoke 2 call", "phase flop"]
    assert pot(table) is None


def test_thl_end_1_rounds_alone_take_folds_of_any_seat_and_the_key_that_closes_them() -> None:
    table = dealt(tracking="rounds")
    assert tell(table, "act call") == ["refused not-live call"]
    assert tell(table, "act fold") == ["refused not-live fold"]
    assert press(table, Key.FOLD) == ["refused not-live fold"]
    press(table, Key.SEAT_1)
    assert press(table, Key.FOLD) == ["spoke 1 fold"]
    assert press(table, Key.FOLD) == ["refused not-live fold"]
    before = remembered(table)
    assert press(table, Key.CONFIRM) == ["phase flop"]
    assert press(table, Key.CANCEL) == ["phase pre-flop-betting"]
    assert remembered(table) == before
    for phase in ("flop", "turn", "river", "showdown"):
        assert press(table, Key.CONFIRM) == [f"phase {phase}"]
        deal(table)


def test_thl_end_2_the_last_but_one_to_fold_ends_the_hand_at_every_level() -> None:
    for tracking in ("rounds", "actions", "amounts"):
        table = dealt(tracking=tracking)
        for seat in (3, 4):
            press(table, Key(f"seat-{seat}"))
            press(table, Key.FOLD)
        press(table, Key.SEAT_1)
        assert "phase settlement" in press(table, Key.FOLD)
        assert turn(table) is None
