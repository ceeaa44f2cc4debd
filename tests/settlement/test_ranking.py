"""Which hand beats which: against a slow evaluation of our own, and over every hand of five there is."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import DECK, Card, cards
from tablectl.core.settlement.ranking import (
    BEST_STRENGTH,
    DISTINCT_STRENGTHS,
    Category,
    category,
    may_open,
    strength,
    weakest,
    weakest_pair,
)
from tablectl.i18n.texts import load_texts
from tests.settlement.by_the_book import Worth, worth, worth_of_five

HANDS = st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True)
DEALS = st.permutations(DECK).map(lambda deck: (deck[:5] + deck[5:7], deck[:5] + deck[7:9]))


@given(DEALS)
def test_the_better_of_two_hands_on_one_board_is_the_better_by_the_book(deal: tuple[list[Card], list[Card]]) -> None:
    one, other = deal
    book = (worth(one) > worth(other)) - (worth(one) < worth(other))
    ours = (strength(one) > strength(other)) - (strength(one) < strength(other))
    assert ours == book


@given(HANDS)
def test_the_category_is_that_of_the_book_for_five_six_and_seven_cards(hand: list[Card]) -> None:
    assert category(strength(hand)) == worth(hand)[0]


@given(HANDS, st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(hand: list[Card], chance: object) -> None:
    assert strength(hand) == strength(sorted(hand, key=lambda card: card.index)) == strength(hand[::-1])


# Each line: a hand of five, weaker than the one below it.
LADDER = (
    ("7c 5d 4h 3s 2c", Category.HIGH_CARD),
    ("8c 5d 4h 3s 2c", Category.HIGH_CARD),
    ("Ac Kd Qh Js 9c", Category.HIGH_CARD),
    ("2c 2d 5h 4s 3c", Category.PAIR),
    ("2c 2d 6h 4s 3c", Category.PAIR),
    ("Ac Ad Kh Qs Jc", Category.PAIR),
    ("3c 3d 2h 2s 4c", Category.TWO_PAIR),
    ("Ac Ad Kh Ks Qc", Category.TWO_PAIR),
    ("2c 2d 2h 4s 3c", Category.THREE_OF_A_KIND),
    ("Ac Ad Ah Ks Qc", Category.THREE_OF_A_KIND),
    ("Ac 2d 3h 4s 5c", Category.STRAIGHT),
    ("2c 3d 4h 5s 6c", Category.STRAIGHT),
    ("Tc Jd Qh Ks Ac", Category.STRAIGHT),
    ("2c 3c 4c 5c 7c", Category.FLUSH),
    ("9h Jh Qh Kh Ah", Category.FLUSH),
    ("2c 2d 2h 3s 3c", Category.FULL_HOUSE),
    ("Ac Ad Ah Ks Kc", Category.FULL_HOUSE),
    ("2c 2d 2h 2s 3c", Category.FOUR_OF_A_KIND),
    ("Ac Ad Ah As Kc", Category.FOUR_OF_A_KIND),
    ("Ad 2d 3d 4d 5d", Category.STRAIGHT_FLUSH),
    ("9s Ts Js Qs Ks", Category.STRAIGHT_FLUSH),
    ("Ts Js Qs Ks As", Category.ROYAL_FLUSH),
)


def test_thb_rnk_0_tpc_rnk_0_each_hand_of_the_ladder_beats_the_one_before() -> None:
    """THL-RNK-0 as well."""
    strengths = [strength(cards(hand)) for hand, _ in LADDER]
    assert strengths == sorted(set(strengths))
    assert (strengths[0], strengths[-1]) == (1, BEST_STRENGTH)


@pytest.mark.parametrize(("hand", "expected"), LADDER)
def test_each_hand_of_the_ladder_has_its_category(hand: str, expected: Category) -> None:
    """THB-RNK-1 to -10, TPC-RNK-1 to -10, THL-RNK-1 to -10."""
    assert category(strength(cards(hand))) is expected


def test_thb_crd_2_tpc_crd_3_the_ace_is_above_the_king_and_the_two_lowest() -> None:
    highest_first = [strength(cards(f"{rank}c {rank}d 3h 4s 6c")) for rank in "AKQJT9875"]
    assert highest_first == sorted(highest_first, reverse=True)
    assert strength(cards("2c 2d 3h 4s 6c")) < highest_first[-1]


def test_thb_crd_3_tpc_crd_4_the_ace_stands_before_the_two_or_after_the_king_and_never_between() -> None:
    assert category(strength(cards("Ac 2d 3h 4s 5c"))) is Category.STRAIGHT
    assert category(strength(cards("Tc Jd Qh Ks Ac"))) is Category.STRAIGHT
    assert category(strength(cards("Qc Kd Ah 2s 3c"))) is Category.HIGH_CARD


def test_thb_rnk_11_tpc_rnk_11_the_last_of_five_cards_still_decides() -> None:
    assert strength(cards("Ac Kd Qh Js 9c")) > strength(cards("Ad Kh Qs Jc 8d"))
    assert strength(cards("Ah Kh Qh 5h 3h")) > strength(cards("Ac Kc Qc 5c 2c"))


def test_suits_decide_nothing() -> None:
    assert strength(cards("Ac Kd Qh Js 9c")) == strength(cards("Ad Kh Qs Jc 9d"))


def test_a_six_and_seventh_card_do_not_count() -> None:
    assert strength(cards("Ac Ad Kh Ks Qc 2d 2h")) == strength(cards("Ac Ad Kh Ks Qc"))


@pytest.mark.parametrize("count", [0, 4, 8])
def test_other_numbers_of_cards_are_not_ranked(count: int) -> None:
    with pytest.raises(ValueError, match=f"not from {count}"):
        strength(DECK[:count])


def test_the_weakest_of_a_category_is_just_above_the_strongest_of_the_one_below() -> None:
    assert category(weakest(Category.STRAIGHT)) is Category.STRAIGHT
    assert weakest(Category.STRAIGHT) == strength(cards("Ac 2d 3h 4s 5c"))
    assert weakest(Category.HIGH_CARD) == 1


def test_every_category_has_its_name_in_both_languages() -> None:
    assert [load_texts().text("category", kind.word, "es") for kind in Category] == [
        "carta mayor",
        "pareja",
        "doble pareja",
        "trío",
        "escalera",
        "color",
        "full",
        "póker",
        "escalera de color",
        "escalera real de color",
    ]
    assert all(load_texts().text("category", kind.word, "en") == kind.word.replace("-", " ") for kind in Category)
    assert sum(DISTINCT_STRENGTHS.values()) == BEST_STRENGTH


# Board, better hole cards, worse hole cards (or as good ones, below), as the circle games compare them.
TIES = (
    pytest.param("Qc Qd Qh Kd 3s", "Qs 2c", "Kc Kh", id="thl-tie-1-four-of-a-kind-above-a-full-house"),
    pytest.param("Kc Kd Qh Qs 3s", "Kh Ks", "Qc Qd", id="thl-tie-1-kings-above-queens"),
    pytest.param("Jc Jd Jh Js 3s", "Td 2c", "4d 2d", id="thl-tie-2-the-fifth-card"),
    pytest.param("8c 8d 9h 9s 2c", "9c 3d", "8h 3c", id="thl-tie-3-the-higher-three"),
    pytest.param("8c 8d 8h 9s 2c", "9c 3d", "2d 3c", id="thl-tie-3-then-the-higher-pair"),
    pytest.param("5c 6d 7h 8s 2c", "9c 3d", "4d 3c", id="thl-tie-4-the-higher-top-card"),
    pytest.param("2c 3d 4h 5s Kc", "6c Kd", "Ac Kh", id="thl-tie-4-the-ace-before-the-two-is-low"),
    pytest.param("5c 6c 7c 8c 2d", "9c 3d", "4c 3h", id="thl-tie-4-straight-flushes-too"),
    pytest.param("2h 5h 9h Kd 3c", "Ah 4h", "Kh Qh", id="thl-tie-5-the-highest-of-the-flush"),
    pytest.param("Ah 5h 9h Kd 3c", "8h 2h", "7h 6h", id="thl-tie-5-then-the-next-ones"),
    pytest.param("Qc Jd 9h 3s 2c", "Qd Qh", "Jc Jh", id="thl-tie-6-the-higher-three"),
    pytest.param("Qc Qd 9h 3s 2c", "Qh Kd", "Qs Jd", id="thl-tie-6-then-the-higher-of-the-others"),
    pytest.param("Qc Qd Ah 3s 2c", "Qh Kd", "Qs Jd", id="thl-tie-6-then-the-other"),
    pytest.param("Qc Jd 9h 3s 2c", "Qd 2d", "Jc 9c", id="thl-tie-7-the-higher-pair"),
    pytest.param("Qc Qd 9h 8s 2c", "9c 3d", "8c 3c", id="thl-tie-7-then-the-second-pair"),
    pytest.param("Qc Qd 9h 9s 2c", "Kc 3d", "Jc 3c", id="thl-tie-7-then-the-card-beside-them"),
    pytest.param("Qc Jd 9h 3s 2c", "Qd 4d", "Jc Ac", id="thl-tie-8-the-higher-pair"),
    pytest.param("Qc Qd 9h 3s 2c", "Kd 4d", "Jc Tc", id="thl-tie-8-then-the-highest-beside-it"),
    pytest.param("Qc Qd Ah 3s 2c", "Kd 4d", "Jc Tc", id="thl-tie-8-then-the-second"),
    pytest.param("Qc Qd Ah Ks 2c", "8d 4d", "7c 4c", id="thl-tie-8-then-the-third"),
    pytest.param("Ac Kd 9h 8s 2c", "Qd 4d", "Jc Tc", id="thl-rnk-10-high-card-to-the-last-of-five"),
)


@pytest.mark.parametrize(("board", "better", "worse"), TIES)
def test_thl_tie_0_thl_tie_1_thl_tie_2_thl_tie_3_thl_tie_4_thl_tie_5_thl_tie_6_thl_tie_7_thl_tie_8_told_apart(
    board: str, better: str, worse: str
) -> None:
    """THL-TIE-0 to -8, THL-RNK-10, AMB-38, AMB-39: each line holds for the five cards alone as well (FCD-WIN-4)."""
    ours, theirs = (cards(f"{board} {own}") for own in (better, worse))
    assert strength(ours) > strength(theirs)
    assert max(map(strength, combinations(ours, 5))) > max(map(strength, combinations(theirs, 5)))
    assert worth(ours) > worth(theirs)


@pytest.mark.parametrize(
    ("board", "one", "other"),
    [
        ("Ac Kd Qh Js Tc", "2c 2d", "9c 9d"),
        ("Ac Kc 9c 8c 7c", "2c Ad", "3d 3h"),
        ("Ac Ad 9h 9s Kc", "2c 3d", "Qc 8h"),
        ("Ac Ad Kh Qs 9c", "2c 3d", "8c 7h"),
        ("2c 5d 9h Ks 3c", "Ac 8d", "Ad 8h"),
    ],
)
def test_tho_def_3_tho_sdn_2_thl_def_2_five_equal_ranks_tie_also_where_the_board_plays(
    board: str, one: str, other: str
) -> None:
    assert strength(cards(f"{board} {one}")) == strength(cards(f"{board} {other}"))


@pytest.mark.parametrize(
    ("hand", "opens"),
    [
        ("Jc Jd 2h 3s 4c", True),
        ("Tc Td Ah Ks Qc", False),
        ("Ac Ad 2h 3s 4c", True),
        ("Ac Kd Qh Js 9c", False),
        ("2c 2d 3h 3s 4c", True),
        ("2c 2d 2h 3s 4c", True),
        ("Ac 2d 3h 4s 5c", True),
    ],
)
def test_fcd_opn_5_a_pair_of_jacks_or_better_may_open(hand: str, *, opens: bool) -> None:
    assert may_open(cards(hand)) is opens


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True))
def test_fcd_opn_5_whatever_is_no_pair_of_jacks_or_better_by_the_book_may_not_open(hand: list[Card]) -> None:
    assert may_open(hand) is (worth(hand) >= (Category.PAIR, (11,)))


@pytest.mark.parametrize(("rank", "index"), [(2, "2"), (10, "T"), (11, "J"), (14, "A")])
def test_the_weakest_pair_of_a_rank_has_the_lowest_cards_beside_it(rank: int, index: str) -> None:
    beside = [text for text in "2345" if text != index][:3]
    lowest = cards(f"{index}c {index}d " + " ".join(f"{text}h" for text in beside))
    assert strength(lowest) == weakest_pair(rank)


@pytest.mark.slow
def test_thb_rnk_0_tpc_rnk_0_every_hand_of_five_there_is_ranks_as_by_the_book() -> None:
    """All 2,598,960: equal by the book is equal here, higher there is higher here, and so many of each category."""
    strengths: dict[Worth, int] = {}
    counted: Counter[Category] = Counter()
    for five in combinations(DECK, 5):
        ours, book = strength(five), worth_of_five(five)
        assert strengths.setdefault(book, ours) == ours, five
        found = category(ours)
        assert found == book[0], five
        counted[found] += 1
    assert [strengths[book] for book in sorted(strengths)] == list(range(1, BEST_STRENGTH + 1))
    assert counted == {
        Category.ROYAL_FLUSH: 4,
        Category.STRAIGHT_FLUSH: 36,
        Category.FOUR_OF_A_KIND: 624,
        Category.FULL_HOUSE: 3_744,
        Category.FLUSH: 5_108,
        Category.STRAIGHT: 10_200,
        Category.THREE_OF_A_KIND: 54_912,
        Category.TWO_PAIR: 123_552,
        Category.PAIR: 1_098_240,
        Category.HIGH_CARD: 1_302_540,
    }
