"""From alarms to figures, as EEMUA 191 and ISA-18.2 ask for them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tablectl.core.public_table.chattering import bursts
from tablectl.statistics.alarm_rows import AlarmRow
from tablectl.statistics.rows import HandRow
from tablectl.statistics.shifts import Shifts

#: More than ten alarms in ten minutes are a flood: nobody can respond to each.
FLOOD: Final = 11
TOP: Final = 10
_SECOND_US: Final = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Flood:
    """A flood of alarms: when it began, when its last alarm did, and how many they were."""

    from_us: int
    to_us: int
    alarms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AlarmFigures:
    """`an_hour`: of the hours in which there was a hand or an alarm. `longest_s`: how long an alarm waited for a
    response at most, one without any until the last record; `unanswered` how many have none. `top`: the most frequent
    kinds, each with what it is about and how often."""

    alarms: int
    an_hour: float
    longest_s: float | None
    longest: AlarmRow | None
    unanswered: int
    top: tuple[tuple[str, str, int], ...]
    floods: tuple[Flood, ...]


def alarms_of(rows: Iterable[AlarmRow], shift: int | None, shifts: Shifts) -> tuple[AlarmRow, ...]:
    """The alarms of a shift: they are the table's, whoever deals."""
    return tuple(row for row in rows if shift is None or shift == shifts.shift_of(row.raised_us))


def alarm_figures_of(
    alarms: tuple[AlarmRow, ...], hands: Iterable[HandRow], shifts: Shifts, *, last_us: int
) -> AlarmFigures:
    """What there is to say of these. `last_us`: the time of the last record, until which one without a response has
    waited."""
    hours = {shifts.hour_of(row.raised_us) for row in alarms} | {shifts.hour_of(hand.opened_us) for hand in hands}
    longest = max(alarms, key=lambda row: _waited_us(row, last_us), default=None)
    counted = Counter((row.kind, row.about) for row in alarms)
    by_count = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    times = sorted(row.raised_us for row in alarms)
    return AlarmFigures(
        alarms=len(alarms),
        an_hour=len(alarms) / len(hours) if hours else 0.0,
        longest_s=None if longest is None else _waited_us(longest, last_us) / _SECOND_US,
        longest=longest,
        unanswered=sum(row.answered_us is None for row in alarms),
        top=tuple((kind, about, count) for (kind, about), count in by_count[:TOP]),
        floods=tuple(
            Flood(from_us=times[burst.start], to_us=times[burst.stop - 1], alarms=len(burst))
            for burst in bursts(times, FLOOD)
        ),
    )


def _waited_us(row: AlarmRow, last_us: int) -> int:
    waited_us = row.until_answered_us
    return max(0, last_us - row.raised_us) if waited_us is None else waited_us
