"""The draw for the button: the highest card, and the suit among equals."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import DECK, Card, card, cards
from tablectl.families.pots.button_draw import high_card


def test_thl_ini_2_the_highest_rank_gets_the_button_whatever_its_suit() -> None:
    assert high_card({2: card("Ks"), 5: card("Ac"), 9: card("Qs")}) == 5
    assert high_card({2: card("Td"), 5: card("9s")}) == 2


def test_thl_ini_2_the_ace_is_high_and_the_deuce_low() -> None:
    assert high_card({1: card("2s"), 2: card("Ac"), 3: card("3c")}) == 2


def test_thl_ini_3_among_equal_ranks_spades_hearts_diamonds_clubs() -> None:
    for better, worse in pairwise(("7s", "7h", "7d", "7c")):
        assert high_card({1: card(better), 2: card(worse)}) == 1
        assert high_card({1: card(worse), 2: card(better)}) == 2


def test_thl_ini_3_the_suit_counts_among_the_highest_alone() -> None:
    assert high_card({1: card("7s"), 2: card("8c"), 3: card("8d")}) == 3


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=10, unique=True))
def test_thl_ini_2_any_draw_has_one_winner_who_beats_everybody_alone(deck: list[Card]) -> None:
    draw = dict(enumerate(deck, start=1))
    best = high_card(draw)
    assert all(high_card({seat: drawn, best: draw[best]}) == best for seat, drawn in draw.items())


def test_thl_ini_2_without_cards_nobody_gets_the_button() -> None:
    with pytest.raises(ValueError, match="no card"):
        high_card({})


@pytest.mark.parametrize("codes", ["As As", "As 3c 3c"])
def test_thl_ini_2_thl_mis_5_the_same_card_twice_gives_it_to_nobody(codes: str) -> None:
    with pytest.raises(ValueError, match="the same card"):
        high_card(dict(enumerate(cards(codes), start=1)))
