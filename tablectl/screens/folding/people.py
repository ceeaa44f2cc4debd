"""What people do beside the game: who is the croupier, which limits are to come, which alarms are put aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.screens.folding.step import Record, Step
from tablectl.screens.incident_model import ShelfView
from tablectl.screens.model import Span, TableView


def carried(view: TableView, carry: Mapping[str, Any]) -> TableView:
    """As a table remembers it from one hand to the next."""
    shelved = {alarm: ShelfView(alarm=alarm, **each) for alarm, each in carry.get("shelved", {}).items()}
    return replace(
        view,
        croupier=str(carry.get("croupier", "")),
        next_croupier=str(carry.get("next_croupier", "")),
        shelved=shelved,
        limits_wait={},
    )


def _at_table(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, croupier=said["croupier"], next_croupier="")


def _waits(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, next_croupier=said["croupier"])


def _left(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    """Whoever only waited for the table leaves the one who is there."""
    if said["croupier"] == view.next_croupier:
        return replace(view, next_croupier="")
    return replace(view, croupier="")


def _limits_wait(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, limits_wait={bet: Span(**limits) for bet, limits in said["limits"].items()})


def _limits_in_force(view: TableView, _said: Mapping[str, Any], _record: Record) -> TableView:
    """Which ones these are, the controller tells everybody anew."""
    return replace(view, limits_wait={})


def _shelved(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    made = ShelfView(alarm=said["alarm"], until_us=said["until_us"], by=said["by"], reason=said["reason"])
    return replace(view, shelved={**view.shelved, made.alarm: made})


def _unshelved(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, shelved={alarm: each for alarm, each in view.shelved.items() if alarm != said["alarm"]})


DECISIONS: Final[Mapping[str, Step]] = {
    "croupier-at-table": _at_table,
    "croupier-waits": _waits,
    "croupier-left": _left,
    "limits-wait": _limits_wait,
    "limits-in-force": _limits_in_force,
    "alarm-shelved": _shelved,
    "alarm-unshelved": _unshelved,
}
