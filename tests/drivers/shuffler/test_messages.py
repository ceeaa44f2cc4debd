"""The reference line protocol, held against lines written and summed up by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.framing import Garbage, Scanner
from drivers.shuffler.messages import COUNTED, LINE_MAX, NUMBERS, Kind, Line, encode, shuffler_grammar

GOLDEN = {
    "hello": (b"$SHF,000,hello*0F\r\n", 0, Kind.HELLO, None),
    "alive": (b"$SHF,001,alive*1B\r\n", 1, Kind.ALIVE, None),
    "started": (b"$SHF,002,started*0E\r\n", 2, Kind.STARTED, None),
    "complete": (b"$SHF,003,complete,52*4C\r\n", 3, Kind.COMPLETE, 52),
    "card-missing": (b"$SHF,004,card-missing,51*1C\r\n", 4, Kind.CARD_MISSING, 51),
    "card-extra": (b"$SHF,005,card-extra,53*01\r\n", 5, Kind.CARD_EXTRA, 53),
    "jam": (b"$SHF,006,jam*0D\r\n", 6, Kind.JAM, None),
    "door-open": (b"$SHF,007,door-open*45\r\n", 7, Kind.DOOR_OPEN, None),
    "door-closed": (b"$SHF,999,door-closed*4D\r\n", 999, Kind.DOOR_CLOSED, None),
}


def line(number: int, kind: Kind, cards: int | None = None) -> Line:
    return Line(number=number, kind=kind, cards=cards)


def scanner() -> Scanner[Line]:
    return Scanner(shuffler_grammar())


@pytest.mark.parametrize(("golden", "number", "kind", "cards"), GOLDEN.values(), ids=GOLDEN)
def test_a_golden_line_is_read_and_written(golden: bytes, number: int, kind: Kind, cards: int | None) -> None:
    assert scanner().feed(golden) == [line(number, kind, cards)]
    assert encode(line(number, kind, cards)) == golden


def test_every_kind_has_a_golden_line_and_fits() -> None:
    assert {kind for _, _, kind, _ in GOLDEN.values()} == set(Kind)
    longest = max((encode(line(999, kind, 999 if kind in COUNTED else None)) for kind in Kind), key=len)
    assert len(longest) < LINE_MAX


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        (b"$SHF,003,complete,52*00\r\n", "bad checksum"),
        (b"$SHF,003,complete*67\r\n", "count of cards where none belongs, or none where one does"),
        (b"$SHF,003,jam,52*23\r\n", "count of cards where none belongs, or none where one does"),
        (b"$SHF,003,dance*03\r\n", "unknown kind of line"),
        (b"$SHF,3,jam*08\r\n", "malformed line"),
        (b"$SHF,003,jam*08\n", "malformed line"),
        (b"hallo\r\n", "between lines"),
        (b"$SHF,003,com", "frame cut short"),
    ],
)
def test_what_is_no_line_says_why(wire: bytes, reason: str) -> None:
    found = [*(reader := scanner()).feed(wire), *reader.forget()]
    assert found == [Garbage(reason, len(wire))]


def test_what_never_ends_is_no_line() -> None:
    assert scanner().feed(b"$SHF" + b"x" * LINE_MAX)[0] == Garbage("line too long", LINE_MAX + 4)


lines = st.sampled_from(Kind).flatmap(
    lambda kind: st.builds(
        line,
        st.integers(0, NUMBERS - 1),
        st.just(kind),
        st.integers(0, 999) if kind in COUNTED else st.none(),
    )
)


@given(st.lists(lines, max_size=5), st.data())
def test_splitting_the_bytes_anywhere_changes_nothing(sent: list[Line], data: st.DataObject) -> None:
    wire = b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    reader = scanner()
    found: list[Line | Garbage] = []
    for begin, stop in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        found += reader.feed(wire[begin:stop])
    assert found == sent


junk = st.one_of(
    st.binary(max_size=60),
    st.text("$SHF,*0123ABalivecomplete\r\n", max_size=40).map(str.encode),
    st.tuples(lines, st.integers(0, 30)).map(lambda pair: encode(pair[0])[: pair[1]]),
)


@given(junk, lines, junk)
def test_noise_never_costs_the_whole_line_after_it(before: bytes, sent: Line, after: bytes) -> None:
    reader = scanner()
    wire = before + encode(sent) + after
    found = [*reader.feed(wire), *reader.forget()]
    assert sent in found
    assert sum(part.n_bytes if isinstance(part, Garbage) else len(encode(part)) for part in found) == len(wire)


@given(lines, st.integers(0, 40), st.integers(1, 255))
def test_one_corrupted_byte_is_never_taken_for_another_line(sent: Line, at: int, flipped: int) -> None:
    wire = bytearray(encode(sent))
    wire[at % len(wire)] ^= flipped
    reader = scanner()
    found = [*reader.feed(bytes(wire)), *reader.forget()]
    assert all(isinstance(part, Garbage) for part in found)
