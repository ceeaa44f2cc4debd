"""Which alarms somebody is called for. Pure: the clock is given.

More than `MOST` calls in `SPAN_S` are a flood, in which nobody hears the one that matters: then it is said once how
many were held back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tablectl.core.public_table.alarms import AlarmState
from tablectl.fleet.pit.pit_alarms import PitAlarm, Ring

MOST: Final = 10
SPAN_S: Final = 600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Announcement:
    """A call for an alarm. `number` counts all calls since the server started."""

    number: int
    alarm: PitAlarm
    at_us: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Announced:
    """The calls of the last ten minutes, oldest first, and how many alarms were held back in them."""

    calls: tuple[Announcement, ...] = ()
    held_back: int = 0


class Announcer:
    """Looks at the list of alarms again and again."""

    def __init__(self) -> None:
        self._known: frozenset[str] | None = None
        self._calls: deque[tuple[float, Announcement]] = deque()
        self._held_back: deque[float] = deque()
        self._number = 0

    def look(self, alarms: Iterable[PitAlarm], *, now_s: float, now_us: int) -> Announced:
        """What is called for now. What is there at the first look was there before."""
        while self._calls and now_s - self._calls[0][0] >= SPAN_S:
            self._calls.popleft()
        while self._held_back and now_s - self._held_back[0] >= SPAN_S:
            self._held_back.popleft()
        found = [alarm for alarm in alarms if alarm.ring is not Ring.LATER]
        if self._known is not None:
            for alarm in found:
                if alarm.name not in self._known:
                    self._call(alarm, now_s, now_us)
        self._known = frozenset(alarm.name for alarm in found)
        return Announced(calls=tuple(call for _, call in self._calls), held_back=len(self._held_back))

    def _call(self, alarm: PitAlarm, now_s: float, now_us: int) -> None:
        if alarm.ring is Ring.NEVER or alarm.state is not AlarmState.UNACKNOWLEDGED:
            return
        if len(self._calls) >= MOST:
            self._held_back.append(now_s)
            return
        self._number += 1
        self._calls.append((now_s, Announcement(number=self._number, alarm=alarm, at_us=now_us)))
