"""The tiles above the pit boss's page: a table each, in one glance. Pure.

One process of screens follows one table, so today the list has one tile; whoever follows several gives one picture a
table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.public_table.incident import IncidentView
from tablectl.core.public_table.table_state import TableState, hands_an_hour, state_of
from tablectl.web.screens.feed import Picture


@dataclass(frozen=True, kw_only=True, slots=True)
class Tile:
    """One table. `croupier_gone`: he is signed on nowhere any more. `hands_an_hour` is the pace of the last hands, None
    before there were two; `last` the newest incident; `open_alarms` those that are not normal, `unacknowledged` of them
    nobody acknowledged. A journal that is older than before is one of both."""

    name: str
    state: TableState
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
    alarms = picture.alarms(now_us)
    is_older = picture.rolled_back is not None and picture.missing is None
    return Tile(
        name="—" if picture.table is None else picture.table.name,
        state=state_of(view, is_connected=picture.connected, is_tilted=picture.tilt is not None),
        phase=view.phase,
        hand=view.hand,
        hands_an_hour=hands_an_hour(view.history),
        croupier=view.croupier,
        croupier_gone=picture.croupier_gone,
        last=next(iter(view.alerts), None),
        open_alarms=sum(alarm.state is not AlarmState.NORMAL for alarm in alarms) + is_older,
        unacknowledged=sum(alarm.is_unacknowledged for alarm in alarms) + is_older,
    )
