"""Which deck is being enrolled."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tablectl.table.decks.at_reader import Heard


class Enrolments:
    """For those who have something to say to it from another connection."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heard: queue.SimpleQueue[Heard] | None = None

    @contextmanager
    def going_on(self, heard: queue.SimpleQueue[Heard]) -> Iterator[None]:
        """As long as the context lasts."""
        with self._lock:
            self._heard = heard
        try:
            yield
        finally:
            with self._lock:
                self._heard = None

    def say(self, what: Heard) -> bool:
        """False where nobody enrols one."""
        with self._lock:
            if self._heard is None:
                return False
            self._heard.put(what)
            return True
