"""A thread that follows the controller's public stream and keeps the statistics up to date.

It asks for its last record once more, and for what came after it: where that record is another one, it is another
journal: the file is kept as evidence, and everything is made again from record 1 in a new one. It shares nothing with
the thread that serves pages but the store.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.api.client import AnotherJournal, NoController, Subscription
from tablectl.journal.clock import now_us
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.sqlite_file import SqliteError
from tablectl.ops.log import LateLog
from tablectl.statistics.folding import Totals, digest_of, fold_all
from tablectl.statistics.store import Store

FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 5.0
#: A stored record comes at once; where none comes, the controller does not have it.
OVERLAP_WITHIN_S: Final = 2.0
#: How often it looks whether it has to end.
_LOOK_S: Final = 0.25
#: Records of one commit at most, while there are many to read.
BATCH: Final = 200

_LOG: Final = LateLog()


class Follower:
    """Follows the controller at a socket, for ever, in a thread of its own."""

    def __init__(self, path: Path, store: Store, heads: KnownHeads | None = None) -> None:
        """`heads`: what the table signed, shared with whoever follows it beside this thread."""
        self._path = path
        self._heads = heads
        self._store = store
        self._totals = store.totals()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="statistics", daemon=True)

    @property
    def seq(self) -> int:
        """The last record that is folded."""
        return self._totals.seq

    @property
    def at_us(self) -> int:
        """The time of that record."""
        return self._totals.alarms.at_us

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def stop(self) -> None:
        """End, in bounded time."""
        self._ending.set()
        self._thread.join(OVERLAP_WITHIN_S + 4 * _LOOK_S)

    def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._ending.is_set():
            before = self._totals.seq
            try:
                self._follow()
            except AnotherJournal as why:
                _LOG.error("journal rolled back", reason=str(why))
                self._begin_anew()
            except (OSError, LookupError, TypeError, ValueError, AttributeError, SqliteError) as lost:
                _LOG.debug("statistics do not follow", trace=lost)
            pause_s = FIRST_PAUSE_S if self._totals.seq != before else min(2 * pause_s, LONGEST_PAUSE_S)
            self._ending.wait(pause_s)

    def _begin_anew(self) -> None:
        try:
            self._store.set_aside(now_us())
        except (OSError, SqliteError) as wrong:
            _LOG.warning("statistics not set aside", reason=str(wrong))
            return
        self._totals = Totals()

    def _follow(self) -> None:
        with Subscription(
            self._path,
            after=self._totals.seq,
            is_last=self._is_last,
            heads=self._heads,
            timeout_s=OVERLAP_WITHIN_S,
        ) as records:
            while not self._ending.is_set():
                batch = list(_batch(records))
                if batch:
                    totals, changes = fold_all(self._totals, batch)
                    self._store.keep(totals, changes)
                    self._totals = totals

    def _is_last(self, record: Mapping[str, Any]) -> bool:
        return digest_of(record) == self._totals.digest


def _batch(records: Subscription) -> Iterator[Mapping[str, Any]]:
    """What came at once; nothing where nothing came for a while. Raises `NoController`."""
    for number in range(BATCH):
        try:
            record = records.next(0.0 if number else _LOOK_S)
        except NoController:
            if number:
                return  # what came before is kept first
            raise
        if record is None:
            return
        yield record
