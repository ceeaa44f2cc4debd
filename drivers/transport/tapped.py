"""A wire that somebody listens in to: whatever goes over it is also given to a tap, and nothing else changes.

What is written is told before it is written, what is read as soon as it was: so a trace has the question before its
answer, whichever thread asked.
"""

from __future__ import annotations

import threading
from enum import Enum
from typing import Protocol

from drivers.transport.base import AskFeature, FeatureAnswer, SetFeature, Wire, WireLost, WireOpener, WireUnavailable


class WireEvent(Enum):
    """What happened to a wire; after it, what goes with it."""

    OPENED = "opened"  # the wire's identity, UTF-8
    UNAVAILABLE = "unavailable"  # why it cannot be opened, UTF-8; once for as long as the reason stays the same
    IN = "in"  # bytes read
    ANSWER = "answer"  # a `FeatureAnswer` read
    OUT = "out"  # one item to be written
    SET = "set"  # a `SetFeature` to be written
    ASK = "ask"  # an `AskFeature` to be written
    LOST = "lost"  # why, UTF-8; once a wire
    CLOSED = "closed"  # nothing; once a wire


class Tap(Protocol):
    """Who listens in. Called from the threads of the port."""

    def happened(self, event: WireEvent, data: bytes) -> None:
        """Take it and return at once; never raises."""


def event_of(item: bytes) -> WireEvent:
    """What writing this item is."""
    match item:
        case SetFeature():
            return WireEvent.SET
        case AskFeature():
            return WireEvent.ASK
        case _:
            return WireEvent.OUT


def tapped_opener(opener: WireOpener, tap: Tap) -> WireOpener:
    """Opens as `opener` does, and lets `tap` know of everything."""
    last_reason: list[str] = []

    def open_it() -> Wire:
        try:
            wire = opener()
        except WireUnavailable as why:
            if last_reason != [str(why)]:
                last_reason[:] = [str(why)]
                tap.happened(WireEvent.UNAVAILABLE, str(why).encode())
            raise
        last_reason.clear()
        tap.happened(WireEvent.OPENED, wire.identity.encode())
        return _TappedWire(wire, tap)

    return open_it


class _TappedWire:
    """See `Wire`."""

    def __init__(self, wire: Wire, tap: Tap) -> None:
        self._wire = wire
        self._tap = tap
        self._lock = threading.Lock()
        self._is_over = False
        self._is_closed = False
        self.identity = wire.identity

    def read(self, timeout_s: float) -> bytes:
        try:
            data = self._wire.read(timeout_s)
        except WireLost as why:
            self._be_lost(str(why))
            raise
        if data:
            self._tap.happened(WireEvent.ANSWER if isinstance(data, FeatureAnswer) else WireEvent.IN, data)
        return data

    def write(self, data: bytes) -> None:
        self._tap.happened(event_of(data), data)
        try:
            self._wire.write(data)
        except WireLost as why:
            self._be_lost(str(why))
            raise

    def close(self) -> None:
        with self._lock:
            is_first, self._is_closed = not self._is_closed, True
            self._is_over = True
        if is_first:
            self._tap.happened(WireEvent.CLOSED, b"")
        self._wire.close()

    def _be_lost(self, reason: str) -> None:
        """A wire that we closed is not lost, whatever a read that was under way says of it."""
        with self._lock:
            is_first, self._is_over = not self._is_over, True
        if is_first:
            self._tap.happened(WireEvent.LOST, reason.encode())
