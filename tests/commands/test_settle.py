"""`tablectl settle`: JSON lines in, JSON lines out, and every mistake in a bad line told."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.cli.commands.settle import add_arguments, run

SEAT = {
    "seat": 1,
    "cards": ["As", "Ks"],
    "bets": {"ante": 1000, "flop": 2000, "turn": 1000, "bonus": 500},
    "folded": False,
}
HAND = {"board": ["Ah", "Kd", "7c", "7s", "2d"], "house": ["4s", "4d"], "seats": [SEAT]}


def settle(text: str, *options: str) -> tuple[int, list[Any], list[str]]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    status = run(parser.parse_args(["texas-bonus", *options]), io.StringIO(text), out, err)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue().splitlines()


def told(hand: object) -> list[str]:
    """What is said of a line that must be refused, less the place."""
    status, results, errors = settle(json.dumps(hand))
    assert (status, results) == (2, [])
    return [error.removeprefix("settle: line 1: ") for error in errors]


def with_seat(**changes: object) -> dict[str, object]:
    return {**HAND, "seats": [{**SEAT, **changes}]}


def with_bets(*, folded: bool = False, **bets: object) -> dict[str, object]:
    return with_seat(bets=bets, folded=folded)


# --- good lines -------------------------------------------------------------------------------------------------------


def test_a_hand_is_settled_in_the_published_shape() -> None:
    assert settle(json.dumps(HAND)) == (
        0,
        [
            {
                "seats": [
                    {
                        "seat": 1,
                        "net": 15500,
                        "bets": {
                            "ante": {"stake": 1000, "outcome": "push", "pays": 0},
                            "flop": {"stake": 2000, "outcome": "win", "pays": 2000},
                            "turn": {"stake": 1000, "outcome": "win", "pays": 1000},
                            "bonus": {"stake": 500, "outcome": "win", "pays": 12500},
                        },
                    }
                ],
                "house": {"plays": True, "hand": "two pair"},
            }
        ],
        [],
    )


def test_one_line_of_output_for_each_line_of_input_and_empty_lines_are_skipped() -> None:
    status, results, errors = settle(f"{json.dumps(HAND)}\n\n  \n{json.dumps(HAND)}\n")
    assert (status, len(results), errors) == (0, 2, [])


def test_nothing_in_is_nothing_out() -> None:
    assert settle("") == (0, [], [])


def test_thb_dev_4_a_hand_in_which_everybody_folded_needs_no_board() -> None:
    bonus = {"ante": 1000, "bonus": 500}
    seats = [
        {**SEAT, "bets": bonus, "folded": True},
        {"seat": 2, "cards": None, "bets": {"ante": 700}, "folded": True},
    ]
    _, (result,), _ = settle(json.dumps({**HAND, "board": [], "seats": seats}))
    assert [seat["net"] for seat in result["seats"]] == [11500, -700]
    assert result["house"] == {"plays": True, "hand": None}


def test_a_folded_seat_may_still_show_its_cards_and_folded_may_be_left_out() -> None:
    stays = {key: value for key, value in SEAT.items() if key != "folded"}
    folded = {"seat": 9, "cards": ["Qc", "Qd"], "bets": {"ante": 5}, "folded": True}
    _, (result,), _ = settle(json.dumps({**HAND, "seats": [stays, folded]}))
    assert [seat["seat"] for seat in result["seats"]] == [1, 9]


# --- bad lines --------------------------------------------------------------------------------------------------------


def test_a_bad_line_is_told_and_the_lines_around_it_are_settled() -> None:
    status, results, errors = settle(f"{json.dumps(HAND)}\n{{}}\n{json.dumps(HAND)}\n")
    assert (status, len(results)) == (2, 2)
    assert errors == [
        f"settle: line 2: line.{name}: found nothing; would be right: a value, which cannot be left out"
        for name in ("board", "house", "seats")
    ]


BAD = (
    (
        "a card twice",
        with_seat(cards=["Ah", "Ks"]),
        "cards: found Ah at board and seat 1; would be right: every card once",
    ),
    ("a card twice in one place", with_seat(cards=["As", "As"]), "cards: found As at seat 1 and seat 1"),
    ("the house's card on the board", {**HAND, "house": ["Ah", "4d"]}, "cards: found Ah at board and house"),
    (
        "four board cards",
        {**HAND, "board": ["Ah", "Kd", "7c", "7s"]},
        "board: found 4 cards; would be right: a list of 5",
    ),
    ("no board", {**HAND, "board": []}, "board: found no cards; would be right: 5 cards"),
    ("one house card", {**HAND, "house": ["4s"]}, "house: found 1 cards; would be right: a list of 2 cards"),
    ("three cards", with_seat(cards=["As", "Ks", "Qs"]), "seats[0].cards: found 3 cards; would be right: a list of 2"),
    ("no cards", with_seat(cards=None), "seats[0].cards: found none; would be right: two cards, as the seat did not"),
    ("no such card", with_seat(cards=["As", "1s"]), 'seats[0].cards[1]: found "1s"; would be right: rank'),
    ("a card in capitals", {**HAND, "house": ["4S", "4d"]}, 'house[0]: found "4S"; would be right: rank'),
    ("a number for a card", {**HAND, "house": [4, "4d"]}, "house[0]: found 4; would be right: rank"),
    ("cards as text", {**HAND, "house": "4s4d"}, 'house: found "4s4d"; would be right: a list of 2 cards'),
    ("an unknown bet", with_bets(ante=1, flop=2, bonuss=5), "seats[0].bets.bonuss: found a field that does not belong"),
    (
        "a negative bet",
        with_bets(ante=1, flop=2, bonus=-5),
        "seats[0].bets.bonus: found -5; would be right: an integer",
    ),
    ("a broken amount", with_bets(ante=1.5), "seats[0].bets.ante: found 1.5; would be right: an integer"),
    ("a round float", with_bets(ante=1000.0), "seats[0].bets.ante: found 1000.0; would be right: an integer"),
    ("an amount as text", with_bets(ante="1000"), 'seats[0].bets.ante: found "1000"; would be right: an integer'),
    ("a truth for an amount", with_bets(ante=True), "seats[0].bets.ante: found true; would be right: an integer"),
    ("too much money", with_bets(ante=10**16), "seats[0].bets.ante: found 10000000000000000; would be right"),
    ("null for a bet", with_bets(ante=None), "seats[0].bets.ante: found null; would be right: an integer"),
    ("no flop bet", with_bets(ante=1000), "seats[0].bets.flop: found 0; would be right: 2000, twice the ante"),
    ("a small flop bet", with_bets(ante=1000, flop=1000), "seats[0].bets.flop: found 1000; would be right: 2000"),
    (
        "a big turn bet",
        with_bets(ante=1, flop=2, turn=2),
        "seats[0].bets.turn: found 2; would be right: 1, exactly the ante",
    ),
    (
        "a small river bet",
        with_bets(ante=2, flop=4, river=1),
        "seats[0].bets.river: found 1; would be right: 2, exactly",
    ),
    ("no ante", with_bets(flop=2), "seats[0].bets.ante: found no ante; would be right: an ante (THB-DEV-2"),
    (
        "a bonus without ante",
        with_bets(bonus=2),
        "seats[0].bets.ante: found no ante; would be right: an ante (THB-DEV-3",
    ),
    (
        "a folded flop bet",
        with_bets(ante=1, flop=2, folded=True),
        "seats[0].bets.flop: found 2; would be right: nothing",
    ),
    (
        "a folded turn bet",
        with_bets(ante=1, turn=1, folded=True),
        "seats[0].bets.turn: found 1; would be right: nothing",
    ),
    ("bets as a list", with_seat(bets=[1]), "seats[0].bets: found [1]; would be right: an object"),
    ("folded as a number", with_seat(folded=0), "seats[0].folded: found 0; would be right: true or false"),
    ("seat 0", with_seat(seat=0), "seats[0].seat: found 0; would be right: a seat from 1 to 9"),
    ("seat 10", with_seat(seat=10), "seats[0].seat: found 10; would be right: a seat from 1 to 9"),
    ("a seat as text", with_seat(seat="1"), 'seats[0].seat: found "1"; would be right: a seat from 1 to 9'),
    ("an unknown field of a seat", with_seat(card=[]), "seats[0].card: found a field that does not belong there"),
    ("an unknown field", {**HAND, "dealer": 1}, "line.dealer: found a field that does not belong there"),
    ("a seat that is none", {**HAND, "seats": [7]}, "seats[0]: found 7; would be right: an object with 'seat'"),
    ("no seats", {**HAND, "seats": []}, "seats: found 0 seats; would be right: a list of 1 to 9 seats"),
    ("ten seats", {**HAND, "seats": [SEAT] * 10}, "seats: found 10 seats; would be right: a list of 1 to 9 seats"),
    ("seats as an object", {**HAND, "seats": {}}, "seats: found {}; would be right: a list of 1 to 9 seats"),
    ("a list", [HAND], "line: found "),
    ("a number", 7, "line: found 7; would be right: an object with 'board' or 'house' or 'seats'"),
)


@pytest.mark.parametrize(("hand", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_line_is_told_by_field_with_what_was_found_and_what_would_be_right(hand: object, message: str) -> None:
    """Among them THB-CRD-1, THB-TAB-2, -3, THB-PLY-1, THB-DEV-2, -3, -11, -15, -20."""
    assert any(text.startswith(message) for text in told(hand)), told(hand)


def test_the_same_seat_twice_is_told() -> None:
    again = {**SEAT, "cards": ["Qs", "Qc"]}
    assert "seats: found seat 1 2 times; would be right: every seat once" in told({**HAND, "seats": [SEAT, again]})


def test_thb_bon_0_a_folded_seat_with_a_bonus_needs_its_cards() -> None:
    (message,) = told(with_seat(cards=None, bets={"ante": 1, "bonus": 1}, folded=True))
    assert message == "seats[0].cards: found none; would be right: two cards, as the seat has a bonus bet (THB-BON-0)"


def test_every_mistake_of_a_line_is_told() -> None:
    bad = {"board": ["Ah"], "house": ["4s", "4x"], "seats": [{**SEAT, "bets": {"ante": 1000, "flop": 1}}]}
    assert [text.split(":")[0] for text in told(bad)] == ["board", "house[1]", "seats[0].bets.flop"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1,2", "settle: line 1: column 5: found no JSON (Expecting ',' delimiter)"),
        ("{'board': []}", "settle: line 1: column 2: found no JSON"),
        ('{"board":[],"board":[]}', "settle: line 1: board: found the field twice in one object"),
        ("[" * 100_000, "settle: line 1: line: found no JSON that can be read"),
        ("9" * 10_000, "settle: line 1: line: found no JSON that can be read"),
    ],
    ids=["cut off", "single quotes", "a field twice", "very deep", "a very long number"],
)
def test_text_that_is_no_json_is_told_with_its_column(text: str, message: str) -> None:
    status, results, (error,) = settle(text)
    assert (status, results) == (2, [])
    assert error.startswith(message)


def test_bytes_that_are_no_text_are_told_after_the_last_good_line() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    assert run(parser.parse_args(["texas-bonus"]), _breaking_off(), out, err) == 2
    assert err.getvalue().startswith("settle: after line 1: input: found bytes that are no UTF-8")
    assert len(out.getvalue().splitlines()) == 1


def _breaking_off() -> Iterator[str]:
    """What standard input does when its second line is no UTF-8."""
    yield json.dumps(HAND)
    yield b"\xff".decode()


# --- options ----------------------------------------------------------------------------------------------------------


def test_a_profile_changes_what_jacks_pay(tmp_path: Path) -> None:
    profile = tmp_path / "house.toml"
    profile.write_text('pair_of_jacks_bonus = "pays-10-to-1"\n')
    jacks = json.dumps(with_seat(cards=["Js", "Jd"]))
    _, (shipped,), _ = settle(jacks)
    _, (chosen,), _ = settle(jacks, "--profile", str(profile))
    assert shipped["seats"][0]["bets"]["bonus"]["pays"] == -500
    assert chosen["seats"][0]["bets"]["bonus"]["pays"] == 5000


def test_thb_rnk_11_a_profile_lets_hands_of_one_combination_tie(tmp_path: Path) -> None:
    profile = tmp_path / "house.toml"
    profile.write_text('tie = "same-category"\n')
    lower = json.dumps(
        {**HAND, **with_seat(cards=["As", "Js"]), "house": ["Ac", "Kc"], "board": ["Ah", "Qd", "7c", "8s", "2d"]}
    )
    _, (shipped,), _ = settle(lower)
    _, (chosen,), _ = settle(lower, "--profile", str(profile))
    assert shipped["seats"][0]["bets"]["flop"]["outcome"] == "lose"
    assert chosen["seats"][0]["bets"]["flop"]["outcome"] == "push"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('pair_of_jacks = "loses"', "pair_of_jacks: found a key that this profile does not have"),
        ("pair_of_jacks_bonus = ", "file: found no TOML"),
        (None, "file: found no such file; would be right: the path of a TOML file"),
    ],
)
def test_a_bad_profile_ends_the_command_before_the_first_line(
    tmp_path: Path, content: str | None, message: str
) -> None:
    profile = tmp_path / "house.toml"
    if content is not None:
        profile.write_text(content)
    status, results, errors = settle(json.dumps(HAND), "--profile", str(profile))
    assert (status, results) == (2, [])
    assert errors[0].startswith(f"settle: {profile}: {message}")


def test_an_unknown_rulebook_is_told_with_those_there_are() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    err = io.StringIO()
    assert run(parser.parse_args(["texas-bonos"]), io.StringIO(), io.StringIO(), err) == 2
    assert "'texas-bonus'" in err.getvalue()


# --- properties -------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(["As", "Kd"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=20,
)


@given(JSON)
def test_no_json_at_all_makes_it_raise(value: object) -> None:
    status, results, errors = settle(json.dumps(value))
    assert (status, len(results), bool(errors)) in {(0, 1, False), (2, 0, True)}


@given(st.sampled_from(["board", "house", "seats"]), JSON)
def test_no_value_of_a_field_makes_it_raise(name: str, value: object) -> None:
    status, results, errors = settle(json.dumps({**HAND, name: value}))
    assert (status, len(results), bool(errors)) in {(0, 1, False), (2, 0, True)}


@given(st.sampled_from(sorted(SEAT)), JSON)
def test_no_value_of_a_seat_makes_it_raise(name: str, value: object) -> None:
    status, results, errors = settle(json.dumps(with_seat(**{name: value})))
    assert (status, len(results), bool(errors)) in {(0, 1, False), (2, 0, True)}
