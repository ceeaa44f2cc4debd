"""Attempts on the table while its controller runs, and when a record of them is due: one a cause, then none for ten
minutes. Whoever tries ten thousand times is a count. Sans-I/O: the clock is given.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from tablectl.core.access import AccessKind
from tablectl.core.events.notes import Access, Security
from tablectl.core.security import AGAIN_US, BURSTS, Burst, SecurityCause
from tablectl.core.timestamps import time_text, time_us

#: So many different sources are named at most, each so long; the others are in the count.
SOURCES_MOST: Final = 5
SOURCE_CHARS: Final = 60
#: Who mistyped a secret, and who opened a page of others. A lock is told after the wrong secrets that led to it.
_REFUSED: Final = {
    AccessKind.REFUSED: SecurityCause.SIGN_ONS,
    AccessKind.CO_SIGNED: SecurityCause.SIGN_ONS,
    AccessKind.PAGE_REFUSED: SecurityCause.PAGES,
}


class SecurityWatch:
    """Of one controller, from its start on. Any thread tells of attempts; the one writer takes what is due."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._lock = threading.Lock()
        self._counted = {cause: _Counted(burst) for cause, burst in BURSTS.items()}

    def tried(self, cause: SecurityCause, source: str, *, at_us: int | None = None) -> None:
        """Somebody tried something, now where nothing else is said."""
        with self._lock:
            self._counted[cause].add(self._now_us() if at_us is None else at_us, _short(source))

    def on_record(self, access: Access) -> None:
        """What people did, as the screens tell it: it counts at the time at which it was."""
        cause = _REFUSED.get(access.what)
        if cause is None or access.granted:
            return
        source = f"{access.who}: {access.about}" if cause is SecurityCause.PAGES else access.who
        self.tried(cause, source, at_us=_time_of(access))

    def due(self) -> Iterator[Security]:
        """What is to be put on record now."""
        for cause, counted in self._counted.items():
            with self._lock:
                note = counted.taken(cause, self._now_us())
            if note is not None:
                yield note


class _Counted:
    """The attempts of one cause. `recent`: those that are no burst yet; the others are counted alone."""

    def __init__(self, burst: Burst) -> None:
        self._burst = burst
        self._recent: deque[tuple[int, str]] = deque(maxlen=burst.least)
        self._count = 0
        self._first_us = self._last_us = 0
        self._sources: dict[str, None] = {}
        self._noted_us: int | None = None

    def add(self, at_us: int, source: str) -> None:
        if self._count:
            self._take(at_us, source)
            return
        self._recent.append((at_us, source))
        first_us = self._recent[0][0]
        if len(self._recent) == self._burst.least and at_us - first_us <= self._burst.within_us:
            for recent in self._recent:
                self._take(*recent)
            self._recent.clear()

    def _take(self, at_us: int, source: str) -> None:
        self._first_us = min(self._first_us, at_us) if self._count else at_us
        self._last_us = max(self._last_us, at_us)
        self._count += 1
        if len(self._sources) < SOURCES_MOST:
            self._sources[source] = None

    def taken(self, cause: SecurityCause, now_us: int) -> Security | None:
        """The record that is due, None where none is. A clock that was set back since the last one makes one due."""
        if not self._count or (self._noted_us is not None and 0 <= now_us - self._noted_us < AGAIN_US):
            return None
        made = Security(
            at_us=now_us,
            cause=cause,
            count=self._count,
            first=time_text(self._first_us),
            last=time_text(self._last_us),
            source=", ".join(self._sources),
        )
        self._noted_us, self._count, self._last_us = now_us, 0, 0
        self._sources.clear()
        return made


def _short(source: str) -> str:
    """A line of a journal, whatever it came from."""
    return "".join(sign if sign.isprintable() else "?" for sign in source[:SOURCE_CHARS])


def _time_of(access: Access) -> int:
    try:
        return time_us(access.when)
    except ValueError:
        return access.at_us
