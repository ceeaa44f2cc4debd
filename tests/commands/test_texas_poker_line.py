"""`tablectl settle texas-poker`: its bets, its cards, its choices. What all games share is shown by test_settle.py."""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.cli.commands.settle import add_arguments, run

SEAT = {"seat": 1, "cards": ["As", "Ks"], "bets": {"ante": 1000, "second": 2000, "txb": 500}, "folded": False}
HAND = {"board": ["Ah", "Kd", "7c", "7s", "2d"], "house": ["4s", "4d"], "seats": [SEAT]}
FOLDED = {"seat": 2, "cards": None, "bets": {"ante": 700, "txb": 300}, "folded": True}


def settle(text: str, *options: str) -> tuple[int, list[Any], list[str]]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    status = run(parser.parse_args(["texas-poker", *options]), io.StringIO(text), out, err)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue().splitlines()


def result_of(hand: object, *options: str) -> dict[str, Any]:
    status, (result,), errors = settle(json.dumps(hand), *options)
    assert (status, errors) == (0, [])
    assert isinstance(result, dict)
    return result


def told(hand: object, *options: str) -> list[str]:
    """What is said of a line that must be refused, less the place."""
    status, results, errors = settle(json.dumps(hand), *options)
    assert (status, results) == (2, [])
    return [error.removeprefix("settle: line 1: ") for error in errors]


def with_seat(**changes: object) -> dict[str, object]:
    return {**HAND, "seats": [{**SEAT, **changes}]}


def with_bets(*, folded: bool = False, **bets: object) -> dict[str, object]:
    return with_seat(bets=bets, folded=folded)


def test_a_hand_is_settled_in_the_published_shape() -> None:
    assert settle(json.dumps(HAND)) == (
        0,
        [
            {
                "seats": [
                    {
                        "seat": 1,
                        "net": 6500,
                        "bets": {
                            "ante": {"stake": 1000, "outcome": "win", "pays": 1000},
                            "second": {"stake": 2000, "outcome": "win", "pays": 2000},
                            "txb": {"stake": 500, "outcome": "win", "pays": 3500},
                        },
                    }
                ],
                "house": {"plays": True, "hand": "two pair"},
            }
        ],
        [],
    )


def test_tpc_dev_22_a_bank_that_stays_out_does_not_play_and_its_hand_is_named() -> None:
    result = result_of({**HAND, "board": ["Ah", "Kd", "7c", "8s", "2d"], "house": ["4s", "3d"]})
    assert result["house"] == {"plays": False, "hand": "high card"}
    assert result["seats"][0]["bets"]["second"] == {"stake": 2000, "outcome": "push", "pays": 0}


def test_tpc_dev_11_a_folded_seat_needs_no_cards_and_loses_its_txb() -> None:
    result = result_of({**HAND, "seats": [SEAT, FOLDED]})
    assert [seat["net"] for seat in result["seats"]] == [6500, -1000]
    assert result["seats"][1]["bets"]["txb"] == {"stake": 300, "outcome": "lose", "pays": -300}


@pytest.mark.parametrize("board", [[], ["Ah", "Kd", "7c"]], ids=["not told", "the flop"])
def test_a_hand_in_which_everybody_folded_needs_no_turn_and_river(board: list[str]) -> None:
    result = result_of({**HAND, "board": board, "seats": [FOLDED]})
    assert result["seats"][0]["net"] == -1000
    assert result["house"] == {"plays": False, "hand": None}


def test_tpc_dev_16_the_first_three_of_the_board_are_the_flop() -> None:
    aces_late = with_seat(cards=["As", "9s"]) | {"board": ["Kd", "7c", "2d", "Ah", "Ac"]}
    assert result_of(aces_late)["seats"][0]["bets"]["txb"]["pays"] == -500


BAD = (
    ("no second bet", with_bets(ante=1000), "seats[0].bets.second: found 0; would be right: 2000, twice the ante"),
    (
        "as much as the ante",
        with_bets(ante=1000, second=1000),
        "seats[0].bets.second: found 1000; would be right: 2000",
    ),
    ("one too many", with_bets(ante=1000, second=2001), "seats[0].bets.second: found 2001; would be right: 2000"),
    (
        "a folded second bet",
        with_bets(ante=1, second=2, folded=True),
        'seats[0].bets.second: found 2; would be right: nothing, as the seat said "No Voy" instead (TPC-DEV-10)',
    ),
    ("no ante", with_bets(second=2), "seats[0].bets.ante: found no ante; would be right: an ante (TPC-DEV-1:"),
    ("a TXB without ante", with_bets(txb=2), "seats[0].bets.ante: found no ante; would be right: an ante (TPC-DEV-2:"),
    ("the other game's bet", with_bets(ante=1, second=2, flop=2), "seats[0].bets.flop: found a field that does not"),
    ("a negative TXB", with_bets(ante=1, second=2, txb=-1), "seats[0].bets.txb: found -1; would be right: an integer"),
    ("no cards", with_seat(cards=None), "seats[0].cards: found none; would be right: two cards, as the seat did not"),
    (
        "a card twice",
        with_seat(cards=["Ah", "Ks"]),
        "cards: found Ah at board and seat 1; would be right: every card once",
    ),
    (
        "ten seats",
        {**HAND, "seats": [SEAT] * 10},
        "seats: found 10 seats; would be right: a list of 1 to 9 seats (TPC-",
    ),
    ("seat 10", with_seat(seat=10), "seats[0].seat: found 10; would be right: a seat from 1 to 9 (TPC-PLY-1)"),
    ("no board", {**HAND, "board": []}, "board: found no cards; would be right: 5 cards, as somebody did not fold"),
    (
        "the flop alone",
        {**HAND, "board": ["Ah", "Kd", "7c"]},
        "board: found 3 cards; would be right: 5 cards, as somebody",
    ),
    (
        "no river",
        {**HAND, "board": ["Ah", "Kd", "7c", "7s"]},
        "board: found 4 cards; would be right: a list of 5 or 3 or 0",
    ),
    ("an announced hand", with_seat(announced="flush"), "seats[0].announced: found a field that does not belong there"),
)


@pytest.mark.parametrize(("hand", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_line_is_told_by_field_with_what_was_found_and_what_would_be_right(hand: object, message: str) -> None:
    """Among them TPC-CRD-1, TPC-TAB-1, TPC-PLY-1, TPC-DEV-1, -2, -8 to -10, TPC-DEV-19 and TPC-CRE-1."""
    assert any(text.startswith(message) for text in told(hand)), told(hand)


def test_every_mistake_of_a_line_is_told() -> None:
    bad = {"board": ["Ah"], "house": ["4s", "4x"], "seats": [{**SEAT, "bets": {"ante": 1000, "second": 1}}]}
    assert [text.split(":")[0] for text in told(bad)] == ["board", "house[1]", "seats[0].bets.second"]


# --- the house's choices ----------------------------------------------------------------------------------------------


def profile(tmp_path: Path, text: str) -> tuple[str, str]:
    path = tmp_path / "house.toml"
    path.write_text(text)
    return "--profile", str(path)


def test_tpc_dev_9_a_house_may_ask_for_as_much_as_the_ante(tmp_path: Path) -> None:
    options = profile(tmp_path, 'rulebook = "texas-poker"\nsecond_bet = "same-as-ante"\n')
    assert result_of(with_bets(ante=1000, second=1000), *options)["seats"][0]["net"] == 2000
    (message,) = told(HAND, *options)
    assert message == "seats[0].bets.second: found 2000; would be right: 1000, as much as the ante (TPC-DEV-9)"


def test_tpc_dev_16_a_house_may_ask_for_both_aces_in_the_hand(tmp_path: Path) -> None:
    one_ace = with_seat(cards=["As", "9s"])
    options = profile(tmp_path, 'txb_aces = "own-cards"\n')
    assert result_of(one_ace)["seats"][0]["bets"]["txb"]["pays"] == 3500
    assert result_of(one_ace, *options)["seats"][0]["bets"]["txb"]["pays"] == -500


def test_tpc_dev_21_a_house_may_pay_higher_hands_only(tmp_path: Path) -> None:
    lower = with_seat(cards=["3s", "5c"]) | {"board": ["Kd", "Qd", "9c", "7s", "2d"], "house": ["As", "8d"]}
    options = profile(tmp_path, 'ante_without_bank = "higher-hands"\n')
    assert result_of(lower)["seats"][0]["bets"]["ante"]["pays"] == 1000
    assert result_of(lower, *options)["seats"][0]["bets"]["ante"] == {"stake": 1000, "outcome": "push", "pays": 0}


def test_tpc_dev_24_a_house_may_take_the_same_cards_for_the_very_same(tmp_path: Path) -> None:
    equal = with_seat(cards=["4h", "4c"])
    options = profile(tmp_path, 'tie = "same-cards"\n')
    assert result_of(equal)["seats"][0]["bets"]["second"]["outcome"] == "push"
    assert result_of(equal, *options)["seats"][0]["bets"]["second"] == {"stake": 2000, "outcome": "lose", "pays": -2000}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('rulebook = "texas-bonus"', "rulebook: found 'texas-bonus'; would be right: 'texas-poker'"),
        ('pair_of_jacks_bonus = "loses"', "pair_of_jacks_bonus: found a key that this profile does not have"),
        ('txb_aces = "own"', "txb_aces: found 'own'; would be right: 'any-of-five' or 'own-cards'"),
    ],
)
def test_a_profile_of_another_game_ends_the_command_before_the_first_line(
    tmp_path: Path, content: str, message: str
) -> None:
    options = profile(tmp_path, content)
    status, results, errors = settle(json.dumps(HAND), *options)
    assert (status, results) == (2, [])
    assert errors[0].startswith(f"settle: {options[1]}: {message}")


# --- properties -------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["As", "Kd"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=20,
)


@given(st.sampled_from(sorted(SEAT)), JSON)
def test_no_value_of_a_seat_makes_it_raise(name: str, value: object) -> None:
    status, results, errors = settle(json.dumps(with_seat(**{name: value})))
    assert (status, len(results), bool(errors)) in {(0, 1, False), (2, 0, True)}


@given(st.lists(st.sampled_from(["As", "Ks", "2d", "3h", "9c", "xx", ""]), max_size=6), st.sampled_from([SEAT, FOLDED]))
def test_no_board_makes_it_raise(board: list[str], seat: dict[str, object]) -> None:
    status, results, errors = settle(json.dumps({**HAND, "board": board, "seats": [seat]}))
    assert (status, len(results), bool(errors)) in {(0, 1, False), (2, 0, True)}
