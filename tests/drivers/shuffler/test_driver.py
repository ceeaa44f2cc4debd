"""What a shuffler's lines become, and what follows when they stay away."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import DeviceFact, Found, Lost, Rejected, ShufflerNote
from drivers.registry import DRIVERS
from drivers.shuffler.driver import Note, Shuffler, ShufflerSettings
from drivers.shuffler.messages import COUNTED, Kind, Line, encode


def open_shuffler(settings: ShufflerSettings | None = None) -> Shuffler:
    shuffler = Shuffler("mixer", settings or ShufflerSettings())
    assert shuffler.opened(now_s=0.0, at_us=0) == []
    return shuffler


def said(number: int, kind: Kind, cards: int | None = None) -> bytes:
    return encode(Line(number=number, kind=kind, cards=cards))


def read(shuffler: Shuffler, *pieces: bytes, now_s: float = 0.0) -> list[DeviceFact]:
    return [fact for piece in pieces for fact in shuffler.receive(piece, now_s=now_s, at_us=5)]


def notes(facts: Sequence[DeviceFact]) -> list[tuple[str, int | None]]:
    return [(fact.kind, fact.cards) for fact in facts if isinstance(fact, ShufflerNote)]


def test_a_shuffler_is_found_when_it_has_said_something() -> None:
    facts = read(open_shuffler(), said(7, Kind.ALIVE), said(8, Kind.ALIVE))
    assert [type(fact) for fact in facts] == [Found]


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.HELLO, Kind.ALIVE)])
def test_each_kind_is_a_note_of_its_name(kind: Kind) -> None:
    count = 51 if kind in COUNTED else None
    assert notes(read(open_shuffler(), said(0, kind, count))) == [(kind.value, count)]


def test_a_line_that_did_not_come_is_noticed_and_the_numbers_go_round() -> None:
    facts = read(open_shuffler(), said(998, Kind.STARTED), said(999, Kind.ALIVE), said(0, Kind.ALIVE))
    assert notes(facts) == [(Note.STARTED, None)]
    facts = read(open_shuffler(), said(998, Kind.STARTED), said(1, Kind.ALIVE))
    assert notes(facts) == [(Note.STARTED, None), (Note.LINES_MISSING, None)]


def test_a_shuffler_that_was_switched_on_again_says_so_and_counts_anew() -> None:
    facts = read(open_shuffler(), said(40, Kind.STARTED), said(0, Kind.HELLO), said(1, Kind.ALIVE))
    assert notes(facts) == [(Note.STARTED, None), (Note.RESTARTED, None)]


def test_a_line_that_comes_twice_counts_once() -> None:
    facts = read(open_shuffler(), *[said(3, Kind.COMPLETE, 52)] * 2)
    assert notes(facts) == [(Note.COMPLETE, 52)]
    assert [fact.reason for fact in facts if isinstance(fact, Rejected)] == ["line repeated"]


def test_lines_that_were_said_while_the_line_was_away_are_noticed_afterwards() -> None:
    shuffler = open_shuffler()
    read(shuffler, said(3, Kind.STARTED))
    assert [type(fact) for fact in shuffler.closed(at_us=1, reason="unplugged")] == [Lost]
    shuffler.opened(now_s=9.0, at_us=2)
    facts = read(shuffler, said(5, Kind.ALIVE), now_s=9.0)
    assert [type(fact) for fact in facts] == [Found, ShufflerNote]
    assert notes(facts) == [(Note.LINES_MISSING, None)]


def test_who_says_nothing_is_lost_once_and_found_when_it_speaks_again() -> None:
    shuffler = open_shuffler(ShufflerSettings(silent_s=6.0))
    read(shuffler, said(0, Kind.HELLO), now_s=10.0)
    assert shuffler.deadline_s() == 16.0
    assert shuffler.tick(now_s=15.9, at_us=1) == []
    lost = shuffler.tick(now_s=16.0, at_us=1)
    assert lost == [Lost(device="mixer", at_us=1, reason="nothing heard for 6 s")]
    assert (shuffler.deadline_s(), shuffler.tick(now_s=99.0, at_us=1)) == (None, [])
    assert [type(fact) for fact in read(shuffler, said(1, Kind.ALIVE), now_s=99.0)] == [Found]
    assert shuffler.deadline_s() == 105.0


def test_who_never_said_anything_is_lost_too_and_a_wire_that_goes_then_is_no_second_loss() -> None:
    shuffler = open_shuffler()
    assert [type(fact) for fact in shuffler.tick(now_s=6.0, at_us=1)] == [Lost]
    assert shuffler.closed(at_us=2, reason="unplugged") == []


def test_noise_is_no_sign_of_life() -> None:
    shuffler = open_shuffler()
    read(shuffler, b"\xff" * 9, now_s=5.0)
    assert [type(fact) for fact in shuffler.tick(now_s=6.0, at_us=1)] == [Lost]


def test_half_a_line_is_given_up_after_a_time() -> None:
    shuffler = open_shuffler()
    read(shuffler, said(0, Kind.COMPLETE, 52)[:9], now_s=1.0)
    assert shuffler.deadline_s() == 2.0
    assert [type(fact) for fact in shuffler.tick(now_s=2.0, at_us=1)] == [Rejected]
    assert notes(read(shuffler, said(0, Kind.COMPLETE, 52))) == [(Note.COMPLETE, 52)]


def test_nothing_is_ever_sent() -> None:
    shuffler = open_shuffler()
    read(shuffler, said(0, Kind.HELLO), said(1, Kind.JAM))
    assert shuffler.take_outgoing() == []


@pytest.mark.parametrize(("key", "value"), [("silent_s", 2.0), ("silent_s", 0.0), ("line_s", "long"), ("port", "")])
def test_a_setting_that_cannot_be_is_named(key: str, value: object) -> None:
    found = [*DRIVERS["shuffler"].mistakes({"port": "/dev/none", key: value})]
    assert [mistake[0] for mistake in found] == [key]


@given(st.lists(st.one_of(st.binary(max_size=30), st.just(said(3, Kind.COMPLETE, 52))), max_size=6))
def test_nothing_on_the_wire_raises(pieces: list[bytes]) -> None:
    shuffler = open_shuffler()
    read(shuffler, *pieces)
    shuffler.tick(now_s=100.0, at_us=0)
    shuffler.closed(at_us=0, reason="unplugged")
