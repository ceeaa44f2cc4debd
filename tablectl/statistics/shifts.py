"""Days and shifts of a house, by its own clock. Pure.

A day begins with the first shift and not at midnight, so the night belongs to the day on which it began.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from tablectl.statistics.rows import moment_of

DEFAULT: Final = ("06:00", "14:00", "22:00")
_MOST: Final = 8
_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


@dataclass(frozen=True, kw_only=True, slots=True)
class Shifts:
    """When the shifts of a house begin, in their order, in its time zone."""

    begins: tuple[time, ...]
    zone: ZoneInfo

    def day_of(self, us: int) -> date:
        """The day to which a moment belongs."""
        local = self.local(us)
        return local.date() if local.time() >= self.begins[0] else local.date() - timedelta(days=1)

    def shift_of(self, us: int) -> int:
        """The shift to which it belongs, the first one of a day being 0."""
        at = self.local(us).time()
        return sum(begin <= at for begin in self.begins) - 1 if at >= self.begins[0] else len(self.begins) - 1

    def local(self, us: int) -> datetime:
        """A moment as the house's clock shows it."""
        return moment_of(us).astimezone(self.zone)

    def from_to_us(self, first: date, last: date) -> tuple[int, int]:
        """From the beginning of a day to the end of another one, or of the same, in microseconds."""
        return self._begins_us(first), self._begins_us(last + timedelta(days=1))

    def name(self, shift: int) -> str:
        """ "22:00–06:00"."""
        end = self.begins[(shift + 1) % len(self.begins)]
        return f"{self.begins[shift]:%H:%M}–{end:%H:%M}"

    def _begins_us(self, day: date) -> int:
        return int(datetime.combine(day, self.begins[0], self.zone).timestamp()) * 1_000_000


def begins_of(texts: Sequence[object]) -> tuple[time, ...]:
    """Times of a clock, in their order. Raises `ValueError` for what is none, or comes twice."""
    found = [_TIME.fullmatch(text) if isinstance(text, str) else None for text in texts]
    begins = tuple(time(int(each[1]), int(each[2])) for each in found if each is not None)
    if not 0 < len(begins) <= _MOST or len(begins) != len(texts) or list(begins) != sorted(set(begins)):
        raise ValueError(
            f'{list(texts)!r}: expected 1 to {_MOST} times such as "06:00", each later than the one before'
        )
    return begins
