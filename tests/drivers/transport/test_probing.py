"""A wire counts as open only when the device behind it answers."""

from __future__ import annotations

import pytest

from drivers.transport.base import WireLost, WireUnavailable
from drivers.transport.probing import Probe, Way, probing_opener

PROBE = Probe(title="reader", question=b"?", is_answer=lambda read: read.endswith(b"!!"), wait_s=1.0)


class Clock:
    """Every look at it takes a tenth of a second."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 0.1
        return self.now_s


class ScriptedWire:
    """Gives `answers` piece by piece, then nothing; None is a loss."""

    def __init__(self, name: str, *answers: bytes | None) -> None:
        self.identity = name
        self.written: list[bytes] = []
        self.is_closed = False
        self._answers = list(answers)

    def read(self, timeout_s: float) -> bytes:
        answer = self._answers.pop(0) if self._answers else b""
        if answer is None:
            raise WireLost("unplugged")
        return answer

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        self.is_closed = True


def way(wire: ScriptedWire) -> Way:
    return Way(f"{wire.identity} baud", lambda: wire)


def test_a_device_that_answers_as_configured_is_reached_so() -> None:
    wire, other = ScriptedWire("1", b"..!", b"!"), ScriptedWire("2")
    assert probing_opener([way(wire), way(other)], PROBE, now_s=Clock())() is wire
    assert (wire.written, wire.is_closed, other.written) == ([b"?"], False, [])


def test_a_device_that_answers_at_another_speed_is_reached_there_and_that_is_said() -> None:
    mute, other = ScriptedWire("1", b"noise"), ScriptedWire("2", b"!!", b"more")
    wire = probing_opener([way(mute), way(other)], PROBE, now_s=Clock())()
    assert wire.identity == "2, 2 baud"
    assert (mute.is_closed, other.is_closed) == (True, False)
    wire.write(b"on")
    assert (wire.read(0.0), other.written) == (b"more", [b"?", b"on"])
    wire.close()
    assert other.is_closed


def test_a_device_that_answers_nowhere_is_unavailable_and_nothing_stays_open() -> None:
    wires = [ScriptedWire("1"), ScriptedWire("2", *[b"noise"] * 100)]
    with pytest.raises(WireUnavailable, match="reader does not answer: 1 baud, 2 baud"):
        probing_opener([way(wire) for wire in wires], PROBE, now_s=Clock())()
    assert all(wire.is_closed for wire in wires)


def test_a_wire_that_breaks_under_the_question_is_unavailable() -> None:
    wire = ScriptedWire("1", None)
    with pytest.raises(WireUnavailable, match="unplugged"):
        probing_opener([way(wire)], PROBE, now_s=Clock())()
    assert wire.is_closed
