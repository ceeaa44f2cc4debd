"""What a technician has the table do between two hands: tests of lamps and keys, decks that are enrolled.

A hand comes first: whatever is going on here ends when one begins, or when an incident or a question needs the table,
and the devices show again what the table wants.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any, Final

from drivers import facts as device
from drivers.port import Log
from tablectl.api.commands import DeviceTest
from tablectl.config.devices import Device
from tablectl.core.engine.outputs import Outputs
from tablectl.core.engine.prompt import Prompt
from tablectl.table.controller.device_test import DeviceTestRun, keys_of
from tablectl.table.controller.enrolling import Lying, Session
from tablectl.table.decks.at_reader import Heard

NOT_NOW: Final = "only between two hands, when nothing waits for an answer"
BUSY: Final = "something else is tried or enrolled already; end it first"


class NotNow(Exception):
    """It cannot begin. The text says why."""


def is_free(prompt: Prompt, *, in_play: bool) -> bool:
    """Whether nobody needs the table: no hand, no incident and no question."""
    return not in_play and not prompt.held and prompt.incident is None and prompt.question is None


class BetweenHands:
    """Of one table. Used by the one writer's thread; `told` by any."""

    def __init__(self, devices: tuple[Device, ...], log: Log, now_s: Callable[[], float] = time.monotonic) -> None:
        self._devices = devices
        self._log = log
        self._now_s = now_s
        self._test_run: DeviceTestRun | None = None
        self._session: Session | None = None
        self._lying = Lying()

    def begin_test(self, what: DeviceTest, by: str, *, is_free: bool) -> None:
        """Raises `NotNow`."""
        self._must_be_free(is_free=is_free)
        self._test_run = DeviceTestRun(what, by, self._devices, self._now_s())

    def end_test(self) -> None:
        """Somebody has seen enough. May be repeated."""
        self._test_run = None

    def _must_be_free(self, *, is_free: bool) -> None:
        if not is_free:
            raise NotNow(NOT_NOW)
        if self._test_run is not None or self._session is not None:
            raise NotNow(BUSY)

    def begin_enrolling(self, session: Session, *, is_free: bool) -> None:
        """A reader is a deck's for a while. Raises `NotNow`."""
        self._must_be_free(is_free=is_free)
        if not any(settings.name == session.reader and settings.spots for settings in self._devices):
            readers = ", ".join(settings.name for settings in self._devices if settings.spots) or "none"
            raise NotNow(f"{session.reader!r} is no reader of cards of this table; its readers: {readers}")
        if self._lying.at(session.reader):
            raise NotNow(f"{session.reader}: take away what lies there, and begin again")
        self._session = session

    def end_enrolling(self, heard: queue.SimpleQueue[Heard]) -> tuple[device.DeviceFact, ...]:
        """The reader is the table's again. What still lies there, to be told to the table; nothing where this one was
        ended before."""
        if self._session is None or self._session.heard is not heard:
            return ()
        return self._end_session(self._session)

    def _end_session(self, session: Session) -> tuple[device.DeviceFact, ...]:
        self._session = None
        return self._lying.at(session.reader)

    def hears(self, fact: device.DeviceFact) -> bool:
        """Whether a fact is for what is going on here, and none of the table's."""
        self._lying.hears(fact)
        if self._session is not None and self._session.hears(fact):
            return True
        return self._test_run is not None and self._test_run.hears(fact)

    def looks(self, *, is_free: bool) -> tuple[device.DeviceFact, ...]:
        """End what has to end: a hand has begun, or the time is over. What the table has to be told because of it."""
        left_over: tuple[device.DeviceFact, ...] = ()
        session = self._session
        if session is not None and not is_free:
            session.give_up("a hand or an incident needs the table")
            left_over = self._end_session(session)
        test_run = self._test_run
        if test_run is not None and (not is_free or test_run.wanted(self._now_s()) is None):
            self._log.info("test over", what=test_run.what.value, by=test_run.by, needed=not is_free)
            self._test_run = None
        return left_over

    def wanted(self) -> Outputs | None:
        """What keys and lights show instead of what the table wants, if anything."""
        return None if self._test_run is None else self._test_run.wanted(self._now_s())

    def wait_s(self) -> float | None:
        """How long until something changes by itself, in seconds; None: nothing does."""
        return None if self._test_run is None else self._test_run.wait_s(self._now_s())

    def told(self) -> dict[str, Any]:
        """What is tried, for who follows it, and which keys there are."""
        test_run = self._test_run
        test = None if test_run is None else test_run.told(self._now_s())
        session = self._session
        enrols = None if session is None else {"reader": session.reader, "by": session.by}
        return {"ok": True, "test": test, "keys": keys_of(self._devices), "enrols": enrols}
