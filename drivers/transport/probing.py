"""A wire that counts as open only when the device behind it answers, tried at several speeds where that may help.

A device that remembers a speed somebody else gave it (a program that crashed, a tool of its maker) is mute at the speed
of the configuration; a port that is open with nobody behind it is as good as none. Both end here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drivers.transport.base import Wire, WireLost, WireOpener, WireUnavailable


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """What is asked, and what counts as an answer: `is_answer` gets all bytes read since, and never raises."""

    title: str
    question: bytes
    is_answer: Callable[[bytes], bool]
    #: Seconds.
    wait_s: float


@dataclass(frozen=True, slots=True)
class Way:
    """One way to open the wire; `name` is for people."""

    name: str
    opener: WireOpener


class _NamedWire:
    """A wire that says how it was reached."""

    def __init__(self, wire: Wire, name: str) -> None:
        self._wire = wire
        self.identity = f"{wire.identity}, {name}"

    def read(self, timeout_s: float) -> bytes:
        return self._wire.read(timeout_s)

    def write(self, data: bytes) -> None:
        self._wire.write(data)

    def close(self) -> None:
        self._wire.close()


def probing_opener(ways: Sequence[Way], probe: Probe, *, now_s: Callable[[], float] = time.monotonic) -> WireOpener:
    """Opens the first of `ways` that the device answers on; the first one is the one that was configured."""

    def open_it() -> Wire:
        for number, way in enumerate(ways):
            wire = way.opener()
            answered = False
            try:
                answered = _answers(wire, probe, now_s)
            finally:
                if not answered:
                    wire.close()
            if answered:
                return _NamedWire(wire, way.name) if number else wire
        raise WireUnavailable(f"{probe.title} does not answer: {', '.join(way.name for way in ways)}")

    return open_it


def _answers(wire: Wire, probe: Probe, now_s: Callable[[], float]) -> bool:
    end_s = now_s() + probe.wait_s
    read = b""
    try:
        wire.write(probe.question)
        while (left_s := end_s - now_s()) > 0:
            read += wire.read(left_s)
            if probe.is_answer(read):
                return True
    except WireLost as why:
        raise WireUnavailable(str(why)) from why
    return False
