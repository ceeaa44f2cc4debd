"""Who deals at a simulated table: the simulated croupier, or a person who took over from him."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: How long somebody who takes over waits at most until the simulated croupier has ended what he was doing, in seconds.
MOTION_MOST_S: Final = 20.0


class Dealing:
    """Hands the croupier's side over and back. Whoever takes over finds a table at which nothing is half done: the
    simulated croupier ends the motion that he has begun, without pauses. Any thread may call any method."""

    def __init__(self, *, is_persons: bool = False) -> None:
        self._changed = threading.Condition()
        self._is_persons = is_persons
        self._is_moving = False
        self.is_over = False

    def end(self) -> None:
        """Nobody deals any more: the simulated croupier goes after what he is doing now."""
        self.is_over = True

    @property
    def is_persons(self) -> bool:
        """Whether a person deals, or is about to."""
        return self._is_persons

    def take_over(self, within_s: float = MOTION_MOST_S) -> bool:
        """A person deals from now on. False where the simulated croupier did not end his motion in time: then he goes
        on."""
        with self._changed:
            was_persons, self._is_persons = self._is_persons, True
            if not self._changed.wait_for(lambda: not self._is_moving, within_s):
                self._is_persons = was_persons
            return self._is_persons

    def hand_back(self) -> None:
        """The simulated croupier goes on."""
        with self._changed:
            self._is_persons = False

    @contextmanager
    def motion(self) -> Iterator[bool]:
        """What the simulated croupier does in here is done to its end before anybody else deals. False where a person
        deals: then he does nothing."""
        with self._changed:
            self._is_moving = not self._is_persons
            is_his = self._is_moving
        try:
            yield is_his
        finally:
            with self._changed:
                self._is_moving = False
                self._changed.notify_all()
