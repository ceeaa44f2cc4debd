"""The notation of actions."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import DECK, cards
from tablectl.phh.actions import (
    BadAction,
    BetOrRaise,
    BoardDealt,
    CheckOrCall,
    Fold,
    HoleDealt,
    Muck,
    Show,
    Written,
    action,
    amounts,
)


def read(text: str, *, decimals: int = 0) -> Written | None:
    return action(text, at=7, decimals=decimals)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("d dh p2 AsKd", HoleDealt(at=7, player=2, cards=cards("As Kd"))),
        ("d dh p10 ????", HoleDealt(at=7, player=10, cards=(None, None))),
        ("d dh p1 ??Kd", HoleDealt(at=7, player=1, cards=(None, *cards("Kd")))),
        ("d db Jc3d5c", BoardDealt(at=7, cards=cards("Jc 3d 5c"))),
        ("p1 f", Fold(at=7, player=1)),
        ("p3 cc", CheckOrCall(at=7, player=3)),
        ("p3 cbr 60", BetOrRaise(at=7, player=3, to=60)),
        ("p4 sm", Muck(at=7, player=4)),
        ("p4 sm -", Show(at=7, player=4, cards=None)),
        ("p4 sm AsKd", Show(at=7, player=4, cards=cards("As Kd"))),
        ("  p1   f  ", Fold(at=7, player=1)),
        ("p1 f # he thought for long", Fold(at=7, player=1)),
        ("p1 f#at once", Fold(at=7, player=1)),
        ("", None),
        ("   ", None),
        ("# a burn card was seen", None),
    ],
)
def test_an_action_is_read(text: str, meant: Written | None) -> None:
    assert read(text) == meant


def test_an_amount_is_in_the_smallest_unit() -> None:
    assert read("p1 cbr 0.5", decimals=2) == BetOrRaise(at=7, player=1, to=50)
    assert list(amounts(["p1 cbr 0.5 # 7", "d db Jc3d5c", "p2 cbr 60", "p1 cbr", "# p1 cbr 9", "p1 cbr x"])) == [
        Decimal("0.5"),
        Decimal(60),
    ]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("p1", "'d dh pN cards'"),
        ("d", "'d dh pN cards'"),
        ("d db", "'d dh pN cards'"),
        ("d dh p1", "'d dh pN cards'"),
        ("d dx p1 As", "'d dh pN cards'"),
        ("p1 sd As", "'d dh pN cards'"),
        ("p1 pb", "'d dh pN cards'"),
        ("x1 f", "a player such as p1"),
        ("p0 f", "a player such as p1"),
        ("p100 f", "a player such as p1"),
        ("p1 f 5", "'pN f' and no more"),
        ("p1 cc 5", "'pN cc' and no more"),
        ("p1 cbr", "'pN cbr amount'"),
        ("p1 cbr 0", "'pN cbr amount'"),
        ("p1 cbr -5", "'pN cbr amount'"),
        ("p1 cbr 5 6", "'pN cbr amount'"),
        ("p1 cbr 0.0000001", "'pN cbr amount'"),
        ("p1 cbr 1e3", "'pN cbr amount'"),
        ("p1 cbr ٣", "'pN cbr amount'"),
        ("p1 cbr 10000000000000001", "'pN cbr amount'"),
        ("p1 sm As Kd", "'pN sm'"),
        ("d dh p1 AsK", "cards such as AsKd"),
        ("d db 1s", "cards such as AsKd"),
        ("d db AS", "cards such as AsKd"),
        ("d db ?s", "cards such as AsKd"),
    ],
)
def test_what_cannot_be_read_says_what_would_be_right(text: str, right: str) -> None:
    with pytest.raises(BadAction) as caught:
        read(text)
    assert str(caught.value).startswith(right)


def test_a_card_is_not_shown_by_the_record_that_holds_it() -> None:
    assert "As" not in repr(read("d dh p2 AsKd"))


@given(
    st.text()
    | st.lists(st.sampled_from(["d", "dh", "db", "p1", "f", "cc", "cbr", "sm", "60", "As", "??"])).map(" ".join)
)
def test_no_text_makes_it_raise_anything_else(text: str) -> None:
    try:
        found = read(text)
    except BadAction:
        return
    assert found is None or found.at == 7


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=5, unique=True))
def test_every_card_is_read_as_it_was_written(board: list[object]) -> None:
    found = read("d db " + "".join(card.code for card in DECK if card in board))
    assert isinstance(found, BoardDealt)
    assert set(found.cards) == set(board)
