"""Days and shifts of a house, by its own clock. Pure.

A day begins with the first shift and not at midnight, so the night belongs to the day on which it began.

The house's clock is asked once for each quarter of an hour that there is and not for each row: no zone has put its
clock at another moment since 1972, and a month has 40,000 hands and 3,000 quarters.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from tablectl.statistics.rows import moment_of

_HOUR_US: Final = 3_600_000_000
_DAY_US: Final = 24 * _HOUR_US
_QUARTER_US: Final = _HOUR_US // 4
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, kw_only=True, slots=True)
class Shifts:
    """When the shifts of a house begin, in their order, in its time zone."""

    begins: tuple[time, ...]
    zone: ZoneInfo
    #: by how much the house's clock is ahead of UTC, in microseconds, by quarters of an hour since the epoch
    _ahead_us: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def day_of(self, us: int) -> date:
        """The day to which a moment belongs."""
        return date.fromordinal(_FIRST_DAY + (self.local_us(us) - _us(self.begins[0])) // _DAY_US)

    def shift_of(self, us: int) -> int:
        """The shift to which it belongs, the first one of a day being 0."""
        begins_us = tuple(map(_us, self.begins))
        return (bisect_right(begins_us, self.local_us(us) % _DAY_US) - 1) % len(begins_us)

    def hour_of(self, us: int) -> int:
        """The hour of the house's clock to which it belongs, counted from the beginning of 1970."""
        return self.local_us(us) // _HOUR_US

    def local_us(self, us: int) -> int:
        """A moment as the house's clock shows it, in microseconds since that clock began 1970."""
        quarter = us // _QUARTER_US
        ahead_us = self._ahead_us.get(quarter)
        if ahead_us is None:
            ahead = moment_of(quarter * _QUARTER_US).astimezone(self.zone).utcoffset() or timedelta()
            ahead_us = self._ahead_us[quarter] = ahead // timedelta(microseconds=1)
        return us + ahead_us

    def from_to_us(self, first: date, last: date) -> tuple[int, int]:
        """From the beginning of a day to the end of another one, or of the same, in microseconds; nothing at the end
        of time, where no calendar goes on."""
        if last == date.max:
            return 0, 0
        return self._begins_us(first), self._begins_us(last + timedelta(days=1))

    def name(self, shift: int) -> str:
        """ "22:00–06:00"."""
        end = self.begins[(shift + 1) % len(self.begins)]
        return f"{self.begins[shift]:%H:%M}–{end:%H:%M}"

    def _begins_us(self, day: date) -> int:
        return int(datetime.combine(day, self.begins[0], self.zone).timestamp()) * 1_000_000


def _us(begin: time) -> int:
    return (begin.hour * 60 + begin.minute) * 60_000_000
