"""What players may not do with discards and chips in five-card draw."""

from __future__ import annotations

import pytest

from tests.engine.tables import lines
from tests.families.draw.whole_hand import dealt, entries, told

IN_THE_DRAW = ("act 1 check", "act 2 bet 100", "act 3 call", "act 1 call")


def test_fcd_dsc_11_who_is_out_of_the_hand_may_not_look_either() -> None:
    table = dealt("", "act 1 fold")
    assert lines(table, "declare looked-at-cards seat-1") == [
        "incident FCD-DSC-11 expected=fair-play observed=looked-at-cards remedy=warn"
    ]


def test_fcd_dsc_11_each_player_is_warned_for_himself_and_over_the_hands_of_a_session() -> None:
    table = dealt("", "declare looked-at-cards seat-1")
    assert lines(table, "declare looked-at-cards seat-2")[0].endswith("remedy=warn")
    assert table.carry().conduct == {"seat-1 looked-at-cards": 1, "seat-2 looked-at-cards": 1}
    lines(table, "act 1 fold\nact 2 fold\npress confirm\npress new-hand\npress no-more-bets\ndraw As")
    assert lines(table, "declare looked-at-cards seat-1")[0].endswith("remedy=warn|expel")


@pytest.mark.parametrize("what", ["chips-pocketed", "chips-added"])
def test_fcd_rst_7_what_is_done_with_chips_is_refused_and_no_more(what: str) -> None:
    table = dealt("profile prohibitions=log-only")
    for _ in range(3):
        assert lines(table, f"declare {what} seat-2")[0].endswith("remedy=reject")
    assert not table.state.held


def test_fcd_rst_7_between_hands_too() -> None:
    table = told("", *entries())
    assert "FCD-RST-7" in lines(table, "declare chips-pocketed seat-2")[0]
    assert lines(table, "declare chips-added seat-2") == ["refused not-offered FCD-RST-10"]


@pytest.mark.parametrize("seat", [1, 3])
def test_fcd_dsc_16_who_has_folded_or_is_asked_has_no_turn_to_come(seat: int) -> None:
    table = dealt("", "act 1 check", "act 2 bet 100", "act 3 fold", "act 1 call")
    assert lines(table, f"declare discarded-early seat-{seat}") == [f"refused unknown-seat FCD-DSC-16 seat-{seat}"]
    assert lines(table, "declare discarded-early seat-2")[-1] == "asked moved seat-2"


def test_fcd_dsc_16_nothing_is_entered_before_the_cards_lie_before_him_again() -> None:
    table = dealt("", *IN_THE_DRAW, "declare discarded-early seat-3")
    assert lines(table, "asks 2") == ["refused held"]
    lines(table, "press confirm")
    assert lines(table, "asks 2") == ["exchanges 1 2"]


def test_fcd_dsc_16_the_last_one_asked_leaves_nobody_to_come() -> None:
    table = dealt("", *IN_THE_DRAW, "press check", "press check")
    assert lines(table, "declare discarded-early seat-3") == ["refused not-offered FCD-DSC-16"]
