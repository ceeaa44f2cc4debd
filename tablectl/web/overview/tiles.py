"""What the overview shows of each table and of each alarm, as values: words and times still to be said. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from tablectl.core.public_table.alarm_kinds import Priority
from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.public_table.table_state import TableState
from tablectl.core.timestamps import time_us
from tablectl.fleet.last_values import LastValues
from tablectl.fleet.pit.pit_alarms import PitAlarmKind
from tablectl.fleet.pit.presence import Presence
from tablectl.fleet.pit.scopes import FloorPicture
from tablectl.fleet.pit.store import Reached

#: Records are on their way for a moment; a delay is told from here on.
DELAY_US: Final = 10 * 1_000_000


class Shown(StrEnum):
    """How a table is drawn, the worst first: as it said, or as unknown over what it said last."""

    UNKNOWN = "unknown"
    TILT = TableState.TILT
    NO_CONTROLLER = TableState.NO_CONTROLLER
    HELD = TableState.HELD
    RESUMING = TableState.RESUMING
    PLAYING = TableState.PLAYING
    WAITING = TableState.WAITING


#: A shape for each: none of them is told by its colour alone.
SHAPES: Final[Mapping[Shown, str]] = {
    Shown.UNKNOWN: "?",
    Shown.TILT: "✕",
    Shown.NO_CONTROLLER: "⊘",
    Shown.HELD: "■",
    Shown.RESUMING: "↻",
    Shown.PLAYING: "▶",
    Shown.WAITING: "‖",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Tile:
    """A table. `heard_us`: when it was heard last, 0 for never; `waits_us`: since when it waits for what it waits for;
    `delay_us`: how old the newest record is that is durable, where records are missing, 0 where none are. All by the
    server's clock. `unacknowledged`: how many alarms nobody acknowledged."""

    name: str
    shown: Shown
    values: LastValues | None
    heard_us: int
    waits_us: int
    delay_us: int
    alarms: int
    unacknowledged: int

    @property
    def is_normal(self) -> bool:
        """Whether nobody has to look."""
        return self.shown in (Shown.PLAYING, Shown.WAITING)


class Tiles:
    """Makes the tiles of one picture after another; one is made again only when its table said something new."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Presence, Reached | None, int, Tile]] = {}

    def of(self, picture: FloorPicture) -> tuple[Tile, ...]:
        """A tile a table, by name as people count: table 10 after table 9. They keep their places whatever happens."""
        found = sorted(picture.tables, key=lambda table: _as_counted(table.name))
        ours = Counter(alarm.tables[0] for alarm in picture.alarms if alarm.kind in _OF_ONE_TABLE)
        return tuple(self._tile(table, picture, ours[table.name]) for table in found)

    def _tile(self, table: Presence, picture: FloorPicture, n_ours: int) -> Tile:
        """`n_ours`: how many alarms of this table only the pit server has."""
        reached = picture.reached.get(table.name)
        known = self._made.get(table.name)
        if known is not None and known[0] is table and known[1:3] == (reached, n_ours):
            tile = known[3]
            is_unknown = tile.shown is Shown.UNKNOWN
            if is_unknown == table.is_unknown(picture.at_s) and not _is_behind(table.values, reached):
                return tile
        tile = _tile(table, picture, n_ours)
        self._made[table.name] = (table, reached, n_ours, tile)
        return tile


#: What the pit server says of a table that is there all the same.
_OF_ONE_TABLE: Final = frozenset({PitAlarmKind.FORK, PitAlarmKind.NOT_TAKEN, PitAlarmKind.ODD})


@lru_cache(maxsize=4096)
def _as_counted(name: str) -> tuple[tuple[int, str], ...]:
    parts = re.split(r"(\d+)", name)
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)


#: Where somebody still has to say that he knows of it.
_TO_SEE: Final = (AlarmState.UNACKNOWLEDGED, AlarmState.RETURNED)


def _tile(table: Presence, picture: FloorPicture, n_ours: int) -> Tile:
    values = table.values
    shown = Shown.UNKNOWN if values is None or table.is_unknown(picture.at_s) else Shown(values.state)
    alarms = () if values is None else values.alarms
    return Tile(
        name=table.name,
        shown=shown,
        values=values,
        # While it is heard, when does not matter, and the tile stays the same one.
        heard_us=table.arrived_us if shown is Shown.UNKNOWN else 0,
        waits_us=0 if values is None else _by_server(values.waits_since, values, table.arrived_us),
        delay_us=_delay_us(values, picture.reached.get(table.name), table.arrived_us, picture.at_us),
        alarms=n_ours + len(alarms) + (0 if values is None else values.more_alarms),
        unacknowledged=n_ours + sum(alarm.state in _TO_SEE for alarm in alarms),
    )


def _by_server(at: str, values: LastValues, arrived_us: int) -> int:
    """A time of the table's clock by the server's, to the second; 0 where there is none. What it said came at once, as
    far as anybody can see: the second hides by how much that differs from one message to the next."""
    if not at:
        return 0
    return round((arrived_us - time_us(values.at) + time_us(at)) / _SECOND_US) * _SECOND_US


_SECOND_US: Final = 1_000_000


def _delay_us(values: LastValues | None, reached: Reached | None, arrived_us: int, now_us: int) -> int:
    """Since when the newest durable record is the newest one, where the table has more; 0 where all are durable, or
    are on their way for a moment only."""
    if values is None or reached is None or not reached.newest_at or not _is_behind(values, reached):
        return 0
    since_us = _by_server(reached.newest_at, values, arrived_us)
    return since_us if now_us - since_us >= DELAY_US else 0


def _is_behind(values: LastValues | None, reached: Reached | None) -> bool:
    """Whether the table has records that are not durable here."""
    return values is not None and reached is not None and (reached.restores, reached.seq) < values.place


def count_by_state(tiles: tuple[Tile, ...]) -> Mapping[Shown, int]:
    """How many tables are how, the worst first."""
    found = Counter(tile.shown for tile in tiles)
    return {shown: found[shown] for shown in Shown if found[shown]}


#: How urgent an alarm is, as signs.
SIGNS: Final[Mapping[Priority, str]] = {Priority.HIGH: "!!!", Priority.MEDIUM: "!!", Priority.LOW: "!"}
