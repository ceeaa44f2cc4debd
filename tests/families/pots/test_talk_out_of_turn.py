"""Actions of a seat that has not the turn, and players who were passed over."""

from __future__ import annotations

import pytest

from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key
from tests.families.pots.talking import dealt, legal, money, pot, press, remembered, tell, to_the_flop, turn

ASKED_3 = [
    "incident THL-PLE-6 expected=turn-seat-1 observed=out-of-turn-seat-3 remedy=bind",
    "asked out-of-turn seat-3",
]


def flop(*, out_of_turn: str = "may-fold", skipped_late: str = "loses-the-round") -> Table:
    table = dealt(out_of_turn=out_of_turn, skipped_late=skipped_late)
    to_the_flop(table)
    return table


@pytest.mark.parametrize(
    ("entry", "stored", "spoke"),
    [
        ("act 3 bet 400", "stored 3 bet to=400", "spoke 3 bet to=400 added=400"),
        ("act 3 check", "stored 3 check", "spoke 3 check to=0 added=0"),
        ("act 3 all-in", "stored 3 all-in to=4800", "spoke 3 bet to=4800 added=4800 all-in"),
        ("chips 3 400", "stored 3 bet to=400", "spoke 3 bet to=400 added=400"),
        ("chips 3 500 single", "stored 3 bet to=500", "spoke 3 bet to=500 added=500"),
        ("chips 3 0 said=bet to=600", "stored 3 bet to=600", "spoke 3 bet to=600 added=600"),
    ],
)
def test_thl_ple_6_it_binds_and_is_carried_out_when_the_turn_comes(entry: str, stored: str, spoke: str) -> None:
    table = flop()
    assert tell(table, entry) == ASKED_3
    assert table.state.held
    assert press(table, Key.CONFIRM) == ["closed 1 bind by croupier", stored]
    assert turn(table) == 1
    assert tell(table, "act check") == ["spoke 1 check to=0 added=0"]
    assert tell(table, "act check") == ["spoke 2 check to=0 added=0", spoke]


def test_thl_ple_6_cancelled_it_was_nothing() -> None:
    table = flop()
    before = remembered(table)
    tell(table, "act 3 bet 400")
    assert press(table, Key.CANCEL) == ["refused taken-back seat-3", "closed 1 continue by croupier"]
    after = remembered(table)
    assert after.pop("offered") is not None, "what was offered is forgotten with the next offer"
    before.pop("offered")
    assert after == before


def test_amb_26_a_fold_out_of_turn_is_final_and_loses_what_is_in() -> None:
    table = flop()
    tell(table, "act 3 fold")
    assert press(table, Key.CONFIRM) == ["closed 1 bind by croupier", "spoke 3 fold to=0 added=0"]
    assert tell(table, "act 3 bet 400") == ["refused unknown-seat THL-RD1-6 seat-3"]
    assert table.state.staying == (1, 2, 4)


def test_thl_end_2_a_fold_out_of_turn_can_be_the_last_one() -> None:
    table = dealt(seats=2)
    tell(table, "act 2 fold")
    assert "phase settlement" in press(table, Key.CONFIRM)


def test_thl_ple_6_who_called_out_of_turn_checks_where_there_is_nothing_to_call_any_more() -> None:
    table = dealt()
    tell(table, "act 3 call")
    blind = table.state.order[1]
    assert tell(table, f"act {blind} call\npress confirm")[-1] == f"stored {blind} call to=200"
    found: list[str] = []
    while turn(table) is not None and not table.state.held and table.state.phase.name == "pre-flop-betting":
        found = tell(table, "act call")
    assert f"spoke {blind} check to=200 added=0" in found


@pytest.mark.parametrize(("raised", "keeps"), [("act call", True), ("act raise 400", False)])
def test_thl_ple_7_a_call_before_his_turn_leaves_it_and_a_raise_lets_him_choose(raised: str, *, keeps: bool) -> None:
    table = dealt()
    tell(table, "act 4 call\npress confirm")
    found = tell(table, raised)[1:]
    if keeps:
        assert found == ["spoke 4 call to=200 added=200"]
    else:
        assert found == [
            "incident THL-PLE-7 expected=call observed=raised remedy=choose-again",
            "taken-back 4 call",
        ]
        assert turn(table) == 4


@pytest.mark.parametrize("bet", ["act 3 bet 400", "chips 3 400", "chips 3 0 said=bet to=400"])
def test_thl_ple_7_who_folds_then_leaves_his_chips(bet: str) -> None:
    table = flop()
    before = money(table)
    tell(table, f"{bet}\npress confirm\nact bet 600\nact fold")
    assert turn(table) == 3
    assert tell(table, "act fold") == ["spoke 3 fold to=400 added=400"]
    assert money(table) == before


def test_thl_ple_7_chips_that_lie_there_count_towards_what_he_adds() -> None:
    table = flop()
    tell(table, "chips 3 400\npress confirm\nact bet 600\nact fold")
    assert tell(table, "chips 3 200") == ["spoke 3 call to=600 added=600"]


def test_thl_ple_7_he_takes_no_chips_back_where_they_make_a_legal_raise() -> None:
    table = flop()
    tell(table, "act 3 bet 1000\npress confirm\nact bet 300\nact fold")
    before = remembered(table)
    for action in ("call", "raise 900"):
        assert tell(table, f"act {action}")[0].startswith("refused illegal-action THL-PLE-7")
    assert remembered(table) == before
    assert press(table, Key.RAISE) == ["spoke 3 raise to=1000 added=1000"]


def test_thl_ple_7_where_they_make_none_he_calls_and_the_rest_is_dead_money() -> None:
    table = flop()
    tell(table, "act 3 bet 400\npress confirm\nact bet 300\nact fold")
    before = pot(table)
    assert tell(table, "act call") == ["spoke 3 call to=300 added=400"]
    assert pot(table) == (before or 0) + 400
    assert legal(table) == "call=300 raise=600..4800", "the others owe what was bet"
    assert press(table, Key.CANCEL)[0] == "taken-back 3 call"
    assert pot(table) == before


def test_thl_ple_7_chips_that_stand_as_a_raise_lie_there_and_he_may_raise_further() -> None:
    table = flop()
    tell(table, "act 3 bet 1000\npress confirm\nact bet 200\nact fold")
    assert legal(table) == "raise=1000 raise=2000..4800"
    assert {Key.RAISE, Key.FOLD, Key.ALL_IN} <= set(table.prompt().keys)
    assert not {Key.CALL, Key.CHECK} & set(table.prompt().keys)
    assert press(table, Key.CALL) == ["refused illegal-action THL-PLE-7 call raise=1000 raise=2000..4800"]
    assert tell(table, "chips 3 1000") == ["spoke 3 raise to=2000 added=2000"]


def test_thl_ple_7_with_too_little_left_to_raise_further_he_goes_all_in() -> None:
    table = dealt(seats=3, stacks={3: 1700})
    to_the_flop(table)
    tell(table, f"act 3 bet 1000\npress confirm\nact {turn(table)} bet 200")
    while turn(table) != 3:
        tell(table, "act fold")
    assert legal(table) == "raise=1000 raise=1500..1500"
    assert tell(table, "act all-in") == ["spoke 3 raise to=1500 added=1500 all-in"]


def test_thl_ple_7_what_he_has_to_add_to_call_is_told_without_the_chips_that_lie_there() -> None:
    table = flop()
    tell(table, "act 3 bet 1000\npress confirm\nact bet 2000\nact fold")
    assert legal(table) == "call=1000 raise=4000..4800"
    assert tell(table, "chips 3 1000") == ["spoke 3 call to=2000 added=2000"]


def test_thl_ple_7_where_all_others_are_all_in_he_calls_and_gets_change() -> None:
    table = dealt(seats=3, stacks={1: 500})
    to_the_flop(table)
    tell(table, "act 3 bet 1000\npress confirm\nact all-in\nact fold")
    assert (turn(table), legal(table)) == (3, "call=0"), "more than that lies there"
    assert tell(table, "act call")[0] == "spoke 3 call to=300 added=300"


def test_amb_26_a_house_where_he_may_not_fold() -> None:
    table = flop(out_of_turn="call-or-raise")
    tell(table, "act 3 bet 400\npress confirm\nact bet 600\nact fold")
    assert tell(table, "act fold") == ["refused illegal-action THL-PLE-7 fold call=200 raise=1200..4800"]
    assert tell(table, "act call") == ["spoke 3 call to=600 added=600"]


def test_amb_26_a_check_lapses_where_somebody_bets_and_he_may_fold_in_any_house() -> None:
    table = flop(out_of_turn="call-or-raise")
    tell(table, "act 3 check\npress confirm\nact bet 400")
    assert tell(table, "act fold")[1:] == [
        "incident THL-PLE-7 expected=check observed=raised remedy=choose-again",
        "taken-back 3 check",
    ]
    assert tell(table, "act fold") == ["spoke 3 fold to=0 added=0"]


def test_thl_ple_6_who_acted_after_a_bet_out_of_turn_knew_of_it() -> None:
    table = flop()
    tell(table, "act 3 bet 400\npress confirm")
    assert tell(table, "act 4 call\npress confirm")[:2] == ["closed 2 bind by croupier", "stored 4 call to=400"]
    tell(table, "rule 3 take-back by ana\nact check")
    assert tell(table, "act check") == [
        "spoke 2 check to=0 added=0",
        "spoke 3 bet to=400 added=400",
        "spoke 4 call to=400 added=400",
    ]


def test_thl_ple_7_who_had_acted_before_that_bet_did_not() -> None:
    table = flop()
    tell(table, "act 4 check\npress confirm\nact 3 bet 400\npress confirm\nrule 3 take-back by ana\nact check")
    assert tell(table, "act check")[1:] == [
        "spoke 3 bet to=400 added=400",
        "incident THL-PLE-7 expected=check observed=raised remedy=choose-again",
        "taken-back 4 check",
    ]


def test_thl_ple_6_what_is_not_legal_when_the_turn_comes_is_the_players_to_say_again() -> None:
    table = dealt()
    tell(table, "act 4 check\npress confirm")
    assert tell(table, "act call") == [
        "spoke 3 call to=200 added=200",
        "refused illegal-action THL-RD2-5 check call=200 raise=400..5000",
        "taken-back 4 check",
    ]
    assert turn(table) == 4


@pytest.mark.parametrize(
    ("entry", "refused"),
    [
        ("act 4 raise 5001", "illegal-action THL-RD1-5 raise"),
        ("act 4 raise 0", "illegal-action THL-RD1-4 raise"),
        ("chips 4 5001", "illegal-action THL-RD1-5 raise"),
        ("chips 4 0", "illegal-action THL-RD1-4 call"),
        ("chips 4 -1", "illegal-action THL-RD1-4 call"),
    ],
)
def test_thl_ple_6_what_no_turn_makes_legal_is_not_offered(entry: str, refused: str) -> None:
    table = dealt()
    before = remembered(table)
    assert tell(table, entry) == [f"refused {refused} call=200 raise=400..5000"]
    assert remembered(table) == before


def test_thl_ple_6_once_is_enough_and_who_is_all_in_has_nothing_to_say() -> None:
    table = dealt(stacks={4: 300})
    tell(table, "act 1 call\npress confirm")
    assert tell(table, "act 1 fold") == ["refused not-in-turn THL-PLE-6 stored=seat-1"]
    tell(table, "act call\nact all-in\nact 2 call")
    press(table, Key.CANCEL)
    assert tell(table, "act 4 fold") == ["refused illegal-action THL-END-3 seat-4 all-in"]


def test_thl_ple_6_without_amounts() -> None:
    table = dealt(tracking="actions", out_of_turn="call-or-raise")
    assert tell(table, "act 4 call 200")[0].startswith("refused amount-at-presence")
    tell(table, "act 4 call\npress confirm")
    assert tell(table, "act raise")[1:] == [
        "incident THL-PLE-7 expected=call observed=raised remedy=choose-again",
        "taken-back 4 call",
    ]
    assert tell(table, "act fold") == ["refused illegal-action THL-PLE-7 fold call raise"]
    assert tell(table, "act call") == ["spoke 4 call"]


def test_thl_ple_7_once_he_has_chosen_his_chips_are_a_stake_like_any_other() -> None:
    table = flop()
    tell(table, "act 2 bet 400\npress confirm\nact bet 600\nact call\nact raise 1200\nact fold\nact fold")
    assert tell(table, "act fold")[0] == "spoke 2 fold to=600 added=0"


def test_thl_ple_7_what_he_leaves_above_the_bet_does_not_come_back_to_him() -> None:
    table = flop()
    tell(table, "act 3 bet 1000\npress confirm\nact bet 300\nact fold\nact fold\nact fold")
    assert tell(table, "press confirm")[:4] == ["stack 1 6600", "stack 2 4800", "stack 3 3800", "stack 4 4800"]


# --- passed over ------------------------------------------------------------------------------------------------------

IN_TIME = "incident THL-PLE-13 expected=in-turn observed=skipped remedy=take-back"
LATE = "incident THL-PLE-13 expected=in-turn observed=skipped remedy=bind|take-back"


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("act call", [IN_TIME, "taken-back 3 call", "stored 4 call to=200"]),
        ("act call\nact call", [LATE]),
        ("act call\nact call\nact call", [LATE]),
    ],
)
def test_thl_ple_13_before_the_second_after_him_it_is_his_turn_and_after_it_the_pit_boss_has_it(
    after: str, found: list[str]
) -> None:
    table = dealt()
    tell(table, after)
    assert tell(table, "declare skipped seat-3") == found
    assert (turn(table) == 3) is (found != [LATE])


def test_thl_ple_13_the_second_out_of_turn_ends_his_right_by_itself() -> None:
    table = flop()
    tell(table, "act 2 bet 400\npress confirm")
    assert tell(table, "act 3 call\npress confirm") == [
        "closed 2 bind by croupier",
        "stored 3 call to=400",
        LATE,
    ]
    assert tell(table, "rule 3 bind by ana")[1:] == [
        "spoke 1 fold to=0 added=0",
        "spoke 2 bet to=400 added=400",
        "spoke 3 call to=400 added=400",
    ]


def test_thl_ple_13_who_has_just_got_the_turn_was_not_passed_over_before() -> None:
    table = flop()
    tell(table, "act 3 check\npress confirm\nact check")
    assert tell(table, "act 4 check\npress confirm") == ["closed 2 bind by croupier", "stored 4 check"]


def test_thl_ple_13_the_pit_boss_may_leave_him_his_say() -> None:
    table = flop()
    tell(table, "act 2 check\npress confirm\nact 3 check\npress confirm")
    assert tell(table, "rule 3 take-back by ana") == ["closed 3 take-back by pit-boss"]
    assert tell(table, "act bet 400")[0] == "spoke 1 bet to=400 added=400"


@pytest.mark.parametrize(
    ("house", "spoke"), [("loses-the-round", "check to=0 added=0"), ("hand-dead", "fold to=0 added=0")]
)
def test_amb_27_what_he_loses_with_nothing_bet(house: str, spoke: str) -> None:
    table = flop(skipped_late=house)
    tell(table, "act check\nact check\ndeclare skipped seat-1")
    found = tell(table, "rule 1 bind by ana")
    assert f"spoke 1 {spoke}" in found
    assert found[-2:] == ["spoke 2 check to=0 added=0", "spoke 3 check to=0 added=0"]
    assert turn(table) == 4


@pytest.mark.parametrize("house", ["loses-the-round", "hand-dead"])
def test_amb_27_facing_a_bet_he_is_folded(house: str) -> None:
    table = dealt(skipped_late=house)
    tell(table, "act call\nact call\ndeclare skipped seat-3")
    assert "spoke 3 fold to=0 added=0" in tell(table, "rule 1 bind by ana")
    assert turn(table) == 2


def test_thl_ple_13_after_his_claim_was_upheld_one_more_after_him_is_too_late() -> None:
    table = dealt()
    tell(table, "act call\ndeclare skipped seat-3")
    assert tell(table, "act 1 call\npress confirm")[-1] == LATE


def test_thl_ple_13_nobody_was_passed_over_who_has_not_had_his_turn() -> None:
    table = dealt()
    assert tell(table, "declare skipped seat-3") == ["refused not-offered THL-PLE-13"]
    tell(table, "act call")
    assert tell(table, "declare skipped seat-1") == ["refused unknown-seat THL-PLE-13 seat-1"]
    assert tell(table, "declare skipped") == ["asked which-seat skipped"]


def test_thl_ple_13_where_only_rounds_are_entered_nobody_can_be_given_his_turn_back() -> None:
    """No turn is known there: the pit boss is called, and no line of the list promises what cannot be done."""
    table = dealt(tracking="rounds")
    assert tell(table, "declare skipped seat-3") == ["refused not-offered THL-PLE-13"]
    assert tell(table, "declare skipped") == ["refused not-offered THL-PLE-13"]
    shown: set[str] = set()
    for _ in range(4):
        press(table, Key.INCIDENT)
        shown |= {offer.what for offer in table.prompt().offers}
    assert "pit-boss" in shown
    assert "skipped" not in shown
