"""A thread's sign of life, for whoever watches over it.

A beat is one look at the clock, where the thread runs anyway: nothing wakes up for it. A thread that waits for work
without end says so before (`rest`): then only its end is a trouble.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from drivers.error_boundary import ErrorBoundary, where_of
from drivers.thread_name import show_name


class Heartbeat:
    """Of one thread. The thread itself calls `begin` and `end`, or `live`, and `beat` and `rest` between; any thread
    may ask for its trouble."""

    def __init__(self, name: str, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self._now_s = now_s
        self._thread: threading.Thread | None = None
        self._beat_s = 0.0
        self._is_resting = False
        self._why_ended = ""

    def begin(self) -> None:
        """The calling thread is the one; from now on it has to beat."""
        show_name()
        self.beat()
        self._thread = threading.current_thread()

    def beat(self, now_s: float | None = None) -> None:
        """It moves. `now_s`: what the clock says, where the thread has just asked it."""
        self._beat_s = self._now_s() if now_s is None else now_s
        self._is_resting = False

    def rest(self) -> None:
        """It is going to wait for something that may never come, which is as it should be."""
        self._is_resting = True

    def end(self) -> None:
        """It ends in order."""
        self._thread = None

    def live(self, life: Callable[[], object]) -> None:
        """The thread's whole life. What it raises ends it, and is kept for whoever asks for its trouble."""
        with ErrorBoundary() as boundary:
            self.begin()
            life()
        if boundary.error is None:
            self.end()
        else:
            self._why_ended = f": {type(boundary.error).__name__} at {where_of(boundary.error)}"

    @property
    def is_alive(self) -> bool:
        """It has begun and did not end, in order or not."""
        return self._thread is not None and self._thread.is_alive()

    def trouble(self, within_s: float) -> str | None:
        """What is wrong: it has ended although nobody wanted it to, or has not moved for longer than `within_s`."""
        thread = self._thread
        if thread is None:
            return None
        if not thread.is_alive():
            return f"the thread {self.name} has ended{self._why_ended}"
        # In this order: a thread that stops resting beats first.
        if self._is_resting or self._now_s() - self._beat_s <= within_s:
            return None
        return f"the thread {self.name} has not moved for more than {within_s:g} s"
