"""How far the journal is, for everybody who waits for more of it."""

from __future__ import annotations

import threading


class Newest:
    """The position up to which records are durable, and a way to wait for more."""

    def __init__(self, seq: int) -> None:
        self._seq = seq
        self._changed = threading.Condition()
        self._closed = False

    def publish(self, seq: int) -> None:
        """Called by the one writer, after a record's effects."""
        with self._changed:
            self._seq = seq
            self._changed.notify_all()

    def close(self) -> None:
        """No more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def seq(self) -> int:
        """The position."""
        return self._seq

    @property
    def is_closed(self) -> bool:
        """No more will come."""
        return self._closed

    def wait_behind(self, seq: int, timeout_s: float) -> bool:
        """Wait for something behind `seq`; False where nothing came in time, or nothing ever will."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._seq > seq, timeout_s)
            return self._seq > seq
