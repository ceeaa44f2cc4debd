"""What a screen can know of attempts on a table: how often, since when, and whether somebody knows of it."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.core.security import QUIET_US, SecurityCause
from tablectl.core.timestamps import time_us


@dataclass(frozen=True, kw_only=True, slots=True)
class AttemptsView:
    """Attempts of one cause that are one alarm: `count` of them, the first one at `since`; `told_at`: the time of the
    newest record of them, which names `source`. `is_unseen`: nobody has said yet that he knows; `seen_by` did, at
    `seen_at`. Times are RFC 3339."""

    cause: SecurityCause
    count: int
    since: str
    told_at: str
    source: str
    is_unseen: bool = True
    seen_by: str = ""
    seen_at: str = ""

    def goes_on_at(self, now_us: int) -> bool:
        """Whether it is not over at this moment."""
        return now_us - time_us(self.told_at) <= QUIET_US
