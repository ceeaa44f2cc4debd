"""`tablectl settle` for the games with pots: their lines, their mistakes, a house's choices.

What is shared with the other games, such as text that is no JSON, is shown by test_settle.py.
"""

from __future__ import annotations

import argparse
import io
import json
import shlex
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.cli.commands.settle import add_arguments, run
from tablectl.games.registry import choices_of

A: Final = {"seat": 1, "cards": ["As", "3c"], "put_in": 100, "folded": False}
B: Final = {"seat": 2, "cards": ["Ad", "4c"], "put_in": 150, "folded": False}
C: Final = {"seat": 3, "cards": ["Ks", "4d"], "put_in": 150, "folded": False}
BOARD: Final = ["Ah", "Kd", "Qc", "7s", "2d"]
HAND: Final = {"board": BOARD, "button": 3, "last_aggressor": 2, "smallest_chip": 1, "seats": [A, B, C]}
FIVE: Final = ["Jc", "Jd", "7h", "5s", "2c"]
DRAW: Final = {
    "button": 1,
    "smallest_chip": 5,
    "carried": 10,
    "seats": [
        {"seat": 1, "cards": FIVE, "put_in": 40, "dead": 10},
        {"seat": 4, "cards": ["Js", "Jh", "7d", "5c", "2h"], "put_in": 30},
        {"seat": 6, "cards": None, "put_in": 5, "folded": True},
    ],
}
HOLDEMS: Final = ("circle-holdem", "open-holdem")
DOCS: Final = Path(__file__).parents[2] / "docs" / "settle.md"


def settle(text: str, rulebook: str, *options: str) -> tuple[int, list[Any], list[str]]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    status = run(parser.parse_args([rulebook, *options]), io.StringIO(text), out, err)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue().splitlines()


def result_of(hand: object, rulebook: str, *options: str) -> dict[str, Any]:
    status, (result,), errors = settle(json.dumps(hand), rulebook, *options)
    assert (status, errors) == (0, [])
    assert isinstance(result, dict)
    return result


def told(hand: object, rulebook: str) -> list[str]:
    """What is said of a line that must be refused, less the place."""
    status, results, errors = settle(json.dumps(hand), rulebook)
    assert (status, results) == (2, [])
    return [error.removeprefix("settle: line 1: ") for error in errors]


# --- good lines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", HOLDEMS)
def test_tho_all_14_tho_all_15_the_worked_example_in_the_published_shape(rulebook: str) -> None:
    assert result_of(HAND, rulebook) == {
        "pots": [
            {"amount": 300, "eligible": [1, 2, 3], "winners": [1, 2], "awards": {"1": 150, "2": 150}},
            {"amount": 100, "eligible": [2, 3], "winners": [2], "awards": {"2": 100}},
        ],
        "returned": {},
        "net": {"1": 50, "2": 100, "3": -150},
    }


def test_the_example_of_the_documentation_is_what_the_command_says() -> None:
    text = DOCS.read_text(encoding="utf-8")
    command, answer = (line for line in text.splitlines() if '"smallest_chip"' in line or '"eligible"' in line)
    words = shlex.split(command.removeprefix("$ "))
    assert (words[0], words[2:5]) == ("echo", ["|", "tablectl", "settle"])
    assert result_of(json.loads(words[1]), words[5]) == json.loads(answer)


def test_thl_sdn_4_amb_31_the_odd_chip_of_the_circle_game_goes_to_the_last_aggressor() -> None:
    hand = {**HAND, "seats": [{**A, "put_in": 25}, {**B, "put_in": 25}, {**C, "put_in": 25}], "last_aggressor": 2}
    assert result_of(hand, "circle-holdem")["net"] == {"1": 12, "2": 13, "3": -25}
    assert result_of(hand, "open-holdem")["net"] == {"1": 13, "2": 12, "3": -25}


def test_what_nobody_matched_is_returned() -> None:
    result = result_of({**HAND, "seats": [A, {**C, "put_in": 170}]} | {"last_aggressor": 3}, "open-holdem")
    assert (result["returned"], result["net"]) == ({"3": 70}, {"1": 100, "3": -100})


@pytest.mark.parametrize("board", [[], BOARD[:3], BOARD[:4], BOARD])
def test_thl_end_2_a_sole_remaining_player_needs_no_cards_and_no_board(board: list[str]) -> None:
    seats = [{"seat": 5, "put_in": 80}, {**B, "put_in": 50, "folded": True}, {"seat": 7, "put_in": 0, "folded": True}]
    hand = {**HAND, "board": board, "last_aggressor": None, "seats": seats}
    assert result_of(hand, "circle-holdem") == {
        "pots": [{"amount": 100, "eligible": [5], "winners": [5], "awards": {"5": 100}}],
        "returned": {"5": 30},
        "net": {"5": 50, "2": -50, "7": 0},
    }


def test_fcd_win_4_five_cards_a_seat_no_board_dead_money_and_a_pot_carried_over() -> None:
    """FCD-WIN-5, AMB-31: 85 between two equal hands in chips of 5, the button at seat 1, so seat 4 comes first."""
    assert result_of(DRAW, "draw-poker") == {
        "pots": [{"amount": 85, "eligible": [1, 4], "winners": [1, 4], "awards": {"1": 40, "4": 45}}],
        "returned": {},
        "net": {"1": 0, "4": 15, "6": -5},
    }


def test_last_aggressor_may_be_left_out_where_odd_chips_do_not_depend_on_it() -> None:
    hand = {key: value for key, value in HAND.items() if key != "last_aggressor"}
    assert result_of(hand, "open-holdem") == result_of(HAND, "open-holdem")
    assert told(hand, "circle-holdem") == [
        "line.last_aggressor: found nothing; would be right: a value, which cannot be left out"
    ]


def test_the_button_may_be_at_an_empty_seat() -> None:
    assert result_of({**HAND, "button": 10}, "open-holdem")["net"] == {"1": 50, "2": 100, "3": -150}


# --- bad lines --------------------------------------------------------------------------------------------------------


def with_seat(**changes: object) -> dict[str, object]:
    return {**HAND, "seats": [{**A, **changes}, B, C]}


BAD: Final[tuple[tuple[str, object, str], ...]] = (
    ("no fields", {}, "line.board: found nothing; would be right: a value, which cannot be left out"),
    ("no button", {**HAND, "button": None}, "button: found null; would be right: a seat from 1 to 10"),
    ("button 0", {**HAND, "button": 0}, "button: found 0; would be right: a seat from 1 to 10"),
    ("button 11", {**HAND, "button": 11}, "button: found 11; would be right: a seat from 1 to 10"),
    ("a stranger bet last", {**HAND, "last_aggressor": 4}, "last_aggressor: found 4; would be right: 1 or 2 or 3, or"),
    ("true bet last", {**HAND, "last_aggressor": True}, "last_aggressor: found true; would be right: a seat from 1"),
    ("a chip of nothing", {**HAND, "smallest_chip": 0}, "smallest_chip: found 0; would be right: an integer"),
    ("half a chip", {**HAND, "smallest_chip": 0.5}, "smallest_chip: found 0.5; would be right: an integer"),
    ("carried in hold'em", {**HAND, "carried": 5}, "line.carried: found a field that does not belong there"),
    ("four board cards", {**HAND, "board": BOARD[:4]}, "board: found 4 cards; would be right: 5 cards, as 3 seats did"),
    ("no board", {**HAND, "board": []}, "board: found no cards; would be right: 5 cards, as 3 seats did not fold"),
    ("two board cards", {**HAND, "board": BOARD[:2]}, "board: found 2 cards; would be right: a list of 5 or 4 or 3"),
    ("a card twice", with_seat(cards=["Ad", "Ks"]), "cards: found Ad at seat 1 and seat 2; would be right: every card"),
    ("a folded card twice", with_seat(cards=["Ah", "3c"], folded=True), "cards: found Ah at board and seat 1"),
    ("three cards", with_seat(cards=["As", "3c", "3d"]), "seats[0].cards: found 3 cards; would be right: a list of 2"),
    ("no such card", with_seat(cards=["As", "1s"]), 'seats[0].cards[1]: found "1s"; would be right: rank'),
    ("no cards", with_seat(cards=None), "seats[0].cards: found none; would be right: 2 cards, as 3 seats did not fold"),
    ("a negative amount", with_seat(put_in=-1), "seats[0].put_in: found -1; would be right: an integer"),
    ("a broken amount", with_seat(put_in=1.5), "seats[0].put_in: found 1.5; would be right: an integer"),
    ("an amount as text", with_seat(put_in="100"), 'seats[0].put_in: found "100"; would be right: an integer'),
    ("a truth for an amount", with_seat(put_in=True), "seats[0].put_in: found true; would be right: an integer"),
    ("too much money", with_seat(put_in=10**16), "seats[0].put_in: found 10000000000000000; would be right"),
    ("more dead than put in", with_seat(dead=101), "seats[0].dead: found 101; would be right: 100 at most"),
    ("null dead", with_seat(dead=None), "seats[0].dead: found null; would be right: an integer"),
    ("folded as a number", with_seat(folded=0), "seats[0].folded: found 0; would be right: true or false"),
    ("seat 0", with_seat(seat=0), "seats[0].seat: found 0; would be right: a seat from 1 to 10"),
    ("seat 11", with_seat(seat=11), "seats[0].seat: found 11; would be right: a seat from 1 to 10"),
    ("a seat twice", with_seat(seat=2), "seats: found seat 2 2 times; would be right: every seat once"),
    ("bets of another game", with_seat(bets={}), "seats[0].bets: found a field that does not belong there"),
    ("one seat", {**HAND, "seats": [A]}, "seats: found 1 seats; would be right: a list of 2 to 10 seats"),
    ("eleven seats", {**HAND, "seats": [A] * 11}, "seats: found 11 seats; would be right: a list of 2 to 10 seats"),
    ("seats as an object", {**HAND, "seats": {}}, "seats: found {}; would be right: a list of 2 to 10 seats"),
    ("a seat that is none", {**HAND, "seats": [A, 7]}, "seats[1]: found 7; would be right: an object with 'seat'"),
    ("a list", [HAND], "line: found "),
)


@pytest.mark.parametrize("rulebook", HOLDEMS)
@pytest.mark.parametrize(("hand", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_line_is_told_by_field_with_what_was_found_and_what_would_be_right(
    hand: object, message: str, rulebook: str
) -> None:
    assert any(text.startswith(message) for text in told(hand, rulebook)), told(hand, rulebook)


def test_all_folded_is_told() -> None:
    seats = [{**A, "folded": True}, {**B, "folded": True}]
    assert told({**HAND, "seats": seats}, "open-holdem") == [
        "seats: found all folded; would be right: one seat at least that did not"
    ]


def test_every_mistake_of_a_line_is_told() -> None:
    bad = {**HAND, "button": 0, "board": ["Ah"], "seats": [{**A, "put_in": -1}, {**B, "cards": ["4x", "4d"]}]}
    assert [text.split(":")[0] for text in told(bad, "circle-holdem")] == [
        "board",
        "button",
        "seats[0].put_in",
        "seats[1].cards[0]",
    ]


def test_draw_poker_has_no_board_and_five_cards_a_seat() -> None:
    seats = DRAW["seats"]
    assert isinstance(seats, list)
    known = "'button' or 'last_aggressor' or 'smallest_chip' or 'seats' or 'carried'"
    assert told({**DRAW, "board": BOARD}, "draw-poker") == [
        f"line.board: found a field that does not belong there; would be right: {known}",
        'board: found 5 cards; would be right: a list of 0 cards, such as "As" or "Td"',
    ]
    assert told({**DRAW, "seats": [{**seats[0], "cards": ["Jc", "Jd"]}, *seats[1:]]}, "draw-poker") == [
        'seats[0].cards: found 2 cards; would be right: a list of 5 cards, such as "As" or "Td"'
    ]


def test_a_bad_line_does_not_stop_the_others() -> None:
    status, results, errors = settle(f"{json.dumps(HAND)}\n{{}}\n{json.dumps(HAND)}\n", "open-holdem")
    assert (status, len(results)) == (2, 2)
    assert {error.split(": ")[1] for error in errors} == {"line 2"}


# --- a house's choices ------------------------------------------------------------------------------------------------


def house(folder: Path, text: str) -> str:
    profile = folder / "house.toml"
    profile.write_text(text, encoding="utf-8")
    return str(profile)


def test_thl_def_7_amb_37_a_house_takes_its_fee(tmp_path: Path) -> None:
    profile = house(tmp_path, 'rulebook = "open-holdem"\nrake_rate = 500\nrake_cap = 12\n')
    result = result_of(HAND, "open-holdem", "--profile", profile)
    assert [pot["rake"] for pot in result["pots"]] == [12, 5]
    assert result["rake"] == 17
    assert result["net"] == {"1": 44, "2": 89, "3": -150}


def test_a_fee_of_the_whole_hand_comes_from_the_main_pot(tmp_path: Path) -> None:
    profile = house(tmp_path, 'rake_rate = 500\nrake_from = "whole-hand"\n')
    result = result_of(HAND, "open-holdem", "--profile", profile)
    assert [pot["rake"] for pot in result["pots"]] == [20, 0]


def test_amb_31_a_house_may_give_odd_chips_as_the_other_game_does(tmp_path: Path) -> None:
    hand = {**HAND, "seats": [{**A, "put_in": 25}, {**B, "put_in": 25}, {**C, "put_in": 25}]}
    other = result_of(hand, "circle-holdem", "--profile", house(tmp_path, 'odd_chip = "clockwise"\n'))
    assert other == result_of(hand, "open-holdem")
    assert other != result_of(hand, "circle-holdem")


@pytest.mark.parametrize("word", choices_of("draw-poker")["odd_chip"].values)
def test_amb_31_the_words_are_those_of_a_profile(tmp_path: Path, word: str) -> None:
    hand = {**HAND, "seats": [{**A, "put_in": 25}, {**B, "put_in": 25}, {**C, "put_in": 25}]}
    chosen = result_of(hand, "open-holdem", "--profile", house(tmp_path, f'odd_chip = "{word}"\n'))
    assert (chosen == result_of(hand, "open-holdem")) == (word == "clockwise")
    earlier = word.replace("bettor", "aggressor")
    assert chosen == result_of(hand, "open-holdem", "--profile", house(tmp_path, f'odd_chip = "{earlier}"\n'))


@pytest.mark.parametrize("word", ["last-bettor", "last-bettor-always"])
def test_amb_31_where_the_last_bettor_decides_he_must_be_told(tmp_path: Path, word: str) -> None:
    untold = {key: value for key, value in HAND.items() if key != "last_aggressor"}
    profile = house(tmp_path, f'odd_chip = "{word}"\n')
    status, results, errors = settle(json.dumps(untold), "open-holdem", "--profile", profile)
    assert (status, results) == (2, [])
    assert "last_aggressor" in errors[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            'odd_chip = "winner"',
            "odd_chip: found 'winner'; would be right: 'last-bettor' or 'last-bettor-always' or 'clockwise'",
        ),
        ("rake_rate = 10001", "rake_rate: found 10001; would be right: hundredths of a per cent, an integer from 0"),
        ("rake_rate = 2.5", "rake_rate: found 2.5; would be right: hundredths of a per cent"),
        ("rake_rate = true", "rake_rate: found True; would be right: hundredths of a per cent"),
        ("rake_cap = -1", "rake_cap: found -1; would be right: an integer of the smallest unit"),
        ('rake_from = "pot"', "rake_from: found 'pot'; would be right: 'each-pot' or 'whole-hand'"),
        ("rake_rates = 5", "rake_rates: found a key that these rules do not have; would be right: "),
        ('rulebook = "texas-poker"', "rulebook: found 'texas-poker'; would be right: 'open-holdem'"),
        ("rake_rate = ", "file: found no TOML"),
    ],
)
def test_a_bad_house_file_ends_the_command_before_the_first_line(tmp_path: Path, content: str, message: str) -> None:
    profile = house(tmp_path, content)
    status, results, errors = settle(json.dumps(HAND), "open-holdem", "--profile", profile)
    assert (status, results) == (2, [])
    assert errors[0].startswith(f"settle: {profile}: {message}")


# --- properties -------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(["As", "Kd"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=20,
)


@given(st.sampled_from([*HOLDEMS, "draw-poker"]), st.sampled_from([*sorted(HAND), "carried", ""]), JSON)
def test_no_value_of_a_field_makes_it_raise(rulebook: str, name: str, value: object) -> None:
    base = DRAW if rulebook == "draw-poker" else HAND
    status, results, errors = settle(json.dumps({**base, name: value} if name else value), rulebook)
    assert (status, len(results), bool(errors)) in {(0, 1, False), (2, 0, True)}


@given(st.sampled_from([*sorted(A), "dead"]), JSON)
def test_no_value_of_a_seat_makes_it_raise(name: str, value: object) -> None:
    status, results, errors = settle(json.dumps(with_seat(**{name: value})), "circle-holdem")
    assert (status, len(results), bool(errors)) in {(0, 1, False), (2, 0, True)}
