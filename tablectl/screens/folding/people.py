"""Who is the croupier, and who takes the table behind the hand in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.screens.folding.step import Record, Step
from tablectl.screens.model import TableView


def carried(view: TableView, carry: Mapping[str, Any]) -> TableView:
    """As a table remembers it from one hand to the next."""
    return replace(view, croupier=str(carry.get("croupier", "")), next_croupier=str(carry.get("next_croupier", "")))


def _at_table(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, croupier=said["croupier"], next_croupier="")


def _waits(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, next_croupier=said["croupier"])


def _left(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    """Whoever only waited for the table leaves the one who is there."""
    if said["croupier"] == view.next_croupier:
        return replace(view, next_croupier="")
    return replace(view, croupier="")


DECISIONS: Final[Mapping[str, Step]] = {
    "croupier-at-table": _at_table,
    "croupier-waits": _waits,
    "croupier-left": _left,
}
