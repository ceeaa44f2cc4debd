"""String bets, cash and wrong amounts: what a person declares of the betting."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Key
from tablectl.families.pots import talk
from tests.engine.states import pots
from tests.families.pots.talking import deal, dealt, press, remembered, tell, to_the_flop, turn

STRING = "expected=one-movement observed=string-bet remedy=reject"
AMOUNT = "incident THL-PLE-16 expected=right-amount observed=wrong-amount"


# --- in one movement --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem"])
def test_thl_gen_3_an_addition_is_rejected_and_the_first_movement_counts(rulebook: str) -> None:
    table = dealt(rulebook=rulebook)
    tell(table, "act raise 400")
    before = remembered(table)
    assert tell(table, "declare string-bet seat-3") == [f"incident THL-GEN-3 {STRING}"]
    assert remembered(table) == before


def test_thl_gen_3_before_the_croupier_has_entered_anything() -> None:
    assert tell(dealt(), "declare string-bet seat-3") == [f"incident THL-GEN-3 {STRING}"]


@pytest.mark.parametrize("after", ["act call", "act fold", "act call\nact fold"])
def test_thl_gen_9_who_saw_the_others_act_before_he_added(after: str) -> None:
    table = dealt()
    tell(table, f"act raise 400\n{after}")
    assert tell(table, "declare string-bet seat-3") == [f"incident THL-GEN-9 {STRING}"]


def test_thl_gen_3_only_who_has_put_in_chips_in_this_round_can_have_added_to_them() -> None:
    table = dealt()
    tell(table, "act fold\nact call")
    assert tell(table, "declare string-bet seat-3") == ["refused unknown-seat THL-GEN-3 seat-3"]
    assert tell(table, "declare string-bet seat-2") == ["refused unknown-seat THL-GEN-3 seat-2"]
    assert tell(table, "declare string-bet house") == ["refused unknown-seat THL-GEN-3 house"]
    assert tell(table, "declare string-bet seat-4") == [f"incident THL-GEN-3 {STRING}"]


def test_thl_gen_3_after_the_round_it_is_too_late() -> None:
    table = dealt(seats=2)
    tell(table, "act call\nact check")
    assert tell(table, "declare string-bet seat-1") == ["refused not-offered THL-GEN-3"]


def test_thl_gen_3_where_only_rounds_are_entered_anybody_can_have() -> None:
    assert tell(dealt(tracking="rounds"), "declare string-bet seat-1") == [f"incident THL-GEN-3 {STRING}"]


def test_thl_gen_3_on_the_panel_the_seat_is_asked_for() -> None:
    table = dealt()
    tell(table, "act raise 400")
    assert tell(table, "declare string-bet") == ["asked which-seat string-bet"]
    assert press(table, Key.SEAT_3) == [f"incident THL-GEN-3 {STRING}"]


# --- cash -------------------------------------------------------------------------------------------------------------


def test_thl_gen_4_cash_in_the_pot_is_changed_and_counts() -> None:
    table = dealt()
    tell(table, "chips 3 200")
    before = remembered(table)
    assert tell(table, "declare not-chips seat-3") == [
        "incident THL-GEN-4 expected=chips observed=not-chips remedy=correct"
    ]
    assert remembered(table) == before
    assert tell(table, "declare not-chips seat-9") == ["refused unknown-seat THL-GEN-4 seat-9"]


def test_thl_gen_4_not_between_the_rounds() -> None:
    table = dealt(seats=2)
    tell(table, "act call\nact check")
    assert tell(table, "declare not-chips seat-1") == ["refused not-offered THL-GEN-4"]


# --- told a wrong amount ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["call", "fold", "raise 1200", "all-in"])
def test_thl_ple_16_until_the_next_action_he_chooses_again_with_his_chips(action: str) -> None:
    table = dealt()
    tell(table, "act raise 600")
    before = remembered(table)
    tell(table, f"act {action}")
    found = tell(table, "declare wrong-amount seat-4")
    assert found[0] == f"{AMOUNT} remedy=choose-again"
    assert found[1].startswith("taken-back 4 ")
    assert remembered(table) == before


def test_thl_ple_16_once_somebody_has_acted_the_pit_boss_has_it() -> None:
    table = dealt()
    tell(table, "act raise 600\nact call\nact call")
    assert tell(table, "declare wrong-amount seat-4") == [f"{AMOUNT} remedy=continue|choose-again"]
    before = remembered(table)
    assert tell(table, "rule 1 continue by ana") == ["closed 1 continue by pit-boss"]
    assert turn(table) == 2
    assert remembered(table)["rounds"] == before["rounds"]


def test_thl_ple_16_the_pit_boss_may_go_back_to_him() -> None:
    table = dealt()
    tell(table, "act raise 600")
    before = remembered(table)
    tell(table, "act call\nact call\ndeclare wrong-amount seat-4")
    assert tell(table, "rule 1 choose-again by ana") == [
        "closed 1 choose-again by pit-boss",
        "taken-back 1 call",
        "taken-back 4 call",
    ]
    assert remembered(table) == before


def test_amb_28_a_house_where_he_may_all_round_long() -> None:
    table = dealt(wrong_amount_until="round-end")
    tell(table, "act raise 600\nact call\nact call")
    assert tell(table, "declare wrong-amount seat-4") == [
        f"{AMOUNT} remedy=choose-again",
        "taken-back 1 call",
        "taken-back 4 call",
    ]
    assert turn(table) == 4


def test_thl_ple_16_the_last_to_speak_until_a_card_comes() -> None:
    table = dealt(seats=2)
    tell(table, "act call")
    before = remembered(table)
    tell(table, "act check")
    assert tell(table, "declare wrong-amount seat-2") == [
        f"{AMOUNT} remedy=choose-again",
        "phase pre-flop-betting",
        "taken-back 2 check",
    ]
    assert remembered(table) == before
    tell(table, "act check")
    deal(table)
    assert tell(table, "declare wrong-amount seat-2") == ["refused not-offered THL-PLE-16"]


def test_thl_ple_16_the_last_fold_of_a_hand() -> None:
    table = dealt(seats=2)
    tell(table, "act raise 400")
    before = remembered(table)
    tell(table, "act fold\ndeclare wrong-amount seat-2")
    assert remembered(table) == before


def test_thl_ple_16_actions_out_of_turn_that_were_released_are_asked_for_again() -> None:
    table = dealt()
    to_the_flop(table)
    tell(table, "act 3 check\npress confirm\nact bet 400")
    assert tell(table, "declare wrong-amount seat-1") == [
        f"{AMOUNT} remedy=choose-again",
        "taken-back 1 bet",
        "taken-back 3 check",
    ]


def test_thl_ple_16_who_has_not_acted_was_told_nothing_wrong() -> None:
    table = dealt()
    assert tell(table, "declare wrong-amount seat-3") == ["refused not-offered THL-PLE-16"]
    tell(table, "act call")
    assert tell(table, "declare wrong-amount seat-4") == ["refused unknown-seat THL-PLE-16 seat-4"]


def test_thl_ple_16_where_only_rounds_are_entered_nothing_is_undone() -> None:
    assert tell(dealt(tracking="rounds"), "declare wrong-amount seat-3") == [f"{AMOUNT} remedy=choose-again"]


def test_what_the_list_foretells_is_what_follows() -> None:
    """The clause and the remedies beside each declaration are those of its incident, where no seat changes them."""
    for what, rule in talk.RULES.items():
        table = dealt()
        tell(table, "act call")
        assert rule.applies(pots(table))
        foretold = rule.foretells(pots(table))
        (raised, *_) = tell(table, f"declare {what} seat-3")
        assert raised.startswith(
            f"incident {foretold.clause} expected={foretold.expected} observed={foretold.observed}"
        )
        assert raised.endswith(f"remedy={'|'.join(foretold.remedies)}")
