"""Packs rows into chunks while the pit server runs: one chunk at a time, between two transactions of the ingest, so
that no table waits for more than one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Final

from tablectl.core.timestamps import time_text
from tablectl.fleet.pit.ingest import Ingest
from tablectl.fleet.pit.store import PitStore, StoreUnusable
from tablectl.ops.log import LateLog

#: Rows that came before so many hours are packed: until then they can be looked at one by one.
OLDER_THAN_HOURS: Final = 24
#: How often the server packs, in seconds.
EACH_S: Final = 3600.0

_LOG: Final = LateLog()


def older_than(now_us: int, hours: float) -> str:
    """The time before which a row came that is so old (RFC 3339, UTC)."""
    return time_text(now_us - int(hours * 3600 * 1_000_000))


class Packing:
    """In a thread of its own. `store` is the one that the ingest writes to, and is used by its writer alone."""

    def __init__(self, store: PitStore, ingest: Ingest, now_us: Callable[[], int]) -> None:
        self._store = store
        self._ingest = ingest
        self._now_us = now_us
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="packing", daemon=True)

    def start(self) -> None:
        """Pack at once, and then again and again."""
        self._thread.start()

    def stop(self) -> None:
        """End after the chunk that is being packed; before the ingest ends."""
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                self._pack()
            except StoreUnusable as wrong:
                _LOG.warning("rows are not packed", reason=str(wrong))
            if self._ending.wait(EACH_S):
                return

    def _pack(self) -> None:
        """All tables. Raises `StoreUnusable`."""
        before, packed = older_than(self._now_us(), OLDER_THAN_HOURS), 0
        for table in self._ingest.between(self._store.tables):
            while not self._ending.is_set():
                count = self._ingest.between(partial(self._store.pack_some, table, before=before))
                packed += count
                if not count:
                    break
        if packed:
            _LOG.info("rows packed", records=packed)
