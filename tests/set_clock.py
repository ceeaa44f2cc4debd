"""A wall clock that a test sets."""

from __future__ import annotations

from tablectl.journal.clock import TableClock, now_us, running_us


class TheClock(TableClock):
    """`set_by_us`: how far it is from the true one, in microseconds."""

    def __init__(self) -> None:
        self.set_by_us = 0
        super().__init__(lambda: now_us() + self.set_by_us, running_us)


class PassingClock(TableClock):
    """A clock that nobody sets, at a machine that stands in another time: `passed_us` after now, before it where that
    is negative."""

    def __init__(self, passed_us: int = 0) -> None:
        self.passed_us = passed_us
        super().__init__(lambda: now_us() + self.passed_us, lambda: running_us() + self.passed_us)
