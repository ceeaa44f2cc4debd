"""How far the journal is, for everybody who waits for more of it, and which its newest records are."""

from __future__ import annotations

import threading
from typing import Final

from tablectl.journal.store import BEGINNING, Position

#: Hashes of so many records are remembered: more than any hand has, so that its open end can be confirmed.
REMEMBERED: Final = 8192


class LogHead:
    """The position up to which records are durable, and a way to wait for more.

    What the writer wrote is remembered here, in memory: whoever changes the file changes nothing of it.
    """

    def __init__(self, end: Position = BEGINNING) -> None:
        self._end = end
        self._recent = {end.seq: end.hash}
        self._changed = threading.Condition()
        self._closed = False

    def publish(self, end: Position) -> None:
        """Called by the one writer, after a record's effects."""
        with self._changed:
            self._end = end
            self._recent[end.seq] = end.hash
            if len(self._recent) > REMEMBERED:
                del self._recent[next(iter(self._recent))]
            self._changed.notify_all()

    def close(self) -> None:
        """No more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def seq(self) -> int:
        """The position."""
        return self._end.seq

    @property
    def end(self) -> Position:
        """The newest record that is durable, and its hash."""
        return self._end

    @property
    def is_closed(self) -> bool:
        """No more will come."""
        return self._closed

    def wait_after(self, seq: int, timeout_s: float) -> bool:
        """Wait for something after `seq`; False where nothing came in time, or nothing ever will."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._end.seq > seq, timeout_s)
            return self._end.seq > seq

    def confirms(self, asked: Position, timeout_s: float) -> bool | None:
        """Whether the writer wrote this record; None where it does not remember. A record is in the file a moment
        before it is published here, so one that is not known yet is waited for."""
        self.wait_after(asked.seq - 1, timeout_s)
        with self._changed:
            if asked.seq > self._end.seq:
                return None if self._closed else False
            known = self._recent.get(asked.seq)
            return None if known is None else known == asked.hash
