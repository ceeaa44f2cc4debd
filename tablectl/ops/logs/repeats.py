"""What goes on and on is said a few times, and then counted: a loose plug must not fill a disk in a night.

The same event of the same thing is said `BURST` times; from then on it is held back, and told as a number every
`WINDOW_S`, until there was none for as long.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

#: Our choices.
BURST: Final = 5
WINDOW_S: Final = 600.0
#: How many are remembered at once; the one that has been silent longest goes first.
KEYS_MOST: Final = 512


@dataclass(kw_only=True, slots=True)
class _Run:
    began_s: float
    n_said: int = 0
    n_held: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Held(Generic[Key]):
    """What was held back, and how often since it was said or counted last."""

    key: Key
    times: int


class Repeats(Generic[Key]):
    """For one log. Not for several threads at once."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        """`now_s`: a clock that nobody sets."""
        self._now_s = now_s
        self._runs: OrderedDict[Key, _Run] = OrderedDict()
        self._forgotten: list[Held[Key]] = []

    def is_to_say(self, key: Key) -> bool:
        """Whether this one is said; otherwise it is counted. Ask `due` first."""
        run = self._runs.setdefault(key, _Run(began_s=self._now_s()))
        self._runs.move_to_end(key)
        if len(self._runs) > KEYS_MOST:
            self._forget()
        if run.n_said < BURST:
            run.n_said += 1
            return True
        run.n_held += 1
        return False

    def due(self) -> list[Held[Key]]:
        """What has to be told as a number now."""
        now_s = self._now_s()
        told, self._forgotten = self._forgotten, []
        for key, run in [item for item in self._runs.items() if now_s - item[1].began_s >= WINDOW_S]:
            if not run.n_held:
                del self._runs[key]
                continue
            told.append(Held(key=key, times=run.n_held))
            run.began_s, run.n_held = now_s, 0
        return told

    def rest(self) -> list[Held[Key]]:
        """At the end: all that was held back and not told yet."""
        told = self._forgotten + [Held(key=key, times=run.n_held) for key, run in self._runs.items() if run.n_held]
        self._runs.clear()
        self._forgotten = []
        return told

    def _forget(self) -> None:
        key, run = self._runs.popitem(last=False)
        if run.n_held:
            self._forgotten.append(Held(key=key, times=run.n_held))
