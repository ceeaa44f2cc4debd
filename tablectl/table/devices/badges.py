"""The reader to which people hold their badges: what comes to it is a badge, and no card.

A badge's number is what a thief would copy, so nobody is told it: only a digest of it that needs the table's sealing
key to be made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from drivers import facts as device
from drivers.port import Log
from tablectl.core.events.notes import BadgeShown

#: A badge that comes back within so many microseconds never left: a hand is not that still.
AGAIN_US: Final = 2_000_000
#: So many showings within `WINDOW_US` are told, and no more: a telephone has another number each time it is read.
SHOWN_MOST: Final = 10
WINDOW_US: Final = 60_000_000


class Badges:
    """One reader of badges, by its name. `digest` makes of a badge's number what may be told."""

    def __init__(self, reader: str, digest: Callable[[str], str], log: Log) -> None:
        self.reader = reader
        self._digest = digest
        self._log = log
        #: how many antennas see each badge, by its digest
        self._there: Counter[str] = Counter()
        self._left_us: dict[str, int] = {}
        self._told_us: list[int] = []

    def shown(self, fact: device.DeviceFact) -> BadgeShown | None:
        """The note, where a badge was held to the reader just now."""
        match fact:
            case device.TagIn(device=self.reader):
                return self._came(self._digest(fact.tag.open()), fact.at_us)
            case device.TagOut(device=self.reader):
                self._goes(self._digest(fact.tag.open()), fact.at_us)
        return None

    def _came(self, badge: str, at_us: int) -> BadgeShown | None:
        self._left_us = {text: left_us for text, left_us in self._left_us.items() if at_us - left_us < AGAIN_US}
        is_showing = self._there[badge] == 0 and badge not in self._left_us
        self._there[badge] += 1
        if not is_showing:
            return None
        self._told_us = [told_us for told_us in self._told_us if at_us - told_us < WINDOW_US]
        if len(self._told_us) >= SHOWN_MOST:
            self._log.warning("badge not told", device=self.reader, what="too many within a minute")
            return None
        self._told_us.append(at_us)
        return BadgeShown(at_us=at_us, badge=badge)

    def _goes(self, badge: str, at_us: int) -> None:
        if self._there[badge] > 1:
            self._there[badge] -= 1
            return
        del self._there[badge]
        self._left_us[badge] = at_us
