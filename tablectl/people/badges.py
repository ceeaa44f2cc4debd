"""Badges that the table's reader saw: good for a moment, and once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

#: How long a badge that was shown opens something, in microseconds.
GOOD_US: Final = 10 * 1_000_000
#: Clocks of two processes of one machine are one clock; a set one is not trusted further than this.
_AHEAD_US: Final = 1_000_000


class Badges:
    """The last badge of the public stream, by its digest."""

    def __init__(self) -> None:
        self._badge = ""
        self._at_us = 0

    def hear(self, record: Mapping[str, Any]) -> None:
        """A record of the stream; those that are none of ours are passed over."""
        fact = record["fact"]
        if fact["kind"] == "badge-shown":
            at = datetime.fromisoformat(str(record["at"]))
            self._badge, self._at_us = str(fact["badge"]), int(at.timestamp() * 1_000_000)

    def take(self, now_us: int) -> str | None:
        """The badge that was shown just now; whoever asks has it, and nobody has it again."""
        badge, self._badge = self._badge, ""
        return badge if badge and -_AHEAD_US <= now_us - self._at_us <= GOOD_US else None
