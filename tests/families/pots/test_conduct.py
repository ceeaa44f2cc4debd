"""What players may not do: one clause each, counted for each player and each thing."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Declaration, Remedy
from tablectl.families.holdem.conduct import PROHIBITIONS, RULES
from tests.families.pots.people import DEAL, THREE, played


def test_thl_pro_1_to_12_every_prohibition_can_be_declared_under_its_own_clause() -> None:
    clauses = [rules.clause for rules in PROHIBITIONS.values()]
    assert sorted(clauses) == sorted(
        {*(f"THL-PRO-{n}" for n in range(1, 13)), "THL-GEN-10", "THL-GEN-12", "THL-GEN-13"}
    )
    assert set(RULES) == {*PROHIBITIONS, Declaration.OWN_CARDS_SHOWN}


def test_thl_pro_1_each_of_two_players_is_counted_for_himself() -> None:
    twice = "> declare joint-pot seat-1\n> declare joint-pot seat-1 seat-2\n"
    assert [line.split("remedy=")[1] for line in played(THREE + DEAL + twice)[1]] == ["warn|expel", "warn"]


def test_thl_pro_1_another_thing_is_counted_apart() -> None:
    said = played(THREE + DEAL + "> declare joint-pot seat-1\n> declare chips-hidden seat-1\n")[1]
    assert said == ["incident THL-PRO-12 expected=fair-play observed=chips-hidden remedy=warn"]


@pytest.mark.parametrize("what", [Declaration.CHIPS_ADDED, Declaration.DISCARDS_SEEN])
def test_thl_pro_4_what_is_only_refused_or_recorded_never_goes_to_the_pit_boss(what: Declaration) -> None:
    first = PROHIBITIONS[what].first
    text = THREE + DEAL + f"> declare {what} seat-1\n" * 3
    assert played(text)[1][0].endswith(f"remedy={first}")
    assert first in (Remedy.REJECT, Remedy.WARN)


def test_thl_pro_5_nobody_lends_to_himself_or_to_an_empty_seat() -> None:
    for other in ("seat-1", "seat-7", "house"):
        said = played(THREE + DEAL + f"> declare loan seat-1 {other}\n")[1]
        assert said == [f"refused unknown-seat THL-PRO-5 {other}"]


def test_thl_pro_8_counts_over_the_hands_of_a_session() -> None:
    hand = THREE + DEAL + "> declare looked-at-cards seat-1\n> act 3 fold\n> act 1 fold\n> press confirm\n"
    table, _ = played(hand)
    assert table.carry().conduct == {"seat-1 looked-at-cards": 1}
    said = played(hand + "> press new-hand\n> declare looked-at-cards seat-1\n")[1]
    assert said[0].endswith("remedy=warn|expel")
