"""How a table is, in one word, and how fast it deals. Pure."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from tablectl.core.public_table.table import CLOSED, ClosedHand, PublicTable

_HOUR_S: Final = 3600


class TableState(StrEnum):
    """How a table is, the worst first."""

    TILT = "tilt"
    NO_CONTROLLER = "no-controller"
    HELD = "held"
    RESUMING = "resuming"
    PLAYING = "playing"
    WAITING = "waiting"

    @property
    def is_normal(self) -> bool:
        """Whether nobody has to do anything about it."""
        return self in (TableState.PLAYING, TableState.WAITING)


def state_of(view: PublicTable, *, is_connected: bool, is_tilted: bool) -> TableState:
    """How it is. `is_connected`: its controller answers; `is_tilted`: it left the mark that nothing may be dealt."""
    states = (
        (is_tilted, TableState.TILT),
        (not is_connected, TableState.NO_CONTROLLER),
        (view.resuming, TableState.RESUMING),
        (view.held, TableState.HELD),
        (view.phase == CLOSED, TableState.WAITING),
    )
    return next((state for applies, state in states if applies), TableState.PLAYING)


def hands_an_hour(history: tuple[ClosedHand, ...]) -> int | None:
    """The pace from the end of the oldest of these hands to that of the newest; None where that is no time."""
    if len(history) < 2:
        return None
    newest, oldest = (datetime.fromisoformat(closed_hand.closed_at) for closed_hand in (history[0], history[-1]))
    lasted_s = (newest - oldest).total_seconds()
    return round((len(history) - 1) * _HOUR_S / lasted_s) if lasted_s > 0 else None
