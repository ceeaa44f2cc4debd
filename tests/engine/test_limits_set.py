"""Limits that are set at the table: inside the band, between two hands, and until the file says something else."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Refusal, Tracking
from tablectl.games.registry import LIMIT_RULES, RULEBOOKS, rulebook_of
from tests.engine.tables import lines

_ANTE: Final = Limits(least=100, most=100)


def filed(rulebook: str) -> f.Setup:
    """A table of this game as its file has it; every band is ten times as wide as its least."""
    bets = LIMIT_RULES[rulebook].bets
    limits = {bet: Limits(least=200, most=1000) for bet in bets}
    bands = {bet: Limits(least=100, most=1000) for bet in bets}
    if rulebook == "draw-poker":
        limits["ante"] = _ANTE
    return f.Setup(
        table="t", rulebook=rulebook, seats=7, tracking=Tracking.AMOUNTS, limits=limits, bands=bands, staff=True
    )


def table(rulebook: str = "texas-bonus") -> Table:
    made = Table(filed(rulebook), rulebook_of)
    lines(made, "croupier ana")
    return made


def told(rulebook: str, least: int = 150) -> f.LimitsSet:
    """Other limits of a bet of this game."""
    bet = next(iter(LIMIT_RULES[rulebook].bets))
    return f.LimitsSet(at_us=0, limits={bet: Limits(least=least, most=800)}, by="ana", second="luis")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_limits_of_every_game_can_be_set_and_stay_over_a_restart(rulebook: str) -> None:
    there, fact = table(rulebook), told(rulebook)
    limits = {**filed(rulebook).limits, **fact.limits}
    assert there.apply(fact) == (d.LimitsInForce(limits=limits),)
    assert there.state.setup == replace(filed(rulebook), limits=limits)
    there.apply(f.Opened(at_us=0, setup=filed(rulebook)))
    assert there.state.setup.limits == limits
    assert Table.resume(there.carry(), rulebook_of).carry() == there.carry()


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_where_the_file_has_changed_it_wins(rulebook: str) -> None:
    there, fact = table(rulebook), told(rulebook)
    there.apply(fact)
    bet = next(iter(fact.limits))
    changed = replace(filed(rulebook), limits={**filed(rulebook).limits, bet: Limits(least=300, most=1000)})
    assert there.apply(f.Opened(at_us=0, setup=changed)) == (d.LimitsInForce(limits=changed.limits),)
    there.apply(f.Opened(at_us=0, setup=filed(rulebook)))
    assert there.state.setup == filed(rulebook), "and what was set is forgotten"


@pytest.mark.parametrize("other", [rulebook for rulebook in RULEBOOKS if rulebook != "texas-bonus"])
def test_another_game_that_is_played_meanwhile_has_its_own(other: str) -> None:
    there = table()
    there.apply(told("texas-bonus"))
    set_limits = there.state.setup.limits
    there.apply(f.GameChosen(at_us=0, setup=filed(other), by="ana"))
    assert there.state.setup == filed(other)
    there.apply(told(other))
    there.apply(f.GameChosen(at_us=0, setup=filed("texas-bonus"), by="ana"))
    assert there.state.setup.limits == set_limits
    there.apply(f.GameChosen(at_us=0, setup=filed(other), by="ana"))
    assert there.state.setup.limits == {**filed(other).limits, **told(other).limits}


def test_nothing_changes_within_a_hand() -> None:
    there = table()
    lines(there, "press new-hand")
    before = there.state.setup
    assert lines(there, "limits ante=150..800 by ana+luis")[0].startswith("limits-wait ante=150..800")
    assert there.state.setup == before
    assert lines(there, "bet 1 ante 150") == ["refused outside-limits THB-LIM-2 ante=150 limits=200..1000"]


def test_limits_and_a_restart_with_another_file_in_one_hand() -> None:
    """Those of the new file are what the house sets other limits beside; and a file that changes once more wins."""
    there, file = table(), filed("texas-bonus")
    changed = replace(file, limits={**file.limits, "ante": Limits(least=300, most=1000)})
    lines(there, "press new-hand")
    there.apply(f.Opened(at_us=0, setup=changed))
    lines(there, "press confirm\nlimits bonus=150..800 by ana+luis\nbet 1 ante 200\npress no-more-bets")
    lines(there, "draw As\ndraw Qh\ndraw Kd\ndraw Js\npress fold\npress bank")
    assert lines(there, "press confirm")[-1] == "limits ante=300..1000 bonus=150..800"
    (again,) = there.apply(f.Opened(at_us=0, setup=changed))
    assert again == d.LimitsInForce(limits={**changed.limits, "bonus": Limits(least=150, most=800)})
    assert there.apply(f.Opened(at_us=0, setup=file)) == (d.LimitsInForce(limits=file.limits),)


@pytest.mark.parametrize("wrong", ["ante=99..800", "ante=100..1001", "ante=800..200", "other=100..800", "txb=100..800"])
def test_what_is_not_authorised_sets_nothing_at_all(wrong: str) -> None:
    there = table()
    before = there.carry()
    (refused,) = lines(there, f"limits bonus=100..800 {wrong} by ana+luis")
    assert refused.startswith(f"refused {Refusal.LIMITS} THB-LIM-3 {wrong.partition('=')[0]}")
    assert there.carry() == before


def test_of_several_that_are_wrong_the_same_one_is_told_in_whatever_order_they_come() -> None:
    """A replay has them in the order of the journal."""
    said = [lines(table(), f"limits {wrong} by ana+luis") for wrong in ("ante=1..2 bonus=1..2", "bonus=1..2 ante=1..2")]
    assert said[0] == said[1] == ["refused limits THB-LIM-3 ante limits=100..1000"]


def test_a_table_whose_file_authorises_no_band_has_its_limits_from_there_alone() -> None:
    there = Table(replace(filed("texas-bonus"), bands={}), rulebook_of)
    assert lines(there, "limits ante=150..800 by ana+luis") == ["refused limits THB-LIM-3 ante"]


def test_a_house_that_does_not_know_its_people_sets_them_with_one_name() -> None:
    there = Table(replace(filed("texas-bonus"), staff=False), rulebook_of)
    assert lines(there, "limits ante=150..800 by ana") == ["limits ante=150..800 bonus=200..1000"]


def test_the_session_of_five_card_draw_goes_on_under_other_limits() -> None:
    """What was agreed on and bought before (FCD-RST-2) is as it was."""
    there = Table(replace(filed("draw-poker"), resto=2000, limits={**filed("draw-poker").limits}), rulebook_of)
    lines(there, "croupier ana\nplayer 1 takes\nplayer 2 takes\nstack 1 2000\nstack 2 2000")
    before = there.carry()
    lines(there, "limits bet=150..800 ante=200..200 by ana+luis")
    after = there.carry()
    assert (after.stacks, after.bought, after.players, after.setup.resto) == (
        before.stacks,
        before.bought,
        before.players,
        2000,
    )


@pytest.mark.parametrize("line", ["limits by ana", "limits ante by ana", "limits ante=1..2", "limits ante=1..2 ana"])
def test_what_is_no_entry(line: str) -> None:
    with pytest.raises(ValueError, match="'limits' line"):
        lines(table(), line)
