"""Who is owed what at Texas Poker against the house, clause by clause and as properties over any hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import DECK, Card, cards
from tablectl.core.settlement.banked import BetResult, HouseHand, Outcome, SeatResult
from tablectl.core.settlement.ranking import Category, strength
from tablectl.games.texas_poker.options import AnteWithoutBank, SecondBet, TexasPokerProfile, Tie, TxbAces
from tablectl.games.texas_poker.payouts import (
    SECOND_IN_ANTES,
    UNKNOWN_BETS,
    WEAKEST_IN_PLAY,
    Bets,
    Seat,
    bank_in_play,
    settle,
    settle_txb,
    txb_verdict,
)
from tests.settlement.by_the_book import Worth, worth

SHIPPED = TexasPokerProfile()
WENT = Bets(ante=100, second=200, txb=0)
WENT_WITH_TXB = Bets(ante=100, second=200, txb=50)
NO_VOY = Bets(ante=100, second=0, txb=50)
BOARD = "Kh Qd 9c 7s 2d"
FOURS = "4s 4d"
NOTHING = "4s 3d"


def two(text: str) -> tuple[Card, Card]:
    first, second = cards(text)
    return first, second


def dealt(own: str | None, *, bets: Bets = WENT, folded: bool = False, number: int = 1) -> Seat:
    return Seat(seat=number, cards=None if own is None else two(own), bets=bets, folded=folded)


def seat(
    own: str | None,
    *,
    bets: Bets = WENT,
    folded: bool = False,
    board: str = BOARD,
    house: str = FOURS,
    profile: TexasPokerProfile = SHIPPED,
) -> SeatResult:
    seats = (dealt(own, bets=bets, folded=folded),)
    return settle(board=cards(board), house=cards(house), seats=seats, profile=profile).seats[0]


def bank(house: str, board: str = BOARD) -> HouseHand:
    return settle(board=cards(board), house=cards(house), seats=(), profile=SHIPPED).house


def paid(result: SeatResult) -> dict[str, int | None]:
    return {bet.bet: bet.pays for bet in result.bets}


def clauses(result: SeatResult) -> dict[str, str]:
    return {bet.bet: bet.clause for bet in result.bets}


def txb(own: str, flop: str, profile: TexasPokerProfile = SHIPPED) -> tuple[str, tuple[int, int] | None, str]:
    verdict = txb_verdict(cards(own), flop=cards(flop), profile=profile)
    return verdict.outcome.value, verdict.odds, verdict.clause


# --- going and folding ------------------------------------------------------------------------------------------------


def test_tpc_dev_9_the_second_bet_is_twice_the_ante_as_shipped() -> None:
    assert SECOND_IN_ANTES[SHIPPED.second_bet] == 2
    assert SECOND_IN_ANTES[SecondBet.SAME_AS_ANTE] == 1


def test_tpc_dev_11_no_voy_loses_the_ante() -> None:
    result = seat(None, bets=Bets(ante=100, second=0, txb=0), folded=True)
    assert (paid(result), clauses(result)) == ({"ante": -100}, {"ante": "TPC-DEV-11"})
    assert (result.net, result.strength) == (-100, None)


def test_tpc_dev_11_tpc_dev_15_no_voy_loses_a_txb_that_would_have_won() -> None:
    """And nobody has to see the cards for it, turned up or not."""
    for own in ("As Ac", None):
        result = seat(own, bets=NO_VOY, folded=True)
        assert paid(result) == {"ante": -100, "txb": -50}
        assert set(clauses(result).values()) == {"TPC-DEV-11"}


def test_tpc_dev_11_no_voy_loses_although_the_bank_stays_out() -> None:
    assert seat("As Ac", bets=NO_VOY, folded=True, house=NOTHING).net == -150


@pytest.mark.parametrize("board", ["", "Kh Qd 9c"])
def test_tpc_dev_11_when_everybody_said_no_voy_no_board_is_needed(board: str) -> None:
    settled = settle(
        board=cards(board), house=cards(FOURS), seats=(dealt(None, bets=NO_VOY, folded=True),), profile=SHIPPED
    )
    assert settled.house == HouseHand(plays=False, strength=None)
    assert settled.house_net == 150


def test_tpc_dev_11_what_a_folded_seat_put_on_the_second_bet_is_no_bet_of_his() -> None:
    """The engine never lets it be; should it lie there, no clause settles it."""
    assert "second" not in paid(seat(None, bets=UNKNOWN_BETS, folded=True))


def test_tpc_dev_11_a_standing_bettor_shares_the_cards_and_loses_without_his_own_second_bet() -> None:
    """AMB-41: three bettors on one box are three seats of the settlement."""
    standing = Bets(ante=40, second=80, txb=0)
    without = Bets(ante=30, second=0, txb=30)
    box = (
        dealt("As Ac"),
        dealt("As Ac", bets=standing),
        dealt("As Ac", bets=without, folded=True),
    )
    settled = settle(board=cards(BOARD), house=cards(FOURS), seats=box, profile=SHIPPED)
    assert [seat_result.net for seat_result in settled.seats] == [300, 120, -60]


@pytest.mark.parametrize("own", ["As Ac", None])
def test_tpc_ple_1_cards_that_were_withdrawn_lose_every_bet_whatever_they_were(own: str | None) -> None:
    withdrawn = Seat(seat=1, cards=None if own is None else two(own), bets=WENT_WITH_TXB, folded=False, withdrawn=True)
    for board in (BOARD, "Kh Qd 9c"):
        settled = settle(board=cards(board), house=cards(NOTHING), seats=(withdrawn,), profile=SHIPPED)
        (result,) = settled.seats
        assert paid(result) == {"ante": -100, "second": -200, "txb": -50}
        assert set(clauses(result).values()) == {"TPC-PLE-1"}
        assert result.strength is None
    (early,) = settle_txb(flop=cards("Kh Qd 9c"), seats=(withdrawn,), profile=SHIPPED)
    assert (paid(early), clauses(early), early.strength) == ({"txb": -50}, {"txb": "TPC-PLE-1"}, None)


def test_tpc_ple_1_cards_withdrawn_before_a_decision_lose_what_lies_there() -> None:
    bets = Bets(ante=100, second=0, txb=0)
    withdrawn = Seat(seat=1, cards=None, bets=bets, folded=False, withdrawn=True)
    (result,) = settle(board=(), house=cards(NOTHING), seats=(withdrawn,), profile=SHIPPED).seats
    assert (paid(result), result.net) == ({"ante": -100}, -100)


# --- the bank comes into play -----------------------------------------------------------------------------------------

IN_PLAY = (
    ("4s 4d", BOARD),
    ("4s 4d", "5h 3d 2c 7s 8d"),
    ("2s 2c", "2d Kh Qd 9c 7s"),
    ("3s 3d", "2d 2h Qd 9c 7s"),
    ("As 3d", "2d 4h 5d 9c Js"),
    ("3s 4d", "4h Kd 9c 7s 2d"),
    ("Js 8d", "4h 4d 9c 7s 2d"),
    ("3d 8d", "Ad Kd Qd 7s 2c"),
)
NOT_IN_PLAY = (
    ("3s 3d", BOARD),
    ("3s 3d", "Ah Kd Qc Js 9d"),
    ("2s Ac", BOARD),
    ("As Jc", BOARD),
    ("Js 8d", "3h 3c 9c 7s 2d"),
)


@pytest.mark.parametrize(("house", "board"), IN_PLAY)
def test_tpc_dev_20_the_bank_plays_with_a_pair_of_fours_or_better_among_seven(house: str, board: str) -> None:
    assert bank(house, board).plays


@pytest.mark.parametrize(("house", "board"), NOT_IN_PLAY)
def test_tpc_dev_20_the_bank_stays_out_with_less(house: str, board: str) -> None:
    assert not bank(house, board).plays


def test_tpc_dev_20_the_line_runs_between_the_best_threes_and_the_worst_fours() -> None:
    assert not bank_in_play(strength(cards("3c 3d Ah Ks Qc")))
    assert bank_in_play(strength(cards("4c 4d 5h 3s 2c")))


@pytest.mark.slow
def test_tpc_dev_20_no_hand_of_five_lies_on_the_wrong_side_of_the_line() -> None:
    plays = Counter(strength(five) >= WEAKEST_IN_PLAY for five in combinations(DECK, 5))
    below = 1_302_540 + 2 * 1_098_240 // 13  # high cards, pairs of twos and of threes
    assert plays == {False: below, True: 2_598_960 - below}


def test_tpc_dev_19_the_board_alone_may_be_the_bank_s_hand() -> None:
    assert bank("2s 3c", "Th Jd Qc Ks Ad").category is Category.STRAIGHT


# --- ante and second bet ----------------------------------------------------------------------------------------------


def test_tpc_dev_21_tpc_dev_22_without_the_bank_the_ante_is_paid_and_the_second_bet_returned() -> None:
    result = seat("As Ac", house=NOTHING)
    assert [(bet.bet, bet.outcome, bet.odds, bet.pays) for bet in result.bets] == [
        ("ante", Outcome.WIN, (1, 1), 100),
        ("second", Outcome.PUSH, None, 0),
    ]
    assert clauses(result) == {"ante": "TPC-DEV-21", "second": "TPC-DEV-22"}


def test_tpc_dev_21_a_lower_hand_is_paid_too_when_the_bank_stays_out() -> None:
    assert paid(seat("5s 3c", house="As 8d")) == {"ante": 100, "second": 0}


def test_tpc_dev_21_an_equal_hand_is_paid_too_when_the_bank_stays_out() -> None:
    assert paid(seat("4h 3c", house=NOTHING)) == {"ante": 100, "second": 0}


def test_tpc_dev_21_without_the_bank_the_table_pays_for_the_players_own_hand() -> None:
    assert paid(seat("Ad Jd", board="Kd Qd 9d 7s 2c", house=NOTHING)) == {"ante": 200, "second": 0}


EVEN_MONEY = TexasPokerProfile(ante_without_bank=AnteWithoutBank.EVEN_MONEY)
HIGHER_HANDS = TexasPokerProfile(ante_without_bank=AnteWithoutBank.HIGHER_HANDS)


def test_tpc_dev_21_a_house_may_pay_evens_when_the_bank_stays_out() -> None:
    flush = seat("Ad Jd", board="Kd Qd 9d 7s 2c", house=NOTHING, profile=EVEN_MONEY)
    assert paid(flush) == {"ante": 100, "second": 0}
    assert clauses(flush) == {"ante": "TPC-DEV-21", "second": "TPC-DEV-22"}


@pytest.mark.parametrize(("own", "ante"), [("As Jc", 100), ("4h 3c", 0), ("3h 5c", 100)])
def test_tpc_dev_21_a_house_may_pay_higher_hands_only_and_return_the_others(own: str, ante: int) -> None:
    result = seat(own, house=NOTHING, profile=HIGHER_HANDS)
    assert paid(result) == {"ante": ante, "second": 0}
    assert clauses(result)["ante"] == "TPC-DEV-21"


def test_tpc_dev_21_a_lower_hand_gets_its_ante_back_where_only_higher_ones_are_paid() -> None:
    result = seat("5s 3c", house="As 8d", profile=HIGHER_HANDS)
    assert result.bets[0] == BetResult(
        bet="ante", outcome=Outcome.PUSH, odds=None, clause="TPC-DEV-21", stake=100, pays=0
    )


def test_tpc_dev_24_equal_hands_keep_ante_and_second_bet_where_they_are() -> None:
    result = seat("4h 4c")
    assert [(bet.outcome, bet.pays) for bet in result.bets] == [(Outcome.PUSH, 0)] * 2
    assert set(clauses(result).values()) == {"TPC-DEV-24"}


def test_tpc_dev_24_a_royal_flush_on_the_board_ties_and_pays_nothing() -> None:
    assert seat("2c 3c", board="Ts Js Qs Ks As", house="Ad Ac").net == 0


def test_tpc_dev_24_the_same_cards_are_equal_ranks_of_different_suits() -> None:
    assert seat("As 3c", board="Kh Kd 9c 7s 2d", house="Ad 3h").net == 0


SAME_CARDS = TexasPokerProfile(tie=Tie.SAME_CARDS)


@pytest.mark.parametrize(
    ("own", "board", "house"),
    [
        ("2c 3c", "Ts Js Qs Ks As", "Ad Ac"),
        ("4h 3c", "Kh Kd Qc Js 9s", "4s 3d"),
        ("As 9c", "Ah Kd Qc Js Tc", "Ad 9d"),  # an ace of his own would do as well as that of the board
    ],
)
def test_tpc_dev_24_where_the_very_same_cards_are_asked_for_the_board_that_both_play_ties(
    own: str, board: str, house: str
) -> None:
    result = seat(own, board=board, house=house, profile=SAME_CARDS)
    assert (paid(result), set(clauses(result).values())) == ({"ante": 0, "second": 0}, {"TPC-DEV-24"})


@pytest.mark.parametrize(
    ("own", "board", "house"),
    [
        ("4h 4c", BOARD, "4s 4d"),
        ("As 3c", "Kh Kd 9c 7s 2d", "Ad 3h"),
        ("9c 3c", "Th Jd Qc Ks 2d", "9s 4d"),
    ],
)
def test_tpc_def_3_tpc_dev_24_where_the_very_same_cards_are_asked_for_equal_ranks_do_not_beat_the_bank(
    own: str, board: str, house: str
) -> None:
    assert seat(own, board=board, house=house).net == 0
    result = seat(own, board=board, house=house, profile=SAME_CARDS)
    assert (paid(result), set(clauses(result).values())) == ({"ante": -100, "second": -200}, {"TPC-DEF-3"})


def test_tpc_dev_21_the_very_same_cards_are_asked_for_only_when_the_bank_plays() -> None:
    assert paid(seat("4h 3c", house=NOTHING, profile=SAME_CARDS)) == {"ante": 100, "second": 0}


def test_tpc_dev_23_tpc_rnk_11_the_fifth_card_still_decides() -> None:
    assert paid(seat("Kc 8c", board="Kd Qh 9h 7s 2d", house="Ks Tc")) == {"ante": -100, "second": -200}
    assert paid(seat("Kc Tc", board="Kd Qh 9h 7s 2d", house="Ks 8c")) == {"ante": 100, "second": 200}


def test_tpc_dev_25_a_higher_bank_takes_ante_and_second_bet() -> None:
    result = seat("As Jc")
    assert paid(result) == {"ante": -100, "second": -200}
    assert set(clauses(result).values()) == {"TPC-DEV-25"}
    assert result.net == -300


def test_tpc_dev_26_tpc_dev_27_tpc_pay_9_a_higher_seat_is_paid_by_the_table_and_at_evens() -> None:
    result = seat("Ks Jc")
    assert [(bet.bet, bet.odds, bet.pays) for bet in result.bets] == [
        ("ante", (1, 1), 100),
        ("second", (1, 1), 200),
    ]
    assert clauses(result) == {"ante": "TPC-DEV-26", "second": "TPC-DEV-27"}


# The line's clause, own cards, board, what the ante pays to one; the bank is in play.
ANTE_LINES = (
    ("TPC-PAY-1", "As Ks", "Qs Js Ts 4h 2d", 100),
    ("TPC-PAY-2", "9s 8s", "Qs Js Ts 4h 2d", 20),
    ("TPC-PAY-2", "Ah 2h", "3h 4h 5h Kd 9c", 20),
    ("TPC-PAY-3", "9s 9c", "9h 9d Ts 4h 2d", 10),
    ("TPC-PAY-4", "9s 9c", "9h Td Ts 5h 2d", 3),
    ("TPC-PAY-5", "As 3s", "Qs 8s Ts 4h 2d", 2),
    ("TPC-PAY-6", "9s 8c", "Qs Jh Ts 4h 2d", 1),
    ("TPC-PAY-6", "Ac 2d", "3h 4s 5h Kd 9c", 1),
    ("TPC-PAY-6", "9s 9c", "9h Td 7s 5h 2d", 1),
    ("TPC-PAY-6", "9s Tc", "9h Td 7s 5h 2d", 1),
    ("TPC-PAY-6", "9s Ac", "9h Td 7s 5h 2d", 1),
)


@pytest.mark.parametrize(("line", "own", "board", "to_one"), ANTE_LINES)
def test_tpc_pay_0_each_line_of_the_ante_table_pays_what_it_says(line: str, own: str, board: str, to_one: int) -> None:
    """TPC-PAY-0 to -6; the second bet earns even money beside every one of them (TPC-PAY-9)."""
    assert line.startswith("TPC-PAY")
    result = seat(own, board=board, house="4s 4d")
    assert [bet.odds for bet in result.bets] == [(to_one, 1), (1, 1)]
    assert paid(result) == {"ante": 100 * to_one, "second": 200}


# A pair on the board is the bank's as well: four of a kind and a full house meet a bank out of play only with twos or
# threes there.
LINES_WITHOUT_BANK = (
    ("TPC-PAY-1", "As Ks", "Qs Js Ts 4h 2d", 100),
    ("TPC-PAY-2", "9s 8s", "Qs Js Ts 4h 2d", 20),
    ("TPC-PAY-3", "3s 3h", "3d 3c Ts 9h 7d", 10),
    ("TPC-PAY-4", "9s 9c", "9h 2d 2s Jh 7d", 3),
    ("TPC-PAY-5", "As 3s", "Qs 8s Ts 4h 2d", 2),
    ("TPC-PAY-6", "9s 8c", "Qs Jh Ts 4h 2d", 1),
    ("TPC-PAY-6", "9s 9c", "9h Td 7s 5h 2d", 1),
    ("TPC-PAY-6", "As 8c", "Qs Jh Ts 4h 2d", 1),
)


@pytest.mark.parametrize(("line", "own", "board", "to_one"), LINES_WITHOUT_BANK)
def test_tpc_dev_21_each_line_pays_alike_when_the_bank_stays_out(line: str, own: str, board: str, to_one: int) -> None:
    """TPC-PAY-0 to -6."""
    assert line.startswith("TPC-PAY")
    result = seat(own, board=board, house="6d Kc")
    assert paid(result) == {"ante": 100 * to_one, "second": 0}
    assert clauses(result) == {"ante": "TPC-DEV-21", "second": "TPC-DEV-22"}


def test_tpc_pay_6_the_highest_cards_alone_get_even_money_and_only_without_the_bank() -> None:
    """High card is a line of the table, yet no high card beats a bank that is in play."""
    assert paid(seat("As Jc", house=NOTHING)) == {"ante": 100, "second": 0}


def test_tpc_pay_0_the_table_looks_at_the_players_hand_and_not_at_the_banks() -> None:
    result = seat("9s 9c", board="9h Td Ts 5h 2d", house="Tc 2s")  # full house against tens full
    assert result.category is Category.FULL_HOUSE
    assert result.net == -300


# --- the TXB ----------------------------------------------------------------------------------------------------------

TXB_LINES = (
    ("TPC-PAY-7", "As Ks", "Qs Js Ts", 25),
    ("TPC-PAY-7", "Ah 2h", "3h 4h 5h", 25),
    ("TPC-PAY-7", "9s 9c", "9h 9d Ts", 25),
    ("TPC-PAY-7", "9s 9c", "9h Td Ts", 25),
    ("TPC-PAY-7", "2s 3s", "4s 5s 7s", 25),
    ("TPC-PAY-8", "As Kc", "Qs Jh Ts", 7),
    ("TPC-PAY-8", "Ac 2d", "3h 4s 5h", 7),
    ("TPC-PAY-8", "2s 2c", "2h 4s 5h", 7),
    ("TPC-PAY-8", "2s 2c", "3h 3s 4h", 7),
    ("TPC-PAY-8", "As Ac", "2h 3s 4h", 7),
    ("TPC-PAY-8", "As 9c", "Ah 3s 4h", 7),
    ("TPC-PAY-8", "9s 8c", "Ah As 4h", 7),
)


@pytest.mark.parametrize(("line", "own", "flop", "to_one"), TXB_LINES)
def test_tpc_pay_7_tpc_pay_8_each_line_of_the_txb_table_pays_what_it_says(
    line: str, own: str, flop: str, to_one: int
) -> None:
    """TPC-PAY-7 and -8."""
    assert txb(own, flop) == ("win", (to_one, 1), line)


@pytest.mark.parametrize(("own", "flop"), [("Ks Kc", "Ah Qd Jc"), ("As Kc", "Qh Jd 9c"), ("2s 2c", "3h 4d 5c")])
def test_tpc_dev_14_tpc_dev_16_less_than_a_pair_of_aces_loses(own: str, flop: str) -> None:
    assert txb(own, flop) == ("lose", None, "TPC-DEV-14")


def test_tpc_pay_8_the_least_two_pair_pays_where_both_aces_have_to_be_in_the_hand() -> None:
    """There no pair of aces of the flop pays for it."""
    own_aces = TexasPokerProfile(txb_aces=TxbAces.OWN_CARDS)
    assert txb("3h 2d", "3s 2c 4c", own_aces) == ("win", (7, 1), "TPC-PAY-8")


def test_tpc_dev_16_turn_and_river_make_no_txb() -> None:
    result = seat("As Jc", bets=WENT_WITH_TXB, board="Kh Qd 9c Ad Ah")
    assert paid(result)["txb"] == -50
    assert paid(seat("As Jc", bets=WENT_WITH_TXB, board="Ad Kh Qd 9c 2h"))["txb"] == 350


def test_tpc_dev_16_the_txb_wins_although_the_hand_loses() -> None:
    result = seat("As 8c", bets=WENT_WITH_TXB, board="Ad Qh 4h 7s 2d", house=FOURS)
    assert paid(result) == {"ante": -100, "second": -200, "txb": 350}
    assert clauses(result)["txb"] == "TPC-PAY-8"


def test_tpc_dev_16_a_house_may_ask_for_both_aces_in_the_hand() -> None:
    profile = TexasPokerProfile(txb_aces=TxbAces.OWN_CARDS)
    assert txb("As Ac", "2h 3s 4h", profile)[0] == "win"
    assert txb("As 9c", "Ah 3s 4h", profile) == ("lose", None, "TPC-DEV-14")
    assert txb("9s 8c", "Ah As 4h", profile)[0] == "lose"
    assert txb("9s 9c", "Ah As 4h", profile)[0] == "win"  # two pair: no line of aces alone


def test_tpc_dev_15_who_did_not_bet_on_the_txb_wins_nothing_with_it() -> None:
    assert "txb" not in paid(seat("As Ac"))


def test_tpc_dev_14_the_txb_is_settled_by_itself_before_the_turn() -> None:
    seats = (
        dealt("As Ac", bets=WENT_WITH_TXB, number=1),
        dealt("Ks Kc", bets=WENT_WITH_TXB, number=2),
        dealt("Qs Qc", number=4),
        dealt(None, bets=NO_VOY, folded=True, number=7),
    )
    results = settle_txb(flop=cards("Kh Qd 9c"), seats=seats, profile=SHIPPED)
    assert [(result.seat, paid(result), clauses(result)) for result in results] == [
        (1, {"txb": 350}, {"txb": "TPC-PAY-8"}),
        (2, {"txb": 350}, {"txb": "TPC-PAY-8"}),
        (7, {"txb": -50}, {"txb": "TPC-DEV-11"}),
    ]
    assert [result.category for result in results] == [Category.PAIR, Category.THREE_OF_A_KIND, None]


def test_tpc_dev_15_a_box_of_which_nothing_is_known_has_its_txb_verdict_before_the_turn() -> None:
    seats = (dealt("As Ac", bets=UNKNOWN_BETS), dealt("Js Jc", bets=UNKNOWN_BETS, folded=True, number=2))
    stays, folded = settle_txb(flop=cards("Kh Qd 9c"), seats=seats, profile=SHIPPED)
    assert [(bet.outcome, bet.pays) for bet in (*stays.bets, *folded.bets)] == [
        (Outcome.WIN, None),
        (Outcome.LOSE, None),
    ]
    assert (stays.category, folded.category) == (Category.PAIR, None)


def test_tpc_cre_1_a_winner_who_claimed_nothing_is_paid_all_the_same() -> None:
    """The cards speak: no result depends on what was said or shown."""
    assert seat("9s 9c", bets=WENT_WITH_TXB, board="9h Td Ts 5h 2d").net == 300 + 200 + 25 * 50


@pytest.mark.slow
def test_tpc_dev_16_how_many_of_all_hands_of_five_win_the_txb() -> None:
    """Against combinatorics; the verdict depends on the five cards alone, whichever two are the player's own."""
    counted = Counter(txb_verdict(five[:2], flop=five[2:], profile=SHIPPED).clause for five in combinations(DECK, 5))
    flush_up = 4 + 36 + 624 + 3_744 + 5_108
    aces_up = 10_200 + 54_912 + 123_552 + 1_098_240 // 13
    assert counted == {
        "TPC-PAY-7": flush_up,
        "TPC-PAY-8": aces_up,
        "TPC-DEV-14": 2_598_960 - flush_up - aces_up,
    }


# --- what is known of the bets ----------------------------------------------------------------------------------------


def test_without_amounts_every_box_has_its_verdict_and_no_sum() -> None:
    result = seat("As Ac", bets=UNKNOWN_BETS, board="Kh Qd 9c 7s 2d")
    assert [(bet.bet, bet.outcome.value, bet.odds) for bet in result.bets] == [
        ("ante", "win", (1, 1)),
        ("second", "win", (1, 1)),
        ("txb", "win", (7, 1)),
    ]
    assert {bet.stake for bet in result.bets} == {bet.pays for bet in result.bets} == {None}
    assert result.net is None


def test_tpc_dev_11_without_amounts_a_folded_seat_loses_whatever_lies_there() -> None:
    result = seat(None, bets=UNKNOWN_BETS, folded=True)
    assert [(bet.bet, bet.outcome, bet.pays) for bet in result.bets] == [
        ("ante", Outcome.LOSE, None),
        ("txb", Outcome.LOSE, None),
    ]


def test_a_box_known_to_be_empty_is_left_out_although_amounts_are_unknown() -> None:
    result = seat("As Ac", bets=Bets(ante=None, second=None, txb=0))
    assert [bet.bet for bet in result.bets] == ["ante", "second"]


def test_one_unknown_stake_leaves_the_house_without_a_sum() -> None:
    seats = (dealt("As Ac"), dealt("Js Jc", bets=UNKNOWN_BETS, number=2))
    assert settle(board=cards(BOARD), house=cards(FOURS), seats=seats, profile=SHIPPED).house_net is None


@pytest.mark.parametrize(
    ("wrong", "board", "needed"),
    [
        (dealt(None, number=3), BOARD, "seat 3 did not fold"),
        (dealt("As Ks", number=3), "", "common cards are needed"),
        (dealt("As Ks", number=3), "Kh Qd 9c", "common cards are needed"),
    ],
)
def test_cards_that_are_needed_and_not_there_are_an_error_of_the_caller(wrong: Seat, board: str, needed: str) -> None:
    with pytest.raises(ValueError, match=needed):
        settle(board=cards(board), house=cards(FOURS), seats=(wrong,), profile=SHIPPED)


def test_a_txb_cannot_be_decided_without_the_cards() -> None:
    with pytest.raises(ValueError, match="seat 3 has a TXB"):
        settle_txb(flop=cards("Kh Qd 9c"), seats=(dealt(None, bets=WENT_WITH_TXB, number=3),), profile=SHIPPED)


# --- properties -------------------------------------------------------------------------------------------------------


class Hand(NamedTuple):
    board: list[Card]
    house: list[Card]
    seats: list[Seat]
    profile: TexasPokerProfile


AMOUNTS = st.integers(min_value=1, max_value=10**9)
PROFILES = st.builds(
    TexasPokerProfile,
    second_bet=st.sampled_from(SecondBet),
    txb_aces=st.sampled_from(TxbAces),
    ante_without_bank=st.sampled_from(AnteWithoutBank),
    tie=st.sampled_from(Tie),
)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    deck = draw(st.permutations(DECK))
    profile = draw(PROFILES)
    seats = []
    for number in range(1, draw(st.integers(min_value=1, max_value=9)) + 1):
        folded, ante = draw(st.booleans()), draw(AMOUNTS)
        second = 0 if folded else ante * SECOND_IN_ANTES[profile.second_bet]
        bets = Bets(ante=ante, second=second, txb=draw(st.just(0) | AMOUNTS))
        own = (deck[5 + 2 * number], deck[6 + 2 * number])
        seats.append(Seat(seat=number, cards=own, bets=bets, folded=folded))
    return Hand(board=deck[:5], house=deck[5:7], seats=seats, profile=profile)


ANTE_PAYS = {10: 100, 9: 20, 8: 10, 7: 3, 6: 2, 5: 1, 4: 1, 3: 1, 2: 1, 1: 1}


def in_play(of: Worth) -> bool:
    """A pair of fours or better, by the book (TPC-DEV-20)."""
    return of[0] > 2 or (of[0] == 2 and of[1][0] >= 4)


def owed(seat: Seat, hand: Hand) -> dict[str, int]:
    """What document 000 owes a seat, told over again without anything of the settlement (TPC-DEV-11 to -27)."""
    ante, second, txb = seat.bets.ante or 0, seat.bets.second or 0, seat.bets.txb or 0
    if seat.cards is None or seat.folded:
        return {"ante": -ante, "second": -second, "txb": -txb}
    own, bank = worth([*hand.board, *seat.cards]), worth([*hand.board, *hand.house])
    if not in_play(bank):
        by_table = ante * ANTE_PAYS[own[0]]
        readings = {"pay-table": by_table, "even-money": ante, "higher-hands": by_table if own > bank else 0}
        main = {"ante": readings[hand.profile.ante_without_bank], "second": 0}
    elif own > bank:
        main = {"ante": ante * ANTE_PAYS[own[0]], "second": second}
    else:
        tied = own == bank and (hand.profile.tie == "equal-ranks" or worth(hand.board) == own)
        main = {"ante": 0, "second": 0} if tied else {"ante": -ante, "second": -second}
    return {**main, "txb": txb * txb_to_one([*seat.cards, *hand.board[:3]], hand.profile)}


def txb_to_one(five: list[Card], profile: TexasPokerProfile) -> int:
    """The player's two cards first (TPC-DEV-16)."""
    category, ranks = worth(five)
    if category >= 6:
        return 25
    if category == 2 and ranks[0] == 14 and profile.txb_aces == "own-cards":
        return 7 if five[0].rank == five[1].rank == 14 else -1
    return 7 if category > 2 or (category == 2 and ranks[0] == 14) else -1


@given(hands())
def test_every_seat_gets_what_the_document_owes_it(hand: Hand) -> None:
    """TPC-DEV-11, TPC-DEV-14 to -16, TPC-DEV-19 to -27, against the same rules told over again."""
    settlement = settle(board=hand.board, house=hand.house, seats=hand.seats, profile=hand.profile)
    assert settlement.house.plays == in_play(worth([*hand.board, *hand.house]))
    for dealt_in, result in zip(hand.seats, settlement.seats, strict=True):
        due = owed(dealt_in, hand)
        made = {name: getattr(dealt_in.bets, name) for name in due if getattr(dealt_in.bets, name)}
        assert {bet.bet: bet.stake for bet in result.bets} == made
        assert paid(result) == {name: due[name] for name in made}


@given(hands())
def test_money_is_conserved_and_each_net_is_the_sum_of_its_bets(hand: Hand) -> None:
    """Every seat plays against the house and no other (TPC-DEF-1)."""
    settlement = settle(board=hand.board, house=hand.house, seats=hand.seats, profile=hand.profile)
    nets = [sum(bet.pays or 0 for bet in result.bets) for result in settlement.seats]
    assert [result.net for result in settlement.seats] == nets
    assert settlement.house_net == -sum(nets)
    at_stake = [(player.bets.ante or 0) + (player.bets.second or 0) + (player.bets.txb or 0) for player in hand.seats]
    assert all(net >= -stake for net, stake in zip(nets, at_stake, strict=True))


@given(hands())
def test_what_the_txb_gets_before_the_turn_it_gets_at_the_end(hand: Hand) -> None:
    """TPC-DEV-14."""
    early = settle_txb(flop=hand.board[:3], seats=hand.seats, profile=hand.profile)
    late = settle(board=hand.board, house=hand.house, seats=hand.seats, profile=hand.profile)
    assert {seat_result.seat: seat_result.bets for seat_result in early} == {
        result.seat: bets for result in late.seats if (bets := tuple(bet for bet in result.bets if bet.bet == "txb"))
    }


@given(st.permutations(DECK), PROFILES)
def test_a_better_hand_never_gets_less(deck: list[Card], profile: TexasPokerProfile) -> None:
    """Two seats with the same bets against one bank: TPC-DEF-3. The TXB looks at five cards of its own."""
    board, house = deck[:5], deck[5:7]
    seats = tuple(
        Seat(seat=number, cards=(deck[5 + 2 * number], deck[6 + 2 * number]), bets=WENT, folded=False)
        for number in range(1, 10)
    )
    results = settle(board=board, house=house, seats=seats, profile=profile).seats
    ordered = sorted(results, key=lambda result: result.strength or 0)
    nets = [seat_result.net or 0 for seat_result in ordered]
    assert nets == sorted(nets)


@given(st.permutations(DECK))
def test_a_better_first_five_never_gets_less_from_the_txb(deck: list[Card]) -> None:
    """TPC-PAY-7 and -8, as shipped."""
    flop = deck[:3]
    hole = [deck[place : place + 2] for place in range(3, 51, 2)]
    ordered = sorted(hole, key=lambda own: strength((*own, *flop)))
    pays = [txb_verdict(own, flop=flop, profile=SHIPPED).pays(1) for own in ordered]
    assert pays == sorted(pays)
