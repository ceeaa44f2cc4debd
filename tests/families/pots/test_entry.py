"""Who comes in, who waits, who was away: entry bets and missed blinds, hand by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.engine.vocabulary import Posted
from tablectl.families.pots.places import PlaceRules, Post, VacatedBlind, Wait, Waiting, clockwise
from tablectl.families.pots.players import Absence, Debt, Player
from tests.families.pots.between_hands import BUTTON_SMALL, DEAD, RULES, Table, entries, places

# --- entry ------------------------------------------------------------------------------------------------------------


def test_thl_ini_9_a_newcomer_posts_a_live_big_blind_to_get_cards_and_never_again() -> None:
    table = Table(1, 2, 3, 4, button=1)
    table.play()
    table.join(6)
    found = table.play()
    assert places(found) == (2, 3, 4)
    assert found.posts[-1] == Post(seat=6, bet=Posted.ENTRY, amount=10, live=True)
    assert found.order == (3, 4, 6, 1, 2)
    assert table.owes(6) is None


def test_thl_ini_9_the_first_hand_has_no_newcomers() -> None:
    assert entries(Table(1, 2, 3, 4, 5, button=1).look()) == {}


def test_thl_ini_9_a_newcomer_who_is_due_the_big_blind_comes_in_with_it_and_posts_it_once() -> None:
    table = Table(1, 2, 3, 5, button=1)
    table.play()
    table.join(4)
    found = table.look()
    assert places(found) == (2, 3, 4)
    assert [post.seat for post in found.posts] == [3, 4]


def test_thl_ini_10_nobody_joins_as_small_blind_he_waits_until_it_has_passed() -> None:
    table = Table(1, 2, 4, 5, 6, button=1)
    table.play()
    table.join(3)
    found = table.play()
    assert places(found) == (2, 4, 5)
    assert found.waits == (Waiting(seat=3, why=Wait.ON_THE_SMALL_BLIND),)
    assert 3 not in found.order
    found = table.play()
    assert places(found) == (4, 5, 6)
    assert found.waits == (Waiting(seat=3, why=Wait.ON_THE_BUTTON),)
    found = table.play()
    assert not found.waits
    assert entries(found) == {3: (Posted.ENTRY, 10)}


def test_thl_ini_10_nobody_joins_as_button() -> None:
    table = Table(1, 3, 4, 5, button=1)
    table.play()
    table.join(2)
    found = table.play()
    assert places(found) == (3, 4, 5)
    assert found.waits == (Waiting(seat=2, why=Wait.ON_THE_BUTTON),)
    assert 2 in table.play().order


def test_thl_ini_10_who_sits_down_where_the_button_has_been_comes_in_at_once() -> None:
    table = Table(1, 2, 3, 4, button=1)
    table.play()
    table.leave(1)
    table.join(1)
    assert entries(table.look()) == {1: (Posted.ENTRY, 10)}


def test_thl_ini_10_but_not_where_a_void_hand_leaves_the_button() -> None:
    table = Table(1, 2, 3, 4, button=1)
    table.play(voided=True)
    table.leave(1)
    table.join(1)
    found = table.look()
    assert found.button == 2
    assert found.waits == (Waiting(seat=1, why=Wait.ON_THE_BUTTON),)


@pytest.mark.parametrize("rules", [RULES, BUTTON_SMALL, DEAD, replace(BUTTON_SMALL, vacated_blind=VacatedBlind.DEAD)])
@pytest.mark.parametrize("newcomer", [2, 4])
def test_thl_ini_10_who_joins_two_players_waits_a_hand_at_most_and_comes_in_as_big_blind(
    newcomer: int, rules: PlaceRules
) -> None:
    table = Table(1, 3, button=1, rules=rules)
    table.play()
    table.join(newcomer)
    found = table.play()
    if found.waits:
        assert found.order == clockwise((1, 3), after=found.button)
        found = table.play()
    assert found.big_blind == newcomer
    assert len(found.order) == 3


def test_thl_ini_10_thl_mis_0_who_waited_in_a_void_hand_waits_when_it_is_dealt_again() -> None:
    table = Table(1, 3, 4, 5, button=1)
    table.play()
    table.join(2)
    waits = (Waiting(seat=2, why=Wait.ON_THE_BUTTON),)
    assert [table.play(voided=True).waits for _ in range(3)] == [waits] * 3
    assert table.play().waits == waits
    assert entries(table.play()) == {2: (Posted.ENTRY, 10)}


def test_thl_ini_10_thl_mis_0_who_got_cards_in_a_void_hand_gets_them_again() -> None:
    table = Table(1, 3, 4, 5, button=1)
    table.play()
    table.leave(1)
    table.join(1)
    assert 1 in table.play(voided=True).order
    assert 1 in table.look().order


def test_thl_ini_10_amb_62_who_sits_down_where_a_void_hand_left_the_button_does_not_join_as_button() -> None:
    table = Table(1, 3, 4, 5, button=1)
    table.play()
    table.play(voided=True)
    table.leave(3)
    table.join(3)
    found = table.look()
    assert found.button == 4
    assert found.waits == (Waiting(seat=3, why=Wait.ON_THE_BUTTON),)


def test_thl_ini_10_who_is_passed_by_both_after_a_void_hand_waits_once() -> None:
    table = Table(1, 3, 5, 7, button=1)
    table.play()
    table.away(3)
    table.play(voided=True)
    table.back(3)
    table.leave(1, 7)
    table.join(2)
    found = table.look()
    assert found.order == (3, 5)
    assert found.waits == (Waiting(seat=2, why=Wait.ON_THE_SMALL_BLIND),)


def test_thl_ini_10_whom_the_button_passes_twice_after_a_void_hand_waits_once() -> None:
    table = Table(1, 3, 4, 5, button=1)
    table.play()
    table.away(3, 4)
    assert table.play(voided=True).button == 5
    table.back(3, 4)
    table.leave(1, 5)
    table.join(2, 5)
    found = table.look()
    assert places(found) == (3, 4, 5)
    assert found.waits == (Waiting(seat=2, why=Wait.ON_THE_BUTTON),)


def test_thl_ini_10_thl_mis_0_who_sat_down_at_the_drawn_button_waits_when_the_first_hand_is_dealt_again() -> None:
    table = Table(1, 2, 3, 4, button=1)
    table.leave(1)
    table.join(1)
    waits = (Waiting(seat=1, why=Wait.ON_THE_BUTTON),)
    assert [table.play(voided=True).waits for _ in range(3)] == [waits] * 3


# --- absence ----------------------------------------------------------------------------------------------------------


def test_thl_ini_5_an_absent_player_gets_no_cards_and_posts_nothing() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.away(2)
    found = table.look()
    assert places(found) == (1, 3, 4)
    assert 2 not in found.order


def test_thl_ini_7_who_missed_the_big_blind_comes_in_with_a_big_one() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    table.away(3)
    table.play(2)
    assert table.owes(3) is Debt.BIG
    table.back(3)
    table.play()
    assert entries(table.look()) == {3: (Posted.ENTRY, 10)}


def test_thl_ini_7_who_missed_both_comes_in_with_a_big_one_alone() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    table.away(3)
    table.play(3)
    assert table.at(3).missed_small
    table.back(3)
    assert entries(table.look()) == {3: (Posted.ENTRY, 10)}


def test_thl_ini_8_who_missed_the_small_blind_alone_comes_in_with_a_live_small_one() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    assert table.play().big_blind == 3
    table.away(3)
    table.play()
    assert table.owes(3) is Debt.SMALL
    table.back(3)
    found = table.play()
    assert found.waits == (Waiting(seat=3, why=Wait.ON_THE_BUTTON),)
    found = table.play()
    assert found.posts[-1] == Post(seat=3, bet=Posted.SMALL_ENTRY, amount=5, live=True)
    assert table.owes(3) is None


def test_thl_ini_8_only_until_the_big_blind_has_passed_him_again() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    table.play()
    table.away(3)
    table.play(4)
    assert table.owes(3) is Debt.SMALL
    table.play()
    assert table.owes(3) is Debt.BIG


def test_thl_ini_8_who_is_back_for_his_big_blind_posts_that_alone() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    table.play()
    table.away(3)
    table.play(4)
    table.back(3)
    found = table.play()
    assert found.big_blind == 3
    assert [post.seat for post in found.posts] == [2, 3]
    assert table.owes(3) is None


def test_thl_ini_7_who_is_back_before_any_blind_came_owes_nothing() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    table.away(6)
    table.play(2)
    table.back(6)
    assert table.owes(6) is None
    assert entries(table.look()) == {}


def test_thl_ini_7_two_neighbours_away_at_once_the_big_blind_passed_the_second_alone() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    assert table.play().big_blind == 3
    table.away(3, 4)
    table.play()
    assert table.owes(3) is Debt.SMALL
    assert table.owes(4) is Debt.BIG


def test_thl_ini_7_amb_10_blinds_that_jump_over_an_absent_player_have_passed_him() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    table.play()
    table.leave(2, 3)
    table.away(4)
    assert places(table.play()) == (5, 6, 1)
    assert table.owes(4) is Debt.BIG


def test_thl_ini_8_dead_a_small_blind_whose_place_is_the_absent_players_is_missed() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1, rules=DEAD)
    table.play()
    table.away(3)
    assert places(table.play()) == (2, None, 4)
    assert table.owes(3) is Debt.SMALL


def test_thl_ini_7_thl_ini_8_absent_players_miss_the_blinds_of_the_first_hand_too() -> None:
    table = Table(1, 2, 3, 4, 5, 6, button=1)
    table.away(2, 4, 6)
    assert places(table.play()) == (1, 3, 5)
    assert [table.owes(seat) for seat in (2, 4, 6)] == [Debt.SMALL, Debt.BIG, None]


def test_thl_ini_5_thl_ini_6_the_lap_ends_with_as_many_hands_as_players_took_part() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.away(3)
    table.play(4)
    assert not table.at(3).is_overdue
    table.play()
    assert table.at(3).is_overdue


def test_thl_ini_5_amb_09_of_a_single_hand_where_the_house_says_so() -> None:
    table = Table(1, 2, 3, 4, 5, button=1, rules=replace(RULES, absence=Absence.ONE_HAND))
    table.away(3)
    assert not table.at(3).is_overdue
    table.play()
    assert table.at(3).is_overdue


def test_thl_ini_5_an_absence_ends_with_the_first_cards() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.away(5)
    table.play()
    table.back(5)
    assert table.at(5).lap == 5
    table.play()
    assert table.at(5) == Player(seat=5)


def test_thl_mis_9_a_void_hand_changes_nothing_not_even_an_absence() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.play()
    table.away(3)
    table.join(6)
    before = table.players
    first = table.play(voided=True)
    assert table.players == before
    again = table.look()
    assert (again.posts, again.order, again.waits) == (first.posts, first.order, first.waits)


def test_thl_mis_9_a_blind_that_passed_in_a_void_hand_is_missed_once_the_hand_counts() -> None:
    table = Table(1, 2, 3, 4, 5, button=1)
    table.play()
    table.away(3)
    table.play(voided=True)
    assert table.owes(3) is None
    table.play()
    assert table.owes(3) is Debt.SMALL
