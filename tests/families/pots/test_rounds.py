"""The betting of a hand by the documents: order of speech, what is legal, least and greatest raise, all-in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.engine.vocabulary import Action
from tablectl.core.options.holdem import TwoActions
from tablectl.core.options.pots import MinimumRaise
from tablectl.core.settlement.pots import Amount, Pot, Stake, divide
from tablectl.families.pots.betting.legal import Done, Reason, Wrong
from tablectl.families.pots.betting.rounds import Rounds
from tests.families.pots.betting import ACTIONS, CIRCLE, DRAW, FIXED, OPEN, POT, before_the_flop, on_the_flop

FOLD, CHECK, CALL, BET, RAISE, ALL_IN = Action


def play(rounds: Rounds, *actions: Action | tuple[Action, int]) -> list[int | None]:
    """Act in turn; whose turn it was each time."""
    turns = []
    for action in actions:
        turns.append(rounds.turn)
        if isinstance(action, tuple):
            rounds.act(*action)
        else:
            rounds.act(action)
    return turns


def span(rounds: Rounds) -> tuple[int | None, int | None]:
    legal = rounds.legal()
    return legal.raise_from, legal.raise_to


def why(rounds: Rounds, action: Action, to: int | None = None, *, is_all_in: bool = False) -> tuple[Reason, int | None]:
    """Why the action is not legal, and the limit it breaks."""
    verdict = rounds.judged(action, to, is_all_in=is_all_in)
    assert isinstance(verdict, Wrong), verdict
    return verdict.reason, verdict.limit


# --- order of speech --------------------------------------------------------------------------------------------------


def test_thl_rd1_1_thl_rd1_7_tho_rnd_1_left_of_the_big_blind_speaks_first_and_the_big_blind_last() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 100)
    assert play(rounds, CALL, CALL, CALL, CHECK) == [3, 4, 1, 2]
    assert rounds.is_closed
    assert rounds.pot == 8


def test_thl_rd1_7_tho_act_3_the_big_blind_may_check_or_raise_where_nobody_raised() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    play(rounds, CALL, CALL)
    legal = rounds.legal()
    assert (legal.seat, legal.may_check, legal.call, legal.raise_from, legal.is_bet) == (2, True, None, 4, False)
    play(rounds, (RAISE, 4))
    assert play(rounds, CALL, CALL) == [3, 1]
    assert rounds.is_closed


def test_thl_rd1_2_thl_rd1_3_nobody_else_checks_before_the_flop() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    assert why(rounds, CHECK) == (Reason.BET_OUTSTANDING, 2)
    play(rounds, CALL)
    assert why(rounds, CHECK) == (Reason.BET_OUTSTANDING, 2)
    play(rounds, CALL)
    assert why(rounds, CALL) == (Reason.NOTHING_TO_CALL, None)


def test_thl_ini_9_an_entry_bet_as_big_as_the_blind_may_check_or_raise_in_its_turn() -> None:
    rounds = Rounds(CIRCLE, range(1, 5), dict.fromkeys(range(1, 5), 100))
    for seat, amount in ((1, 1), (2, 2), (4, 2)):
        rounds.post(seat, amount)
    rounds.open(3, 0)
    play(rounds, CALL)
    assert rounds.turn == 4
    assert rounds.legal().may_check
    assert rounds.legal().may_raise
    assert play(rounds, CHECK, CALL, CHECK) == [4, 1, 2]
    assert rounds.is_closed


def test_thl_ini_8_an_entry_bet_below_the_blind_is_completed() -> None:
    rounds = Rounds(CIRCLE, range(1, 5), dict.fromkeys(range(1, 5), 100))
    for seat, amount in ((1, 1), (2, 2), (4, 1)):
        rounds.post(seat, amount)
    rounds.open(3, 0)
    play(rounds, CALL)
    legal = rounds.legal()
    assert (legal.seat, legal.may_check, legal.call) == (4, False, 1)


def test_thl_rd1_6_a_raise_gives_the_word_again_to_those_on_its_left_in_order() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 100)
    assert play(rounds, CALL, (RAISE, 4), CALL, CALL, CALL) == [3, 4, 1, 2, 3]
    assert rounds.is_closed
    assert rounds.last_aggressor == 4


def test_thl_rd2_4_thl_rd2_6_the_small_blind_speaks_first_after_the_flop_and_the_button_last() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    play(rounds, CALL, CALL, CHECK)
    rounds.open(1, 1)
    assert play(rounds, CHECK, CHECK, CHECK) == [1, 2, 3]
    assert rounds.is_closed


def test_thl_rd3_4_thl_rd4_4_without_the_small_blind_the_next_who_is_in_speaks_first() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 100)
    play(rounds, CALL, CALL, FOLD, CHECK)
    rounds.open(1, 1)
    assert rounds.turn == 2


def test_amb_06_a_first_seat_that_is_not_dealt_in_hands_the_word_to_the_next_clockwise() -> None:
    for first, turn in ((3, 4), (8, 9), (10, 2)):
        rounds = Rounds(CIRCLE, (4, 9, 2), dict.fromkeys((4, 9, 2), 100))
        rounds.open(first, 1)
        assert rounds.turn == turn


@pytest.mark.parametrize(("first", "before", "after"), [(1, [1, 2], [1, 2]), (2, [2, 1], [1, 2])])
def test_amb_61_two_players_speak_as_the_house_chose(first: int, before: list[int], after: list[int]) -> None:
    """The small blind speaks first before the flop; left of the button he is first after it too."""
    rounds = Rounds(CIRCLE, (1, 2), {1: 100, 2: 100})
    rounds.post(first, 1)
    rounds.post(3 - first, 2)
    rounds.open(first, 0)
    assert play(rounds, CALL, CHECK) == before
    rounds.open(1, 1)
    assert play(rounds, CHECK, CHECK) == after


def test_thl_end_2_when_all_but_one_fold_the_hand_is_over() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    play(rounds, FOLD, FOLD)
    assert rounds.is_over
    assert rounds.is_closed
    assert rounds.live == (2,)


def test_thl_rd1_2_tho_act_1_one_may_fold_with_nothing_outstanding_and_loses_no_more() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    play(rounds, CALL, CALL, FOLD)
    assert not rounds.is_over
    assert rounds.put_in(2) == 2
    assert rounds.stakes()[1] == Stake(seat=2, bets=2, folded=True)


# --- least and greatest raise -----------------------------------------------------------------------------------------


def test_thl_rd1_4_a_raise_goes_to_twice_the_highest_stake_of_the_round_at_least() -> None:
    """Blinds of 1 and 2: to 4, to 8, to 16."""
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 100)
    for least in (4, 8, 16):
        assert span(rounds)[0] == least
        assert why(rounds, RAISE, least - 1) == (Reason.BELOW_LEAST, least)
        play(rounds, (RAISE, least))
    assert rounds.last_aggressor == 1


def test_thl_rd1_4_a_short_all_in_is_the_highest_stake_to_double() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 5, 100)
    play(rounds, (RAISE, 4), ALL_IN)
    assert span(rounds) == (10, 100)


def test_amb_31_a_raise_is_in_whole_chips_and_a_call_of_an_odd_all_in_is_exact() -> None:
    rounds = before_the_flop(replace(CIRCLE, chip=10, least_bet=20), 1000, 1005, 45, 1000)
    assert why(rounds, RAISE, 44) == (Reason.NOT_IN_CHIPS, 44)
    play(rounds, ALL_IN)
    assert (rounds.legal().call, span(rounds)) == (45, (90, 1000))
    assert why(rounds, RAISE, 95) == (Reason.NOT_IN_CHIPS, 95)
    play(rounds, CALL, (RAISE, 100))
    assert span(rounds) == (200, 1005), "all-in is whatever he has"
    play(rounds, ALL_IN)
    assert rounds.high == 1005


def test_amb_31_the_least_raise_after_an_odd_all_in_is_rounded_up_to_whole_chips() -> None:
    rounds = before_the_flop(replace(OPEN, chip=10, least_bet=20), 1000, 1000, 45, 1000)
    play(rounds, ALL_IN)
    assert span(rounds) == (70, 1000)
    pot = before_the_flop(replace(POT, chip=10, least_bet=20), 1000, 1000, 45, 1000)
    play(pot, ALL_IN)
    assert span(pot) == (70, 160), "45 and the pot of 75 and 45, in whole chips"


def test_thl_rd2_5_amb_02_after_the_flop_one_bets_the_tables_minimum_at_least() -> None:
    rounds = on_the_flop(CIRCLE, 100, 100)
    assert rounds.legal().is_bet
    assert why(rounds, BET, 1) == (Reason.BELOW_LEAST, 2)
    done = rounds.act(RAISE, 2)
    assert (done.action, done.to, done.added, done.is_full) == (BET, 2, 2, True)
    assert rounds.legal().is_bet is False


def test_amb_01_the_tables_maximum_bounds_a_raise() -> None:
    rounds = on_the_flop(replace(CIRCLE, most_bet=30), 100, 100, 100, 35, 28)
    assert span(rounds) == (2, 30)
    assert why(rounds, BET, 31) == (Reason.ABOVE_TABLE, 30)
    play(rounds, (BET, 20))
    assert why(rounds, RAISE, 30) == (Reason.ABOVE_TABLE, 30)
    assert not rounds.legal().may_raise
    play(rounds, CALL, CALL)
    assert why(rounds, ALL_IN) == (Reason.ABOVE_TABLE, 30)
    assert not rounds.legal().may_go_all_in
    play(rounds, CALL)
    assert span(rounds) == (28, 28)
    assert rounds.legal().may_go_all_in


def test_amb_87_the_last_full_raise_is_what_a_raise_adds_at_least() -> None:
    rounds = before_the_flop(OPEN, 100, 100, 100, 100)
    assert span(rounds) == (4, 100)
    play(rounds, (RAISE, 10))
    assert span(rounds) == (18, 100)
    play(rounds, (RAISE, 20))
    assert span(rounds) == (30, 100)


def test_amb_87_after_a_short_all_in_the_last_full_raise_still_counts() -> None:
    """130 over a bet of 100: to 230 at least."""
    rounds = on_the_flop(OPEN, 1000, 130, 1000)
    play(rounds, (BET, 100), ALL_IN)
    assert span(rounds) == (230, 1000)


def test_fcd_env_5_any_greater_amount_raises_inside_the_tables_limits() -> None:
    rounds = on_the_flop(DRAW, 100, 100, 100)
    assert span(rounds) == (5, 50)
    play(rounds, (BET, 7))
    assert span(rounds) == (8, 50)
    done = rounds.act(RAISE, 8)
    assert done.is_full


def test_amb_02_a_bet_short_of_the_minimum_does_not_lower_the_next_one() -> None:
    for rules, least in ((CIRCLE, 20), (OPEN, 23), (DRAW, 20)):
        rounds = on_the_flop(replace(rules, least_bet=20, most_bet=None), 3, 100, 100)
        done = rounds.act(ALL_IN)
        assert (done.action, done.is_full) == (BET, False)
        assert span(rounds)[0] == least


def test_tho_lim_1_tho_lim_2_fixed_limit_is_one_bet_and_three_raises() -> None:
    rounds = on_the_flop(FIXED, 100, 100, 100)
    for to in (2, 4, 6, 8):
        assert span(rounds) == (to, to)
        play(rounds, (RAISE, to))
    assert why(rounds, RAISE, 10) == (Reason.RAISES_USED_UP, 3)
    assert not rounds.legal().may_raise
    assert play(rounds, CALL, CALL) == [2, 3]
    assert rounds.is_closed


def test_amb_58_before_the_flop_the_big_blind_is_the_bet_and_two_players_have_the_same_cap() -> None:
    rounds = before_the_flop(FIXED, 100, 100)
    play(rounds, (RAISE, 4), (RAISE, 6), (RAISE, 8))
    assert why(rounds, RAISE, 10) == (Reason.RAISES_USED_UP, 3)
    play(rounds, CALL)
    rounds.open(1, 1)
    assert span(rounds) == (2, 2)


def test_tho_lim_1_fixed_limit_bets_its_unit_of_the_round_and_no_more() -> None:
    rounds = before_the_flop(FIXED, 100, 100)
    assert why(rounds, RAISE, 5) == (Reason.ABOVE_UNIT, 4)
    assert why(rounds, RAISE, 3) == (Reason.BELOW_LEAST, 4)
    play(rounds, CALL, CHECK)
    for index, unit in ((1, 2), (2, 4), (3, 4)):
        rounds.open(1, index)
        assert span(rounds) == (unit, unit)
        play(rounds, (BET, unit))
        assert span(rounds) == (2 * unit, 2 * unit)
        play(rounds, CALL)


def test_tho_lim_1_an_all_in_short_of_the_unit_is_raised_by_a_whole_unit() -> None:
    rounds = on_the_flop(FIXED, 100, 3, 100)
    play(rounds, (BET, 2), ALL_IN)
    assert span(rounds) == (5, 5)


def test_tho_lim_3_pot_limit_raises_by_the_pot_after_the_call_any_number_of_times() -> None:
    rounds = before_the_flop(POT, 1000, 5000, 1000)
    assert span(rounds) == (4, 7)
    assert why(rounds, RAISE, 8) == (Reason.ABOVE_POT, 7)
    play(rounds, (RAISE, 7))
    assert span(rounds) == (12, 23)
    play(rounds, (RAISE, 23))
    assert span(rounds) == (39, 76)
    play(rounds, (RAISE, 76), (RAISE, 200), (RAISE, 400))
    assert rounds.legal().may_raise
    assert why(rounds, ALL_IN) == (Reason.ABOVE_POT, 400 + (76 + 200 + 400) + 324)


def test_tho_lim_3_dead_money_lies_in_the_pot_that_bounds_a_bet() -> None:
    assert span(on_the_flop(POT, 100, 100, dead={1: 3, 2: 6})) == (2, 9)


def test_thl_rd1_4_above_the_stack() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 50)
    assert span(rounds) == (4, 50)
    assert why(rounds, RAISE, 51) == (Reason.ABOVE_STACK, 50)
    assert why(rounds, RAISE) == (Reason.NO_AMOUNT, None)


# --- all-in -----------------------------------------------------------------------------------------------------------


def test_thl_rd1_5_tho_all_1_a_call_beyond_the_stack_is_all_in() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 7)
    play(rounds, (RAISE, 10))
    legal = rounds.legal()
    assert (legal.call, legal.may_raise, legal.all_in, legal.may_go_all_in) == (7, False, 7, True)
    assert rounds.judged(CALL) == rounds.judged(ALL_IN) == rounds.judged(CALL, 7)
    assert rounds.act(ALL_IN) == Done(seat=4, action=CALL, to=7, added=7, is_all_in=True)
    assert rounds.high == 10
    assert rounds.last_aggressor == 3


def test_thl_rd1_5_a_raise_below_the_least_is_for_an_all_in_only() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 3, 100)
    assert span(rounds) == (3, 3)
    assert rounds.act(RAISE, 3) == Done(seat=3, action=RAISE, to=3, added=3, is_all_in=True, reopens=True)


def test_thl_rd1_6_amb_03_a_short_all_in_reopens_the_betting_as_circle_holdem_ships() -> None:
    rounds = on_the_flop(CIRCLE, 100, 100, 15)
    play(rounds, (BET, 10), CALL)
    assert rounds.act(ALL_IN).reopens
    assert span(rounds) == (30, 100)


def test_amb_03_where_only_a_full_raise_reopens_who_has_acted_calls_or_folds() -> None:
    rounds = on_the_flop(OPEN, 100, 15, 100)
    play(rounds, (BET, 10))
    done = rounds.act(ALL_IN)
    assert (done.is_full, done.reopens) == (False, False)
    assert rounds.turn == 3
    assert span(rounds) == (25, 100)  # has not acted yet
    play(rounds, CALL)
    assert rounds.legal().call == 5
    assert why(rounds, RAISE, 40) == (Reason.NOT_REOPENED, None)
    assert why(rounds, ALL_IN) == (Reason.NOT_REOPENED, None)
    assert not rounds.legal().may_go_all_in
    play(rounds, CALL)
    assert rounds.is_closed


def test_amb_91_two_short_all_ins_that_add_up_to_a_full_raise_reopen_for_whoever_faces_both() -> None:
    rounds = on_the_flop(OPEN, 1000, 150, 1000, 200, 1000)
    play(rounds, (BET, 100), ALL_IN, CALL)
    done = rounds.act(ALL_IN)
    assert (done.is_full, done.reopens) == (False, True)
    play(rounds, CALL)
    assert rounds.turn == 1
    assert span(rounds) == (300, 1000)
    play(rounds, CALL)
    assert rounds.turn == 3  # has called the first of the two and faces 50
    assert why(rounds, RAISE, 400) == (Reason.NOT_REOPENED, None)


def test_amb_03_a_check_before_a_bet_short_of_the_minimum_is_not_reopened() -> None:
    rounds = on_the_flop(OPEN, 100, 1, 100)
    play(rounds, CHECK, ALL_IN, CALL)
    assert why(rounds, RAISE, 10) == (Reason.NOT_REOPENED, None)


def test_tho_all_2_an_all_in_player_has_no_turn_and_the_streets_are_dealt_out() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 30)
    play(rounds, ALL_IN, CALL, FOLD)
    assert rounds.no_more_betting
    assert not rounds.is_over
    rounds.open(1, 1)
    assert rounds.turn is None
    assert rounds.is_closed


def test_tho_all_3_two_who_are_not_all_in_bet_on() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 30)
    play(rounds, ALL_IN, CALL, CALL)
    assert not rounds.no_more_betting
    rounds.open(1, 1)
    assert play(rounds, CHECK, CHECK) == [1, 2]


def test_thl_end_1_a_raise_that_nobody_could_call_is_none() -> None:
    rounds = before_the_flop(CIRCLE, 100, 30)
    play(rounds, (RAISE, 30))
    assert not rounds.legal().may_raise
    rounds = before_the_flop(CIRCLE, 30, 100)
    play(rounds, ALL_IN)
    assert why(rounds, RAISE, 60) == (Reason.NOBODY_TO_ANSWER, None)
    assert why(rounds, ALL_IN) == (Reason.NOBODY_TO_ANSWER, None)
    play(rounds, CALL)
    assert rounds.no_more_betting


def test_thl_end_1_one_left_with_chips_and_everything_matched_has_no_turn() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 2)
    play(rounds, ALL_IN, FOLD)
    assert rounds.no_more_betting  # the big blind has nobody to check to


def test_thl_end_3_thl_end_4_tho_all_14_the_stakes_make_the_pots() -> None:
    rounds = on_the_flop(OPEN, 100, 150, 150)
    play(rounds, ALL_IN, ALL_IN, CALL)
    assert divide(rounds.stakes()).pots == (
        Pot(amount=300, eligible=(1, 2, 3)),
        Pot(amount=100, eligible=(2, 3)),
    )


def test_thl_dlg_2_a_blind_beyond_the_stack_is_all_in_and_the_others_owe_the_whole_blind() -> None:
    rounds = Rounds(replace(CIRCLE, least_bet=10), range(1, 5), {1: 100, 2: 4, 3: 100, 4: 100})
    assert rounds.post(1, 5) == 5
    assert rounds.post(2, 10) == 4
    rounds.open(3, 0)
    assert rounds.is_all_in(2)
    assert (rounds.high, rounds.legal().call, span(rounds)) == (10, 10, (20, 100))
    assert play(rounds, CALL, CALL, CALL) == [3, 4, 1]
    assert rounds.is_closed


def test_thl_dlg_2_the_rest_of_a_short_blind_is_not_asked_of_the_only_one_who_could_pay_it() -> None:
    rounds = Rounds(replace(CIRCLE, least_bet=10), range(1, 4), {1: 100, 2: 4, 3: 100})
    rounds.post(1, 5)
    rounds.post(2, 10)
    rounds.open(3, 0)
    play(rounds, FOLD)
    assert rounds.no_more_betting
    assert divide(rounds.stakes()).returned == (Amount(seat=1, amount=1),)


def test_thl_dlg_2_dead_money_does_not_count_towards_the_call() -> None:
    rounds = Rounds(CIRCLE, range(1, 4), dict.fromkeys(range(1, 4), 100))
    rounds.post(3, 1, live=False)
    rounds.post(1, 1)
    rounds.post(2, 2)
    rounds.open(3, 0)
    assert rounds.legal().call == 2
    assert rounds.pot == 4
    play(rounds, CALL)
    assert rounds.stakes()[2] == Stake(seat=3, bets=2, dead=1)
    assert rounds.put_in(3) == 3
    assert rounds.stack(3) == 97


def test_an_all_in_of_a_stack_that_is_not_known_is_what_is_said() -> None:
    rounds = before_the_flop(CIRCLE, None, None, None, None)
    legal = rounds.legal()
    assert (legal.raise_from, legal.raise_to, legal.all_in, legal.may_go_all_in) == (4, None, None, True)
    assert why(rounds, ALL_IN) == (Reason.NO_AMOUNT, None)
    play(rounds, (RAISE, 20))
    assert why(rounds, RAISE, 30) == (Reason.BELOW_LEAST, 40)
    assert why(rounds, RAISE, 20, is_all_in=True) == (Reason.BELOW_LEAST, 40)
    assert rounds.act(RAISE, 30, is_all_in=True) == Done(
        seat=4, action=RAISE, to=30, added=30, is_all_in=True, reopens=True
    )
    assert why(rounds, CALL, 12) == (Reason.NOT_THE_CALL, 30)
    assert rounds.act(CALL, 12, is_all_in=True) == Done(seat=1, action=CALL, to=12, added=11, is_all_in=True)
    assert rounds.act(ALL_IN, 60) == Done(
        seat=2, action=RAISE, to=60, added=58, is_all_in=True, is_full=True, reopens=True
    )
    assert rounds.turn == 3


def test_a_stack_that_is_known_is_not_overruled_by_a_word() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    assert why(rounds, RAISE, 50, is_all_in=True) == (Reason.NOT_HIS_STACK, 100)
    assert why(rounds, CALL, is_all_in=True) == (Reason.NOT_HIS_STACK, 100)
    assert why(rounds, ALL_IN, 99) == (Reason.NOT_HIS_STACK, 100)


# --- what is only said ------------------------------------------------------------------------------------------------


def test_without_amounts_the_order_of_speech_is_the_same() -> None:
    rounds = before_the_flop(ACTIONS, 100, 100, 100, 100)
    legal = rounds.legal()
    assert (legal.may_check, legal.may_call, legal.call, legal.may_raise) == (False, True, None, True)
    assert (legal.raise_from, legal.raise_to, legal.all_in) == (None, None, None)
    assert play(rounds, CALL, RAISE, CALL, FOLD, CALL) == [3, 4, 1, 2, 3]
    assert rounds.is_closed
    assert rounds.last_aggressor == 4
    assert (rounds.high, rounds.pot, rounds.stake(4), rounds.put_in(4), rounds.stack(4)) == (None,) * 5
    with pytest.raises(ValueError, match="no amounts"):
        rounds.stakes()
    rounds.open(1, 1)
    assert rounds.legal().is_bet
    assert play(rounds, CHECK, CHECK, CHECK) == [1, 3, 4]


def test_without_amounts_the_small_blind_calls_and_the_big_blind_checks() -> None:
    rounds = before_the_flop(ACTIONS, None, None, None)
    play(rounds, CALL)
    assert rounds.legal().may_check is False
    play(rounds, CALL)
    assert rounds.legal().may_check is True
    assert rounds.judged(RAISE, 4) == Wrong(reason=Reason.AMOUNT_NOT_ENTERED, legal=rounds.legal())


def test_without_amounts_an_all_in_is_said_to_be_a_call_or_a_raise() -> None:
    rounds = before_the_flop(ACTIONS, None, None, None)
    assert why(rounds, ALL_IN) == (Reason.CALL_OR_RAISE, None)
    rounds.act(RAISE, is_all_in=True)
    rounds.act(CALL, is_all_in=True)
    assert rounds.turn == 2
    assert rounds.legal().may_raise is False
    play(rounds, CALL)
    assert rounds.no_more_betting


def test_thl_mis_9_without_amounts_it_is_known_who_put_anything_in() -> None:
    rounds = before_the_flop(ACTIONS, None, None, None, None, None)

    def have_put_in() -> list[int]:
        return [seat for seat in rounds.order if rounds.has_put_in(seat)]

    assert have_put_in() == [1, 2]
    play(rounds, RAISE, FOLD, CALL)
    assert have_put_in() == [1, 2, 3, 5]
    rounds.undo()
    assert have_put_in() == [1, 2, 3]
    rounds.leave(1, returned=True)
    assert have_put_in() == [2, 3]
    play(rounds, FOLD, CALL)
    rounds.open(1, 1)
    assert have_put_in() == [2, 3], "also of the rounds before"


def test_thl_ini_7_without_amounts_dead_money_was_put_in_too() -> None:
    rounds = Rounds(ACTIONS, (1, 2, 3), {})
    rounds.post(3, None, live=False)
    assert [seat for seat in rounds.order if rounds.has_put_in(seat)] == [3]


def test_tho_lim_1_without_amounts_the_raises_of_fixed_limit_are_counted() -> None:
    rounds = before_the_flop(replace(FIXED, amounts=False, units=()), None, None, None)
    play(rounds, RAISE, RAISE, RAISE)
    assert why(rounds, RAISE) == (Reason.RAISES_USED_UP, 3)


# --- deadlines and the last aggressor ---------------------------------------------------------------------------------


def test_thl_mis_8_amb_11_actions_of_different_players_are_counted_and_blinds_are_not() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    assert [rounds.voluntary(action) for action in TwoActions] == [0, 0, 0]
    play(rounds, FOLD)
    assert [rounds.voluntary(action) for action in TwoActions] == [1, 1, 0]
    play(rounds, CALL, CHECK)
    assert rounds.actors == (3, 1, 2)
    assert [rounds.voluntary(action) for action in TwoActions] == [3, 3, 1]
    rounds.open(1, 1)
    play(rounds, (BET, 2), (RAISE, 4), CALL)
    assert [rounds.voluntary(action) for action in TwoActions] == [3, 6, 4]


def test_thl_sdn_1_amb_30_a_blind_or_a_call_is_no_last_bet() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    play(rounds, CALL, CALL, CHECK)
    assert (rounds.last_aggressor, rounds.last_aggressor_of_round) == (None, None)
    rounds.open(1, 1)
    play(rounds, CHECK, (BET, 2), CALL, CALL)
    rounds.open(1, 2)
    play(rounds, CHECK, CHECK, CHECK)
    assert (rounds.last_aggressor, rounds.last_aggressor_of_round) == (2, None)


# --- hands that end out of turn ---------------------------------------------------------------------------------------


def test_thl_cre_4_amb_35_a_hand_with_its_chips_returned_lowers_what_is_to_be_matched() -> None:
    rounds = before_the_flop(OPEN, 100, 100, 100, 100)
    play(rounds, (RAISE, 6), (RAISE, 20))
    rounds.leave(4, returned=True)
    assert rounds.turn == 1
    assert rounds.legal().call == 5
    assert span(rounds) == (10, 100)  # what seat 4 raised is no last raise any more
    assert rounds.last_aggressor == 3
    assert (rounds.stack(4), rounds.put_in(4), rounds.pot) == (100, 0, 9)
    assert rounds.stakes()[3] == Stake(seat=4, bets=0, folded=True)


def test_thl_cre_4_what_was_put_in_before_goes_back_too_and_the_other_bets_stand() -> None:
    rounds = before_the_flop(OPEN, 100, 100, 100)
    play(rounds, CALL, CALL, CHECK)
    rounds.open(1, 1)
    play(rounds, (BET, 10), CALL)
    rounds.leave(2, returned=True)
    assert (rounds.stack(2), rounds.pot, rounds.high) == (100, 4 + 10, 10)
    assert rounds.turn == 3
    assert rounds.last_aggressor == 1


def test_thl_cre_4_the_round_closes_where_the_only_raise_goes_back() -> None:
    rounds = before_the_flop(OPEN, 100, 100, 100, 100)
    play(rounds, CALL, CALL, CALL, (RAISE, 10))
    rounds.leave(2, returned=True)
    assert rounds.is_closed
    assert rounds.high == 2


def test_thl_ple_12_a_dead_hand_leaves_its_chips_and_the_turn_moves_on() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 100)
    play(rounds, (RAISE, 10))
    rounds.leave(4, returned=False)
    rounds.leave(3, returned=False)
    assert (rounds.turn, rounds.high, rounds.legal().call, rounds.pot) == (1, 10, 9, 13)
    rounds.leave(1, returned=False)
    assert rounds.is_over
    assert rounds.turn is None
    with pytest.raises(ValueError, match="out already"):
        rounds.leave(1, returned=False)


def test_a_hand_can_be_declared_dead_before_the_first_round_and_after_an_all_in() -> None:
    rounds = Rounds(CIRCLE, range(1, 4), dict.fromkeys(range(1, 4), 100))
    rounds.post(1, 1)
    rounds.post(2, 2)
    rounds.leave(3, returned=False)
    rounds.open(3, 0)
    assert rounds.turn == 1
    play(rounds, ALL_IN)
    rounds.leave(1, returned=True)
    assert rounds.is_over
    assert rounds.pot == 2


def test_amb_26_a_fold_out_of_turn_is_final_and_no_action_in_turn() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100, 100)
    rounds.fold_out_of_turn(1)
    assert rounds.voluntary(TwoActions.ANY_TWO) == 0
    assert play(rounds, CALL, CALL, CHECK) == [3, 4, 2]
    with pytest.raises(ValueError, match="cannot fold"):
        rounds.fold_out_of_turn(1)


# --- taking back ------------------------------------------------------------------------------------------------------


def test_thl_ple_16_the_last_action_is_taken_back_until_the_next_round_begins() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    assert not rounds.can_undo
    play(rounds, (RAISE, 10), CALL)
    last = rounds.act(CALL)
    assert rounds.is_closed
    assert rounds.undo() == last
    assert (rounds.turn, rounds.pot, rounds.stack(2), rounds.actors) == (2, 22, 98, (3, 1))
    rounds.undo()
    rounds.undo()
    assert (rounds.turn, rounds.pot, rounds.high, rounds.last_aggressor) == (3, 3, 2, None)
    with pytest.raises(ValueError, match="nothing was done"):
        rounds.undo()
    play(rounds, CALL, CALL, CHECK)
    rounds.open(1, 1)
    assert not rounds.can_undo


# --- calls that make no sense -----------------------------------------------------------------------------------------


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100, 100)
    with pytest.raises(ValueError, match="below-least"):
        rounds.act(RAISE, 3)
    assert (rounds.turn, rounds.pot, rounds.can_undo) == (3, 3, False)
    verdict = rounds.judged(RAISE, 3)
    assert verdict == Wrong(reason=Reason.BELOW_LEAST, limit=4, legal=rounds.legal())
    with pytest.raises(ValueError, match="not the turn"):
        rounds.carry_out(Done(seat=1, action=FOLD, to=1, added=0))


def test_nobody_acts_between_rounds() -> None:
    rounds = before_the_flop(CIRCLE, 100, 100)
    play(rounds, CALL, CHECK)
    assert rounds.judged(CHECK) == Wrong(reason=Reason.NO_TURN)
    with pytest.raises(ValueError, match="nobody has the turn"):
        rounds.legal()
    with pytest.raises(ValueError, match="before the first round"):
        rounds.post(1, 1)
    rounds.open(1, 1)
    with pytest.raises(ValueError, match="not closed"):
        rounds.open(1, 2)


def test_a_table_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="two different seats"):
        Rounds(CIRCLE, (1, 1), {})
    with pytest.raises(ValueError, match="units"):
        Rounds(replace(FIXED, units=()), (1, 2), {})
    rounds = Rounds(CIRCLE, (1, 2), {1: 0, 2: 5})
    with pytest.raises(ValueError, match="nothing to post"):
        rounds.post(1, 1)
    with pytest.raises(ValueError, match="a blind of"):
        rounds.post(2, None)
    with pytest.raises(ValueError, match="not dealt in"):
        rounds.post(3, 1)


def test_twice_the_highest_and_a_full_raise_only_go_together() -> None:
    rules = replace(OPEN, minimum_raise=MinimumRaise.TWICE_THE_HIGHEST)
    rounds = on_the_flop(rules, 100, 15, 19, 100)
    play(rounds, (BET, 10), ALL_IN, ALL_IN, (RAISE, 38))
    assert span(rounds) == (76, 100)


def test_thl_ple_2c_a_fold_to_a_bet_or_a_raise_is_final_and_one_to_the_blind_alone_is_none() -> None:
    rounds = before_the_flop(CIRCLE, 50, 50, 50, 50)
    rounds.act(Action.FOLD)
    assert rounds.folds_facing_a_bet == frozenset()
    rounds.act(Action.RAISE, 6)
    rounds.act(Action.FOLD)
    assert rounds.folds_facing_a_bet == {1}
