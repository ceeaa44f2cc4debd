"""Coming and going between hands, and players as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.options import holdem
from tablectl.families.pots.players import (
    Absence,
    Debt,
    NotAPlayer,
    Player,
    Players,
    Presence,
    WhyNot,
    comes_back,
    freed,
    goes_away,
    joined,
    left,
    overdue,
    player_at,
    player_of,
    players_of,
    seated,
)

THREE = seated((2, 5, 9))
#: Seat 5 is away and has one hand left of his lap; then none.
KEPT = players_of(["seat=2 in", "seat=5 absent away=2 lap=3", "seat=9 in"])
OVERDUE = players_of(["seat=2 in", "seat=5 absent missed=big away=3 lap=3", "seat=9 in"])


def done(players: Players | WhyNot) -> Players:
    assert not isinstance(players, WhyNot), players
    return players


def at(players: Players | WhyNot, seat: int) -> Player:
    player = player_at(done(players), seat)
    assert player is not None
    return player


def test_thl_ini_1_the_players_of_the_first_hand_owe_nothing() -> None:
    assert seated((9, 2)) == (Player(seat=2), Player(seat=9))
    assert all(player.owes is None for player in seated(range(1, 11)))


def test_thl_ini_4_thl_ini_9_who_gets_a_free_seat_is_a_newcomer_who_owes_a_big_blind() -> None:
    players = done(joined(THREE, 4))
    assert [player.seat for player in players] == [2, 4, 5, 9]
    assert at(players, 4).is_new
    assert at(players, 4).owes is Debt.BIG


def test_thl_ini_4_thl_pro_9_a_seat_that_is_taken_is_given_to_nobody() -> None:
    assert joined(THREE, 5) is WhyNot.SEAT_TAKEN
    assert freed(THREE, 5) is WhyNot.SEAT_TAKEN


@pytest.mark.parametrize(("seat", "seats"), [(0, 10), (11, 10), (9, 8)])
def test_tho_def_1_a_table_has_no_seats_but_its_own(seat: int, seats: int) -> None:
    assert joined((), seat, seats=seats) is WhyNot.NO_SUCH_SEAT


@pytest.mark.parametrize(("seat", "seats"), [(1, 10), (10, 10), (8, 8)])
def test_tho_def_1_and_each_of_these_may_be_given(seat: int, seats: int) -> None:
    assert at(joined((), seat, seats=seats), seat).seat == seat


def test_thl_ini_5_the_seat_of_an_absent_player_is_kept_for_his_lap() -> None:
    assert overdue(KEPT) == ()
    assert joined(KEPT, 5) is WhyNot.SEAT_KEPT
    assert freed(KEPT, 5) is WhyNot.SEAT_KEPT


def test_thl_ini_6_after_the_lap_the_pit_boss_may_give_the_seat() -> None:
    assert overdue(OVERDUE) == (5,)
    assert at(joined(OVERDUE, 5), 5) == Player(seat=5, is_new=True)
    assert [player.seat for player in done(freed(OVERDUE, 5))] == [2, 9]


def test_thl_ini_6_amb_89_after_the_lap_he_may_come_back_while_nobody_has_the_seat() -> None:
    assert at(comes_back(OVERDUE, 5), 5).owes is Debt.BIG
    assert comes_back(done(joined(OVERDUE, 5)), 5) is WhyNot.NOT_AWAY
    assert comes_back(done(freed(OVERDUE, 5)), 5) is WhyNot.NOBODY_THERE


def test_thl_ini_5_amb_09_a_lap_is_as_many_hands_as_players_took_part_when_he_went() -> None:
    first = done(goes_away(THREE, 5, Absence.FULL_LAP))
    assert at(first, 5).lap == 3
    assert at(goes_away(first, 9, Absence.FULL_LAP), 9).lap == 2


def test_thl_ini_5_amb_09_or_a_single_hand_where_the_house_says_so() -> None:
    assert at(goes_away(THREE, 5, Absence.ONE_HAND), 5).lap == 1


def test_thl_ini_5_to_come_back_without_playing_begins_no_new_lap() -> None:
    away = players_of(["seat=2 in", "seat=5 absent away=2 lap=6", "seat=9 in"])
    again = done(goes_away(done(comes_back(away, 5)), 5, Absence.FULL_LAP))
    assert at(again, 5) == at(away, 5)


def test_thl_ini_5_nobody_goes_twice_or_comes_back_without_having_gone() -> None:
    assert goes_away(KEPT, 5, Absence.FULL_LAP) is WhyNot.ALREADY_AWAY
    assert comes_back(KEPT, 2) is WhyNot.NOT_AWAY
    assert goes_away(KEPT, 3, Absence.FULL_LAP) is WhyNot.NOBODY_THERE


def test_thl_ini_9_who_left_and_sits_down_again_is_a_newcomer() -> None:
    gone = done(left(THREE, 5))
    assert at(joined(gone, 5), 5).is_new
    assert left(gone, 5) is WhyNot.NOBODY_THERE


@pytest.mark.parametrize("why", WhyNot)
def test_every_refusal_cites_a_clause(why: WhyNot) -> None:
    assert why.clause.startswith(("THL-", "THO-"))


def test_amb_09_the_words_are_those_of_the_profile() -> None:
    assert [absence.value for absence in Absence] == [absence.value for absence in holdem.Absence]


# --- text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("seat=3 in", Player(seat=3)),
        ("seat=10 in new", Player(seat=10, is_new=True)),
        ("seat=1 in missed=small", Player(seat=1, missed_small=True)),
        (
            "seat=4 absent missed=small,big away=2 lap=6",
            Player(seat=4, presence=Presence.ABSENT, missed_small=True, missed_big=True, away_hands=2, lap=6),
        ),
    ],
)
def test_a_player_is_written_as_one_line(text: str, player: Player) -> None:
    assert player.text() == text
    assert player_of(text) == player


@pytest.mark.parametrize(
    "text",
    [
        "",
        "seat=0 in",
        "seat=11 in",
        "seat=03 in",
        "seat=٣ in",
        "seat=3",
        "seat=3  in",
        "seat=3 in ",
        "seat=3 in\n",
        "seat=3 out",
        "seat=3 new in",
        "seat=3 in new missed=big",
        "seat=3 in missed=big,small",
        "seat=3 in missed=",
        "seat=3 absent",
        "seat=3 absent away=2",
        "seat=3 absent away=02 lap=6",
        "seat=3 absent away=-1 lap=6",
        "seat=3 absent away=2 lap=0",
        "seat=3 absent away=2 lap=11",
        "seat=3 absent away=9999999 lap=6",
        "seat=3 in seat=4 in",
    ],
)
def test_a_line_that_is_no_player_is_refused_whole(text: str) -> None:
    with pytest.raises(NotAPlayer):
        player_of(text)


@given(st.text(alphabet="seat=310 inabsewmidlgp,\n", max_size=40))
def test_whatever_is_read_is_written_the_same(text: str) -> None:
    try:
        player = player_of(text)
    except NotAPlayer:
        return
    assert player.text() == text


def test_two_players_of_one_seat_are_refused() -> None:
    with pytest.raises(NotAPlayer, match="seat 3"):
        players_of(["seat=3 in", "seat=2 in", "seat=3 absent away=0 lap=2"])
