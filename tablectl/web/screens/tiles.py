"""The tiles above the pit boss's page: a table each, in one glance. Pure.

One process of screens follows one table, so today the list has one tile; whoever follows several gives one picture a
table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from tablectl.core.public_table.incident import IncidentView
from tablectl.core.public_table.table import ClosedHand
from tablectl.web.screens.alarms import AlarmState, alarms_of
from tablectl.web.screens.feed import Picture

_HOUR_S: Final = 3600
_CLOSED: Final = "closed"


class TileState(StrEnum):
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
        return self in (TileState.PLAYING, TileState.WAITING)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tile:
    """One table. `croupier_gone`: he is signed on nowhere any more. `hands_an_hour` is the pace of the last hands, None
    before there were two; `last` the newest incident; `open_alarms` those that are not normal, `unacknowledged` of them
    nobody acknowledged. A journal that is older than before is one of both."""

    name: str
    state: TileState
    phase: str
    hand: int
    hands_an_hour: int | None
    croupier: str
    croupier_gone: bool
    last: IncidentView | None
    open_alarms: int
    unacknowledged: int


def tiles_of(pictures: Iterable[Picture], now_us: int) -> tuple[Tile, ...]:
    """A tile a table, in the order given."""
    return tuple(_tile(picture, now_us) for picture in pictures)


def _tile(picture: Picture, now_us: int) -> Tile:
    view = picture.view
    alarms = alarms_of(view, now_us, picture.disks)
    is_older = picture.rolled_back is not None
    return Tile(
        name="—" if picture.table is None else picture.table.name,
        state=_state(picture),
        phase=view.phase,
        hand=view.hand,
        hands_an_hour=hands_an_hour(view.history),
        croupier=view.croupier,
        croupier_gone=picture.croupier_gone,
        last=next(iter(view.alerts), None),
        open_alarms=sum(alarm.state is not AlarmState.NORMAL for alarm in alarms) + is_older,
        unacknowledged=sum(alarm.is_unacknowledged for alarm in alarms) + is_older,
    )


def _state(picture: Picture) -> TileState:
    view = picture.view
    states = (
        (picture.tilt is not None, TileState.TILT),
        (not picture.connected, TileState.NO_CONTROLLER),
        (view.resuming, TileState.RESUMING),
        (view.held, TileState.HELD),
        (view.phase == _CLOSED, TileState.WAITING),
    )
    return next((state for applies, state in states if applies), TileState.PLAYING)


def hands_an_hour(history: tuple[ClosedHand, ...]) -> int | None:
    """The pace from the end of the oldest of these hands to that of the newest; None where that is no time."""
    if len(history) < 2:
        return None
    newest, oldest = (datetime.fromisoformat(closed_hand.closed_at) for closed_hand in (history[0], history[-1]))
    lasted_s = (newest - oldest).total_seconds()
    return round((len(history) - 1) * _HOUR_S / lasted_s) if lasted_s > 0 else None
