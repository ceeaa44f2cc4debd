"""The second lane of a simulated table: what it is doing now, said as an uplink says it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from simulators.fleet.client import Connection, HungUp
from simulators.fleet.hands import Lap, RecordForm
from simulators.fleet.tables import Place, SimulatedTable
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.core.public_table.table_state import state_of
from tablectl.core.timestamps import time_text
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.last_values import LastValues, encoded, last_values_of
from tablectl.journal.clock import now_us

NOW: Final = "/v1/now"
#: As the uplink does it.
LEAST_GAP_S: Final = 0.25
HEARTBEAT_S: Final = 4.0
PAUSE_S: Final = 1.0
#: The croupier of a simulated table is called after its newest record: so a page says which one it has.
CROUPIER: Final = "r"
_AT: Final = "2026-11-28T00:00:00.000000Z"


class Said:
    """What a table says after each record of its hands. Made once, by the projection that real tables use."""

    def __init__(self, lap: Lap) -> None:
        view = PublicTable()
        first = _Folded(view)
        self._first = first.after(lap.first)
        self._again = first.after(lap.again)

    def after(self, place: Place) -> LastValues | None:
        """Where the journal ends there; None where it has no record."""
        values = self._again if place.turn else self._first
        return values[place.at - 1] if place.at else None


class _Folded:
    def __init__(self, view: PublicTable) -> None:
        self._view = view
        self._seq = 0

    def after(self, forms: Sequence[RecordForm]) -> tuple[LastValues, ...]:
        return tuple(self._each(forms))

    def _each(self, forms: Sequence[RecordForm]) -> Iterator[LastValues]:
        for form in forms:
            self._seq += 1
            public = form.written(at=_AT, hand=form.hand, seq=self._seq)
            self._view = fold(self._view, decode_record(msgspec.json.decode(public)))
            state = state_of(self._view, is_connected=True, is_tilted=False)
            values = last_values_of(self._view, state=state, epoch=Epoch(), at_us=now_us(), waits_since="", devices=())
            # The hands were dealt in a moment: that is nobody's pace, and their alarms are no news.
            yield msgspec.structs.replace(values, pace=None, alarms=(), more_alarms=0)


class NowLane:
    """One table's. It has a connection of its own."""

    def __init__(
        self, table: SimulatedTable, client: Connection, said: Said, *, written: Callable[[str, int, float], None]
    ) -> None:
        """`written`: told a table, the number of a record, and when it was written (monotonic)."""
        self._table = table
        self._client = client
        self._said = said
        self._written = written
        self._is_new = asyncio.Event()

    def wrote(self, at_s: float) -> None:
        """The table wrote a record at this moment (monotonic)."""
        self._written(self._table.name, self._table.place.newest.seq, at_s)
        self._is_new.set()

    async def run(self) -> None:
        """For ever."""
        while True:
            try:
                await self._tell()
            except HungUp:
                await asyncio.sleep(PAUSE_S)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_S):
                    await self._is_new.wait()

    async def _tell(self) -> None:
        place = self._table.place
        values = self._said.after(place)
        self._is_new.clear()
        if values is None:
            return
        began_s = time.monotonic()
        now = time_text(now_us())
        told = msgspec.structs.replace(
            values,
            epoch=str(place.epoch),
            seq=place.newest.seq,
            hand=place.hand + values.hand,
            at=now,
            waits_since=now,
            croupier=f"{CROUPIER}{place.newest.seq}",
        )
        await self._client.put(NOW, encoded(told))
        await asyncio.sleep(max(0.0, began_s + LEAST_GAP_S - time.monotonic()))
