"""The screens' line to the controller: follows the public stream, and carries entries.

When the connection breaks, pages are told at once and the link connects again, soon at first, then every two seconds.
Where the stream does not go on from its last record (another journal at the same socket, a number that is skipped),
it begins anew with the last hands.

While nobody answers it looks for the mark of a tilt, beside the socket: why nothing may be dealt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tablectl.api import async_client
from tablectl.api.client import BrokenStream, NoController, StreamPosition
from tablectl.core.events.stream import PublicRecord, decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.folding.hand import HANDS_KEPT
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.tilt import find
from tablectl.ops.log import LateLog
from tablectl.web.screens.feed import Feed
from tablectl.web.screens.greeting import TableInfo, table_info
from tablectl.web.screens.recall import RecentHands

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0
REPLY_WITHIN_S: Final = 6.0

_LOG: Final = LateLog()


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What the controller says to an entry. `refused` is the engine's reason, where it changed nothing."""

    ok: bool
    seq: int | None = None
    refused: Mapping[str, Any] | None = None
    error: str = ""
    #: a word for that, where the controller has one
    why: str = ""


def reply_of(said: Mapping[str, Any]) -> Reply:
    """The same as a value."""
    return Reply(
        ok=said.get("ok") is True,
        seq=said.get("seq"),
        refused=said.get("refused"),
        error=str(said.get("error", "")),
        why=str(said.get("why", "")),
    )


class Link:
    """Follows one controller, for ever, and publishes what it says to a feed."""

    def __init__(
        self,
        path: Path,
        feed: Feed,
        *,
        heard: Callable[[PublicRecord], None] | None = None,
        heads: KnownHeads | None = None,
    ) -> None:
        """`heard` is told every record before pages are. `heads`: what the table signed, remembered longer than these
        pages live."""
        self._path = path
        self._heads = heads
        self._mark = path.with_suffix(".tilt")
        self._feed = feed
        self._pause_s = FIRST_PAUSE_S
        self._last: Mapping[str, Any] | None = None
        self._heard = heard
        #: nobody answered, and that was said
        self._is_lost = False
        #: what pages can show of the last hands while nobody answers
        self.recent_hands = RecentHands()

    async def run(self) -> None:
        """Connect, follow, and connect again. Ends only when it is cancelled."""
        while True:
            try:
                await self._follow()
            except BrokenStream as broken:
                _LOG.warning("stream broken", reason=str(broken))
                self._forget()
            except NoController as lost:
                self._say_lost(lost)
            self._feed.publish(replace(self._feed.picture, connected=False, tilt=find([self._mark])))
            await asyncio.sleep(self._pause_s)
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def _say_lost(self, lost: Exception) -> None:
        """Once, until somebody answers again."""
        if not self._is_lost:
            _LOG.warning("no controller", reason=str(lost))
        self._is_lost = True

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """One question, one line of answer. Raises `NoController`."""
        return await async_client.ask(self._path, question, timeout_s=REPLY_WITHIN_S)

    async def _follow(self) -> None:
        last = self._last
        known = 0 if last is None else int(last["seq"])
        position = StreamPosition(after=known, hands=HANDS_KEPT, is_last=lambda again: again == last, heads=self._heads)
        async with async_client.subscribe(self._path, position) as records:
            table = _greeting(position.greeting)
            self._pause_s = FIRST_PAUSE_S
            if self._is_lost:
                _LOG.info("following", after=known)
            self._is_lost = False
            view = replace(self._feed.picture.view, tracking=table.tracking, missing=table.missing)
            self._feed.publish(replace(self._feed.picture, view=view, table=table, connected=True, tilt=None))
            async for record in records:
                self._take(record)

    def _take(self, record: Mapping[str, Any]) -> None:
        picture = self._feed.picture
        try:
            made = decode_record(record)
            view = fold(picture.view, made)
            self.recent_hands.take(made)
            if self._heard is not None:
                self._heard(made)
        except (AttributeError, KeyError, TypeError, ValueError) as wrong:
            raise BrokenStream(f"an unreadable record: {wrong!r}") from wrong
        self._last = record
        self._feed.publish(replace(picture, view=view))

    def _forget(self) -> None:
        self._last = None
        self.recent_hands.forget()
        self._feed.publish(replace(self._feed.picture, view=PublicTable(), connected=False))


def _greeting(said: Mapping[str, Any]) -> TableInfo:
    try:
        return table_info(said)
    except (AttributeError, KeyError, TypeError, ValueError) as wrong:
        raise BrokenStream(f"no greeting: {wrong!r}") from wrong
