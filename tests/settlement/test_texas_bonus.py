"""Who is owed what at Texas Hold'em Bonus, clause by clause and as properties over any hand."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import DECK, Card, cards
from tablectl.core.settlement.banked import BetResult, Outcome, SeatResult
from tablectl.core.settlement.ranking import Category, category, strength
from tablectl.games.texas_bonus.options import AnteBelowStraight, PairOfJacksBonus, TexasBonusProfile, Tie
from tablectl.games.texas_bonus.payouts import UNKNOWN_BETS, Bet, Bets, Seat, bonus_verdict, settle

SHIPPED = TexasBonusProfile()
ALL_BETS = Bets(ante=100, flop=200, turn=100, river=100, bonus=0)
BOARD = "Ah Kd 7c 6s 2d"


def two(text: str) -> tuple[Card, Card]:
    first, second = cards(text)
    return first, second


def seat(
    own: str | None,
    *,
    bets: Bets = ALL_BETS,
    folded: bool = False,
    board: str = BOARD,
    house: str = "4s 4d",
    profile: TexasBonusProfile = SHIPPED,
) -> SeatResult:
    dealt = Seat(seat=1, cards=None if own is None else two(own), bets=bets, folded=folded)
    return settle(board=cards(board), house=cards(house), seats=(dealt,), profile=profile).seats[0]


def paid(result: SeatResult) -> dict[str, int | None]:
    return {bet.bet: bet.pays for bet in result.bets}


def clauses(result: SeatResult) -> list[str]:
    return [bet.clause for bet in result.bets]


# --- the main bets ----------------------------------------------------------------------------------------------------


def test_thb_set_1_a_higher_house_takes_ante_flop_turn_and_river() -> None:
    result = seat("Qs Jc")
    assert paid(result) == {"ante": -100, "flop": -200, "turn": -100, "river": -100}
    assert clauses(result) == ["THB-SET-1"] * 4
    assert result.net == -500


def test_thb_set_1_bets_that_were_not_made_are_not_lost() -> None:
    assert paid(seat("Qs Jc", bets=Bets(ante=100, flop=200, turn=0, river=100, bonus=0))) == {
        "ante": -100,
        "flop": -200,
        "river": -100,
    }


def test_thb_set_2_equal_hands_return_every_main_bet() -> None:
    result = seat("4c 4h")
    assert [(bet.outcome, bet.pays) for bet in result.bets] == [(Outcome.PUSH, 0)] * 4
    assert clauses(result) == ["THB-SET-2"] * 4


def test_thb_set_2_both_playing_the_board_tie() -> None:
    assert seat("2c 3c", board="Ts Js Qs Ks As", house="Ad Ac").net == 0


def test_thb_rnk_11_the_same_combination_is_no_tie_while_a_rank_differs() -> None:
    """The kicker decides (THB-SET-3), the fifth card too (THB-SET-1)."""
    assert paid(seat("As Qc", house="Ac Jc"))["flop"] == 200
    assert paid(seat("Kc 6c", board="As Qd 8h 5c 2d", house="Ks 7h"))["flop"] == -200


@pytest.mark.parametrize(
    ("own", "board", "house"),
    [
        ("As Qc", BOARD, "Ac Jc"),
        ("Kc 6c", "As Qd 8h 5c 2d", "Ks 7h"),
        ("Qs Jc", "Ah Kd Th 6s 2d", "Qd Jd"),
        ("7s 6s", "Ts 9h 8d 2c 2d", "Jc 7c"),
    ],
)
def test_thb_rnk_11_thb_set_2_a_house_may_let_every_two_hands_of_one_combination_tie(
    own: str, board: str, house: str
) -> None:
    result = seat(own, board=board, house=house, profile=TexasBonusProfile(tie=Tie.SAME_CATEGORY))
    assert (result.net, clauses(result)) == (0, ["THB-SET-2"] * 4)


def test_thb_rnk_11_another_combination_never_ties() -> None:
    profile = TexasBonusProfile(tie=Tie.SAME_CATEGORY)
    assert paid(seat("Qs Jc", profile=profile))["flop"] == -200
    assert paid(seat("7s 6d", profile=profile))["flop"] == 200


def test_thb_set_3_a_higher_seat_is_paid_even_money_on_flop_turn_and_river() -> None:
    result = seat("As Qc")
    assert paid(result) == {"ante": 0, "flop": 200, "turn": 100, "river": 100}
    assert [bet.odds for bet in result.bets] == [None, (1, 1), (1, 1), (1, 1)]


def test_thb_set_4_a_straight_pays_the_ante() -> None:
    result = seat("5c 8d", board="7c 6s 4h Kd 2d", house="Ks Ac")
    assert result.category is Category.STRAIGHT
    assert paid(result) == {"ante": 100, "flop": 200, "turn": 100, "river": 100}
    assert result.bets[0].clause == "THB-SET-4"


def test_thb_set_4_the_lowest_straight_is_enough() -> None:
    assert paid(seat("Ac 3d", board="2c 5s 4h Kd 9d", house="Ks Kc"))["ante"] == 100


def test_thb_set_4_a_straight_that_lies_on_the_board_counts() -> None:
    assert paid(seat("9c Ks", board="8c 7s 6h 5d 4d", house="2s 2c"))["ante"] == 100


def test_thb_set_5_three_of_a_kind_leaves_the_ante_unpaid() -> None:
    result = seat("As Ac")
    assert result.category is Category.THREE_OF_A_KIND
    assert result.bets[0] == BetResult(
        bet="ante", outcome=Outcome.PUSH, odds=None, clause="THB-SET-5", stake=100, pays=0
    )


def test_thb_set_5_a_house_may_read_an_unpaid_ante_as_lost() -> None:
    profile = TexasBonusProfile(ante_below_straight=AnteBelowStraight.LOST)
    dealt = Seat(seat=1, cards=two("As Qc"), bets=ALL_BETS, folded=False)
    (result,) = settle(board=cards(BOARD), house=cards("4s 4d"), seats=(dealt,), profile=profile).seats
    assert paid(result) == {"ante": -100, "flop": 200, "turn": 100, "river": 100}


def test_thb_dev_12_a_fold_loses_the_ante() -> None:
    result = seat(None, bets=Bets(ante=100, flop=0, turn=0, river=0, bonus=0), folded=True)
    assert paid(result) == {"ante": -100}
    assert clauses(result) == ["THB-DEV-12"]
    assert result.strength is None


# --- the bonus --------------------------------------------------------------------------------------------------------


def test_thb_dev_4_the_bonus_wins_although_the_seat_folded() -> None:
    result = seat("As Ks", bets=Bets(ante=100, flop=0, turn=0, river=0, bonus=50), folded=True)
    assert paid(result) == {"ante": -100, "bonus": 1250}
    assert result.net == 1150


def test_thb_dev_4_the_bonus_wins_although_the_hand_loses() -> None:
    result = seat("3s 3c", bets=Bets(ante=100, flop=200, turn=0, river=0, bonus=50))
    assert paid(result) == {"ante": -100, "flop": -200, "bonus": 150}


def test_thb_dev_4_the_bonus_is_settled_without_a_board_when_everybody_folded() -> None:
    result = seat("Qs Qc", bets=Bets(ante=100, flop=0, turn=0, river=0, bonus=50), folded=True, board="")
    assert paid(result) == {"ante": -100, "bonus": 500}


def test_thb_bon_0_the_board_makes_no_bonus() -> None:
    assert paid(seat("Ac 9d", bets=Bets(ante=100, flop=200, turn=0, river=0, bonus=50)))["bonus"] == -50


LINES = (
    ("As Ad", "Ah Ac", 1000, "THB-BON-1"),
    ("As Ad", "Ah Kc", 30, "THB-BON-2"),
    ("As Ad", "Kh Ac", 30, "THB-BON-2"),
    ("As Ks", "2h 3c", 25, "THB-BON-3"),
    ("Kd Ad", "Ah Ac", 25, "THB-BON-3"),
    ("As Qs", "2h 3c", 20, "THB-BON-4"),
    ("Jh Ah", "2h 3c", 20, "THB-BON-4"),
    ("As Kd", "2h 3c", 15, "THB-BON-5"),
    ("Ks Kd", "Ah Ac", 10, "THB-BON-6"),
    ("Qs Qd", "2h 3c", 10, "THB-BON-6"),
    ("As Qd", "2h 3c", 5, "THB-BON-7"),
    ("Jc Ad", "2h 3c", 5, "THB-BON-7"),
    *((f"{rank}s {rank}d", "Ah Ac", 3, "THB-BON-8") for rank in "23456789T"),
)


@pytest.mark.parametrize(("own", "house", "to_one", "clause"), LINES)
def test_each_line_of_the_bonus_table_pays_what_it_says(own: str, house: str, to_one: int, clause: str) -> None:
    """THB-BON-1 to -8."""
    verdict = bonus_verdict(cards(own), house=cards(house), profile=SHIPPED)
    assert (verdict.outcome, verdict.odds, verdict.clause) == (Outcome.WIN, (to_one, 1), clause)


@pytest.mark.parametrize("own", ["As Td", "As Ts", "Ks Qs", "Qs Jd", "7s 2d", "Ts 9s"])
def test_thb_bon_9_any_other_two_cards_lose_the_bonus(own: str) -> None:
    verdict = bonus_verdict(cards(own), house=cards("Ah Ac"), profile=SHIPPED)
    assert (verdict.outcome, verdict.clause, verdict.pays(50)) == (Outcome.LOSE, "THB-BON-9", -50)


def test_thb_bon_9_a_pair_of_jacks_loses_as_the_document_reads() -> None:
    assert bonus_verdict(cards("Js Jd"), house=cards("2h 3c"), profile=SHIPPED).pays(50) == -50


def test_thb_bon_6_a_house_may_pay_a_pair_of_jacks_ten_to_one() -> None:
    profile = TexasBonusProfile(pair_of_jacks_bonus=PairOfJacksBonus.PAYS_10_TO_1)
    verdict = bonus_verdict(cards("Js Jd"), house=cards("2h 3c"), profile=profile)
    assert (verdict.odds, verdict.clause) == ((10, 1), "THB-BON-6")


def test_how_often_each_line_of_the_bonus_table_comes_in_all_two_card_hands() -> None:
    """THB-BON-2 to -9, against combinatorics: 6 for a pair, 4 for two suited ranks, 12 for two offsuit ones."""
    counted = dict.fromkeys((f"THB-BON-{line}" for line in range(2, 10)), 0)
    for own in combinations(DECK, 2):
        counted[bonus_verdict(own, house=cards("2h 3c"), profile=SHIPPED).clause] += 1
    assert list(counted.values()) == [6, 4, 8, 12, 12, 24, 54, 1326 - 120]


# --- what is known of the bets ----------------------------------------------------------------------------------------


def test_without_amounts_every_box_has_its_verdict_and_no_sum() -> None:
    result = seat("As Ks", bets=UNKNOWN_BETS)
    assert [(bet.bet, bet.outcome.value, bet.odds) for bet in result.bets] == [
        ("ante", "push", None),
        ("flop", "win", (1, 1)),
        ("turn", "win", (1, 1)),
        ("river", "win", (1, 1)),
        ("bonus", "win", (25, 1)),
    ]
    assert {bet.stake for bet in result.bets} == {bet.pays for bet in result.bets} == {None}
    assert result.net is None


def test_a_box_known_to_be_empty_is_left_out_although_amounts_are_unknown() -> None:
    result = seat("As Ks", bets=Bets(ante=None, flop=None, turn=0, river=None, bonus=0))
    assert [bet.bet for bet in result.bets] == ["ante", "flop", "river"]


def test_one_unknown_stake_leaves_the_house_without_a_sum() -> None:
    seats = tuple(
        Seat(seat=number, cards=two(own), bets=bets, folded=False)
        for number, own, bets in ((1, "As Qc", ALL_BETS), (2, "9s 9c", UNKNOWN_BETS))
    )
    assert settle(board=cards(BOARD), house=cards("4s 4d"), seats=seats, profile=SHIPPED).house_net is None


def test_the_house_always_plays_and_its_hand_is_named() -> None:
    """The bank's best five of seven (THB-DEV-24)."""
    house = settle(board=cards("Ah Kd 7c 7s 2d"), house=cards("4s 4d"), seats=(), profile=SHIPPED).house
    assert house.plays
    assert house.category is Category.TWO_PAIR


def test_without_a_board_the_house_has_no_hand() -> None:
    house = settle(board=(), house=cards("4s 4d"), seats=(), profile=SHIPPED).house
    assert (house.strength, house.category) == (None, None)


@pytest.mark.parametrize(
    ("dealt", "board", "needed"),
    [
        (Seat(seat=3, cards=None, bets=ALL_BETS, folded=False), BOARD, "seat 3 did not fold"),
        (Seat(seat=3, cards=two("As Ks"), bets=ALL_BETS, folded=False), "", "common cards are needed"),
        (Seat(seat=3, cards=None, bets=UNKNOWN_BETS, folded=True), BOARD, "seat 3 has a bonus bet"),
    ],
)
def test_cards_that_are_needed_and_not_there_are_an_error_of_the_caller(dealt: Seat, board: str, needed: str) -> None:
    with pytest.raises(ValueError, match=needed):
        settle(board=cards(board), house=cards("4s 4d"), seats=(dealt,), profile=SHIPPED)


# --- properties -------------------------------------------------------------------------------------------------------


@st.composite
def bets(draw: st.DrawFn, *, folded: bool) -> Bets:
    ante = draw(st.integers(min_value=1, max_value=10**9))
    maybe_ante = st.just(0) if folded else st.sampled_from([0, ante])
    return Bets(
        ante=ante,
        flop=0 if folded else 2 * ante,
        turn=draw(maybe_ante),
        river=draw(maybe_ante),
        bonus=draw(st.integers(min_value=0, max_value=10**9)),
    )


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[Card], list[Card], list[Seat], TexasBonusProfile]:
    deck = draw(st.permutations(DECK))
    seats = []
    for number in range(1, draw(st.integers(min_value=1, max_value=9)) + 1):
        folded = draw(st.booleans())
        own = (deck[5 + 2 * number], deck[6 + 2 * number])
        seats.append(Seat(seat=number, cards=own, bets=draw(bets(folded=folded)), folded=folded))
    profile = TexasBonusProfile(
        pair_of_jacks_bonus=draw(st.sampled_from(PairOfJacksBonus)),
        ante_below_straight=draw(st.sampled_from(AnteBelowStraight)),
        tie=draw(st.sampled_from(Tie)),
    )
    return deck[:5], deck[5:7], seats, profile


@given(hands())
def test_money_is_conserved_and_each_net_is_the_sum_of_its_bets(
    hand: tuple[list[Card], list[Card], list[Seat], TexasBonusProfile],
) -> None:
    """Every seat plays against the house and no other (THB-DEF-1)."""
    board, house, seats, profile = hand
    settlement = settle(board=board, house=house, seats=seats, profile=profile)
    nets = [sum(bet.pays or 0 for bet in result.bets) for result in settlement.seats]
    assert [result.net for result in settlement.seats] == nets
    assert settlement.house_net == -sum(nets)


@given(hands())
def test_every_bet_made_is_settled_once_and_no_other(
    hand: tuple[list[Card], list[Card], list[Seat], TexasBonusProfile],
) -> None:
    board, house, seats, profile = hand
    for dealt, result in zip(seats, settle(board=board, house=house, seats=seats, profile=profile).seats, strict=True):
        made = {bet: getattr(dealt.bets, bet) for bet in Bet if getattr(dealt.bets, bet)}
        assert {bet.bet: bet.stake for bet in result.bets} == made
        assert len(result.bets) == len(made)


@given(hands())
def test_the_main_bets_follow_the_comparison_alone(
    hand: tuple[list[Card], list[Card], list[Seat], TexasBonusProfile],
) -> None:
    """Seat by seat, the best five of seven against the bank's (THB-DEF-2, THB-DEV-25)."""
    board, house, seats, profile = hand
    bank = strength((*board, *house))
    for dealt, result in zip(seats, settle(board=board, house=house, seats=seats, profile=profile).seats, strict=True):
        if dealt.folded or dealt.cards is None:
            continue
        own = strength((*board, *dealt.cards))
        tied = own == bank or (profile.tie is Tie.SAME_CATEGORY and category(own) == category(bank))
        expected = Outcome.PUSH if tied else Outcome.WIN if own > bank else Outcome.LOSE
        assert {bet.outcome for bet in result.bets if bet.bet in {"flop", "turn", "river"}} == {expected}
