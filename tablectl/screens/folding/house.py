"""Within which limits people bet, as the house set them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.screens.folding.step import Record, Step
from tablectl.screens.model import Span, TableView


def spans(limits: Mapping[str, Any]) -> dict[str, Span]:
    """Limits of bets by name, as records and greetings have them."""
    return {bet: Span(least=int(each["least"]), most=int(each["most"])) for bet, each in limits.items()}


def _wait(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, limits_waiting=spans(said["limits"]))


def _in_force(view: TableView, said: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, limits={**view.limits, **spans(said["limits"])}, limits_waiting={})


DECISIONS: Final[Mapping[str, Step]] = {
    "limits-wait": _wait,
    "limits-in-force": _in_force,
}
