"""The volumes of a journal in turns, so that checking them again and again takes no more than a share of one processor,
however long the journal grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

#: Of one processor core, on average: 2 %.
SHARE: Final = 0.02


class Rotation:
    """Whose turn it is. Not for several threads."""

    def __init__(self, *, every_s: float, share: float = SHARE, after: int = 0) -> None:
        """A round takes `every_s` at least, and the processor for `share` of it. The first volume of all is the newest,
        which a power cut may have hurt; then comes the one that follows `after`: somebody who is started again and
        again gives another number each time, so that every volume has its turn."""
        self._every_s = every_s
        self._share = share
        self._last = after
        self._is_first = True

    def round(
        self, volumes: Sequence[int], check: Callable[[int], None], cpu_s: Callable[[], float]
    ) -> tuple[int, ...]:
        """Check those whose turn it is, and say which they were: each at most once, at least one, none any more once
        the round's share is used. `cpu_s`: the processor's time for this round so far, in seconds. What `check` raises
        ends the round."""
        checked: list[int] = []
        for number in self._in_turn(volumes):
            check(number)
            checked.append(number)
            if cpu_s() >= self._share * self._every_s:
                break
        return tuple(checked)

    def lasts_s(self, cpu_s: float) -> float:
        """How long a round lasts that has used the processor for so long, both in seconds."""
        return max(self._every_s, cpu_s / self._share)

    def _in_turn(self, volumes: Sequence[int]) -> Iterator[int]:
        left = set(volumes)
        if self._is_first:
            self._is_first = False
            newest = max(left)
            left.remove(newest)
            yield newest
        while left:
            self._last = min((number for number in left if number > self._last), default=min(left))
            left.remove(self._last)
            yield self._last
