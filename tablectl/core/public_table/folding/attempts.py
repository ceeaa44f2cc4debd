"""Attempts on the table: one alarm a cause, until somebody knows of it and nothing more is tried."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import AlarmSeen
from tablectl.core.events.notes import Security
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.attempts import AttemptsView
from tablectl.core.public_table.folding.step import Steps
from tablectl.core.public_table.table import PublicTable
from tablectl.core.security import alarm_of


def _tried(view: PublicTable, note: Security, record: PublicRecord) -> PublicTable:
    name, before = alarm_of(note.cause), view.attempts.get(alarm_of(note.cause))
    made = AttemptsView(cause=note.cause, count=note.count, since=note.first, told_at=record.at, source=note.source)
    if before is not None and (before.is_unseen or before.goes_on_at(record.at_us)):
        # Whoever acknowledged it knows of what is still going on.
        made = replace(before, count=before.count + note.count, told_at=record.at, source=note.source)
    return replace(view, attempts={**view.attempts, name: made})


def seen(view: PublicTable, said: AlarmSeen, record: PublicRecord) -> PublicTable:
    """Somebody knows of these attempts."""
    before = view.attempts.get(said.alarm)
    if before is None:
        return view  # told of before the stream began
    made = replace(before, is_unseen=False, seen_by=said.by, seen_at=record.at)
    return replace(view, attempts={**view.attempts, said.alarm: made})


FACTS: Final[Steps] = {Security: _tried}
