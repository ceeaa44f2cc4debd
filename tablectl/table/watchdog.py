"""Proves that every thread that the table needs is alive, and tells systemd so for as long as it is true.

A thread that ended, or did not move for `FROZEN_S`, is said in the log, once, and whoever put it under watch does what
has to follow: a device is lost, the table is tilted. While a thread is in trouble without which nobody may be sure of
the table, systemd hears nothing, and after `WatchdogSec=` it ends this program and starts it again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from drivers.error_boundary import ErrorBoundary, where_of
from drivers.heartbeat import Heartbeat
from drivers.port import Log
from drivers.thread_name import show_name

#: How often it looks, in seconds: a wake-up of the machine each time. systemd wants to hear it every `WatchdogSec=`/2.
LOOK_S: Final = 2.0
#: A thread that does not move for so long does not move, in seconds. Our choice: longer than any read, write or commit
#: that comes to an end at all, and, with `LOOK_S`, well below `WatchdogSec=`.
FROZEN_S: Final = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Watched:
    """A thread under watch. `stopped` is called with the trouble, from the watchdog's thread, once until it is over."""

    heartbeat: Heartbeat
    stopped: Callable[[str], object]
    #: Without it this program is better started anew.
    is_vital: bool = True


class Watchdog:
    """One thread that looks at all others. Itself is watched by systemd."""

    def __init__(
        self,
        watched: Sequence[Watched],
        log: Log,
        alive: Callable[[], object],
        *,
        look_s: float = LOOK_S,
        frozen_s: float = FROZEN_S,
    ) -> None:
        self._watched = tuple(watched)
        self._log = log
        self._alive = alive
        self._look_s = look_s
        self._frozen_s = frozen_s
        self._troubles: dict[str, str] = {}
        #: The last look failed, which is said once.
        self._is_broken = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def close(self) -> None:
        """Look no more. May be called from what a thread's trouble leads to."""
        self._closing.set()
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join()

    @property
    def troubles(self) -> tuple[str, ...]:
        """What was wrong at the last look."""
        return tuple(self._troubles.copy().values())

    def look(self) -> None:
        """Once: say what has changed, and tell that all is well where it is."""
        is_well = True
        for watched in self._watched:
            trouble = watched.heartbeat.trouble(self._frozen_s)
            self._take(watched, trouble)
            is_well = is_well and (trouble is None or not watched.is_vital)
        if is_well:
            self._alive()

    def _take(self, watched: Watched, trouble: str | None) -> None:
        name = watched.heartbeat.name
        if trouble is None:
            if self._troubles.pop(name, None) is not None:
                self._log.info("thread moves again", thread=name)
            return
        if self._troubles.get(name) == trouble:
            return
        self._troubles[name] = trouble
        self._log.error("thread in trouble", thread=name, reason=trouble)
        watched.stopped(trouble)

    def _run(self) -> None:
        show_name()
        while not self._closing.is_set():
            # A look that failed told systemd nothing; where none succeeds any more, systemd starts us anew.
            with ErrorBoundary() as looking:
                self.look()
            with ErrorBoundary():
                self._say_broken(looking.error)
            self._closing.wait(self._look_s)

    def _say_broken(self, bug: BaseException | None) -> None:
        was_broken, self._is_broken = self._is_broken, bug is not None
        if bug is not None and not was_broken:
            self._log.error("watchdog's look failed", error=type(bug).__name__, where=where_of(bug))
