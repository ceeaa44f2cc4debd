"""Button and blinds, hand by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.engine.vocabulary import Posted
from tablectl.core.options import holdem
from tablectl.families.pots.places import (
    Markers,
    NotMarkers,
    PlaceRules,
    Positions,
    Post,
    TwoPlayers,
    VacatedBlind,
    Wait,
    Waiting,
    drawn,
    markers_of,
    positions,
)
from tablectl.families.pots.players import WhyNot, players_of, seated
from tests.families.pots.between_hands import BUTTON_SMALL, DEAD, RULES, Table, entries, places

# --- button and blinds ------------------------------------------------------------------------------------------------


def test_thl_dlg_1_tho_bld_2_the_two_left_of_the_button_post_the_blinds_in_order() -> None:
    found = Table(2, 5, 7, 9, button=7).look()
    assert places(found) == (7, 9, 2)
    assert found.posts == (
        Post(seat=9, bet=Posted.SMALL_BLIND, amount=5),
        Post(seat=2, bet=Posted.BIG_BLIND, amount=10),
    )


def test_thl_dlg_2_the_amounts_are_the_tables_and_none_where_amounts_are_not_entered() -> None:
    found = Table(1, 2, 3, button=1, rules=PlaceRules()).look()
    assert [post.amount for post in found.posts] == [None, None]


def test_thl_dlg_4_cards_and_speech_go_round_from_the_left_of_the_button() -> None:
    found = Table(2, 5, 7, 9, button=7).look()
    assert found.order == (9, 2, 5, 7)
    assert found.first_to_act == 5
    assert found.first_after == 9


def test_thl_ini_2_tho_btn_1_the_first_button_lies_where_it_was_drawn() -> None:
    assert Table(1, 2, 3, button=2).look().button == 2


def test_tho_btn_3_tho_nxt_1_the_button_moves_to_the_next_seat_taken_hand_after_hand() -> None:
    table = Table(2, 5, 9, button=9)
    assert [table.play().button for _ in range(5)] == [9, 2, 5, 9, 2]


def test_amb_62_thl_mis_0_after_a_void_hand_the_button_stays() -> None:
    table = Table(2, 5, 9, button=9)
    table.play()
    assert table.play(voided=True).button == 2
    assert table.play(voided=True).button == 2
    assert table.play().button == 2
    assert table.play().button == 5


def test_amb_62_after_a_void_hand_whose_button_left_it_goes_to_the_next_seat_taken() -> None:
    table = Table(2, 5, 9, button=2)
    table.play(voided=True)
    table.leave(2)
    assert table.look().button == 5


def test_tho_def_1_one_player_alone_plays_no_hand_and_two_do() -> None:
    alone = positions(seated([4]), drawn(4), RULES)
    assert alone is WhyNot.TOO_FEW_PLAYERS
    assert alone.clause == "THO-DEF-1"
    assert isinstance(positions(seated([4, 8]), drawn(4), RULES), Positions)


def test_tho_def_1_absent_players_do_not_count_as_players() -> None:
    table = Table(4, 8, button=4)
    table.away(8)
    assert positions(table.players, table.markers, RULES) is WhyNot.TOO_FEW_PLAYERS


def test_amb_64_ten_players_have_their_places() -> None:
    found = Table(*range(1, 11), button=9).look()
    assert places(found) == (9, 10, 1)
    assert found.order == (10, 1, 2, 3, 4, 5, 6, 7, 8, 9)


# --- two players ------------------------------------------------------------------------------------------------------


def test_amb_61_of_two_players_the_one_left_of_the_button_is_small_blind_and_speaks_first_in_every_round() -> None:
    table = Table(3, 8, button=3)
    found = table.play()
    assert places(found) == (3, 8, 3)
    assert (found.order, found.first_to_act, found.first_after) == ((8, 3), 8, 8)
    assert places(table.play()) == (8, 3, 8)


def test_amb_61_or_the_button_is_small_blind_and_speaks_first_before_the_flop_alone() -> None:
    table = Table(3, 8, button=3, rules=BUTTON_SMALL)
    found = table.play()
    assert places(found) == (3, 3, 8)
    assert (found.order, found.first_to_act, found.first_after) == ((8, 3), 3, 8)
    assert places(table.play()) == (8, 8, 3)


@pytest.mark.parametrize("rules", [RULES, BUTTON_SMALL])
def test_amb_61_with_three_players_both_values_are_the_same(rules: PlaceRules) -> None:
    assert places(Table(3, 5, 8, button=3, rules=rules).look()) == (3, 5, 8)


@pytest.mark.parametrize("newcomer", [1, 5, 10])
@pytest.mark.parametrize("button", [3, 8])
def test_amb_61_thl_ini_10_a_single_player_is_joined_in_any_position(newcomer: int, button: int) -> None:
    table = Table(3, 8, button=button)
    table.play()
    table.leave(8)
    table.join(newcomer)
    found = table.look()
    assert set(found.order) == {3, newcomer}
    assert not found.waits
    assert not entries(found)


def test_amb_61_two_who_join_a_single_player_come_in_too_and_the_one_on_no_blind_posts_an_entry() -> None:
    table = Table(1, 2, button=2)
    table.play()
    table.leave(2)
    table.join(4, 6)
    found = table.look()
    assert places(found) == (4, 6, 1)
    assert entries(found) == {4: (Posted.ENTRY, 10)}


# --- who is gone ------------------------------------------------------------------------------------------------------


def test_thl_gen_15_the_big_blind_of_a_seat_that_is_left_before_the_deal_runs_to_the_next() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    assert places(table.look()) == (1, 2, 3)
    table.leave(3)
    assert places(table.look()) == (1, 2, 4)


def test_thl_gen_15_another_seat_that_is_left_moves_no_blind() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.leave(5)
    assert places(table.look()) == (1, 2, 3)


def test_amb_10_after_it_button_and_blinds_are_again_the_next_seats_taken() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.play()
    table.leave(3)
    assert [places(table.play()) for _ in range(3)] == [(2, 4, 5), (4, 5, 1), (5, 1, 2)]


def test_amb_10_dead_the_place_of_a_blind_that_left_stays_empty_for_a_hand_and_then_the_buttons() -> None:
    table = Table(1, 2, 3, 4, 5, button=1, rules=DEAD)
    table.play()
    table.leave(3)
    found = table.play()
    assert places(found) == (2, None, 4)
    assert [post.bet for post in found.posts] == [Posted.BIG_BLIND]
    assert (found.order, found.first_to_act, found.first_after) == ((4, 5, 1, 2), 5, 4)
    found = table.play()
    assert places(found) == (3, 4, 5)
    assert found.order == (4, 5, 1, 2)
    assert places(table.play()) == (4, 5, 1)


def test_amb_10_dead_is_the_same_while_nobody_goes() -> None:
    one, other = Table(2, 5, 7, 9, button=7), Table(2, 5, 7, 9, button=7, rules=DEAD)
    assert [places(one.play()) for _ in range(9)] == [places(other.play()) for _ in range(9)]


def test_amb_10_dead_a_void_hand_is_dealt_again_in_the_same_places() -> None:
    table = Table(1, 2, 3, 4, 5, button=1, rules=DEAD)
    table.play()
    table.leave(3)
    assert table.play(voided=True).order == (4, 5, 1, 2)
    assert places(table.look()) == (2, None, 4)


@pytest.mark.parametrize(("rules", "expected"), [(RULES, (3, 2, 3)), (BUTTON_SMALL, (2, 2, 3))])
def test_amb_10_amb_61_dead_of_two_who_remain_the_one_who_is_due_the_big_blind_posts_it(
    rules: PlaceRules, expected: tuple[int, int, int]
) -> None:
    table = Table(1, 2, 3, button=3, rules=replace(rules, vacated_blind=VacatedBlind.DEAD))
    table.play()
    table.leave(1)
    assert places(table.look()) == expected


def test_amb_10_dead_nobody_comes_in_between_button_and_big_blind() -> None:
    table = Table(1, 2, 3, 5, button=1, rules=DEAD)
    table.play()
    table.leave(3)
    table.join(3, 4)
    found = table.play()
    assert places(found) == (2, None, 4)
    assert found.waits == (Waiting(seat=3, why=Wait.ON_THE_SMALL_BLIND),)
    found = table.play()
    assert places(found) == (3, 4, 5)
    assert found.waits == (Waiting(seat=3, why=Wait.ON_THE_BUTTON),)
    assert entries(table.play()) == {3: (Posted.ENTRY, 10)}


def test_amb_10_dead_who_is_back_in_a_hand_of_two_is_due_the_button_where_its_place_would_be_behind_him() -> None:
    table = Table(3, 9, 10, button=10, rules=DEAD)
    assert places(table.play()) == (10, 3, 9)
    table.away(9)
    assert places(table.play()) == (10, 3, 10)
    table.back(9)
    assert places(table.look()) == (9, 10, 3)
    table.join(1)
    found = table.look()
    assert places(found) == (9, 10, 1)
    assert found.order == (10, 1, 3, 9)


# --- words ------------------------------------------------------------------------------------------------------------


def test_amb_10_amb_61_the_words_are_those_of_the_profile() -> None:
    assert [blind.value for blind in VacatedBlind] == [blind.value for blind in holdem.VacatedBlind]
    assert [player.value for player in TwoPlayers] == [player.value for player in holdem.TwoPlayers]


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("button=4 stays", drawn(4)),
        ("button=10 moves small=1 big=2", Markers(button=10, moves=True, small=1, big=2)),
        ("button=4 stays since=3 small=5 big=7", Markers(button=4, moves=False, since=3, small=5, big=7)),
    ],
)
def test_markers_are_written_as_one_line(text: str, markers: Markers) -> None:
    assert markers.text() == text
    assert markers_of(text) == markers


@pytest.mark.parametrize(
    "text",
    [
        "",
        "button=0 stays",
        "button=11 stays",
        "button=4",
        "button=4 moves small=5",
        "button=4 moves since=3",
        "button=4 stays since=0",
        "button=4 moves big=5 small=4",
        "button=4 stays\n",
        " button=4 stays",
        "button=04 stays",
        "button=4 moves small=5 big=7 x",
    ],
)
def test_a_line_that_is_no_markers_is_refused_whole(text: str) -> None:
    with pytest.raises(NotMarkers):
        markers_of(text)


def test_players_come_back_from_text_between_hands() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.away(3)
    table.play(2)
    table.join(7)
    assert players_of(player.text() for player in table.players) == table.players
