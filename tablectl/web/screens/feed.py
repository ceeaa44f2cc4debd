"""What the pages follow: the newest picture of the table, and a way to wait for the next one."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from tablectl.core.disk_room import Space
from tablectl.core.events.notes import MissingHead
from tablectl.core.public_table.alarms import Alarm, alarms_of
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.tilt import Mark
from tablectl.web.screens.choices import Previews
from tablectl.web.screens.greeting import TableInfo
from tablectl.web.screens.health import Health
from tablectl.web.screens.uplink_state import UplinkNow
from tablectl.web.screens.witness_now import WitnessNow


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """The table as far as it is known. `connected` is False while the controller does not answer; `tilt` is the mark
    that it left, where it ended because nothing may be dealt; `health`, `uplink` and `witness` are there for the page
    that asked for them; `croupier_gone`: whoever deals is signed on nowhere any more, for the page that says so;
    `rolled_back`: the journal does not have what was seen of it before, and this file has; None where it has; `lost`:
    these screens know a record that the table signed and that is not there, whether or not that is on record; `disks`:
    the room that is left on them, as far as the controller said it; `previews`: what each choice of the pit boss would
    do, for his page."""

    view: PublicTable = field(default_factory=PublicTable)
    table: TableInfo | None = None
    connected: bool = False
    tilt: Mark | None = None
    health: Health | None = None
    uplink: UplinkNow | None = None
    witness: WitnessNow | None = None
    croupier_gone: bool = False
    rolled_back: Path | None = None
    lost: MissingHead | None = None
    disks: tuple[Space, ...] = ()
    previews: Previews = field(default_factory=dict)

    @property
    def missing(self) -> MissingHead | None:
        """What the table signed and its journal does not have, as long as nobody accepted that."""
        return self.view.missing or self.lost

    def alarms(self, now_us: int) -> tuple[Alarm, ...]:
        """The alarms of the table at this moment, in the order of the page."""
        return alarms_of(replace(self.view, missing=self.missing), now_us, self.disks)

    @property
    def is_demo(self) -> bool:
        """Whether the keys of the table are a demonstration's: anybody could read its cards and sign for it."""
        said = self.view.demo_key
        return said if said is not None else self.table is not None and self.table.demo_key


class Feed:
    """One writer, any number of waiting pages; a page that is slow skips pictures, it never queues them."""

    def __init__(self) -> None:
        self.picture = Picture()
        self._next = asyncio.Event()

    def publish(self, picture: Picture) -> None:
        """Show this from now on."""
        self.picture = picture
        self._next.set()
        self._next = asyncio.Event()

    def wake(self) -> None:
        """Whoever waits looks again: not at another picture, but at whether it may still be shown."""
        self.publish(self.picture)

    async def after(self, seen: Picture, *, at_most_s: float) -> Picture:
        """The newest picture as soon as it is another one than `seen`, or the same one when the time is over."""
        if self.picture is seen:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._next.wait(), at_most_s)
        return self.picture

    async def known(self, *, at_most_s: float) -> Picture:
        """The newest picture, as soon as the controller was heard once or its tilt was found; the empty one when the
        time is over. For a page that is made once, and must not say that a table has nothing before it was asked."""
        with suppress(TimeoutError):
            async with asyncio.timeout(at_most_s):
                while self.picture.table is None and self.picture.tilt is None:
                    await self._next.wait()
        return self.picture

    async def with_record(self, seq: int, *, at_most_s: float) -> Picture:
        """The newest picture, as soon as it has this record; as it is then where the controller is gone, or where the
        time is over without another picture."""
        picture = self.picture
        while picture.connected and picture.view.seq < seq:
            newer = await self.after(picture, at_most_s=at_most_s)
            if newer is picture:
                break
            picture = newer
        return picture
