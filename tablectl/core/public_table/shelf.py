"""What a screen can know of an alarm that somebody shelved."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ShelfView:
    """An alarm that is put aside until `until_us` (microseconds since the epoch), by whom and why."""

    alarm: str
    until_us: int
    by: str
    reason: str
