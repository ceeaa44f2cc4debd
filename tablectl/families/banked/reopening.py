"""A card is due again in a phase of dealing that was over."""

from __future__ import annotations

from tablectl.core.engine.rulebook import REOPEN, Kind
from tablectl.families.banked.state import BankedState


def reopen(state: BankedState) -> None:
    """Back to the deal, unless it is open. Who has decided since is not asked again when it is done."""
    if state.phase.kind is Kind.DEALING:
        return
    decided = frozenset(state.decided)
    if state.fire(REOPEN):
        state.decided_before = decided
