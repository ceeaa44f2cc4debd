"""Alarms that somebody put aside, and took back; when the time is over is for whoever reads it with a clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.screens.folding.step import Record, Step
from tablectl.screens.model import TableView
from tablectl.screens.shelf_model import ShelfView


def carried(view: TableView, carry: Mapping[str, Any]) -> TableView:
    """As a table remembers them from one hand to the next."""
    kept = {alarm: ShelfView(alarm=alarm, **each) for alarm, each in carry.get("shelved", {}).items()}
    return replace(view, shelved=kept)


def _shelved(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    made = ShelfView(alarm=said["alarm"], until_us=said["until_us"], by=said["by"], reason=said["reason"])
    return replace(view, shelved={**view.shelved, made.alarm: made})


def _unshelved(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, shelved={name: each for name, each in view.shelved.items() if name != said["alarm"]})


DECISIONS: Final[Mapping[str, Step]] = {"alarm-shelved": _shelved, "alarm-unshelved": _unshelved}
