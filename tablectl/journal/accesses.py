"""Which accesses are on record already, so that none is there twice.

What this controller recorded last is remembered; what is older stands in the journal, and is looked up
there by whoever serves the connection, never by the one writer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tablectl.core.access import NotTaken
from tablectl.core.events.notes import Access
from tablectl.core.events.stream import Event
from tablectl.journal.store import Stored
from tablectl.journal.volumes import VolumeSet

#: How many of them are remembered: the screens tell the last one again, and seldom an older one.
REMEMBERED: Final = 256


class Accesses:
    """Of one journal."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        #: by accounts file, the greatest number that earlier controllers recorded
        self._before: dict[str, int] = {}
        #: by accounts file and number: what this controller recorded last, and where; what it forgot is in the journal
        self._now: dict[tuple[str, int], tuple[int, Access]] = {}
        #: by accounts file, the greatest number that it forgot
        self._forgotten: dict[str, int] = {}

    def known(self, access: Access) -> dict[str, Any] | None:
        """The answer to an access that is on record; None for a new one. Raises `JournalUnusable`."""
        recorded = self._now.get((access.id, access.number))
        if recorded is not None:
            return _again(recorded[0], is_same=_is_same(recorded[1], access))
        if access.number > self._greatest(access.id):
            return None
        stored = self._look(f'{_beginning(access.id)}{access.number},"role":')
        if stored is None:
            return None
        return _again(stored.seq, is_same=_is_same(stored.decoded().event, access))

    def take(self, access: Access, note: Callable[[Access], Stored]) -> dict[str, Any]:
        """By the one writer: on record when this returns. Raises `JournalUnusable`."""
        recorded = self._now.get((access.id, access.number))
        if recorded is not None:  # told twice before the first of them was answered
            return _again(recorded[0], is_same=_is_same(recorded[1], access))
        seq = note(access).seq
        self._now[access.id, access.number] = (seq, access)
        if len(self._now) > REMEMBERED:
            file, number = oldest = next(iter(self._now))
            # First: whoever asks meanwhile finds it here or there.
            self._forgotten[file] = max(number, self._forgotten.get(file, 0))
            del self._now[oldest]
        return {"ok": True, "seq": seq}

    def _greatest(self, file: str) -> int:
        with self._lock:
            if file not in self._before:
                stored = self._look(_beginning(file))
                self._before[file] = 0 if stored is None else _number(stored)
            return max(self._before[file], self._forgotten.get(file, 0))

    def _look(self, text: str) -> Stored | None:
        with closing(VolumeSet(self._journal)) as volume_set:
            return volume_set.newest_with(text.encode())


def _beginning(file: str) -> str:
    """As it stands in the public form, whose members are sorted; a quotation mark within a text is none in it."""
    return f'"id":"{file}","kind":"access","number":'


def _number(stored: Stored) -> int:
    event = stored.decoded().event
    return event.number if isinstance(event, Access) else 0


def _is_same(recorded: Event, access: Access) -> bool:
    """Whether what is on record is this access, whenever it was told."""
    return isinstance(recorded, Access) and replace(recorded, at_us=access.at_us) == access


def _again(seq: int, *, is_same: bool) -> dict[str, Any]:
    if is_same:
        return {"ok": True, "seq": seq}
    error = f"this number is on record for something else, in record {seq}"
    return {"ok": False, "seq": seq, "why": NotTaken.NUMBER.value, "error": error}
