"""What should lie in the tray, by the journal, for whoever asks.

Nothing is read before somebody asks, since a start is in a hurry. The first time it is found out from the newest count
on, by whoever serves the connection; from then on only what came since is read, also by the one writer.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tablectl.journal.search import Wanted, find
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import Shelf
from tablectl.tray import ACTS, KINDS, Tray, TrayAct, fold

#: How many of the last entries are shown.
ENTRIES: Final = 20
_COUNTED: Final = f'"kind":"{KINDS[TrayAct.COUNT]}"'.encode()


class Trays:
    """Of one journal."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._tray: Tray | None = None
        #: the last record that is in it
        self._seq = 0
        self._entries: deque[Mapping[str, Any]] = deque(maxlen=ENTRIES)

    def now(self) -> tuple[Tray, list[Mapping[str, Any]]]:
        """By the newest record, and the last entries, newest first. Raises `JournalUnusable`."""
        with self._lock, closing(Shelf(self._journal)) as shelf:
            tray = self._tray if self._tray is not None else self._begun(shelf)
            for stored in shelf.records(after=self._seq):
                try:
                    public = json.loads(stored.public)
                    tray = fold(tray, public)
                except (LookupError, TypeError, ValueError) as wrong:
                    raise JournalUnusable(f"record {stored.seq}: it cannot be read ({wrong!r})") from None
                if public["fact"]["kind"] in ACTS:
                    self._entries.appendleft(_entry(public))
                self._tray, self._seq = tray, stored.seq
            return tray, list(self._entries)

    def _begun(self, shelf: Shelf) -> Tray:
        """Before the newest count: where its hand begins, with what the house chose for it; the last entries before."""
        found = find(self._journal, Wanted(kinds=frozenset(ACTS)), most=ENTRIES).hits
        last = shelf.newest_with(_COUNTED)
        begin = shelf.last_boundary() if last is None else shelf.boundary_before(last.seq)
        self._seq = max(0, begin - 1)
        self._entries.extend(_entry(each.told()) for each in found if each.seq <= self._seq)
        return Tray()


def _entry(public: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a page shows of it: the record's fact, with its number, hand and time."""
    return {"seq": public["seq"], "hand": public["hand"], "at": public["at"], **public["fact"]}
