"""The clock on the wall, held against one that cannot be set."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

#: A difference that no time server's slewing makes between two looks, in microseconds.
JUMP_US: Final = 2_000_000
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


class ClockWatch:
    """Notices when somebody sets the wall clock. Slow corrections (slewing) are no jumps: each look starts anew."""

    def __init__(self, wall_us: Callable[[], int] = now_us, steady_us: Callable[[], int] = running_us) -> None:
        self._wall_us = wall_us
        self._steady_us = steady_us
        self._offset_us = self._read_us()

    def jump_us(self) -> int:
        """By how much the wall clock jumped since the last look; 0 where it only ran."""
        before, self._offset_us = self._offset_us, self._read_us()
        jump = self._offset_us - before
        return jump if abs(jump) > JUMP_US else 0

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
