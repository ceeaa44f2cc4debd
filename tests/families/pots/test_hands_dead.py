"""Hands that died or came back: what the list offers, and what nobody may undo afterwards."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Declaration, Key
from tablectl.families.pots import correction
from tests.families.pots.people import DEAL, THREE, circle_of, played

FLOP = "> act 3 call\n> act 1 call\n> act 2 check\n> draw 2c\n> draw 3h\n> draw 7c\n> draw 9s\n"
TEN = "rulebook circle-holdem\nseats 9 10\nbutton 9\nstack 9 20000\nstack 10 20000\nlimits bet 200..100000\n"


def offered(text: str) -> set[Declaration]:
    table, _ = played(text + "> press incident\n")
    return {offer.what for offer in table.prompt().offers}


def test_thl_cre_3_the_tenth_seat_can_be_named_as_every_other() -> None:
    table, said = played(TEN + "> press no-more-bets\n> draw As\n> draw Ks\n> draw Ad\n> draw Kd\n")
    assert said[-1] == "phase pre-flop-betting"
    text = TEN + "> press no-more-bets\n> draw As\n> draw Ks\n> draw Ad\n> draw Kd\n> declare absent-at-turn\n"
    table, _ = played(text)
    assert {key for key in table.prompt().keys if key.startswith("seat-")} == {Key.SEAT_10}, "whose turn it is"
    _, said = played(text + "> press seat-10\n")
    assert said[-1] == "withdraw-seat 10 THL-CRE-3"


def test_thl_cre_4_nothing_can_be_taken_away_before_there_are_cards_nor_after_the_showdown() -> None:
    taken = {Declaration.PROTECTED_TAKEN, Declaration.UNPROTECTED_TAKEN}
    assert not taken & offered(THREE)
    assert taken <= offered(THREE + DEAL)
    assert not taken & offered(THREE + DEAL + "> act 3 fold\n> act 1 fold\n")


def test_thl_cre_4_a_hand_that_was_shown_speaks_and_is_not_taken_away() -> None:
    streets = "> press all-check\n> draw 2d\n> draw 4h\n> press all-check\n> draw 2h\n> draw 5d\n> press all-check\n"
    text = THREE + DEAL + FLOP + streets + "> press show\n"
    assert played(text + "> declare protected-taken seat-1\n")[1] == ["refused unknown-seat THL-CRE-4 seat-1"]
    assert played(text + "> declare protected-taken seat-2\n")[1][-2:] == ["refund 2 pot 200", "pot 1 400 seats=1,3"]


@pytest.mark.parametrize("what", ["protected-taken seat-2", "unprotected-taken seat-2", "wrong-count seat-2 cards=3"])
def test_thl_end_2_the_last_one_left_at_the_showdown_has_won_whatever_becomes_of_his_cards(what: str) -> None:
    streets = "> press all-check\n> draw 2d\n> draw 4h\n> press all-check\n> draw 2h\n> draw 5d\n> press all-check\n"
    text = THREE + DEAL + "> act 3 fold\n> act 1 call\n> act 2 check\n> draw 2c\n> draw 3h\n> draw 7c\n> draw 9s\n"
    text += streets + "> press fold\n"
    assert played(text)[1] == ["mucked 1"]
    assert played(text + f"> declare {what}\n")[1][0].startswith("refused")
    assert "award 1 seat-2 400 THL-END-2" in played(text + "> press show-all\n")[1]


@pytest.mark.parametrize(
    "said",
    [
        "> declare protected-taken seat-2\n",
        "> declare unprotected-taken seat-2\n> rule 1 lose-bets by ana\n",
        "> declare cards-in-contact seat-1 seat-2\n> rule 1 lose-bets by ana\n> rule 2 lose-bets by ana\n",
    ],
)
def test_thl_cre_4_no_action_is_taken_back_after_a_hand_that_died(said: str) -> None:
    table, _ = played(THREE.replace("seats 1 2 3", "seats 1 2 3 4") + "stack 4 20000\n" + _four() + said)
    circle = circle_of(table)
    assert circle.rounds is not None
    assert set(circle.rounds.live) == set(table.state.staying)
    assert not correction.possible(circle)
    assert (Key.CANCEL in table.prompt().keys) is ("rule" not in said), "what was declared last is the last entry"


def _four() -> str:
    cards = ("As", "Ks", "Qs", "Js", "Ad", "Kd", "Qd", "Jd")
    return "> press no-more-bets\n" + "".join(f"> draw {card}\n" for card in cards) + "> act 2 call\n> act 3 call\n"


def test_thl_ple_1_a_hand_that_came_back_can_bet_and_win() -> None:
    text = THREE + DEAL + FLOP + "> act 1 check\n> act 2 fold\n> declare retrieve-misled seat-2\n> press cancel\n"
    text += "> rule 1 revive by ana as he saw it\n"
    assert circle_of(played(text)[0]).turn == 2, "his fold was taken back, so he has not spoken"
    table, _ = played(text + "> act 2 check\n> act 3 bet 400\n> act 1 fold\n> act 2 raise 800\n> act 3 fold\n")
    assert circle_of(table).won == {2: 1800}


def test_thl_ple_1_who_comes_back_after_another_speaks_when_the_others_have() -> None:
    text = THREE + DEAL + FLOP + "> act 1 fold\n> act 2 check\n"
    text += "> declare retrieve-misled seat-1\n> press cancel\n> rule 1 revive by ana as he saw it\n"
    assert circle_of(played(text)[0]).turn == 3
    assert circle_of(played(text + "> act 3 check\n")[0]).turn == 1


def test_thl_ple_1_what_was_taken_back_once_is_not_revived_twice() -> None:
    text = THREE + DEAL + FLOP + "> act 1 check\n> act 2 fold\n> declare retrieve-misled seat-2\n> press cancel\n"
    table, _ = played(text + "> rule 1 revive by ana as he saw it\n")
    assert table.state.staying == (1, 2, 3)
    assert Key.CANCEL not in table.prompt().keys


def test_thl_ple_1_a_hand_that_died_for_another_reason_is_not_revived() -> None:
    """Its cards are counted while the pit boss is asked whether the player gets them back; two have acted."""
    text = THREE + DEAL + "> act 3 call\n> act 1 call\n> press wrong-count\n> press seat-2\n"
    text += "> declare retrieve-misled seat-2\n> press seat-1\n"
    table, said = played(text)
    assert "withdraw-seat 2 THL-PLE-12" in said
    table, said = played(text + "> press cancel\n")
    assert said == ["refused not-offered THL-PLE-1c seat-2"]
    assert table.state.staying == (1, 3)


def test_thl_gen_8_without_amounts_the_pit_boss_rules_as_well() -> None:
    text = "rulebook circle-holdem\nseats 1 2 3\nbutton 3\ntracking actions\n" + DEAL
    said = "> declare unprotected-taken seat-2\n> rule 1 refund-bets by ana as he saw it\n"
    assert played(text + said)[1] == ["closed 1 refund-bets by pit-boss", "refund 2 pot"]


def test_thl_cre_3_where_only_rounds_are_entered_it_can_be_anybodys_turn() -> None:
    text = "rulebook circle-holdem\nseats 1 2 3\nbutton 3\ntracking rounds\n" + DEAL
    assert played(text + "> declare absent-at-turn seat-3\n")[1][-1] == "withdraw-seat 3 THL-CRE-3"
    assert "remedy=lose-bets|refund-bets" in played(text + "> declare absent-at-turn seat-1\n")[1][0]
