"""The statistics of one table as the screens use them: a file that follows the controller, and questions to it.

Every question may take as long as the rows of a month do: ask it from a thread that serves nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, time
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tablectl.config.shifts import DEFAULT, begins_of
from tablectl.core.disk_room import Space
from tablectl.core.timestamps import time_us
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.sqlite_file import SqliteError
from tablectl.ops.log import LateLog
from tablectl.statistics.alarm_figures import AlarmFigures, alarm_figures_of, alarms_of
from tablectl.statistics.alarm_rows import AlarmRow
from tablectl.statistics.figures import Figures, Filters, figures_of, floats_of, hands_of, incidents_of
from tablectl.statistics.follower import Follower
from tablectl.statistics.rows import FloatRow, HandRow, IncidentRow
from tablectl.statistics.shifts import Shifts
from tablectl.statistics.store import NotStatistics, Store, seen_us

#: Who hears of an acceptance when it connects sees in the next moments that the journal is another one.
_SAME_US: Final = 10_000_000
#: How many days are offered, and how many all of them are. Any other one can be asked for.
DAYS: Final = 31

_LOG: Final = LateLog()


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """What there is to choose from, within the days that are offered and the one that was asked for; the newest day
    first."""

    days: tuple[date, ...]
    shifts: tuple[str, ...]
    croupiers: tuple[str, ...]
    devices: tuple[str, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The answer to a question: rows and figures, what was asked, what else can be, and how far records are folded."""

    filters: Filters
    figures: Figures
    hands: tuple[HandRow, ...]
    incidents: tuple[IncidentRow, ...]
    floats: tuple[FloatRow, ...]
    alarms: tuple[AlarmRow, ...]
    alarm_figures: AlarmFigures
    choices: Choices
    seq: int


class Statistics:
    """One table's."""

    def __init__(self, store: Store, follower: Follower, begins: tuple[time, ...]) -> None:
        self._store = store
        self._follower = follower
        self._begins = begins or begins_of(DEFAULT)
        self._last: tuple[tuple[Filters, str, int], Report] | None = None

    def start(self) -> None:
        """Begin to follow the controller."""
        self._follower.start()

    def stop(self) -> None:
        """Follow no more."""
        self._follower.stop()
        self._store.close()

    def kept(self, accepted: str = "") -> Path | None:
        """The statistics of the journal that was there before, where this one does not have its records: evidence, and
        an alarm until somebody moves the file away, or until `accepted` (RFC 3339, UTC), when two persons accepted what
        had been seen by then. Looks at the disk."""
        newest = next(reversed(self._store.kept()), None)
        return None if newest is None or (accepted and seen_us(newest) <= time_us(accepted) + _SAME_US) else newest

    def saw_disks(self, disks: Iterable[Space], now_us: int) -> None:
        """The room on the disks at this moment, which no record says: for the alarms. Looks at the disk."""
        if self._store.saw_disks(disks, now_us):
            self._last = None

    def report(self, filters: Filters, timezone: str) -> Report:
        """What the filters let through; what there is not gives nothing, and is no error. Raises `SqliteError`.

        A page and its plots ask the same one after the other, so the last answer is kept until there is a new record.
        """
        seq = self._follower.seq
        asked = (filters, timezone, seq)
        last = self._last
        if last is not None and last[0] == asked:
            return last[1]
        report = self._report(filters, Shifts(begins=self._begins, zone=zone_of(timezone)), seq)
        self._last = (asked, report)
        return report

    def _report(self, filters: Filters, shifts: Shifts, seq: int) -> Report:
        days, last_us = self._days(shifts), self._store.last_us()
        if last_us is not None and filters.day is None and not filters.every_day:
            filters = replace(filters, day=shifts.day_of(last_us))
        whole_us = shifts.from_to_us(days[-1], days[0]) if days else (0, 0)
        span_us = whole_us if filters.day is None else shifts.from_to_us(filters.day, filters.day)
        hands = hands_of(self._store.hands(*span_us), filters, shifts)
        incidents = incidents_of(self._store.incidents(*span_us), filters, shifts)
        floats = floats_of(self._store.floats(*span_us), filters, shifts)
        alarms = alarms_of(self._store.alarms(*span_us), filters.shift, shifts)
        is_offered = filters.day is None or filters.day in days
        spans = (whole_us,) if is_offered else (whole_us, span_us)
        words = zip(*(self._store.words(*span) for span in spans), strict=True)
        croupiers, devices, clauses = (sorted(frozenset().union(*word)) for word in words)
        return Report(
            filters=filters,
            figures=figures_of(
                hands,
                incidents,
                shifts,
                by_day=filters.every_day,
                floats=floats,
                phases=self._store.phases(*span_us),
            ),
            hands=hands,
            incidents=incidents,
            floats=floats,
            alarms=alarms,
            alarm_figures=alarm_figures_of(alarms, hands, shifts, last_us=self._follower.at_us),
            choices=Choices(
                days=days,
                shifts=tuple(shifts.name(shift) for shift in range(len(shifts.begins))),
                croupiers=tuple(croupiers),
                devices=tuple(devices),
                clauses=tuple(clauses),
            ),
            seq=seq,
        )

    def _days(self, shifts: Shifts) -> tuple[date, ...]:
        """The newest ones on which there was a hand, the newest first: a hand under a wrong clock is one of them, and
        hides no other."""
        days: list[date] = []
        newest_us = self._store.newest_us()
        while newest_us is not None and len(days) < DAYS:
            days.append(shifts.day_of(newest_us))
            newest_us = self._store.newest_us(shifts.from_to_us(days[-1], days[-1])[0])
        return tuple(days)


def opened(
    socket: Path, path: Path | None, begins: tuple[time, ...], heads: KnownHeads | None = None
) -> Statistics | None:
    """The statistics of the table after `socket`, in their file; None where they cannot have it, which is said in the
    log. `heads`: what is remembered of that table's signatures."""
    try:
        store = Store(path)
    except (NotStatistics, OSError, SqliteError) as why:
        _LOG.warning("no statistics", path=str(path), reason=str(why))
        return None
    return Statistics(store, Follower(socket, store, heads), begins)


def zone_of(name: str) -> ZoneInfo:
    """The house's time zone; UTC for a name that this machine does not know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
