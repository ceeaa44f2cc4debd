"""A table changes its game between two hands: what goes over, what waits, and what comes to its end (TPC-TAB-3)."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key, Tracking
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import CIRCLE_GAMES, LIMIT_RULES, RULEBOOKS, rulebook_of
from tablectl.journal.handfile.decisions import decision_lines
from tests.engine.states import draws, kept
from tests.engine.tables import fingerprint, lines, next_fact
from tests.families.pots.people import circle_of

SEATS: Final = 7
FIVE_EACH: Final = ["2c", "3c", "4c", "5d", "6d", "7d", "8h", "9h", "Th", "Js", "Qs", "Ks", "2d", "3d", "4d"]


def setup_of(rulebook: str, *, tracking: Tracking = Tracking.AMOUNTS) -> f.Setup:
    limits = {bet: f.Limits(least=100, most=5_000) for bet in LIMIT_RULES[rulebook].bets}
    if rulebook == "draw-poker":
        limits["ante"] = f.Limits(least=50, most=50)
    resto = 2_000 if rulebook == "draw-poker" and tracking is Tracking.AMOUNTS else 0
    return f.Setup(table="t", rulebook=rulebook, seats=SEATS, tracking=tracking, limits=limits, chip=50, resto=resto)


def chosen(table: Table, rulebook: str) -> list[str]:
    fact = f.GameChosen(at_us=0, setup=setup_of(rulebook), by="ana")
    return decision_lines(fact, table.apply(fact), last_draw=0)


def seated_at(rulebook: str) -> Table:
    """Three players with their chips, and the button at seat 3."""
    table = Table(setup_of(rulebook), rulebook_of)
    if rulebook in CIRCLE_GAMES:
        lines(
            table, "player 1 takes\nplayer 2 takes\nplayer 3 takes\nstack 1 2000\nstack 2 2000\nstack 3 2000\nbutton 3"
        )
    return table


def begin(table: Table) -> None:
    """As far as the first card is due."""
    table.apply(f.Pressed(at_us=0, key=Key.NEW_HAND))
    if not isinstance(table.state, PotGameState):
        lines(table, "bet 1 ante 500")
    lines(table, "press no-more-bets")
    assert table.state.phase.name == "dealing" or table.state.deal.due is not None, table.state.phase.name


def passed_out(table: Table) -> list[str]:
    """A hand that nobody opens."""
    begin(table)
    lines(table, "\n".join(f"draw {card}" for card in FIVE_EACH))
    lines(table, "press check\npress check\npress check")
    return lines(table, "press confirm")


def won_by_seat_1(table: Table) -> list[str]:
    """A hand that everybody but seat 1 gives up: it opens with a pair of kings."""
    begin(table)
    cards = dict(zip(table.state.order * 5, range(15), strict=False))
    assert len(cards) == 3
    faces = iter(["2c", "3c", "4c", "5d", "6d", "7d", "8h", "9h", "Th"])
    for lap in range(5):
        for seat in table.state.order:
            face = (
                ("Kc", "Kd", "2s", "5s", "8s")[lap]
                if seat == 1
                else next(faces, None) or f"{'JQ'[lap % 2]}{'cdhs'[seat]}"
            )
            lines(table, f"draw {face}")
    while table.state.phase.name == "first-betting":
        turn = circle_of(table).turn
        opened = draws(table).draw.opener is not None
        lines(table, f"act {turn} " + ("bet 100" if turn == 1 and not opened else "fold" if opened else "check"))
    return lines(table, "press confirm")


@pytest.mark.parametrize(("before", "after"), list(permutations(RULEBOOKS, 2)))
def test_tpc_tab_3_every_game_follows_every_other_one_between_hands(before: str, after: str) -> None:
    table = seated_at(before)
    told = chosen(table, after)
    assert table.state.rulebook.id == after
    assert table.state.setup == setup_of(after)
    assert told == ([f"account {seat} bought=2000 stack=2000" for seat in (1, 2, 3)] if before == "draw-poker" else [])
    if after in CIRCLE_GAMES and before not in CIRCLE_GAMES:
        lines(table, "player 1 takes\nplayer 2 takes\nplayer 3 takes\nbutton 3")
    if after == "draw-poker":
        lines(table, "stack 1 2000\nstack 2 2000\nstack 3 2000")
    begin(table)
    assert [decision.rulebook for decision in table.state.out if isinstance(decision, d.HandOpened)] in (
        [],
        [after],
    )


@pytest.mark.parametrize(("before", "after"), list(permutations(sorted(CIRCLE_GAMES), 2)))
def test_players_chips_and_button_stay_from_one_circle_game_to_another(before: str, after: str) -> None:
    table = seated_at(before)
    chosen(table, after)
    circle = circle_of(table)
    assert circle.present == (1, 2, 3)
    assert dict(circle.stacks) == {1: 2000, 2: 2000, 3: 2000}
    assert circle.button == 3


@pytest.mark.parametrize(("before", "after"), list(permutations(RULEBOOKS, 2)))
def test_tpc_tab_3_a_hand_goes_to_its_end_under_the_rules_it_began_with(before: str, after: str) -> None:
    table = seated_at(before)
    begin(table)
    assert chosen(table, after) == [f"game-waits {after} TPC-TAB-3"]
    assert table.state.rulebook.id == before
    lines(table, "call by ana\nrule 1 void-hand by ana misdeal")
    assert table.state.rulebook.id == before
    lines(table, "press confirm")
    assert table.state.rulebook.id == after


def test_a_choice_is_taken_back_by_choosing_the_game_that_is_played() -> None:
    table = seated_at("circle-holdem")
    begin(table)
    chosen(table, "texas-poker")
    assert chosen(table, "circle-holdem") == []
    lines(table, "call by ana\nrule 1 void-hand by ana misdeal\npress confirm")
    assert table.state.rulebook.id == "circle-holdem"


def test_fcd_win_5_a_pot_that_nobody_opened_is_won_before_another_game_begins() -> None:
    table = seated_at("draw-poker")
    passed_out(table)
    assert draws(table).carried == 150
    assert chosen(table, "circle-holdem") == ["game-waits circle-holdem FCD-WIN-5"]
    assert table.state.rulebook.id == "draw-poker"
    passed_out(table)
    assert (table.state.rulebook.id, draws(table).carried) == ("draw-poker", 300)
    told = won_by_seat_1(table)
    assert table.state.rulebook.id == "circle-holdem"
    accounts = [line for line in told if line.startswith("account")]
    assert accounts == [
        "account 1 bought=2000 stack=2300",
        "account 2 bought=2000 stack=1850",
        "account 3 bought=2000 stack=1850",
    ]
    assert dict(circle_of(table).stacks) == {1: 2300, 2: 1850, 3: 1850}


def test_fcd_win_5_a_choice_that_waits_outlives_a_restart() -> None:
    table = seated_at("draw-poker")
    passed_out(table)
    chosen(table, "circle-holdem")
    passed_out(table)
    again = Table.resume(table.carry(), rulebook_of)
    assert again.carry() == table.carry()
    assert again.state.next_setup == setup_of("circle-holdem")
    won_by_seat_1(again)
    assert again.state.rulebook.id == "circle-holdem"


def test_fcd_win_5_without_amounts_the_pot_waits_too() -> None:
    table = Table(setup_of("draw-poker", tracking=Tracking.ROUNDS), rulebook_of)
    lines(table, "player 1 takes\nplayer 2 takes\nplayer 3 takes\nbutton 3")
    begin(table)
    lines(table, "\n".join(f"draw {card}" for card in FIVE_EACH))
    lines(table, "press all-check\npress confirm")
    assert chosen(table, "circle-holdem") == ["game-waits circle-holdem FCD-WIN-5"]


def test_fcd_win_5_the_ante_that_stayed_of_a_player_who_left_waits_after_two_void_hands() -> None:
    table = seated_at("draw-poker")
    begin(table)
    lines(
        table,
        "call by ana\nrule 1 void-hand by ana misdeal\npress confirm\ndeclare closing-time\nplayer 3 leaves",
    )
    begin(table)
    lines(table, "call by ana\nrule 3 void-hand by ana misdeal\npress confirm")
    draw = draws(table)
    assert (draw.carried, draw.kept) == (50, {seat: {"ante": 50} for seat in (1, 2)})
    assert Table.resume(table.carry(), rulebook_of).carry() == table.carry()
    assert chosen(table, "circle-holdem") == ["game-waits circle-holdem FCD-WIN-5"]


def test_fcd_win_5_another_choice_of_the_house_leaves_the_pot_the_ledger_and_the_hour() -> None:
    table = seated_at("draw-poker")
    passed_out(table)
    lines(table, "declare closing-time")
    changed = replace(setup_of("draw-poker"), profile={"all_pass": "either-round"})
    assert table.apply(f.Opened(at_us=0, setup=changed)) == ()
    assert table.state.setup == changed
    draw = draws(table)
    assert (draw.carried, draw.bought, draw.is_closing) == (150, {1: 2000, 2: 2000, 3: 2000}, True)


def test_fcd_bnk_1_who_has_no_place_at_a_smaller_table_has_his_account() -> None:
    table = seated_at("draw-poker")
    fewer = f.Opened(at_us=0, setup=replace(setup_of("draw-poker"), seats=2))
    assert table.apply(fewer) == (d.Account(seat=3, bought=2000, stack=2000),)
    assert draws(table).bought == {1: 2000, 2: 2000}


def test_fcd_rst_3_a_session_begins_anew_after_another_game() -> None:
    table = seated_at("draw-poker")
    chosen(table, "open-holdem")
    lines(table, "stack 1 5000")
    chosen(table, "draw-poker")
    assert lines(table, "press new-hand") == ["refused no-players FCD-OPN-2 players=0"]
    assert lines(table, "stack 1 5000") == ["refused wrong-stack FCD-RST-3 resto=2000"]
    assert lines(table, "stack 1 2000") == ["bought 1 2000 total=2000", "stack 1 2000"]


def test_amb_46_antes_that_stayed_lie_before_their_players_again_in_another_game() -> None:
    table = seated_at("draw-poker")
    begin(table)
    lines(table, "call by ana\nrule 1 void-hand by ana misdeal\npress confirm")
    assert kept(table.state) == {seat: {"ante": 50} for seat in (1, 2, 3)}
    told = chosen(table, "circle-holdem")
    assert [line for line in told if line.startswith(("refund", "stack"))] == [
        text for seat in (1, 2, 3) for text in (f"refund {seat} ante 50", f"stack {seat} 2000")
    ]
    assert dict(circle_of(table).stacks) == {1: 2000, 2: 2000, 3: 2000}
    assert kept(table.state) == {}


@pytest.mark.parametrize("after", ["circle-holdem", "texas-bonus"])
def test_fcd_bnk_1_an_ante_that_goes_back_is_in_its_players_account(after: str) -> None:
    table = seated_at("draw-poker")
    begin(table)
    lines(table, "call by ana\nrule 1 void-hand by ana misdeal\npress confirm")
    accounts = [line for line in chosen(table, after) if line.startswith("account")]
    assert accounts == [f"account {seat} bought=2000 stack=2000" for seat in (1, 2, 3)]


def test_tpc_tab_3_the_same_facts_make_the_same_table_through_all_games() -> None:
    table, again = (Table(setup_of("texas-bonus"), rulebook_of) for _ in range(2))
    for rulebook in (*RULEBOOKS, *reversed(tuple(RULEBOOKS))):
        for game_table in (table, again):
            chosen(game_table, rulebook)
        for number in range(40):
            if isinstance(table.state, PotGameState) and not table.state.in_play:
                break
            fact = next_fact(table, number)
            assert table.apply(fact) == again.apply(fact)
        while table.state.in_play and not isinstance(table.state, PotGameState):
            fact = next_fact(table, 0)
            assert table.apply(fact) == again.apply(fact)
    assert fingerprint(table.state) == fingerprint(again.state)
