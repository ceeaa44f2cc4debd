"""Several pit servers of one PostgreSQL: what a table says to one of them, the overviews of the others show at once.

By NOTIFY, which keeps nothing: what is lost here comes from the store a few seconds later. Each direction has a
connection and a thread of its own, so that neither records nor pages wait for the database.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Collection, Iterator
from typing import Final

import msgspec
import psycopg

from tablectl.fleet.pit.store import TableValues
from tablectl.ops.log import LateLog

CHANNEL: Final = "tablectl_now"
#: PostgreSQL takes less than 8,000 bytes a message.
MESSAGE_BYTES_MOST: Final = 7_900
#: How often it is looked whether to end, and how long a database that is away is left alone.
LOOK_S: Final = 0.5
AGAIN_S: Final = 2.0
#: What tables say within so long goes to the others in a few messages, and in one transaction.
GATHER_S: Final = 0.03
#: `[server, [[table, at, body], …]]`, as far as it is always there.
_FRAME_BYTES: Final = 64
_EACH_BYTES: Final = 16

_LOG: Final = LateLog()


class Said(msgspec.Struct, frozen=True, array_like=True):
    """What a table said, and when it came (RFC 3339, UTC)."""

    table: str
    at: str
    body: str


class _Message(msgspec.Struct, frozen=True, array_like=True):
    """What one server tells the others."""

    server: str
    said: tuple[Said, ...]


class Neighbours:
    """The other servers of a database. `hear` gets what their tables say, from a thread of its own, and raises
    `ValueError` where that says nothing."""

    def __init__(self, conninfo: str, hear: Callable[[tuple[Said, ...]], None]) -> None:
        self._conninfo = conninfo
        self._hear = hear
        self._own = uuid.uuid4().hex
        self._lock = threading.Lock()
        #: what was not told yet, by table: only the newest is news
        self._news: dict[str, Said] = {}
        self._has_news = threading.Event()
        self._ending = threading.Event()
        self._threads = [
            threading.Thread(target=self._again, args=(act,), name=f"neighbours-{act.__name__}", daemon=True)
            for act in (self._telling, self._listening)
        ]

    def start(self) -> None:
        """Tell and listen, through everything that can go wrong with the database."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, within a second."""
        self._ending.set()
        self._has_news.set()
        for thread in self._threads:
            thread.join()

    def tell(self, found: TableValues) -> None:
        """What a table said to this server. Never waits."""
        with self._lock:
            self._news[found.table.name] = Said(found.table.name, found.at, found.body.decode("utf-8"))
        self._has_news.set()

    # --- threads ----------------------------------------------------------------------------------------------------

    def _again(self, act: Callable[[psycopg.Connection], None]) -> None:
        while not self._ending.is_set():
            try:
                with psycopg.connect(self._conninfo, autocommit=True) as connection:
                    act(connection)
            except psycopg.Error as wrong:
                _LOG.info("other pit servers hear of this one later", reason=" ".join(str(wrong).split()))
                self._ending.wait(AGAIN_S)

    def _telling(self, connection: psycopg.Connection) -> None:
        # Nothing of it is to be durable: a message does not wait for a disk.
        connection.execute("SET synchronous_commit = off")
        while not self._ending.is_set():
            if self._has_news.wait(LOOK_S):
                self._ending.wait(GATHER_S)
                self._has_news.clear()
                with self._lock:
                    news, self._news = tuple(self._news.values()), {}
                messages = [message.decode("utf-8") for message in packed(self._own, news)]
                if messages:
                    connection.execute(
                        "SELECT pg_notify(%s, said) FROM unnest(%b::text[]) AS said", (CHANNEL, messages)
                    )

    def _listening(self, connection: psycopg.Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}".encode())
        while not self._ending.is_set():
            for notified in connection.notifies(timeout=LOOK_S, stop_after=100):
                self._take(notified.payload)

    def _take(self, payload: str) -> None:
        try:
            message = msgspec.json.decode(payload, type=_Message)
            if message.server != self._own:
                self._hear(message.said)
        except ValueError as wrong:  # msgspec's errors are of them; whoever may use the database may say anything here
            _LOG.warning("a message of another pit server cannot be read", reason=str(wrong))


def packed(server: str, news: Collection[Said]) -> Iterator[bytes]:
    """Messages that have all of it in them; what is too long for one is left out, and comes from the store."""
    some: list[Said] = []
    used = _FRAME_BYTES
    for said in news:
        room = len(msgspec.json.encode(said)) + _EACH_BYTES
        if room + _FRAME_BYTES > MESSAGE_BYTES_MOST:
            continue
        if used + room > MESSAGE_BYTES_MOST:
            yield msgspec.json.encode(_Message(server, tuple(some)))
            some, used = [], _FRAME_BYTES
        some.append(said)
        used += room
    if some:
        yield msgspec.json.encode(_Message(server, tuple(some)))
