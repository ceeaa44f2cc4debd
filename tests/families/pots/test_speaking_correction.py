"""The croupier corrects his last entry: everything is as it was, until the next entry or card."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine.vocabulary import Key
from tablectl.families.pots.correction import since
from tablectl.families.pots.state import PotGameState
from tests.families.pots.talking import deal, dealt, press, remembered, tell, to_the_flop, turn

#: A controller that starts again asks whether the felt is as it was left; that is looked at, and nothing entered.
BESIDE = (
    "restart\npress confirm",
    "croupier luis",
    "croupier luis\ncroupier-off luis",
    "restart band.bet=100..9000\npress confirm\nlimits bet=400..4000 by ana+luis",
    "lost light demo\nshelve device-demo 60 by ana battery",
    "lost light demo\nshelve device-demo 60 by ana battery\nunshelve device-demo by ana",
    "game open-holdem by ana",
)


def test_thl_end_1_across_the_end_of_a_round() -> None:
    table = dealt()
    tell(table, "act call\nact call\nact call")
    before = remembered(table)
    assert tell(table, "act check")[-1] == "phase flop"
    assert press(table, Key.CANCEL) == ["phase pre-flop-betting", "taken-back 2 check"]
    assert remembered(table) == before
    assert tell(table, "act raise 400") == ["spoke 2 raise to=400 added=200"]


def test_thl_end_2_across_a_settlement_in_every_round() -> None:
    table = dealt(seats=2)
    for phase in ("pre-flop-betting", "flop-betting", "turn-betting", "river-betting"):
        assert table.state.phase.name == phase
        if phase != "pre-flop-betting":
            tell(table, "act bet 200")
        before = remembered(table)
        assert "phase settlement" in tell(table, "act fold")
        folded = turn_of(before)
        assert press(table, Key.CANCEL) == [f"phase {phase}", f"taken-back {folded} fold"]
        assert remembered(table) == before
        tell(table, "act call")
        if phase == "pre-flop-betting":
            tell(table, "act check")
        deal(table)
    assert table.state.phase.name == "showdown"


def turn_of(kept: dict[str, object]) -> int:
    found = str(getattr(kept["prompt"], "about", ""))
    return int(found.removeprefix("seat-"))


def test_thl_sdn_1_across_a_showdown_until_a_hand_is_shown() -> None:
    table = dealt(seats=2)
    tell(table, "act call\nact check")
    for _ in range(2):
        deal(table)
        tell(table, "act check\nact check")
    deal(table)
    tell(table, "act check")
    before = remembered(table)
    assert tell(table, "act check")[-1] == "phase showdown"
    assert press(table, Key.CANCEL) == ["phase river-betting", f"taken-back {turn_of(before)} check"]
    assert remembered(table) == before
    tell(table, "act check")
    press(table, Key.SHOW)
    assert Key.CANCEL not in table.prompt().keys
    assert press(table, Key.CANCEL) == ["refused not-live cancel"]


def test_only_the_last_entry_and_only_once() -> None:
    table = dealt()
    tell(table, "act call\nact raise 400")
    assert press(table, Key.CANCEL) == ["taken-back 4 raise"]
    assert press(table, Key.CANCEL) == ["refused not-live cancel"]


def test_not_after_a_card_that_was_dealt_or_drawn_early() -> None:
    table = dealt(seats=2)
    tell(table, "act call\nact check")
    tell(table, "draw ??")
    assert press(table, Key.CANCEL) == ["refused not-live cancel"]


def test_not_while_the_table_is_held_nor_after_what_held_it() -> None:
    table = dealt()
    tell(table, "act call\ncall by ana")
    assert press(table, Key.CANCEL) == ["refused held"]
    tell(table, "rule 1 continue by ana")
    assert press(table, Key.CANCEL) == ["refused not-live cancel"]


def test_what_was_refused_and_what_happens_beside_the_game_leave_it_the_last_one() -> None:
    table = dealt()
    assert len(tell(table, "chips 3 1000 single")) == 2
    assert tell(table, "act check")[0].startswith("refused")
    assert tell(table, "acknowledge 1 by ana") == ["acknowledged 1 by ana"]
    assert press(table, Key.CANCEL) == ["taken-back 3 call"]


@pytest.mark.parametrize("beside", BESIDE)
def test_thl_ple_16_neither_a_restart_nor_what_the_pit_does_is_an_entry_of_the_croupier(beside: str) -> None:
    table = dealt()
    before = remembered(table)
    tell(table, "act call")
    tell(table, beside)
    assert Key.CANCEL in table.prompt().keys
    assert press(table, Key.CANCEL) == ["taken-back 3 call"]
    assert remembered(table)["rounds"] == before["rounds"]


def test_thl_end_1_after_a_restart_across_the_end_of_a_round() -> None:
    table = dealt()
    tell(table, "act call\nact call\nact call\nact check\nrestart\npress confirm")
    assert press(table, Key.CANCEL) == ["phase pre-flop-betting", "taken-back 2 check"]


def test_a_card_that_was_out_already_and_became_the_first_of_the_street_is_out_again() -> None:
    table = dealt(seats=2)
    tell(table, "act call")
    tell(table, "fault card=Ac broken\nrule 1 next-card by ana as he saw it")
    assert tell(table, "act check")[-2:] == ["phase flop", "card burn.1"]
    assert press(table, Key.CANCEL)[0].startswith("withdrawn")
    assert table.state.phase.name == "pre-flop-betting"
    assert tell(table, "act check")[-2:] == ["phase flop", "card burn.1"]


def test_a_hand_declared_dead_is_not_undone_with_the_actions_around_it() -> None:
    table = dealt()
    tell(table, "act call\nact call")
    circle = table.state
    assert isinstance(circle, PotGameState)
    assert circle.rounds is not None
    assert len(since(circle, circle.rounds.done, 3)) == 2
    circle.rounds.leave(1, returned=True)
    table.state.seats.annul(1)
    assert since(circle, circle.rounds.done, 3) == ()


def test_thl_ple_6_an_action_out_of_turn_is_corrected_as_any_other() -> None:
    table = dealt()
    before = remembered(table)
    tell(table, "act 1 call\npress confirm")
    assert press(table, Key.CANCEL) == ["taken-back 1 call"]
    assert remembered(table) == before
    tell(table, "act 1 fold\npress confirm")
    assert press(table, Key.CANCEL) == ["taken-back 1 fold"]
    assert remembered(table) == before


def test_thl_ple_6_what_followed_by_itself_goes_with_the_entry() -> None:
    table = dealt()
    tell(table, "act 4 call\npress confirm")
    before = remembered(table)
    assert tell(table, "act call") == ["spoke 3 call to=200 added=200", "spoke 4 call to=200 added=200"]
    assert press(table, Key.CANCEL) == ["taken-back 4 call", "taken-back 3 call", "stored 4 call to=200"]
    assert remembered(table) == before
    assert tell(table, "act fold") == ["spoke 3 fold to=0 added=0", "spoke 4 call to=200 added=200"]


def test_thl_ple_7_chips_that_were_released_wait_again() -> None:
    table = dealt()
    to_the_flop(table)
    tell(table, "act 2 bet 400\npress confirm")
    before = remembered(table)
    tell(table, "act bet 600")
    assert press(table, Key.CANCEL) == ["taken-back 1 bet", "stored 2 bet to=400"]
    assert remembered(table) == before


def test_thl_ple_5_a_fold_that_lost_chips() -> None:
    table = dealt()
    before = remembered(table)
    tell(table, "chips 3 150 said=fold")
    press(table, Key.CANCEL)
    assert remembered(table) == before


ENTRIES = st.sampled_from(
    [
        "act fold",
        "act check",
        "act call",
        "act all-in",
        "act raise 400",
        "act raise 1000",
        "act bet 200",
        "chips {turn} 150",
        "chips {turn} 1000 single",
        "chips {turn} 700",
        "chips {turn} 100 said=fold",
        "chips {turn} 100 said=call",
        "press all-check",
        "press fold",
        "press raise",
    ]
)
BETWEEN = st.sampled_from(["", "", "act 1 call", "act 2 bet 400", "act 3 fold", "act 4 check", "act 4 raise 800"])


@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem"])
@given(st.data())
def test_the_correction_of_any_entry_gives_the_same_table(rulebook: str, data: st.DataObject) -> None:
    """Prompts, legal actions, pots, order, cards that are due and what the next hand needs: all as before."""
    stacks = data.draw(st.fixed_dictionaries({seat: st.sampled_from([300, 900, 5000]) for seat in range(1, 5)}))
    table = dealt(rulebook=rulebook, stacks=stacks)
    for _ in range(data.draw(st.integers(1, 14))):
        deal(table)
        if table.state.held:
            incident = min(table.state.ruling)
            tell(table, f"rule {incident} {table.state.ruling[incident].remedies[0]} by ana")
        now = turn(table)
        if now is None:
            return
        between = data.draw(BETWEEN)
        if between and f"act {now} " not in between:
            tell(table, between)
            if table.state.asking:
                press(table, Key.CONFIRM)
        if table.state.held or turn(table) is None:
            continue
        before = remembered(table)
        entry = data.draw(ENTRIES).format(turn=turn(table))
        found = tell(table, entry)
        if any(line.startswith("spoke") for line in found):
            assert Key.CANCEL in table.prompt().keys
            assert not any(line.startswith("refused") for line in press(table, Key.CANCEL))
            assert remembered(table) == before
            assert [line for line in tell(table, entry) if line.startswith("spoke")] == [
                line for line in found if line.startswith("spoke")
            ]
        else:
            assert remembered(table) == before
