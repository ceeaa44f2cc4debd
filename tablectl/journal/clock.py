"""The clock on the wall, and one that cannot be set."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

#: From so much on a difference goes on record, in microseconds.
STEP_US: Final = 1_000_000
#: Two clocks that were read within so long were read together, in microseconds.
TOGETHER_US: Final = 100_000
#: How often they are read again where this program had to wait between them; then the best reading counts.
_READINGS: Final = 5


def now_us() -> int:
    """Wall clock, microseconds since the epoch."""
    return time.time_ns() // 1000


def running_us() -> int:
    """Since the machine was started, suspended or not; nobody can set it."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000


class TableClock:
    """The time of a table: a clock that nobody can set, and by how much the wall clock was ahead of it when that was
    last agreed. So a wall clock that is set in a hand moves no record: the hand goes on in the time in which it began,
    and what the wall clock says since is taken over between two hands."""

    def __init__(self, wall_us: Callable[[], int] = now_us, steady_us: Callable[[], int] = running_us) -> None:
        self._wall_us = wall_us
        self._steady_us = steady_us
        self._offset_us = self._read_us()

    def now_us(self) -> int:
        """The table's time, microseconds since the epoch; any thread may ask."""
        return self._steady_us() + self._offset_us

    def take_over(self) -> int:
        """From now on the table's time is what the wall clock says, where they differ by more than a second: by how
        much it was set since they agreed, at one stroke or little by little; 0 where they agree."""
        offset_us = self._read_us()
        by_us = offset_us - self._offset_us
        if abs(by_us) <= STEP_US:
            return 0
        self._offset_us = offset_us
        return by_us

    def put_forward(self, by_us: int) -> None:
        """Go on so much later than the wall clock says, until that is taken over."""
        self._offset_us += by_us

    def _read_us(self) -> int:
        """The wall clock less the steady one. A busy machine may stop this program between the two, which is no jump:
        the steady clock is read before and after, and what took long is read again."""
        readings = []
        for _ in range(_READINGS):
            before_us, wall_us, after_us = self._steady_us(), self._wall_us(), self._steady_us()
            took_us = after_us - before_us
            readings.append((took_us, wall_us - before_us))
            if took_us <= TOGETHER_US:
                break
        return min(readings)[1]
