"""Who is asked next, and what becomes of the answer: a reader of one-letter messages, in virtual time."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import pytest

from drivers.facts import DeviceFact, Found, Lost, ReaderNote, Rejected, TagIn, TagOut
from drivers.framing import Grammar, NoFrame, Verdict, Whole
from drivers.health import Tally
from drivers.reader import (
    CALM_S,
    QUIET_S,
    REST_S,
    UNANSWERED,
    Answer,
    Ask,
    Heard,
    Known,
    NoAnswer,
    Noted,
    Pause,
    Progress,
    ReaderTiming,
    Scanned,
    Step,
    TagReader,
)
from drivers.sealed import Sealed
from drivers.tags import PresenceSettings
from drivers.transport.base import WireLost

Steps = Generator[Step[str], str | None, None]
TIMING = ReaderTiming(begin_s=1.0, answer_s=5.0, frame_s=0.5, attempts=3)
AT_ONCE = PresenceSettings(in_scans=1, out_scans=1, out_s=0.001)


class Letters:
    """`A` answers `a`, `+` takes it; any other letter is an answer to something else."""

    def grammar(self) -> Grammar[str]:
        def judge(buffer: bytes) -> Verdict[str]:
            return NoFrame("noise") if buffer[0] < 0x20 else Whole(chr(buffer[0]), 1)

        return judge

    def say(self, command: str) -> Sequence[bytes]:
        return [command.encode()]

    def say_again(self, command: str, *, was_garbled: bool) -> Sequence[bytes]:
        return [b"?" if was_garbled else b"!" + command.encode()]

    def hear(self, command: str, frame: str) -> Heard[str]:
        if frame == command.upper():
            return Answer(frame)
        return Progress.TAKEN if frame == "+" else Progress.STRAY

    def n_bytes(self, frame: str) -> int:
        return 1

    def code(self, command: str) -> int:
        return ord(command)


class Bench:
    def __init__(self, *steps: Step[str]) -> None:
        self.thrown: list[NoAnswer] = []

        def script() -> Steps:
            for step in steps:
                try:
                    yield step
                except NoAnswer as none:
                    self.thrown.append(none)
            raise NoAnswer(0)

        self.reader = TagReader(
            "field", title="Letters", codec=Letters(), script=script, timing=TIMING, presence=AT_ONCE
        )
        self.facts: list[DeviceFact] = [*self.reader.opened(now_s=0.0, at_us=0)]

    def hear(self, data: bytes, now_s: float = 0.0) -> list[DeviceFact]:
        return [*self.reader.receive(data, now_s=now_s, at_us=1)]

    def tick(self, now_s: float) -> list[DeviceFact]:
        return [*self.reader.tick(now_s=now_s, at_us=2)]

    def written(self) -> bytes:
        return b"".join(self.reader.take_outgoing())


def test_the_next_question_goes_out_with_the_answer_to_the_one_before() -> None:
    bench = Bench(Ask("a"), Ask("b"))
    assert bench.written() == b"a"
    assert bench.hear(b"A") == []
    assert bench.written() == b"b"
    assert bench.reader.tally == Tally(frames=1)


def test_an_acknowledgement_gives_the_answer_its_own_time() -> None:
    bench = Bench(Ask("a"))
    assert bench.reader.deadline_s() == 1.0
    bench.hear(b"+", 0.5)
    assert bench.reader.deadline_s() == 5.5


def test_silence_is_asked_again_which_is_counted_and_then_noted_and_the_script_told() -> None:
    bench = Bench(Ask("a"), Pause(9.0))
    for now_s in (1.0, 2.0):
        assert bench.tick(now_s) == []
    assert bench.reader.tally == Tally(retries=2)
    assert bench.written() == b"a!a!a"
    assert bench.tick(3.0) == [ReaderNote(device="field", at_us=2, kind=UNANSWERED, code=ord("a"))]
    assert [none.code for none in bench.thrown] == [ord("a")]
    assert bench.reader.deadline_s() == 12.0


def test_a_damaged_answer_is_asked_for_again_as_such() -> None:
    bench = Bench(Ask("a"))
    assert bench.hear(b"\x01\x02") == [Rejected(device="field", at_us=1, reason="noise", n_bytes=2)]
    bench.tick(1.0)
    assert bench.written() == b"a?"


def test_an_answer_to_something_else_is_rejected() -> None:
    bench = Bench(Ask("a"), Pause(1.0))
    assert [type(fact) for fact in bench.hear(b"Z")] == [Rejected]
    bench.hear(b"A")
    assert [type(fact) for fact in bench.hear(b"A")] == [Rejected]


def test_a_reader_that_is_mute_is_a_wire_of_no_use() -> None:
    bench = Bench(Ask("a"))
    bench.hear(b"A")
    with pytest.raises(WireLost, match="Letters does not answer"):
        bench.tick(0.0)
    assert bench.reader.closed(at_us=3, reason="mute") == [Lost(device="field", at_us=3, reason="mute")]
    assert bench.reader.deadline_s() is None
    bench.reader.opened(now_s=9.0, at_us=9)
    assert bench.written() == b"a"


def test_scans_become_tags_that_come_and_go_and_a_move_is_in_before_out() -> None:
    bench = Bench(
        Known("letters 1"), Scanned(1, frozenset({"04"})), Pause(1.0),
        Scanned(2, frozenset({"04"})), Scanned(1, frozenset()), Pause(1.0), Scanned(2, frozenset()), Pause(1.0),
    )  # fmt: skip
    tag: Sealed[str] = Sealed("04")
    assert bench.facts == [
        Found(device="field", at_us=0, identity="letters 1"),
        TagIn(device="field", at_us=0, tag=tag, antenna=1),
    ]
    assert bench.tick(1.0) == [
        TagIn(device="field", at_us=2, tag=tag, antenna=2),
        TagOut(device="field", at_us=2, tag=tag, antenna=1),
    ]
    assert bench.tick(2.0) == [TagOut(device="field", at_us=2, tag=tag, antenna=2)]


def test_a_fault_that_lasts_is_noted_once_and_one_that_comes_back_later_again() -> None:
    fault = Noted("scan-failed", antenna=1, code=3)
    bench = Bench(fault, Pause(1.0), fault, Pause(QUIET_S), fault, Pause(QUIET_S + 1.0), fault, Pause(1.0))
    assert [type(fact) for fact in bench.facts] == [ReaderNote]
    assert bench.tick(1.0) == bench.tick(1.0 + QUIET_S) == []
    assert [type(fact) for fact in bench.tick(2.0 + 2 * QUIET_S)] == [ReaderNote]


def test_a_script_that_never_waits_is_a_mistake() -> None:
    def script() -> Steps:
        while True:
            yield Noted("busy")

    reader = TagReader("field", title="Letters", codec=Letters(), script=script, timing=TIMING, presence=AT_ONCE)
    with pytest.raises(AssertionError, match="never waits"):
        reader.opened(now_s=0.0, at_us=0)


def test_a_reader_that_nobody_waits_for_rests_when_nothing_has_moved_for_a_while() -> None:
    sweep = Pause(0.1, between_sweeps=True)
    bench = Bench(sweep, sweep, Pause(0.1), sweep, Scanned(1, frozenset({"AA"})), sweep, Ask("a"))
    bench.reader.rest(rests=True)
    bench.tick(1000.0)
    assert bench.reader.deadline_s() == 1000.1, "a hand has just ended: cards may still be moved"
    bench.tick(1001.0 + CALM_S)
    assert bench.reader.deadline_s() == 1001.1 + CALM_S, "a pause inside a sweep is what it is"
    bench.tick(1002.0 + CALM_S)
    assert bench.reader.deadline_s() == 1002.0 + CALM_S + REST_S
    assert bench.tick(1007.0 + CALM_S) == [TagIn(device="field", at_us=2, tag=Sealed("AA"), antenna=1)]
    assert bench.reader.deadline_s() == pytest.approx(1007.1 + CALM_S), "a card was moved"


def test_a_reader_does_not_rest_any_more_when_a_hand_begins() -> None:
    sweep = Pause(0.1, between_sweeps=True)
    bench = Bench(sweep, sweep, sweep, sweep, Ask("a"))
    bench.reader.rest(rests=True)
    bench.tick(1000.0)
    bench.tick(1001.0 + CALM_S)
    assert bench.reader.deadline_s() == 1001.0 + CALM_S + REST_S
    bench.reader.rest(rests=False)
    assert bench.reader.deadline_s() == 0.0, "nobody waits for the end of the rest"
    bench.tick(1002.0 + CALM_S)
    assert bench.reader.deadline_s() == pytest.approx(1002.1 + CALM_S)
    bench.reader.rest(rests=True)
    bench.tick(1003.0 + CALM_S)
    assert bench.written() == b"a"
    bench.reader.rest(rests=False)
    assert bench.reader.deadline_s() == 1003.0 + CALM_S + TIMING.begin_s, "what was asked has its own time"
