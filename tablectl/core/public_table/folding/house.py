"""Within which limits people bet, as the house set them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine.decisions import LimitsInForce, LimitsWait
from tablectl.core.engine.facts import Limits
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.step import Steps
from tablectl.core.public_table.table import PublicTable, Span


def spans(limits: Mapping[str, Limits]) -> dict[str, Span]:
    """Limits of bets by name."""
    return {bet: Span(least=limit.least, most=limit.most) for bet, limit in limits.items()}


def _wait(view: PublicTable, said: LimitsWait, _record: PublicRecord) -> PublicTable:
    return replace(view, limits_waiting=spans(said.limits))


def _in_force(view: PublicTable, said: LimitsInForce, _record: PublicRecord) -> PublicTable:
    return replace(view, limits={**view.limits, **spans(said.limits)}, limits_waiting={})


DECISIONS: Final[Steps] = {
    LimitsWait: _wait,
    LimitsInForce: _in_force,
}
