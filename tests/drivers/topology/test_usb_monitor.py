"""The thread between udev and the table, with a udev that is a pipe."""

from __future__ import annotations

import errno
import gc
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from weakref import finalize

import pytest

from drivers.facts import UsbChange, UsbChanged
from drivers.topology.changes import Report
from drivers.topology.usb_monitor import Source, UsbMonitor

SOON_S = 20.0
PANEL = Report(
    path="/devices/usb1/1-1", properties={"SUBSYSTEM": "usb", "DEVTYPE": "usb_device", "PRODUCT": "5f3/405/1"}
)


class Pipe:
    """Events that a test puts in; an exception among them is raised. `there` is what a list finds."""

    def __init__(self, *there: Report) -> None:
        self.there = there
        self.events: deque[tuple[str, Report] | Exception] = deque()
        self._read, self._write = os.pipe()
        finalize(self, os.close, self._read)
        finalize(self, os.close, self._write)

    def put(self, event: tuple[str, Report] | Exception) -> None:
        self.events.append(event)
        os.write(self._write, b"x")

    def fileno(self) -> int:
        return self._read

    def event(self) -> tuple[str, Report] | None:
        if not self.events:
            return None
        os.read(self._read, 1)
        event = self.events.popleft()
        if isinstance(event, Exception):
            raise event
        return event

    def listed(self) -> Sequence[Report]:
        return self.there


class Lines:
    """A log: what it was told."""

    def __init__(self) -> None:
        self.lines: SimpleQueue[tuple[str, str, str]] = SimpleQueue()

    def info(self, event: str, **fields: object) -> None:
        self.lines.put(("info", event, str(fields.get("identity"))))

    def warning(self, event: str, **fields: object) -> None:
        self.lines.put(("warning", event, str(fields.get("reason"))))

    def error(self, event: str, **fields: object) -> None:
        self.lines.put(("error", event, str(fields)))


class Desk:
    """A monitor that is fed by what `sources` gives, one after the other."""

    def __init__(self) -> None:
        self.sources: SimpleQueue[Source | Exception] = SimpleQueue()
        self.facts: SimpleQueue[UsbChanged] = SimpleQueue()
        self.log = Lines()
        self.monitor = UsbMonitor(self.facts.put, self.log, source=self._next, again_s=0.0)

    def _next(self) -> Source:
        source = self.sources.get(timeout=SOON_S)
        if isinstance(source, Exception):
            raise source
        return source

    def change(self) -> UsbChange:
        return self.facts.get(timeout=SOON_S).change


@pytest.fixture
def table() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.monitor.close()


def test_what_is_there_comes_and_goes_is_told_and_logged(table: Desk) -> None:
    udev = Pipe(PANEL)
    table.sources.put(udev)
    table.monitor.start()
    assert table.change() is UsbChange.PRESENT
    udev.put(("remove", PANEL))
    assert table.change() is UsbChange.UNPLUGGED
    udev.put(("add", PANEL))
    assert table.change() is UsbChange.PLUGGED
    assert table.log.lines.get(timeout=SOON_S) == ("info", "usb", "05f3:0405 at 1-1")


@pytest.mark.parametrize("why", [OSError(errno.ENOBUFS, "full"), RuntimeError("bug")])
def test_events_that_were_lost_are_made_good_by_another_list_and_that_is_said_once(table: Desk, why: Exception) -> None:
    udev = Pipe(PANEL)
    table.sources.put(udev)
    table.monitor.start()
    assert table.change() is UsbChange.PRESENT
    table.sources.put(OSError(errno.EMFILE, "too many"))
    table.sources.put(Pipe())
    udev.put(why)
    assert table.change() is UsbChange.UNPLUGGED
    table.monitor.close()
    said = [table.log.lines.get() for _ in range(table.log.lines.qsize())]
    assert [line[:2] for line in said] == [("info", "usb"), ("warning", "USB is not watched"), ("info", "usb")]


def test_what_breaks_again_after_it_had_been_well_is_said_again(table: Desk) -> None:
    first, second = Pipe(PANEL), Pipe()
    for source in (first, second, Pipe(PANEL)):
        table.sources.put(source)
    table.monitor.start()
    assert table.change() is UsbChange.PRESENT
    first.put(OSError(errno.ENOBUFS, "full"))
    assert table.change() is UsbChange.UNPLUGGED
    second.put(OSError(errno.ENOBUFS, "full"))
    assert table.change() is UsbChange.PLUGGED
    table.monitor.close()
    said = [table.log.lines.get()[0] for _ in range(table.log.lines.qsize())]
    assert said == ["info", "warning", "info", "warning", "info"]


def test_without_libudev_the_table_runs_and_that_is_said_once(table: Desk) -> None:
    table.sources.put(ImportError("No library named udev"))
    table.monitor.start()
    assert table.log.lines.get(timeout=SOON_S) == (
        "warning",
        "USB is not watched",
        "No library named udev: install libudev (Debian: libudev1)",
    )
    table.monitor.close()
    assert table.log.lines.empty()
    assert table.facts.empty()


def test_one_that_is_never_started_holds_nothing_open() -> None:
    gc.collect()  # what tests before this one left is not closed between the two looks
    before = set(Path("/proc/self/fd").iterdir())
    never_started = UsbMonitor(lambda _: None, Lines())
    assert set(Path("/proc/self/fd").iterdir()) <= before
    never_started.close()


def test_closing_ends_the_thread_at_once_also_one_that_was_never_started_and_may_be_repeated(table: Desk) -> None:
    table.monitor.close()
    table.monitor.close()
    other = Desk()
    other.sources.put(Pipe())
    other.monitor.start()
    other.monitor.close()
    assert "usb-monitor" not in {thread.name for thread in threading.enumerate()}
