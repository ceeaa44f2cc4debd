"""What no record says, and every page that shows it is told: looked at again and again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from tablectl.core.events.notes import MissingHead
from tablectl.journal.clock import now_us
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.sqlite_file import SqliteError
from tablectl.statistics.service import Statistics
from tablectl.web.screens.feed import Feed
from tablectl.web.screens.health import NoHealth, ask_health

#: How often it is looked, in seconds.
DISKS_S: Final = 15.0
JOURNAL_S: Final = 1.0


async def look_at_disks(feed: Feed, socket: Path, statistics: Statistics | None = None) -> None:
    """The room on the table's disks, which the controller measures every few minutes: for the pages, and for the alarms
    of the statistics. While it does not answer, what it said last stands."""
    try:
        disks = (await ask_health(socket)).disks
    except NoHealth:
        return
    if disks and disks != feed.picture.disks:
        feed.publish(replace(feed.picture, disks=disks))
    if disks and statistics is not None:
        with suppress(SqliteError):  # their file is busy or gone: seen again soon
            await asyncio.to_thread(statistics.saw_disks, disks, now_us())


async def look_at_journal_before(feed: Feed, statistics: Statistics | None, heads: KnownHeads) -> None:
    """Whether the journal was put back to an older state together with its copy. The controller cannot see that, since
    both agree; the statistics remember which records they were made of, and the screens what the table signed."""
    kept = None if statistics is None else await asyncio.to_thread(statistics.kept, heads.accepted)
    lost = next(reversed(heads.missing), None)
    missing = None
    if lost is not None:
        missing = MissingHead(to_seq=lost.head.seq, to_hash=lost.head.hash, at=lost.at, restored=0)
    if (kept, missing) != (feed.picture.rolled_back, feed.picture.lost):
        feed.publish(replace(feed.picture, rolled_back=kept, lost=missing))
