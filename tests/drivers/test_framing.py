"""The scanner with the smallest grammar that can be ambiguous: `<`, a length digit, that many letters, `>`."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from drivers.framing import Garbage, NoFrame, Partial, Scanner, Verdict, Whole
from drivers.health import Tally


def boxes(buffer: bytes) -> Verdict[bytes]:
    if buffer[:1] != b"<":
        return NoFrame("between frames")
    if len(buffer) == 1:
        return Partial()
    if not buffer[1:2].isdigit():
        return NoFrame("malformed frame")
    end = 2 + int(buffer[1:2])
    if len(buffer) <= end:
        return Partial()
    return Whole(buffer[2:end], end + 1) if buffer[end : end + 1] == b">" else NoFrame("no end")


def test_frames_and_garbage_come_in_the_order_of_the_wire_and_frames_are_counted() -> None:
    tally = Tally()
    assert Scanner(boxes, tally).feed(b"..<2ab>.<0>") == [
        Garbage("between frames", 2),
        b"ab",
        Garbage("between frames", 1),
        b"",
    ]
    assert tally.frames == 2


def test_a_good_frame_inside_a_broken_one_is_found() -> None:
    assert Scanner(boxes).feed(b"<4a<2bc>") == [Garbage("no end", 3), b"bc"]


def test_a_frame_held_up_by_a_cut_one_comes_when_the_wait_is_given_up() -> None:
    scanner = Scanner(boxes)
    assert scanner.feed(b"<9a<2bc>") == []
    assert scanner.is_waiting
    assert scanner.give_up_waiting() == [Garbage("frame cut short", 3), b"bc"]
    assert not scanner.is_waiting


def test_forgetting_counts_what_was_left_and_keeps_what_was_whole() -> None:
    scanner = Scanner(boxes)
    scanner.feed(b"<9a<1b><")
    assert scanner.forget() == [Garbage("frame cut short", 3), b"b", Garbage("frame cut short", 1)]
    assert scanner.forget() == []
    assert scanner.give_up_waiting() == []


@given(st.lists(st.sampled_from([b"<", b">", b"1", b"2", b"9", b"a", b"<1a>", b"<0>"]), max_size=30))
def test_every_byte_ends_up_in_a_frame_or_in_garbage(pieces: list[bytes]) -> None:
    scanner = Scanner(boxes)
    found = [item for piece in pieces for item in scanner.feed(piece)] + [*scanner.forget()]
    counted = sum(item.n_bytes if isinstance(item, Garbage) else len(item) + 3 for item in found)
    assert counted == len(b"".join(pieces))
