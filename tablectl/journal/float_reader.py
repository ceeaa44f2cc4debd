"""What should lie in the tray, by the journal, for whoever asks.

Nothing is read before somebody asks, since a start is in a hurry. The first time it is found out from the newest count
on, by whoever serves the connection; from then on only what came since is read, also by the one writer.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.notes import FloatNote
from tablectl.core.events.stream import PublicRecord, encode_event
from tablectl.core.public_table.chip_float import COUNTED, KINDS, Tray, fold
from tablectl.games.registry import CIRCLE_GAMES
from tablectl.journal.search import Wanted, find
from tablectl.journal.store import JournalUnusable, Stored
from tablectl.journal.volumes import VolumeSet

#: How many entries are told at once.
ENTRIES: Final = 20
#: How far back entries of before the last count are looked for: about two days of play.
LOOKED_BACK: Final = 50_000
#: One of these is in the bytes of every record that the fold looks at; one in twelve, so the others are not even read.
_LOOKED_AT: Final = (b'"kind":"float-', b'"kind":"hand-', b'"setup":')
_COUNTED: Final = f'"kind":"{COUNTED}"'.encode()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Known:
    """What is known up to a record; the last entries, newest first. `begun_before`: where the search for those that
    there were at the beginning goes on, None where it was at its end."""

    seq: int
    tray: Tray
    entries: tuple[Mapping[str, Any], ...]
    begun_before: int | None = None

    @property
    def before(self) -> int | None:
        """Before which record older entries may be; None where there are none."""
        return self.entries[-1]["seq"] if len(self.entries) == ENTRIES else self.begun_before


class FloatReader:
    """Of one journal."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._known: _Known | None = None

    def now(self) -> tuple[Tray, tuple[Mapping[str, Any], ...]]:
        """By the newest record, and the last entries, newest first. Raises `JournalUnusable`."""
        known = self._now()
        return known.tray, known.entries

    def _now(self) -> _Known:
        with self._lock, closing(VolumeSet(self._journal)) as volume_set:
            known = self._known if self._known is not None else self._begun(volume_set)
            for stored in volume_set.records(after=known.seq):
                known = _after(known, stored)
            self._known = known
            return known

    def answer(self, chip: int) -> dict[str, Any]:
        """What is said to whoever asks: what should lie there by now, of what that is made, and the last entries."""
        try:
            known = self._now()
        except JournalUnusable as wrong:
            return {"ok": False, "error": str(wrong)}
        tray = known.tray
        made_of = {name: getattr(tray, name) for name in ("counted", "seq", "fills", "credits", "change", "hands")}
        return {
            "ok": True,
            "expected": tray.expected,
            "unknown": tray.unknown,
            "is_hand_open": tray.is_open,
            "made_of": None if tray.unknown is not None else made_of,
            "chip": chip,
            "entries": known.entries,
            "before": known.before,
        }

    def older(self, before: int) -> dict[str, Any]:
        """The last entries before a record, newest first, and before which record there may be more; None: no more."""
        try:
            found = find(self._journal, Wanted(kinds=KINDS), before=before, most=ENTRIES)
        except JournalUnusable as wrong:
            return {"ok": False, "error": str(wrong)}
        entries = [_entry(hit.record) for hit in found.hits if hit.record is not None]
        return {"ok": True, "entries": entries, "before": found.before}

    def _begun(self, volume_set: VolumeSet) -> _Known:
        """Before the newest count: where its hand begins, with what the house chose for it; the last entries before."""
        found = find(self._journal, Wanted(kinds=KINDS), most=ENTRIES, span=LOOKED_BACK)
        last = volume_set.newest_with(_COUNTED)
        begin = volume_set.last_boundary() if last is None else volume_set.boundary_before(last.seq)
        seq = max(0, begin - 1)
        return _Known(
            seq=seq,
            tray=Tray(),
            entries=tuple(_entry(hit.record) for hit in found.hits if hit.record is not None and hit.seq <= seq),
            begun_before=found.before,
        )


def _after(known: _Known, stored: Stored) -> _Known:
    """After one more record. Raises `JournalUnusable`."""
    if not any(data in stored.public for data in _LOOKED_AT):
        return replace(known, seq=stored.seq)
    try:
        record = stored.decoded()
    except UnreadableRecord as wrong:
        raise JournalUnusable(f"it cannot be read: {wrong}") from None
    is_entry = isinstance(record.event, FloatNote)
    entries = (_entry(record), *known.entries)[:ENTRIES] if is_entry else known.entries
    tray = fold(known.tray, record, circle_games=CIRCLE_GAMES)
    return replace(known, seq=stored.seq, tray=tray, entries=entries)


def _entry(record: PublicRecord) -> Mapping[str, Any]:
    """What a page shows of it: the record's fact, with its number, hand and time."""
    return {"seq": record.seq, "hand": record.hand, "at": record.at, **encode_event(record)}
