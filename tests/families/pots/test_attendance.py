"""Who comes, goes and is away, with which chips: what stays of it after the hand."""

from __future__ import annotations

import pytest

from tablectl.core.cards import card
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Key, Question, SeatChange
from tablectl.families.pots.places import Positions
from tablectl.families.pots.players import Player
from tests.families.pots.people import DEAL, THREE, circle_of, played

FOLDED = "> act 3 fold\n> act 1 fold\n> press confirm\n"


def test_thl_pro_4_whoever_leaves_in_mid_hand_takes_his_chips_with_him_when_it_is_over() -> None:
    table, _ = played(THREE + DEAL + "> player 3 leaves\n")
    assert circle_of(table).stacks[3] == 20000
    table, _ = played(THREE + DEAL + "> player 3 leaves\n" + FOLDED)
    assert table.carry().stacks == {1: 19900, 2: 20100}
    assert table.carry().players == ("seat=1 in", "seat=2 in")


def test_thl_ini_9_who_sits_down_in_a_seat_that_was_left_in_mid_hand_is_a_newcomer_without_chips() -> None:
    table, _ = played(THREE + DEAL + "> player 3 leaves\n> player 3 takes\n" + FOLDED)
    assert table.carry().stacks == {1: 19900, 2: 20100}
    assert "seat=3 in new" in table.carry().players


def test_thl_ini_9_who_takes_an_empty_seat_in_mid_hand_keeps_the_chips_that_are_entered_for_him() -> None:
    table, _ = played(THREE + DEAL + "> player 7 takes\n> stack 7 5000\n" + FOLDED)
    assert table.carry().stacks[7] == 5000
    assert "seat=7 in new" in table.carry().players


def test_thl_ini_5_who_goes_away_in_mid_hand_is_away_afterwards_and_was_not_in_it() -> None:
    table, _ = played(THREE + DEAL + "> player 3 away\n" + FOLDED)
    assert [line for line in table.carry().players if "absent" in line] == ["seat=3 absent away=0 lap=3"]


def test_thl_ini_5_who_goes_away_and_is_back_in_one_hand_was_never_away() -> None:
    table, _ = played(THREE + DEAL + "> player 3 away\n> player 3 back\n" + FOLDED)
    assert next(player for player in circle_of(table).players if player.seat == 3).is_in


def test_amb_62_a_void_hand_keeps_players_chips_and_button() -> None:
    table, _ = played(THREE + DEAL + "> call by ana\n> rule 1 void-hand by ana misdeal\n> press confirm\n")
    assert circle_of(table).players == (Player(seat=1), Player(seat=2), Player(seat=3))
    assert table.carry().stacks == {1: 20000, 2: 20000, 3: 20000}
    markers = circle_of(table).markers
    assert markers is not None
    assert (markers.button, markers.moves) == (3, False)


def test_thl_ini_2_the_blinds_wait_until_every_card_of_the_draw_is_known() -> None:
    text = THREE.replace("button 3\n", "") + "> press new-hand\n> draw 5c\n> draw ??\n> draw 2h\n"
    table, _ = played(text)
    assert Key.NO_MORE_BETS not in table.prompt().keys
    assert table.prompt().about == "seat-2.up"
    table, _ = played(text + "> name seat-2.up Qd by ana\n> press confirm\n")
    assert Key.NO_MORE_BETS in table.prompt().keys


@pytest.mark.parametrize("leaves", ["leaves", "away"])
def test_thl_ini_2_nobody_is_asked_for_the_card_of_a_player_who_has_left_the_draw(leaves: str) -> None:
    text = THREE.replace("button 3\n", "") + "> press new-hand\n> draw 5c\n> draw ??\n> draw 2h\n"
    table, said = played(text + f"> player 2 {leaves}\n")
    assert "button 1" in said
    assert table.prompt().question is Question.RESHUFFLED
    table, said = played(text.replace("2h", "??") + f"> player 2 {leaves}\n")
    assert table.prompt().about == "seat-3.up", "another one is still missing"


def test_thl_ini_2_two_cards_with_one_face_in_the_draw_give_nobody_the_button() -> None:
    text = THREE.replace("button 3\n", "") + "> press new-hand\n> draw 5c\n> draw 5c\n"
    table, said = played(text + "> rule 1 void-hand by ana misdeal\n")
    assert said[-2:] == ["void-hand THL-MIS-5", "phase voided"]
    assert circle_of(table).markers is None


def test_thl_gen_15_places_are_found_anew_whenever_somebody_comes_or_goes_before_the_blinds() -> None:
    table, _ = played(THREE + "> player 2 leaves\n")
    positions = circle_of(table).positions
    assert isinstance(positions, Positions)
    assert positions.big_blind == 3
    assert table.apply(f.Moved(at_us=0, seat=2, what=SeatChange.TAKES))
    assert circle_of(table).present == (1, 2, 3)


def test_thl_pro_6_whoever_is_sent_away_between_two_hands_is_gone_at_once() -> None:
    table, said = played(THREE + DEAL + FOLDED + "> declare collusion seat-1\n> rule 1 expel by ana\n")
    assert said == ["closed 1 expel by pit-boss", "expel 1 THL-PRO-3"]
    assert circle_of(table).present == (2, 3)
    assert 1 not in circle_of(table).stacks


def test_thl_pro_6_whoever_is_sent_away_in_a_hand_is_gone_when_it_is_over() -> None:
    text = THREE + DEAL + "> declare collusion seat-1\n> rule 1 expel by ana\n"
    assert circle_of(played(text)[0]).present == (1, 2, 3)
    assert circle_of(played(text + FOLDED)[0]).present == (2, 3)


def test_thl_dlg_1_cards_that_came_before_the_hand_are_the_first_ones_though_the_controller_starts_again() -> None:
    table, _ = played(THREE + "> call by ana\n> rule 1 void-hand by ana misdeal\n> press confirm\n")
    table.apply(f.Shuffled(at_us=0, cards=52))
    for code in ("As", "Ks"):
        table.apply(f.Drawn(at_us=0, card=card(code)))
    table.apply(f.Opened(at_us=0, setup=table.state.setup))
    for key in (Key.NOT_SEEN, Key.NEW_HAND, Key.NO_MORE_BETS):
        table.apply(f.Pressed(at_us=0, key=key))
    assert [draw.number for draw in table.state.deal.at.values()] == [1, 2]
