"""Wakes several threads at once; a call that came before somebody waits is not lost."""

from __future__ import annotations

import threading


class Wakeup:
    """Counts how often it woke them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """How often it did; to be asked before looking whether there is something to do."""
        return self._count

    def wake(self) -> None:
        """There may be something to do."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait(self, count: int, timeout_s: float) -> None:
        """Until it woke them since then, or for so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._count != count, timeout_s)
