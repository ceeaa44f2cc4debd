"""Badges that the table's reader saw: good for a moment, and once."""

from __future__ import annotations

from typing import Final

#: How long a badge that was shown opens something, in microseconds.
GOOD_US: Final = 10 * 1_000_000
#: Clocks of two processes of one machine are one clock; a set one is not trusted further than this.
_AHEAD_US: Final = 1_000_000


class Badges:
    """The last badge of the public stream, by its digest."""

    def __init__(self) -> None:
        self._badge = ""
        self._at_us = 0

    def show(self, badge: str, *, at_us: int) -> None:
        """A badge was held to the reader. `badge`: its digest; `at_us`: when, in microseconds since the epoch, UTC."""
        self._badge, self._at_us = badge, at_us

    def take(self, now_us: int) -> str | None:
        """The badge that was shown just now; whoever asks has it, and nobody has it again."""
        badge, self._badge = self._badge, ""
        return badge if badge and -_AHEAD_US <= now_us - self._at_us <= GOOD_US else None
