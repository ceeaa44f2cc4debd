"""A key of a panel that comes again before anybody can have looked: fingers and contacts bounce.

The engine takes every press that it is told, so this is kept from it here, where time is known. What was dropped is
told as something that the panel said: it is on record, and the croupier sees it.
"""

from __future__ import annotations

from tablectl.core.engine.facts import Pressed
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.vocabulary import Key
from tablectl.core.engine.whose_turn import is_digit, seat_of


class RepeatedKeys:
    """Knows the last press that was taken, and which seat was asked before it."""

    def __init__(self, within_ms: int) -> None:
        """0: every press is taken."""
        self._within_us = within_ms * 1000
        self._last: tuple[Key, int, int | None] | None = None

    def repeats(self, fact: Pressed, now: Prompt) -> bool:
        """Whether this press is the last one again: the same key, sooner than the time after a press with which another
        seat came to be asked. Keys that mean a number are exempt. `now` is what is asked when it comes."""
        seat = seat_of(now.instruction, now.about)
        if self._last is not None and not is_digit(fact.key, now.instruction, now.question):
            key, at_us, seat_before = self._last
            if key is fact.key and seat != seat_before and fact.at_us - at_us < self._within_us:
                return True
        self._last = fact.key, fact.at_us, seat
        return False
