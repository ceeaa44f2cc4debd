"""A casino floor for tests: real values of real hands of every game, and a clock that the test sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.core.public_table.table_state import TableState, state_of
from tablectl.core.timestamps import time_text
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.last_values import DeviceNow, LastValues, encoded, last_values_of
from tablectl.fleet.pit.floor import Floor, Kept
from tablectl.fleet.pit.ingest_counts import IngestCounts
from tablectl.fleet.pit.scopes import FloorPicture
from tablectl.fleet.pit.store import KnownTable, NotTaken, Reached, TableValues
from tablectl.ops.connections import Limits
from tablectl.web.overview.pages import House, OverviewPages
from tablectl.web.overview.server import LIMITS, Door, Overview
from tests.journal.journals import HANDS
from tests.screens import hands
from tests.screens.controller import Bench, records_of
from tests.screens.test_alarms import CALL

HOUSE: Final = House(casino="Casino de Ejemplo", timezone="Europe/Madrid", language="es")
#: 2026-11-28, twenty past nine in the evening in Madrid.
START_US: Final = 1_795_897_200_000_000
_US: Final = 1_000_000
NAMES: Final = ("luis", "marta", "ana", "jordi", "carmen", "pablo", "nuria", "iker")
WELL: Final = (
    DeviceNow(role="shoe", name="sabot", state="ready"),
    DeviceNow(role="panel", name="teclado", state="ready"),
    DeviceNow(role="light", name="torre", state="ready"),
)


@cache
def views(game: str) -> tuple[PublicTable, ...]:
    """A table after each record of a hand of this game, from its opening on."""
    path = sorted((HANDS / game).rglob("*.hand"))[7]
    view, found = PublicTable(), []
    for line in records_of(Path(path).read_text(encoding="utf-8")):
        view = fold(view, decode_record(line))
        found.append(view)
    return tuple(found)


@cache
def held() -> PublicTable:
    """A table that waits for the pit boss."""
    bench = Bench()
    bench.lines(hands.DEVICES + CALL)
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return view


GAMES: Final = ("texas-bonus", "texas-poker", "circle-holdem", "open-holdem", "draw-poker")


class Hall:
    """A floor with so many tables, all of them at play."""

    def __init__(self, n_tables: int) -> None:
        self._passed_s = 0.0
        #: by how much the clock that nobody sets is ahead, while time passes by itself
        self._live_s: float | None = None
        self._seq = 100
        self.tables = tuple(
            KnownTable(id=number, name=f"Mesa {number}", key=bytes(32), since=time_text(START_US))
            for number in range(1, n_tables + 1)
        )
        self.reached: dict[str, Reached] = {}
        self.not_taken: tuple[NotTaken, ...] = ()
        self.kept: list[TableValues] = []
        self.floor = Floor(
            lambda: Kept(tables=self.tables, reached=dict(self.reached), not_taken=self.not_taken),
            self.kept.extend,
            lambda: self.now_us,
            lambda: self.now_s,
        )
        for number in range(n_tables):
            self.hear(number + 1, self.playing(number))
        self.floor.look()

    @property
    def now_s(self) -> float:
        """Stands still, unless it goes on by itself."""
        return self._passed_s + (0.0 if self._live_s is None else time.monotonic() - self._live_s)

    @property
    def now_us(self) -> int:
        return START_US + round(self.now_s * _US)

    @contextmanager
    def live(self) -> Iterator[None]:
        """From here on time passes by itself, and pictures are made by themselves."""
        self._live_s = time.monotonic()
        self.floor.start()
        try:
            yield
        finally:
            self.floor.stop()

    @property
    def picture(self) -> FloorPicture:
        self.floor.look()
        return self.floor.picture

    def playing(self, number: int) -> LastValues:
        """A table at play, each at another moment of a hand of another game."""
        of = views(GAMES[number % len(GAMES)])
        view = replace(of[(7 * number) % len(of)], hand=31 + 3 * number, croupier=NAMES[number % len(NAMES)])
        ago_s = 3 + 11 * number % 70
        return msgspec.structs.replace(self.values_of(view, ago_s), pace=28 + 5 * number % 37)

    def values_of(self, view: PublicTable, ago_s: int = 5, state: TableState | None = None) -> LastValues:
        """What a table says now. What is older than its record is as much older as it was then."""
        self._seq += 1
        ago = time_text(self.now_us - ago_s * _US)
        values = last_values_of(
            view,
            state=state or state_of(view, is_connected=True, is_tilted=False),
            epoch=Epoch(origin="ab" * 32),
            at_us=self.now_us,
            waits_since=ago,
            devices=WELL,
            game="texas-bonus",
        )
        alarms = tuple(msgspec.structs.replace(alarm, since=ago) for alarm in values.alarms)
        return msgspec.structs.replace(values, seq=self._seq, alarms=alarms)

    def wait(self, seconds: float) -> None:
        """Time passes, and nobody is heard."""
        self._passed_s += seconds

    def hear(self, number: int, values: LastValues) -> None:
        """A table says this."""
        self.floor.hear(self.tables[number - 1], values, encoded(values))

    def called(self, number: int, ago_s: int = 40) -> None:
        """A table is held, and its incident began so long ago."""
        values = self.values_of(replace(held(), hand=88, croupier="marta"), ago_s, TableState.HELD)
        self.hear(number, msgspec.structs.replace(values, pace=33))

    def later(self, seconds: float, *silent: int) -> None:
        """Time passes; all tables but these are heard meanwhile."""
        end = self._passed_s + seconds
        values: Mapping[str, LastValues | None] = {table.name: table.values for table in self.floor.picture.tables}
        while self._passed_s < end:
            self._passed_s = min(end, self._passed_s + 4.0)
            for table in self.tables:
                said = values.get(table.name)
                if table.id not in silent and said is not None:
                    self.hear(table.id, _at(said, self.now_us))
            self.floor.look()


def _at(values: LastValues, now_us: int) -> LastValues:
    return msgspec.structs.replace(values, at=time_text(now_us))


def evening(n_tables: int) -> Hall:
    """An evening at which something of everything happens; the last tables are silent."""
    hall = Hall(n_tables)
    hall.called(3, 190)
    lost = DeviceNow(role="light", name="torre", state="lost")
    values = hall.playing(4)
    hall.hear(
        5, msgspec.structs.replace(values, devices=msgspec.structs.replace(values.devices, well=2, unwell=(lost,)))
    )
    if n_tables > 8:
        hall.hear(8, msgspec.structs.replace(hall.playing(8), state=TableState.TILT))
        hall.hear(9, msgspec.structs.replace(hall.playing(9), state=TableState.NO_CONTROLLER))
        hall.not_taken = (NotTaken(table="Mesa 7", flaw="fork", seq=4711, at=time_text(hall.now_us), count=2),)
        hall.reached["Mesa 6"] = Reached(
            table="Mesa 6",
            restores=0,
            seq=1,
            newest_at=time_text(hall.now_us - 5_000 * _US),
            came_at=time_text(hall.now_us),
        )
    hall.floor.look()
    silent = (n_tables,) if n_tables < 10 else (n_tables - 2, n_tables - 1, n_tables)
    hall.later(28, *silent)
    hall.called(2, 12)
    hall.floor.look()
    return hall


@contextmanager
def served(
    floor: Floor,
    house: House = HOUSE,
    door: Door | None = None,
    port: int = 0,
    *,
    counts: Callable[[], IngestCounts] = IngestCounts,
    limits: Limits = LIMITS,
) -> Iterator[str]:
    """The overview of this floor in this process; its address without the last slash."""
    nowhere = Path("/nonexistent")
    given = door or Door(host="127.0.0.1", port=port, certificate=nowhere, key=nowhere, viewer_tokens=nowhere)
    overview = Overview(floor, house, given, counts=counts, limits=limits)
    overview.start()
    try:
        yield f"{'https' if overview.has_tls else 'http'}://127.0.0.1:{overview.bound.getsockname()[1]}"
    finally:
        overview.stop()


def pages() -> OverviewPages:
    return OverviewPages(HOUSE)
