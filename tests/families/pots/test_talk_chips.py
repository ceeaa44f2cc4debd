"""What chips and words amount to: each row a thing that a croupier sees, and what the rules make of it."""

from __future__ import annotations

import pytest

from tests.families.pots.talking import dealt, remembered, tell, to_the_flop

#: Before the flop seat 3 has 200 to call, may raise to 400 at least, and has 5000.
FACING = "call=200|raise=400..5000"
#: On the flop nothing is bet: seat 1 may check, or bet from 200 on.
OPEN = "check|bet=200..4800"


def incident(clause: str, remedy: str, expected: str = FACING) -> str:
    return f"incident {clause} expected={expected} observed=chips remedy={remedy}"


CALL = "spoke 3 call to=200 added=200"


@pytest.mark.parametrize(
    ("chips", "found"),
    [
        # THL-GEN-2: the chips are simply right
        ("200", [CALL]),
        ("200 single", [CALL]),
        ("400", ["spoke 3 raise to=400 added=400"]),
        ("5000", ["spoke 3 raise to=5000 added=5000 all-in"]),
        ("200 said=call", [CALL]),
        ("600 said=raise", ["spoke 3 raise to=600 added=600"]),
        ("600 single said=raise", ["spoke 3 raise to=600 added=600"]),
        ("600 said=raise to=600", ["spoke 3 raise to=600 added=600"]),
        # THL-GEN-5: nothing lies there yet, and the word binds
        ("0 said=call", [CALL]),
        ("0 said=raise to=600", ["spoke 3 raise to=600 added=600"]),
        ("0 said=all-in", ["spoke 3 raise to=5000 added=5000 all-in"]),
        ("0 said=fold", ["spoke 3 fold to=0 added=0"]),
        ("200 said=raise to=9000", [incident("THL-GEN-5", "bind"), "spoke 3 raise to=5000 added=5000 all-in"]),
        # THL-GEN-6: the word over the chips
        ("600 said=call", [incident("THL-GEN-6", "return-excess"), CALL]),
        ("700 said=raise to=600", [incident("THL-GEN-6", "correct"), "spoke 3 raise to=600 added=600"]),
        ("500 said=raise to=600", [incident("THL-GEN-6", "correct"), "spoke 3 raise to=600 added=600"]),
        ("500 said=all-in", [incident("THL-GEN-6", "correct"), "spoke 3 raise to=5000 added=5000 all-in"]),
        # THL-PLE-3: misstated, or too few chips for what was only called a raise
        ("300 said=raise", [incident("THL-PLE-3", "as-call"), CALL]),
        ("399 said=raise to=399", [incident("THL-PLE-3", "as-call"), CALL]),
        ("5000 said=raise to=300", [incident("THL-PLE-3", "as-call"), CALL]),
        # THL-PLE-4, THL-PLE-5
        ("199", [incident("THL-PLE-4", "complete-call"), CALL]),
        ("1 single", [incident("THL-PLE-4", "complete-call"), CALL]),
        ("150 said=fold", [incident("THL-PLE-5", "reject"), "spoke 3 fold to=150 added=150"]),
        # THL-PLE-8, AMB-25
        ("201 single", [incident("THL-PLE-8", "return-excess"), CALL]),
        ("5000 single", [incident("THL-PLE-8", "return-excess"), CALL]),
        ("399", [incident("THL-PLE-8", "return-excess"), CALL]),
        # THL-PLE-15: he did not know how much it is
        ("100 said=call", [incident("THL-PLE-15", "bind"), CALL]),
        ("200 said=call to=100", [incident("THL-PLE-15", "bind"), CALL]),
    ],
)
def test_thl_ple_3_4_8_15_thl_gen_5_6_facing_a_bet(chips: str, found: list[str]) -> None:
    assert tell(dealt(), f"chips 3 {chips}") == found


@pytest.mark.parametrize(
    ("chips", "found"),
    [
        # THL-PLE-9: without a bet before it, one chip is a bet of its value
        ("1000 single", ["spoke 1 bet to=1000 added=1000"]),
        ("1000", ["spoke 1 bet to=1000 added=1000"]),
        ("200 single", ["spoke 1 bet to=200 added=200"]),
        ("199 single", [incident("THL-PLE-3", "as-call", OPEN), "spoke 1 check to=0 added=0"]),
        ("199", [incident("THL-PLE-3", "as-call", OPEN), "spoke 1 check to=0 added=0"]),
        ("199 said=bet", [incident("THL-PLE-3", "as-call", OPEN), "spoke 1 check to=0 added=0"]),
        ("500 said=check", [incident("THL-GEN-6", "return-excess", OPEN), "spoke 1 check to=0 added=0"]),
        ("0 said=check", ["spoke 1 check to=0 added=0"]),
    ],
)
def test_thl_ple_9_with_nothing_bet(chips: str, found: list[str]) -> None:
    table = dealt()
    to_the_flop(table)
    assert tell(table, f"chips 1 {chips}") == found


def test_thl_ple_8_before_the_flop_the_blinds_are_a_bet_so_the_big_blind_checks_with_one_chip() -> None:
    table = dealt()
    tell(table, "act call\nact call\nact call")
    assert tell(table, "chips 2 1000 single") == [
        incident("THL-PLE-8", "return-excess", "check|raise=400..5000"),
        "spoke 2 check to=200 added=0",
        "pot 1 800 seats=1,2,3,4",
        "phase flop",
    ]


@pytest.mark.parametrize(
    ("chips", "clause"), [("6000 single", "THL-PLE-9"), ("6000", "THL-PLE-3"), ("5001 single", "THL-PLE-9")]
)
def test_thl_ple_9_what_is_above_the_greatest_bet_goes_back(chips: str, clause: str) -> None:
    table = dealt(stacks={1: 9000})
    to_the_flop(table)
    assert tell(table, f"chips 1 {chips}") == [
        incident(clause, "return-excess", "check|bet=200..5000"),
        "spoke 1 bet to=5000 added=5000",
    ]


@pytest.mark.parametrize(("chips", "is_raise"), [("300", False), ("599", False), ("600", True)])
def test_amb_24_a_house_where_every_raise_with_too_few_chips_is_a_call(chips: str, *, is_raise: bool) -> None:
    table = dealt(short_raise="call")
    found = tell(table, f"chips 3 {chips} said=raise to=600")
    assert found == (["spoke 3 raise to=600 added=600"] if is_raise else [incident("THL-PLE-3", "as-call"), CALL])


def test_amb_24_a_word_alone_binds_in_that_house_too() -> None:
    assert tell(dealt(short_raise="call"), "chips 3 0 said=raise to=600") == ["spoke 3 raise to=600 added=600"]


def test_amb_25_a_house_where_several_chips_are_always_a_call() -> None:
    table = dealt(several_chips="call")
    assert tell(table, "chips 3 400") == [incident("THL-PLE-8", "return-excess"), CALL]
    to_the_flop(table)
    assert tell(table, "chips 1 400") == ["spoke 1 bet to=400 added=400"]


@pytest.mark.parametrize("chips", ["150", "150 single", "150 said=call", "150 said=all-in", "0 said=all-in"])
def test_thl_rd1_5_all_that_he_has_is_a_call_for_so_much(chips: str) -> None:
    assert tell(dealt(stacks={3: 150}), f"chips 3 {chips}") == ["spoke 3 call to=150 added=150 all-in"]


def test_thl_rd1_5_all_that_he_has_is_a_raise_though_short_of_the_least() -> None:
    assert tell(dealt(stacks={3: 300}), "chips 3 300") == ["spoke 3 raise to=300 added=300 all-in"]


@pytest.mark.parametrize(
    ("chips", "refused"),
    [
        ("0", "THL-RD1-4 bet"),
        ("-5", "THL-RD1-4 bet"),
        ("0 said=raise", "THL-RD1-4 raise"),
        ("5001", "THL-RD1-5 bet"),
        ("200 said=check", "THL-RD2-5 check"),
    ],
)
def test_thl_ple_15_what_cannot_be_is_refused_and_changes_nothing(chips: str, refused: str) -> None:
    table = dealt()
    before = remembered(table)
    assert tell(table, f"chips 3 {chips}") == [f"refused illegal-action {refused} call=200 raise=400..5000"]
    assert remembered(table) == before


def test_tho_lim_2_a_raise_that_may_not_be_made_in_any_amount_is_refused_and_is_no_call() -> None:
    table = dealt(rulebook="open-holdem", structure="fixed-limit")
    tell(table, "act raise 400\nact raise 600\nact raise 800")
    for word in ("1000 said=raise", "0 said=raise to=1000"):
        assert tell(table, f"chips 2 {word}") == ["refused illegal-action THO-LIM-2 raise call=600"]
    assert tell(table, "chips 2 700") == [
        "incident THL-PLE-8 expected=call=600 observed=chips remedy=return-excess",
        "spoke 2 call to=800 added=600",
    ]


def test_thl_ple_3_a_call_said_where_nothing_is_bet_is_refused() -> None:
    table = dealt()
    to_the_flop(table)
    assert tell(table, "chips 1 200 said=call") == ["refused illegal-action THL-RD1-3 call check bet=200..4800"]


def test_thl_gen_6_the_word_counts_in_open_holdem_too() -> None:
    assert tell(dealt(rulebook="open-holdem"), "chips 3 700 said=raise to=600") == [
        incident("THL-GEN-6", "correct"),
        "spoke 3 raise to=600 added=600",
    ]


def test_thl_ple_5_the_chips_of_who_gives_up_stay_in_the_pot() -> None:
    table = dealt()
    tell(table, "chips 3 150 said=fold\nact fold\nact fold")
    assert tell(table, "press confirm")[:4] == ["stack 1 4900", "stack 2 5250", "stack 3 4850", "stack 4 5000"]
