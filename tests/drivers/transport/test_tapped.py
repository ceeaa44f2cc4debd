"""A wire that somebody listens in to is the same wire, and everything that happens to it is told, in order."""

from __future__ import annotations

import pytest

from drivers.transport.base import AskFeature, FeatureAnswer, SetFeature, Wire, WireLost, WireUnavailable
from drivers.transport.tapped import WireEvent, tapped_opener


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []

    def happened(self, event: WireEvent, data: bytes) -> None:
        self.heard.append((event.value, data))


class Cable:
    """A wire that brings what it was given, and breaks at the end of it."""

    identity = "a cable"

    def __init__(self, ear: Ear, *reads: bytes) -> None:
        self._ear = ear
        self._reads = list(reads)
        self.written: list[tuple[bytes, int]] = []

    def read(self, timeout_s: float) -> bytes:
        if not self._reads:
            raise WireLost("pulled out")
        return self._reads.pop(0)

    def write(self, data: bytes) -> None:
        if data == b"breaks":
            raise WireLost("takes nothing")
        self.written.append((data, len(self._ear.heard)))

    def close(self) -> None:
        self._reads.clear()


def test_everything_is_told_in_order_and_reaches_the_other_end() -> None:
    ear = Ear()
    cable = Cable(ear, b"abc", b"", FeatureAnswer(b"x"))
    wire = tapped_opener(lambda: cable, ear)()
    assert wire.identity == "a cable"
    for item in (b"hello", SetFeature(b"s"), AskFeature(b"a")):
        wire.write(item)
    assert [wire.read(0.0) for _ in range(3)] == [b"abc", b"", b"x"]
    assert cable.written == [(b"hello", 2), (b"s", 3), (b"a", 4)], "each was told before it was written"
    for _ in range(2):
        with pytest.raises(WireLost, match="pulled out"):
            wire.read(0.0)
    wire.close()
    wire.close()
    assert ear.heard == [
        ("opened", b"a cable"),
        ("out", b"hello"),
        ("set", b"s"),
        ("ask", b"a"),
        ("in", b"abc"),
        ("answer", b"x"),
        ("lost", b"pulled out"),
        ("closed", b""),
    ]


def test_a_write_that_fails_loses_the_wire_and_a_close_of_ours_does_not() -> None:
    ear = Ear()
    wire = tapped_opener(lambda: Cable(ear), ear)()
    with pytest.raises(WireLost, match="takes nothing"):
        wire.write(b"breaks")
    wire.close()
    other = Ear()
    quiet = tapped_opener(lambda: Cable(other), other)()
    quiet.close()
    with pytest.raises(WireLost):
        quiet.read(0.0)
    assert [event for event, _ in ear.heard] == ["opened", "out", "lost", "closed"]
    assert [event for event, _ in other.heard] == ["opened", "closed"]


def test_a_wire_that_cannot_be_opened_is_told_once_a_reason() -> None:
    ear = Ear()
    outcomes: list[str] = ["gone", "gone", "busy", "", "gone"]

    def open_it() -> Wire:
        reason = outcomes.pop(0)
        if reason:
            raise WireUnavailable(reason)
        return Cable(ear)

    opener = tapped_opener(open_it, ear)
    for reason in ("gone", "gone", "busy", None, "gone"):
        if reason is None:
            opener().close()
            continue
        with pytest.raises(WireUnavailable, match=reason):
            opener()
    assert [event for event, _ in ear.heard] == ["unavailable", "unavailable", "opened", "closed", "unavailable"]
