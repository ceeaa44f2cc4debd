"""The wire to the controller: a Unix domain socket, JSON lines. Follows the public stream, and carries entries.

When the connection breaks, pages are told at once and the link dials again, soon at first, then every two seconds. It
asks for its last record once more and for what came after it, so nothing is missing; where that record is not the same
(another journal behind the same socket) or a number is skipped, it begins anew with the last hands.

While nobody answers it looks for the mark of a tilt, beside the socket: why nothing may be dealt.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tablectl.core.public_table.fold import fold
from tablectl.core.public_table.folding.hand import HANDS_KEPT
from tablectl.core.public_table.table import PublicTable
from tablectl.core.stream import PublicRecord, decode_record
from tablectl.ops.log import LateLog
from tablectl.table.tilt import find
from tablectl.web.screens.feed import Feed
from tablectl.web.screens.greeting import TableInfo, table_info
from tablectl.web.screens.recall import Memory

#: One record with a whole settlement has a few kilobytes; a line this long is none of ours.
MAX_LINE_BYTES: Final = 1 << 22
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0
REPLY_WITHIN_S: Final = 6.0
#: A stored record comes at once; where none comes, the controller does not have it.
OVERLAP_WITHIN_S: Final = 2.0

_LOG: Final = LateLog()


class BrokenStream(Exception):
    """What the controller sends is no public stream, or does not join on to what was there before."""


class NoReply(OSError):
    """The controller did not take an entry: not there, or silent for too long."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What the controller says to an entry. `refused` is the engine's reason, where it changed nothing."""

    ok: bool
    seq: int | None = None
    refused: Mapping[str, Any] | None = None
    error: str = ""
    #: a word for that, where the controller has one
    why: str = ""


class Link:
    """Follows one controller, for ever, and publishes what it says to a feed."""

    def __init__(self, path: Path, feed: Feed, *, heard: Callable[[PublicRecord], None] | None = None) -> None:
        """`heard` is told every record before pages are."""
        self._path = path
        self._mark = path.with_suffix(".tilt")
        self._feed = feed
        self._pause_s = FIRST_PAUSE_S
        self._last: Mapping[str, Any] | None = None
        self._heard = heard
        #: nobody answered, and that was said
        self._is_lost = False
        #: what pages can show of the last hands while nobody answers
        self.memory = Memory()

    async def run(self) -> None:
        """Connect, follow, and connect again. Ends only when it is cancelled."""
        while True:
            try:
                await self._follow()
            except BrokenStream as broken:
                _LOG.warning("stream broken", reason=str(broken))
                self._forget()
            except (OSError, ValueError, asyncio.IncompleteReadError) as lost:
                self._say_lost(lost)
            self._feed.publish(replace(self._feed.picture, connected=False, tilt=find([self._mark])))
            await asyncio.sleep(self._pause_s)
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def _say_lost(self, lost: Exception) -> None:
        """Once, until somebody answers again."""
        if not self._is_lost:
            _LOG.warning("no controller", reason=type(lost).__name__)
        self._is_lost = True

    async def enter(self, line: str, *, by: str) -> Reply:
        """Enter one fact. Raises `NoReply`."""
        return await self.say({"enter": line, "by": by})

    async def say(self, question: Mapping[str, Any]) -> Reply:
        """Enter what is asked for in these words of the door. Raises `NoReply`."""
        said = await self.ask(question)
        return Reply(
            ok=said.get("ok") is True,
            seq=said.get("seq"),
            refused=said.get("refused"),
            error=str(said.get("error", "")),
            why=str(said.get("why", "")),
        )

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """One question, one line of answer. Raises `NoReply`."""
        try:
            async with asyncio.timeout(REPLY_WITHIN_S):
                return await self._ask(question)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, BrokenStream) as lost:
            raise NoReply(str(lost)) from None

    async def _ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_LINE_BYTES)
        try:
            writer.write(json.dumps(question).encode() + b"\n")
            await writer.drain()
            return _object(await reader.readuntil(b"\n"))
        finally:
            writer.close()

    async def _follow(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_LINE_BYTES)
        try:
            last = self._last
            wanted = {"hands": HANDS_KEPT} if last is None else {"after": last["seq"] - 1}
            writer.write(json.dumps({"follow": wanted}).encode() + b"\n")
            await writer.drain()
            table = _greeting(_object(await reader.readuntil(b"\n")))
            if last is not None:
                await _same_again(reader, last)
            self._pause_s = FIRST_PAUSE_S
            if self._is_lost:
                _LOG.info("following", after=0 if last is None else last["seq"])
            self._is_lost = False
            view = replace(self._feed.picture.view, tracking=table.tracking)
            self._feed.publish(replace(self._feed.picture, view=view, table=table, connected=True, tilt=None))
            while line := await reader.readline():
                self._take(_object(line))
        finally:
            writer.close()

    def _take(self, record: Mapping[str, Any]) -> None:
        picture = self._feed.picture
        try:
            if picture.view.seq and record["seq"] != picture.view.seq + 1:
                raise BrokenStream(f"{record['seq']} after {picture.view.seq}")
            made = decode_record(record)
            view = fold(picture.view, made)
            self.memory.take(made)
            if self._heard is not None:
                self._heard(made)
        except (AttributeError, KeyError, TypeError, ValueError) as wrong:
            raise BrokenStream(f"an unreadable record: {wrong!r}") from wrong
        self._last = record
        self._feed.publish(replace(picture, view=view))

    def _forget(self) -> None:
        self._last = None
        self.memory.forget()
        self._feed.publish(replace(self._feed.picture, view=PublicTable(), connected=False))


def _greeting(said: Mapping[str, Any]) -> TableInfo:
    try:
        return table_info(said)
    except (AttributeError, KeyError, TypeError) as wrong:
        raise BrokenStream(f"no greeting: {wrong!r}") from wrong


async def _same_again(reader: asyncio.StreamReader, last: Mapping[str, Any]) -> None:
    """The stream goes on where it broke off only if its record of that number is the one that was there."""
    try:
        async with asyncio.timeout(OVERLAP_WITHIN_S):
            again = _object(await reader.readuntil(b"\n"))
    except TimeoutError:
        raise BrokenStream(f"it has no record {last['seq']}: another journal") from None
    if again != last:
        raise BrokenStream(f"its record {last['seq']} is another one: another journal")


def _object(line: bytes) -> Mapping[str, Any]:
    said = json.loads(line)
    if not isinstance(said, dict):
        raise BrokenStream("a line that is no JSON object")
    return said
