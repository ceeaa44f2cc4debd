"""The thread that watches what is plugged in: udev's monitor first, then its list, and each thing told once.

Without libudev, or where the kernel lets nobody listen, the table runs all the same; that is said once. What breaks in
here ends no thread: it is said, and a new monitor with a new list finds what was missed meanwhile.
"""

from __future__ import annotations

import importlib
import os
import select
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Protocol

from drivers.facts import UsbChanged
from drivers.heartbeat import Heartbeat
from drivers.port import Log
from drivers.topology.changes import Report, Topology

#: How long to wait before a monitor that broke is made anew, in seconds. Our choice.
AGAIN_S: Final = 2.0
#: How long `close` waits for the thread, in seconds. Our choice.
JOIN_S: Final = 5.0


class Source(Protocol):
    """Who knows what is plugged in; `drivers.topology.udev.Udev`."""

    def fileno(self) -> int:
        """Readable when there is an event."""

    def event(self) -> tuple[str, Report] | None:
        """The next event; None where there is none yet. Raises `OSError` where some were lost."""

    def listed(self) -> Sequence[Report]:
        """Everything there is now."""


def udev() -> Source:
    """This machine's. Raises `ImportError` without libudev, `OSError` where nobody may listen."""
    # Loading pyudev takes time that a table's start does not have: the thread does it.
    source: Source = importlib.import_module("drivers.topology.udev").Udev()
    return source


def _now_us() -> int:
    return time.time_ns() // 1000


class UsbMonitor:
    """Tells `sink` of every device that comes and goes, from its own thread. `source` makes what is listened to."""

    def __init__(
        self,
        sink: Callable[[UsbChanged], None],
        log: Log,
        *,
        source: Callable[[], Source] = udev,
        again_s: float = AGAIN_S,
        now_us: Callable[[], int] = _now_us,
    ) -> None:
        self._now_us = now_us
        self._sink = sink
        self._log = log
        self._source = source
        self._again_s = again_s
        self._topology = Topology()
        self._closing = threading.Event()
        self.heartbeat = Heartbeat("usb-monitor")
        self._thread = threading.Thread(target=self.heartbeat.live, args=(self._run,), name="usb-monitor", daemon=True)
        self._is_broken = False
        self._is_blind = False

    def start(self) -> None:
        """Once."""
        self._wake_read, self._wake_write = os.pipe()
        self._thread.start()

    def close(self) -> None:
        """End the thread. May be repeated."""
        if self._closing.is_set():
            return
        self._closing.set()
        if self._thread.ident is None:
            return  # it was never started, and holds nothing
        os.write(self._wake_write, b"x")
        self._thread.join(JOIN_S)
        if self._thread.is_alive():
            self._log.warning("thread does not end", thread=self._thread.name)
            return
        os.close(self._wake_read)
        os.close(self._wake_write)

    # -- the thread --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closing.is_set():
            with ExitStack() as life:
                life.push(self._ended)
                self._listen(self._source())
            if self._is_blind:
                return
            self.heartbeat.beat()
            self._closing.wait(self._again_s)

    def _ended(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        """Whether the thread goes on after this error; it is said once, and anew when it had been well meanwhile."""
        match error:
            case ImportError():
                self._is_blind = True
                reason = f"{error}: install libudev (Debian: libudev1)"
            case OSError():
                reason = os.strerror(error.errno) if error.errno else str(error)
            case Exception():
                reason = type(error).__name__
            case _:
                return False
        if not self._is_broken:
            self._is_broken = True
            self._log.warning("USB is not watched", reason=reason)
        return True

    def _listen(self, source: Source) -> None:
        self._tell(self._topology.listed(source.listed(), now_s=time.monotonic(), at_us=self._now_us()))
        self._is_broken = False
        while not self._closing.is_set():
            due_s = self._topology.deadline_s()
            wait_s = None if due_s is None else max(due_s - time.monotonic(), 0.0)
            self.heartbeat.rest()
            select.select([source.fileno(), self._wake_read], [], [], wait_s)
            self.heartbeat.beat()
            while (event := source.event()) is not None:
                action, report = event
                self._tell(self._topology.heard(action, report, now_s=time.monotonic(), at_us=self._now_us()))
            self._tell(self._topology.tick(now_s=time.monotonic(), at_us=self._now_us()))

    def _tell(self, facts: Iterable[UsbChanged]) -> None:
        for fact in facts:
            self._log.info("usb", change=fact.change.value, identity=str(fact.identity))
            self._sink(fact)
