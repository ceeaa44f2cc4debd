"""Wakes several threads at once; a ring that came before somebody waits is not lost."""

from __future__ import annotations

import threading


class Bell:
    """Counts its rings."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._rung = 0

    @property
    def rung(self) -> int:
        """How often it rang; to be asked before looking whether there is something to do."""
        return self._rung

    def ring(self) -> None:
        """There may be something to do."""
        with self._changed:
            self._rung += 1
            self._changed.notify_all()

    def wait(self, rung: int, timeout_s: float) -> None:
        """Until it has rung since then, or for so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._rung != rung, timeout_s)
