"""Follows the table for whoever keeps the accounts: who deals, and which badge is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from tablectl.api import async_client
from tablectl.api.client import BrokenStream, NoController, StreamPosition
from tablectl.api.heads import Heads
from tablectl.core.events.stream import PublicRecord, decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.folding.hand import HANDS_KEPT
from tablectl.core.public_table.table import PublicTable
from tablectl.ops.log import LateLog
from tablectl.people.service.table_now import TableNow, table_now

#: How long it rests before it connects again, in seconds.
PAUSE_S: Final = 0.5

_LOG: Final = LateLog()


class _Table(msgspec.Struct, frozen=True):
    """Of the controller's greeting what matters here."""

    staff: bool = False
    demo_key: bool = False


class _Greeting(msgspec.Struct, frozen=True):
    table: _Table = _Table()


class FollowedTable:
    """One table, by its socket."""

    def __init__(self, socket: Path, heads: Heads | None = None) -> None:
        """`heads`: what the table signed, remembered by the process that no network reaches."""
        self._socket = socket
        self._heads = heads
        self._view = PublicTable()
        self._now = TableNow()
        self._changed = asyncio.Event()
        self._is_lost = False

    def now(self) -> TableNow:
        """As it is known now."""
        return self._now

    async def changed(self, *, at_most_s: float) -> None:
        """Return as soon as another record was read, or when the time is over."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), at_most_s)

    async def run(self, heard: Callable[[PublicRecord], None]) -> None:
        """Connect, follow, and connect again; `heard` is told each record as it comes. Ends only when it is
        cancelled."""
        while True:
            try:
                await self._follow(heard)
            except NoController as lost:
                if not self._is_lost:
                    _LOG.warning("no controller", reason=str(lost))
                self._is_lost = True
            self._show(replace(self._now, connected=False))
            await asyncio.sleep(PAUSE_S)

    async def _follow(self, heard: Callable[[PublicRecord], None]) -> None:
        """From hands before the one in play: who deals stands in the record that ended one."""
        position = StreamPosition(after=0, hands=HANDS_KEPT, is_last=lambda _: True, heads=self._heads)
        self._view = PublicTable()
        async with async_client.subscribe(self._socket, position) as records:
            try:
                table = msgspec.convert(position.greeting, _Greeting).table
            except msgspec.ValidationError as wrong:
                raise BrokenStream(f"no greeting: {wrong}") from wrong
            if self._is_lost:
                _LOG.info("following")
            self._is_lost = False
            self._take(table)
            async for record in records:
                try:
                    made = decode_record(record)
                    self._view = fold(self._view, made)
                except (AttributeError, KeyError, TypeError, ValueError) as wrong:
                    raise BrokenStream(f"an unreadable record: {wrong!r}") from wrong
                heard(made)
                self._take(table)

    def _take(self, table: _Table) -> None:
        demo = self._view.demo_key
        is_demo = demo if demo is not None else table.demo_key
        self._show(table_now(self._view, connected=True, is_staffed=table.staff, is_demo=is_demo))

    def _show(self, now: TableNow) -> None:
        self._now = now
        self._changed.set()
        self._changed = asyncio.Event()
