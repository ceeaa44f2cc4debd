"""All tables of the casino as they are now: what they said last, whether they are there, and one list of their alarms.

One thread looks at all of it, at most ten times a second, and makes one frozen picture, which any number of pages
show. What tables said is kept, so that a server that starts again shows it, as unknown until each is heard.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from tablectl.core.timestamps import time_text, time_us
from tablectl.fleet.last_values import BadValues, LastValues, decoded
from tablectl.fleet.pit.neighbours import Said
from tablectl.fleet.pit.pit_alarms import pit_alarms_of
from tablectl.fleet.pit.presence import Presences, Silences
from tablectl.fleet.pit.scopes import ALL, FloorPicture, Scope, ScopedPictures
from tablectl.fleet.pit.store import KnownTable, NotTaken, Reached, StoreUnusable, TableValues
from tablectl.fleet.topics import Here
from tablectl.ops.log import LateLog

#: Between two pictures at least, and at most: by itself a table only becomes unknown.
LEAST_GAP_S: Final = 0.1
LOOK_S: Final = 1.0
#: How often what the store has is looked at, and what tables said is kept.
STORE_S: Final = 2.0
KEEP_S: Final = 3.0

_LOG: Final = LateLog()


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """What the store has: the tables that may send, how far the records of each are durable, what was not taken, and
    what tables said last, to this server or to another one of the same store."""

    tables: tuple[KnownTable, ...] = ()
    reached: Mapping[str, Reached] = field(default_factory=dict)
    not_taken: tuple[NotTaken, ...] = ()
    values: tuple[TableValues, ...] = ()
    #: about how many records are not packed yet
    rows: int = 0


class Floor:
    """Used by many threads."""

    def __init__(
        self,
        look: Callable[[], Kept],
        keep: Callable[[tuple[TableValues, ...]], object],
        now_us: Callable[[], int],
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`look` reads the store, `keep` has values kept. `now_s`: a clock that nobody sets."""
        self._look = look
        self._keep = keep
        self._now_us = now_us
        self.now_s = now_s
        self._presences = Presences(now_s())
        self._silences = Silences()
        self._scoped = ScopedPictures()
        self._kept = Kept()
        self._looked_s = self._kept_s = float("-inf")
        #: what tables said since it was kept
        self._new: dict[str, TableValues] = {}
        self._tell: Callable[[TableValues], None] | None = None
        self._lock = threading.Lock()
        self._narrowing = threading.Lock()
        self._heard = threading.Event()
        self._ending = threading.Event()
        self._maker = ThreadPoolExecutor(1, "picture")
        self._thread = threading.Thread(target=self._run, name="floor", daemon=True)
        self._watchers: tuple[Callable[[], None], ...] = ()
        self._pictures: Mapping[Scope, FloorPicture] = {ALL: FloorPicture()}

    def remember(self, found: Iterable[TableValues]) -> None:
        """What tables said before the server started."""
        with self._lock:
            for kept in found:
                try:
                    self._presences.remember(kept.table.name, decoded(kept.body), time_us(kept.at))
                except BadValues as wrong:
                    _LOG.warning("kept values cannot be read", sender=kept.table.name, reason=str(wrong))

    @property
    def picture(self) -> FloorPicture:
        """The newest one, of all tables."""
        return self._pictures[ALL]

    def picture_of(self, scope: Scope) -> FloorPicture:
        """The newest one of these tables. Raises `BadScope` where too many different scopes are looked at."""
        with self._narrowing:
            self._scoped.follow(scope, self.now_s())
            if scope not in self._pictures:
                self._pictures = {**self._pictures, scope: self._scoped.of_one(scope, self.picture)}
            return self._pictures[scope]

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; what tables said is kept."""
        self._ending.set()
        self._heard.set()
        self._thread.join()
        self._maker.shutdown()
        self._keep_new()

    def tell_others(self, tell: Callable[[TableValues], None]) -> None:
        """`tell` gets what a table says at once: it must not wait for anything."""
        self._tell = tell

    def hear_others(self, said: Iterable[Said]) -> None:
        """Tables said this to another server of the same store."""
        self._hear_newer((one.table, one.at, one.body.encode()) for one in said)
        self._heard.set()

    def watch(self, changed: Callable[[], None]) -> None:
        """`changed` is called after each picture, by the thread that made it: it must not wait for anything."""
        self._watchers = (*self._watchers, changed)

    def hear(self, table: KnownTable, values: LastValues, body: bytes) -> None:
        """A table said how it is."""
        now_us = self._now_us()
        reached = self._kept.reached.get(table.name)
        durable = (0, 0) if reached is None else (reached.restores, reached.seq)
        with self._lock:
            self._presences.hear(table.name, values, durable, now_s=self.now_s(), now_us=now_us)
            said = self._new[table.name] = TableValues(table=table, at=time_text(now_us), body=body)
        self._heard.set()
        if self._tell is not None:
            self._tell(said)

    def hear_here(self, name: str, here: Here) -> None:
        """A table came to the broker, or the broker lost it."""
        with self._lock:
            self._presences.hear_here(name, here, now_s=self.now_s())
        self._heard.set()

    def look(self) -> None:
        """Make a picture of how it is now."""
        now_s, now_us = self.now_s(), self._now_us()
        if now_s - self._looked_s >= STORE_S:
            self._look_at_store()
            self._looked_s = now_s
        with self._lock:
            tables = self._presences.tables
            silent = self._presences.silent(now_s)
        kept = self._kept
        alarms = pit_alarms_of(
            tables, self._silences.update(silent), kept.not_taken, kept.reached, now_s=now_s, now_us=now_us
        )
        whole = FloorPicture(
            at_us=now_us,
            at_s=now_s,
            tables=tables,
            reached=kept.reached,
            alarms=alarms,
            not_taken=kept.not_taken,
            rows=kept.rows,
        )
        with self._narrowing:
            self._pictures = self._scoped.of(whole)
        if now_s - self._kept_s >= KEEP_S:
            self._keep_new()
            self._kept_s = now_s

    def _run(self) -> None:
        while not self._ending.is_set():
            self._heard.wait(LOOK_S)
            self._heard.clear()
            wrong = self._maker.submit(self.look).exception()
            if wrong is not None:  # the next picture may be possible; a page sees how old this one is
                _LOG.error("the overview is not made", reason=str(wrong), trace=wrong)
            for changed in self._watchers:
                changed()
            self._ending.wait(LEAST_GAP_S)

    def _look_at_store(self) -> None:
        """Where it cannot be read, what it said last stands."""
        try:
            self._kept = self._look()
        except StoreUnusable as wrong:
            _LOG.warning("the overview cannot look at the store", reason=str(wrong))
            return
        with self._lock:
            self._presences.expect(table.name for table in self._kept.tables)
        self._hear_newer((said.table.name, said.at, said.body) for said in self._kept.values)

    def _hear_newer(self, said: Iterable[tuple[str, str, bytes]]) -> None:
        """What tables said to another server of the same store, and when, where it is newer than what is known."""
        with self._lock:
            heard_us = {table.name: table.arrived_us for table in self._presences.tables}
        for name, at, body in said:
            at_us = time_us(at)
            if at_us > heard_us.get(name, at_us):
                self._hear_of(name, body, at_us)

    def _hear_of(self, name: str, body: bytes, at_us: int) -> None:
        ago_s = (self._now_us() - at_us) / 1_000_000
        try:
            values = decoded(body)
        except BadValues as wrong:
            _LOG.warning("kept values cannot be read", sender=name, reason=str(wrong))
            return
        with self._lock:
            self._presences.hear(name, values, (0, 0), now_s=self.now_s() - ago_s, now_us=at_us)

    def _keep_new(self) -> None:
        with self._lock:
            new = tuple(self._new.values())
            self._new.clear()
        if new:
            self._keep(new)
