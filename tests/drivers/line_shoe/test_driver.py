"""What lines become: one card a physical card, and every doubt on the side on which it is seen."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import CardOut, DeviceFact, Found, Lost, Rejected, ShoeNote
from drivers.line_shoe.driver import LineShoe, Note
from drivers.line_shoe.settings import CARDS, LineShoeSettings, Repeats, UnknownLine, Word
from drivers.registry import DRIVERS

#: "1" is the ace of spades … "52" the king of clubs: a table whose codes are ends of other codes.
NUMBERS = {str(number): face for number, face in enumerate(CARDS, start=1)}
#: As NUMBERS, of equal length.
FIXED = {f"{number:02d}": face for number, face in enumerate(CARDS, start=1)}


def open_shoe(settings: LineShoeSettings | None = None) -> LineShoe:
    shoe = LineShoe("shoe", settings or LineShoeSettings())
    assert [type(fact) for fact in shoe.opened(now_s=0.0, at_us=0)] == [Found]
    return shoe


def read(shoe: LineShoe, *pieces: bytes, now_s: float = 0.0) -> list[DeviceFact]:
    return [fact for piece in pieces for fact in shoe.receive(piece, now_s=now_s, at_us=5)]


def cards(facts: Sequence[DeviceFact]) -> list[str | None]:
    return [fact.card.open() if fact.card else None for fact in facts if isinstance(fact, CardOut)]


def notes(facts: Sequence[DeviceFact]) -> list[str]:
    return [fact.kind for fact in facts if isinstance(fact, ShoeNote)]


def test_without_a_table_the_codes_are_the_cards() -> None:
    wire = b"".join(f"{face}\r\n".encode("ascii") for face in CARDS)
    assert cards(read(open_shoe(), wire)) == list(CARDS)


def test_with_a_table_each_code_is_its_card() -> None:
    shoe = open_shoe(LineShoeSettings(codes=FIXED))
    assert cards(read(shoe, b"01\r\n52\r\n14\r\n")) == ["As", "Kc", "Ah"]


def test_spaces_around_a_code_do_not_matter_and_its_case_only_where_the_house_says_so() -> None:
    assert cards(read(open_shoe(), b" As \r\n")) == ["As"]
    assert cards(read(open_shoe(), b"AS\r\n")) == []
    assert cards(read(open_shoe(LineShoeSettings(ignore_case=True)), b"AS\r\nas\r\n")) == ["As", "As"]


@pytest.mark.parametrize("word", Word)
def test_what_is_no_card_is_what_the_house_says_it_is(word: Word) -> None:
    facts = read(open_shoe(LineShoeSettings(words={"E 1": word.value})), b"E 1\r\n")
    match word:
        case Word.UNREAD:
            assert (cards(facts), notes(facts)) == ([None], [])
        case Word.NOTHING:
            assert facts == []
        case _:
            assert (cards(facts), notes(facts)) == ([], [word.value])


def test_a_line_that_no_table_knows_is_noted_and_counted() -> None:
    facts = read(open_shoe(), b"1s\r\n")
    assert (cards(facts), notes(facts)) == ([], [Note.UNKNOWN_LINE])
    assert [(fact.reason, fact.n_bytes) for fact in facts if isinstance(fact, Rejected)] == [("unknown line", 2)]
    facts = read(open_shoe(LineShoeSettings(unknown_line=UnknownLine.UNREAD)), b"1s\r\n")
    assert (cards(facts), notes(facts)) == ([None], [])


def test_a_line_said_twice_is_two_cards_unless_this_shoe_is_known_to_do_that() -> None:
    assert cards(read(open_shoe(), b"As\r\nAs\r\nKd\r\n")) == ["As", "As", "Kd"]
    twice = LineShoeSettings(repeats=Repeats.LINE, words={"ERR": "unread"})
    assert cards(read(open_shoe(twice), b"As\r\nAs\r\nERR\r\nERR\r\nKd\r\n")) == ["As", None, "Kd"]


def test_the_same_line_after_a_time_is_another_card_with_the_same_face() -> None:
    shoe = open_shoe(LineShoeSettings(repeats=Repeats.LINE, repeat_s=0.5))
    assert cards(read(shoe, b"As\r\n", now_s=10.0)) == ["As"]
    assert cards(read(shoe, b"As\r\n", now_s=10.5)) == ["As"]


def test_characters_that_stand_again_in_front_of_the_next_line_are_no_part_of_it() -> None:
    in_game_mode = LineShoeSettings(repeats=Repeats.CHARACTERS)
    assert cards(read(open_shoe(in_game_mode), b"As\r\nAsKd\r\nKd7h\r\n7h")) == ["As", "Kd", "7h"]
    assert cards(read(open_shoe(in_game_mode), b"As\r\nAs\r\nKd\r\n")) == ["As", "Kd"]
    assert notes(read(open_shoe(in_game_mode), b"As\r\nAsXX\r\n")) == [Note.UNKNOWN_LINE]
    assert notes(read(open_shoe(), b"As\r\nAsKd\r\n")) == [Note.UNKNOWN_LINE]


@pytest.mark.parametrize("before", [b"", b"\xff", b"\x00\x81"])
def test_a_code_that_may_be_the_end_of_a_longer_one_is_an_unread_card_where_its_beginning_may_be_missing(
    before: bytes,
) -> None:
    shoe = open_shoe(LineShoeSettings(codes=NUMBERS))
    facts = read(shoe, before + b"2\r\n2\r\n")
    assert cards(facts) == [None, "2s"]
    assert notes(facts) == [Note.CUT_LINE]


def test_codes_of_equal_length_are_believed_at_once_and_blank_lines_do_no_harm() -> None:
    assert cards(read(open_shoe(LineShoeSettings(codes=FIXED)), b"\xff02\r\n")) == ["2s"]
    shoe = open_shoe(LineShoeSettings(codes=NUMBERS))
    assert cards(read(shoe, b"11\r\n\r\n2\r\n")) == ["Js", "2s"]


def test_half_a_line_is_given_up_after_a_time_and_what_follows_is_in_doubt() -> None:
    shoe = open_shoe(LineShoeSettings(codes=NUMBERS))
    read(shoe, b"11\r\n1", now_s=10.0)
    assert shoe.deadline_s() == 11.0
    assert shoe.tick(now_s=10.9, at_us=9) == []
    assert shoe.tick(now_s=11.0, at_us=9) == [Rejected(device="shoe", at_us=9, reason="frame cut short", n_bytes=1)]
    assert shoe.deadline_s() is None
    assert cards(read(shoe, b"2\r\n")) == [None]


def test_half_a_line_is_forgotten_with_its_wire_and_rejected() -> None:
    shoe = open_shoe()
    read(shoe, b"A")
    assert shoe.closed(at_us=1, reason="unplugged") == [
        Rejected(device="shoe", at_us=1, reason="frame cut short", n_bytes=1),
        Lost(device="shoe", at_us=1, reason="unplugged"),
    ]
    shoe.opened(now_s=2.0, at_us=2)
    assert cards(read(shoe, b"As\r\n")) == ["As"]


def test_nothing_is_ever_sent() -> None:
    shoe = open_shoe()
    read(shoe, b"As\r\nERR\r\n")
    assert shoe.take_outgoing() == []


def test_nothing_shows_a_card() -> None:
    shoe = open_shoe()
    shown = repr(read(shoe, b"As\r\nQQ\r\nA")) + repr(shoe.closed(at_us=0, reason="unplugged"))
    assert "As" not in shown
    assert "QQ" not in shown


@given(st.lists(st.one_of(st.binary(max_size=20), st.sampled_from([b"As\r\n", b"As", b"\r\n"])), max_size=8))
@pytest.mark.parametrize("repeats", Repeats)
def test_nothing_on_the_wire_raises(repeats: Repeats, pieces: list[bytes]) -> None:
    shoe = open_shoe(LineShoeSettings(repeats=repeats))
    read(shoe, *pieces)
    shoe.tick(now_s=100.0, at_us=0)
    shoe.closed(at_us=0, reason="unplugged")


# -- the configuration -------------------------------------------------------------------------------------------------


def mistakes(text: str) -> list[tuple[str, str, str]]:
    return [*DRIVERS["line-shoe"].mistakes({"port": "/dev/none", **tomllib.loads(text)})]


def table(**changed: str) -> str:
    codes = {**FIXED, **{code.removeprefix("n"): face for code, face in changed.items()}}
    return "[codes]\n" + "\n".join(f'"{code}" = "{face}"' for code, face in codes.items())


def test_a_whole_table_is_taken_as_it_stands_in_the_configuration() -> None:
    text = 'line_end = "lf"\n[words]\n"NO READ" = "unread"\n' + table()
    assert mistakes(text) == []
    _, shoe = DRIVERS["line-shoe"].make("shoe", {"port": "/dev/none", **tomllib.loads(text)}, None)
    assert isinstance(shoe, LineShoe)
    assert cards(read(shoe, b"14\nNO READ\n")) == ["Ah", None]


def test_every_wrong_entry_of_a_table_is_named_with_what_would_be_right() -> None:
    found = mistakes(table(n01="XX", n02="3s") + '\n[words]\n"E1" = "unreadable"\n"03" = "error"')
    assert [key for key, _, _ in found] == ["codes.01", "codes.03", "codes", "words.E1", "words.03"]
    assert found[0][1:] == ("'XX'", "a card in two characters, as As, Td, 7h")
    assert found[1][2] == "a card that no other code means; 02 does"
    assert found[2][1:] == ("50 cards", "each of the 52 cards once; missing: As 2s")
    assert "unread, started" in found[3][2]
    assert found[4][2] == "a code that means nothing else yet"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("codes = 1", "codes"),
        ('codes = ["As"]', "codes"),
        ("[codes]\nA = 1", "codes"),
        ('[words]\n"" = "error"', "words."),
        ('[words]\n"ñ" = "error"', "words.ñ"),
        ('[words]\nAs = "error"', "words.As"),
        ('ignore_case = true\n[words]\ne1 = "error"\nE1 = "error"', "words.E1"),
        ('line_end = "crlf"', "line_end"),
        ('repeats = "sometimes"', "repeats"),
        ("repeat_s = 0.0", "repeat_s"),
        ('unknown_line = "ignored"', "unknown_line"),
        ("code = {}", "code"),
    ],
)
def test_a_setting_that_cannot_be_is_named(text: str, key: str) -> None:
    assert [mistake[0] for mistake in mistakes(text)] == [key]
