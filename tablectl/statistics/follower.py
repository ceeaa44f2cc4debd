"""A thread that follows the controller's public stream and keeps the statistics up to date.

It asks for its last record once more, and for what came after it: where that record is another one, it is another
journal: the file is kept as evidence, and everything is made again from record 1 in a new one. It shares nothing with
the thread that serves pages but the store.
"""

from __future__ import annotations

import json
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.ops.log import LateLog
from tablectl.statistics.folding import Book, digest_of, fold_all
from tablectl.statistics.store import Store
from tablectl.table.clock import now_us

FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 5.0
#: A stored record comes at once; where none comes, the controller does not have it.
OVERLAP_WITHIN_S: Final = 2.0
#: How often it looks whether it has to end.
_LOOK_S: Final = 0.25
_BYTES: Final = 1 << 16
#: One record with a whole settlement has a few kilobytes; a line this long is none of ours.
_MAX_LINE_BYTES: Final = 1 << 22

_LOG: Final = LateLog()


class AnotherJournal(Exception):
    """What the controller has is not what was folded so far."""


class Follower:
    """Follows the controller at a socket, for ever, in a thread of its own."""

    def __init__(self, path: Path, store: Store) -> None:
        self._path = path
        self._store = store
        self._book = store.book()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="statistics", daemon=True)

    @property
    def seq(self) -> int:
        """The last record that is folded."""
        return self._book.seq

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def stop(self) -> None:
        """End, in bounded time."""
        self._ending.set()
        self._thread.join(4 * _LOOK_S)

    def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._ending.is_set():
            before = self._book.seq
            try:
                self._follow()
            except AnotherJournal as why:
                _LOG.error("journal rolled back", reason=str(why))
                self._begin_anew()
            except (OSError, LookupError, TypeError, ValueError, AttributeError, sqlite3.Error) as lost:
                _LOG.debug("statistics do not follow", trace=lost)
            pause_s = FIRST_PAUSE_S if self._book.seq != before else min(2 * pause_s, LONGEST_PAUSE_S)
            self._ending.wait(pause_s)

    def _begin_anew(self) -> None:
        try:
            self._store.set_aside(now_us())
        except (OSError, sqlite3.Error) as wrong:
            _LOG.warning("statistics not set aside", reason=str(wrong))
            return
        self._book = Book()

    def _follow(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
            wire.settimeout(_LOOK_S)
            wire.connect(str(self._path))
            wire.sendall(json.dumps({"follow": {"after": max(0, self._book.seq - 1)}}).encode() + b"\n")
            for batch in _joined(self._batches(wire), self._book):
                if batch:
                    book, changes = fold_all(self._book, batch)
                    self._store.keep(book, changes)
                    self._book = book

    def _batches(self, wire: socket.socket) -> Iterator[list[Mapping[str, Any]]]:
        """What came at once, as long as somebody is there; an empty one where nothing came for a while."""
        rest = b""
        while not self._ending.is_set():
            try:
                received = wire.recv(_BYTES)
            except TimeoutError:
                yield []
                continue
            if not received:
                return
            *lines, rest = (rest + received).split(b"\n")
            if len(rest) > _MAX_LINE_BYTES:
                raise ValueError("a line that never ends")
            yield [json.loads(line) for line in lines if line]


def _joined(batches: Iterator[list[Mapping[str, Any]]], book: Book) -> Iterator[list[Mapping[str, Any]]]:
    """The records behind the last one that is folded. Raises `AnotherJournal` where that one is not there again."""
    heard: list[Mapping[str, Any]] = []
    until_s = time.monotonic() + OVERLAP_WITHIN_S
    for batch in batches:
        heard += batch
        if heard and "table" not in heard[0]:
            raise ValueError(f"no greeting: {heard[0]}")
        if heard and book.seq == 0:
            yield heard[1:]
            break
        if len(heard) > 1:
            if digest_of(heard[1]) != book.digest:
                raise AnotherJournal(f"its record {book.seq} is another one")
            yield heard[2:]
            break
        if time.monotonic() > until_s:
            raise AnotherJournal(f"it has no record {book.seq}")
    yield from batches
