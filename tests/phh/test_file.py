"""Files of hand histories: what a hand says, and what is said of one that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import cards
from tablectl.core.validation import Mistake
from tablectl.phh.file import HandRead, hands
from tablectl.phh.hand import Hand, Variant

FOLDER = Path(__file__).parent / "hands"

ABOVE_0 = "a number above 0, at most 6 digits after the point"
GOOD = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsKd", "d dh p2 ????", "d dh p3 7c7d", "p3 f", "p1 f"]
"""


def one(text: str) -> Hand:
    (found,) = hands(text, "x.phh")
    assert isinstance(found.read, Hand), found.read
    return found.read


def told(text: str) -> list[str]:
    """What is said of the one hand of a text."""
    (found,) = hands(text, "x.phh")
    assert not isinstance(found.read, Hand)
    return [str(mistake) for mistake in found.read]


def with_field(name: str, value: str) -> str:
    """The good hand with another value of a field, or with one field more."""
    lines = [line for line in GOOD.splitlines() if not line.startswith(f"{name} =")]
    return "\n".join([*lines, f"{name} = {value}"])


def from_file(name: str) -> list[HandRead]:
    return list(hands((FOLDER / name).read_text(encoding="utf-8"), name))


# --- what a hand says -------------------------------------------------------------------------------------------------


def test_a_hand_of_no_limit() -> None:
    (found,) = from_file("no-limit.phh")
    hand = found.read
    assert isinstance(hand, Hand)
    assert (found.header, found.line, hand.variant, hand.decimals) == (None, 1, Variant.NO_LIMIT, 0)
    assert (hand.antes, hand.blinds_or_straddles, hand.min_bet) == ((0, 25, 0, 0), (50, 100, 200, 0), 200)
    assert (hand.small_bet, hand.big_bet) == (None, None)
    assert hand.starting_stacks == (5000, 1200, 8000, 7000)
    assert hand.finishing_stacks == (0, 0, 7800, 13400)
    assert (hand.name, hand.players, hand.seats, hand.seat_count) == (
        "1",
        ("Ana", "Berta", "Cora", "Dora"),
        (2, 3, 5, 9),
        9,
    )
    assert hand.board == cards("9h 4h 2c Th 3d")
    assert hand.hole_cards(3) == (None, None)
    assert hand.hole_cards(4) == cards("Kh Qh")


def test_the_place_of_an_action_counts_commentaries() -> None:
    hand = from_file("no-limit.phh")[0].read
    assert isinstance(hand, Hand)
    assert [action.at for action in hand.actions] == [*range(1, 11), *range(12, 22)]


def test_a_hand_of_fixed_limit_with_an_unknown_stack() -> None:
    hand = from_file("fixed-limit.phh")[0].read
    assert isinstance(hand, Hand)
    assert (hand.variant, hand.min_bet, hand.small_bet, hand.big_bet) == (Variant.FIXED_LIMIT, None, 20, 40)
    assert hand.starting_stacks == (1000, 1000, None)
    assert (hand.finishing_stacks, hand.winnings) == (None, None)


def test_two_players_post_the_other_way_round() -> None:
    hand = from_file("pot-limit.phh")[0].read
    assert isinstance(hand, Hand)
    assert (hand.variant, hand.blinds_or_straddles, hand.posted_blinds) == (Variant.POT_LIMIT, (1, 2), (2, 1))
    assert one(GOOD).posted_blinds == (1, 2, 0)
    assert one(GOOD).posted_antes == (0, 0, 0)


def test_several_hands_in_cents() -> None:
    read = from_file("cents.phhs")
    assert [(hand_read.header, hand_read.line) for hand_read in read] == [("1", 3), ("2", 12), ("the third", 23)]
    found = [hand_read.read for hand_read in read if isinstance(hand_read.read, Hand)]
    assert [hand.decimals for hand in found] == [2, 2, 2]
    assert found[0].starting_stacks == (1000, 950, 2025)
    assert found[1].antes == (1, 1, 1)
    assert found[2].actions == ()


def test_whole_numbers_written_as_floats_are_whole() -> None:
    assert one(with_field("starting_stacks", "[100.0, 100.00, 1e2]")).decimals == 0


def test_cards_shown_fill_those_that_nobody_knew() -> None:
    actions = '["d dh p1 ????", "d dh p2 AsKd", "p1 sm 7c7d", "p2 sm -"]'
    hand = one(with_field("actions", actions))
    assert (hand.hole_cards(1), hand.hole_cards(2)) == (cards("7c 7d"), cards("As Kd"))
    partly = one(with_field("actions", '["d dh p1 AsKd", "p1 sm ??Kd"]'))
    assert partly.hole_cards(1) == cards("As Kd")


def test_fields_that_tell_nothing_of_the_play_are_read_over() -> None:
    assert one(GOOD + '_sponsor = ["x"]\ncity = "Sevilla"\nfuture_field = 3\n[_more]\na = 1\n') == one(GOOD)


# --- what cannot be read ----------------------------------------------------------------------------------------------

BAD = (
    ("variant", '"PO"', "variant: found another game than hold'em, 'PO'; would be right: 'FT' or 'NT' or 'PT'"),
    ("variant", '"nt"', "variant: found 'nt'; would be right: 'FT' or 'NT' or 'PT' (did you mean 'NT'?)"),
    ("variant", "3", "variant: found 3; would be right: 'FT' or 'NT'"),
    ("min_bet", "0", "min_bet: found 0; would be right: a number above 0"),
    ("min_bet", "true", "min_bet: found True; would be right: a number above 0"),
    ("small_bet", "2", "small_bet: found 2; would be right: nothing, as NT has min_bet"),
    ("bring_in", "2", "bring_in: found 2; would be right: nothing, as NT has min_bet"),
    ("antes", "[0, 0]", "antes: found 2 values; would be right: 3, one for each player"),
    ("antes", "0", "antes: found 0; would be right: an array"),
    ("antes", "[0, -1, 0]", "antes[2]: found -1; would be right: a number from 0 to"),
    ("antes", '[0, "1", 0]', "antes[2]: found '1'; would be right: a number from 0 to"),
    ("blinds_or_straddles", "[1, nan, 0]", "blinds_or_straddles[2]: found NaN; would be right: a number"),
    ("blinds_or_straddles", "[1, inf, 0]", "blinds_or_straddles[2]: found Infinity; would be right: a number"),
    ("starting_stacks", "[100]", "starting_stacks: found 1 numbers; would be right: an array with a number for each"),
    ("starting_stacks", "[100, 0, 100]", "starting_stacks[2]: found 0; would be right: a number above 0, at most"),
    (
        "starting_stacks",
        "[1, 2, 0.0000001]",
        "starting_stacks[3]: found 1E-7; would be right: a number above 0, at most 6 digits",
    ),
    (
        "starting_stacks",
        "[1, 2, 1e16]",
        "starting_stacks[3]: found 1E+16; would be right: a number above 0",
    ),
    ("finishing_stacks", "[1, 2]", "finishing_stacks: found 2 values; would be right: 3"),
    ("winnings", "[1, 2, -3]", "winnings[3]: found -3; would be right: a number from 0"),
    ("players", '["a", "b"]', "players: found 2 values; would be right: 3"),
    ("players", '["a", "b", 3]', "players[3]: found 3; would be right: text in quotation marks"),
    ("seats", "[1, 2, 2]", "seats: found [1, 2, 2]; would be right: different whole numbers from 1 on"),
    ("seat_count", "0", "seat_count: found 0; would be right: a whole number from 1 on"),
    ("ante_trimming_status", "0", "ante_trimming_status: found 0; would be right: true or false"),
    ("actions", '"p1 f"', "actions: found 'p1 f'; would be right: an array"),
    ("actions", '["p1 f", 3]', "actions[2]: found 3; would be right: text in quotation marks"),
    ("actions", '["p1 fold"]', "actions[1]: found 'p1 fold'; would be right: 'd dh pN cards'"),
    ("actions", '["p1 f", "p4 f"]', "actions[2]: found 'p4 f'; would be right: a player from p1 to p3"),
    ("actions", '["d dh p1 AsKd", "d dh p1 2c"]', "actions[2]: found 'd dh p1 2c'; would be right: 2 cards in all for"),
    ("actions", '["d db AsKdQc", "d db 2c3c4c"]', "actions[2]: found 'd db 2c3c4c'; would be right: 5 cards in all on"),
    (
        "actions",
        '["d dh p1 AsKd", "d dh p2 2cAs"]',
        "actions[2]: found 'd dh p2 2cAs'; would be right: every card once",
    ),
    ("actions", '["d dh p1 AsAs"]', "actions[1]: found 'd dh p1 AsAs'; would be right: every card once"),
    ("actions", '["d dh p1 AsKd", "p2 sm As2c"]', "actions[2]: found 'p2 sm As2c'; would be right: every card once"),
    ("actions", '["p2 sm 2c2c"]', "actions[1]: found 'p2 sm 2c2c'; would be right: every card once"),
    ("actions", '["p2 sm As2c", "d db As"]', "actions[2]: found 'd db As'; would be right: every card once"),
    ("actions", '["d dh p1 AsKd", "p1 sm As2c"]', "actions[2]: found 'p1 sm As2c'; would be right: the cards that"),
    ("actions", '["p1 sm As"]', "actions[1]: found 'p1 sm As'; would be right: 2 cards, unknown ones as ??"),
    ("actions", '["p1 sm -"]', "actions[1]: found 'p1 sm -'; would be right: the cards of p1, as none were dealt"),
)


@pytest.mark.parametrize(("name", "value", "message"), BAD, ids=[f"{case[0]} {case[1]}" for case in BAD])
def test_a_bad_field_is_told_with_its_line_what_was_found_and_what_would_be_right(
    name: str, value: str, message: str
) -> None:
    found = told(with_field(name, value))
    assert any(text.partition(": ")[2].startswith(message) for text in found), found


@pytest.mark.parametrize("name", [line.partition(" ")[0] for line in GOOD.splitlines()])
def test_a_field_that_is_missing_is_told(name: str) -> None:
    text = "\n".join(line for line in GOOD.splitlines() if not line.startswith(f"{name} ="))
    (message,) = told(text)
    assert message.startswith(f"x.phh, line 1: {name}: found nothing; would be right: ")


def test_fixed_limit_has_two_bets() -> None:
    found = told(GOOD.replace('"NT"', '"FT"') + "big_bet = 4\n")
    assert found == [
        "x.phh, line 4: min_bet: found 2; would be right: nothing, as FT has small_bet and big_bet",
        f"x.phh, line 1: small_bet: found nothing; would be right: {ABOVE_0}",
    ]


def test_every_mistake_of_a_hand_is_told_with_its_own_line() -> None:
    text = GOOD.replace("[0, 0, 0]", "[0, 0]").replace('"p3 f"', '"p3 folds"')
    assert [word.partition(": ")[0] for word in told(text)] == ["x.phh, line 2", "x.phh, line 6"]


def test_what_is_no_toml_is_told_with_its_line_and_column() -> None:
    assert told(GOOD + "players = [1,,]\n") == [
        "x.phh, line 7: hand: found no TOML (Invalid value at column 14); would be right: a line of TOML"
    ]
    assert told(GOOD + "players = [") == [
        "x.phh, line 7: hand: found no TOML (Invalid value); would be right: a line of TOML"
    ]


@pytest.mark.parametrize("text", ["", "\n\n# nothing\n"])
def test_an_empty_file_says_what_it_lacks(text: str) -> None:
    assert told(text)[0].startswith("x.phh, line 1: variant: found nothing")


def test_one_bad_hand_does_not_stop_the_others() -> None:
    text = (
        f"# first\n[1]\n{GOOD}\n[2]\nvariant = \n{GOOD}\n[3]\n{GOOD.replace('min_bet = 2', 'min_bet = 0')}\n[4]\n{GOOD}"
    )
    found = list(hands(text, "x.phhs"))
    assert [hand_read.header for hand_read in found] == ["1", "2", "3", "4"]
    assert [isinstance(hand_read.read, Hand) for hand_read in found] == [True, False, False, True]
    bad = [str(mistake) for hand_read in found if not isinstance(hand_read.read, Hand) for mistake in hand_read.read]
    assert bad == [
        "x.phhs: hand 2, line 11: hand: found no TOML (Invalid value at column 11); would be right: a line of TOML",
        f"x.phhs: hand 3, line 23: min_bet: found 0; would be right: {ABOVE_0}",
    ]
    assert text.splitlines()[22] == "min_bet = 0"


def test_a_header_that_comes_twice_is_told() -> None:
    _, second = hands(f"[1]\n{GOOD}[1]\n{GOOD}", "x.phhs")
    assert second.read == (
        Mistake(
            where="x.phhs: line 8",
            key="header",
            found="[1] a second time",
            right="a header that is not in line 1 already",
        ),
    )


def test_a_hand_before_the_first_header_is_a_hand() -> None:
    found = list(hands(f"{GOOD}[2]\n{GOOD}", "x.phhs"))
    assert [(hand_read.header, hand_read.line, isinstance(hand_read.read, Hand)) for hand_read in found] == [
        (None, 1, True),
        ("2", 7, True),
    ]


def test_lines_may_end_as_windows_ends_them() -> None:
    assert one(GOOD.replace("\n", "\r\n")) == one(GOOD)


@pytest.mark.parametrize("value", ["[" * 10_000, "9" * 10_000, "1e999999999", "1e-999999999", '"\\ud800"'])
def test_what_would_break_a_careless_reader_is_told(value: str) -> None:
    assert told(with_field("min_bet", value))


# --- properties -------------------------------------------------------------------------------------------------------

TEXTS = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())]


@given(st.text() | st.sampled_from(TEXTS), st.integers(0, 2_000), st.integers(0, 20), st.text(max_size=5))
def test_no_text_makes_it_raise(text: str, place: int, length: int, instead: str) -> None:
    for hand in hands(text[:place] + instead + text[place + length :], "x"):
        assert isinstance(hand.read, Hand) or hand.read


@given(
    st.sampled_from(["variant", "antes", "starting_stacks", "actions", "seats", "players", "min_bet", "winnings"]),
    st.sampled_from(
        ["3", "-1", "1.5", "inf", "nan", "true", '"x"', "[]", "[[]]", "[1, 2, 3]", "{a = 1}", "1979-05-27"]
    ),
)
def test_no_value_of_a_field_makes_it_raise(name: str, value: str) -> None:
    (found,) = hands(with_field(name, value), "x")
    assert isinstance(found.read, Hand) or found.read
