"""Whether the journal was put back to an older state together with its copy: told on every page.

The controller cannot see that, since both agree. The statistics can: they remember which records they were made of.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from tablectl.statistics.service import Statistics
from tablectl.web.screens.feed import Feed

#: How often it is looked, in seconds.
LOOK_S: Final = 1.0


class RollingBack:
    """Looks at what the statistics keep of a journal before."""

    def __init__(self, feed: Feed, statistics: Statistics) -> None:
        self._feed = feed
        self._statistics = statistics

    async def run(self) -> None:
        """Ends only when it is cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Once."""
        kept = await asyncio.to_thread(self._statistics.kept)
        if kept != self._feed.picture.rolled_back:
            self._feed.publish(replace(self._feed.picture, rolled_back=kept))
