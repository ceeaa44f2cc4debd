"""Alarms that somebody put aside, and took back; when the time is over is for whoever reads it with a clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import AlarmShelved, AlarmUnshelved
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.step import Steps
from tablectl.core.public_table.shelf import ShelfView
from tablectl.core.public_table.table import PublicTable


def carried(view: PublicTable, carry: Carry) -> PublicTable:
    """As a table remembers them from one hand to the next."""
    kept = {
        alarm: ShelfView(alarm=alarm, until_us=shelf.until_us, by=shelf.by, reason=shelf.reason)
        for alarm, shelf in carry.shelved.items()
    }
    return replace(view, shelved=kept)


def _shelved(view: PublicTable, said: AlarmShelved, _record: PublicRecord) -> PublicTable:
    made = ShelfView(alarm=said.alarm, until_us=said.until_us, by=said.by, reason=said.reason)
    return replace(view, shelved={**view.shelved, made.alarm: made})


def _unshelved(view: PublicTable, said: AlarmUnshelved, _record: PublicRecord) -> PublicTable:
    return replace(view, shelved={name: shelf for name, shelf in view.shelved.items() if name != said.alarm})


DECISIONS: Final[Steps] = {AlarmShelved: _shelved, AlarmUnshelved: _unshelved}
