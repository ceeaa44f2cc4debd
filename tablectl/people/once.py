"""What is on record already in this minute, so that one look at a page of many parts is one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MINUTE_US: Final = 60 * 1_000_000
#: More than all people of a house look at in a minute.
_MOST: Final = 10_000


class OnceAMinute:
    """By session and by what it was about."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._seen: dict[tuple[str, str], int] = {}

    def is_first(self, token: str, about: str) -> bool:
        """Whether this session has not looked at it in the last minute; from now on it has."""
        now_us = self._now_us()
        if len(self._seen) >= _MOST:
            self._seen.clear()  # a row too many is none too few
        seen_us = self._seen.get((token, about))
        if seen_us is not None and 0 <= now_us - seen_us < MINUTE_US:
            return False
        self._seen[token, about] = now_us
        return True
