"""The lane of the uplink that says what the table is doing now, beside the one that sends its records.

It has a connection and a thread of its own, so that neither waits for the other: the overview is right while a day of
records is on its way, and a stream of records does not wait for the overview.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

import msgspec

from tablectl.fleet.certificates import NoIdentity
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.last_values import LastValues, encoded
from tablectl.fleet.uplink.table_now import TableNow
from tablectl.fleet.uplink.transport import NowTransport, PitAway, PitRefuses
from tablectl.ops.log import LateLog

#: Between two messages; four a second are more than anybody can read.
LEAST_GAP_S: Final = 0.25
#: A table at which nothing happens is heard of so often: three of them can be lost before it is unknown.
HEARTBEAT_S: Final = 4.0
#: What is older than this helps nobody: the next message has all that this one has.
ANSWER_S: Final = 4.0
#: After an outage so long, and as much again by chance, so that a thousand tables do not come in one moment.
PAUSE_S: Final = 0.5
JITTER_S: Final = 2.0
#: Where the pit server does not admit this table, a person has to look.
REFUSED_PAUSE_S: Final = 60.0
#: Of these the lane with the records finds a way by itself.
_PUT_RIGHT: Final = ("server-dates", "wrong-dates")
#: How often it looks whether it has to end.
_LOOK_S: Final = 0.5

_LOG: Final = LateLog()


class PresenceLane:
    """One table's. `run` in a thread of its own, until `stop`."""

    def __init__(
        self,
        table: TableNow,
        connect: Callable[[], NowTransport],
        *,
        known: Callable[[], tuple[Epoch, int]],
        refused: Callable[[], None],
        now_us: Callable[[], int],
    ) -> None:
        """`known`: the epoch of a record that the pit server has, and the number of that record. `refused`: told where
        the pit server takes nothing of this table."""
        self._table = table
        self._connect = connect
        self._known = known
        self._refused = refused
        self._now_us = now_us
        self._ending = threading.Event()
        #: why nothing is told, and whether that was said; empty while it is told
        self.why = ""
        #: how many messages the pit server took
        self.told = 0

    def stop(self) -> None:
        """End, within the time that the pit server takes for an answer."""
        self._ending.set()

    def run(self) -> None:
        """Tell for ever, through everything that can go wrong."""
        try:
            while not self._ending.is_set():
                pause_s = PAUSE_S
                try:
                    with closing(self._connect()) as transport:
                        self._tell(transport)
                except (PitAway, NoIdentity, OSError) as why:
                    self._note(str(why))
                except PitRefuses as no:
                    self._note(str(no))
                    self._refused()
                    pause_s = PAUSE_S if no.why in _PUT_RIGHT else REFUSED_PAUSE_S
                self._ending.wait(pause_s + random.uniform(0.0, JITTER_S))
        finally:
            self._table.close()

    def _note(self, why: str) -> None:
        if why != self.why:
            if why:
                _LOG.warning("the table's state is not told", reason=why)
            else:
                _LOG.info("the table's state is told")
            self.why = why

    def _tell(self, transport: NowTransport) -> None:
        """Until something goes wrong: at once, whenever it is another than before, and as a heartbeat."""
        told: LastValues | None = None
        told_s = float("-inf")
        self._table.wait(0.0)
        while not self._ending.is_set():
            values = self._table.values(self._now_us(), *self._known())
            if told is None or not _is_same(values, told) or time.monotonic() - told_s >= HEARTBEAT_S:
                transport.tell(encoded(values))
                told, told_s = values, time.monotonic()
                self.told += 1
                self._note("")
            self._wait(told_s)

    def _wait(self, told_s: float) -> None:
        """Until the table is another one, or it is time to say again how it is; no sooner than a message may follow."""
        while not self._ending.is_set():
            now_s = time.monotonic()
            if now_s - told_s >= HEARTBEAT_S:
                return
            has_changed = self._table.wait(min(_LOOK_S, told_s + HEARTBEAT_S - now_s))
            if has_changed:
                self._ending.wait(max(0.0, told_s + LEAST_GAP_S - time.monotonic()))
                self._table.wait(0.0)
                return


def _is_same(values: LastValues, other: LastValues) -> bool:
    """Whether only the time is another one."""
    return msgspec.structs.replace(values, at=other.at) == other
