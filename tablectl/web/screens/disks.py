"""The room on the table's disks, for every page that shows it: the controller is asked, again and again.

No record says it. The controller's watch over the journal measures it every few minutes.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Final

from tablectl.web.screens.feed import Feed
from tablectl.web.screens.health import NoHealth, ask_health

#: How often it is asked, in seconds.
LOOK_S: Final = 15.0


class Disks:
    """Publishes what the controller says of them. While it does not answer, what it said last stands."""

    def __init__(self, feed: Feed, socket: Path) -> None:
        self._feed = feed
        self._socket = socket

    async def run(self) -> None:
        """Ends only when it is cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Once."""
        try:
            health = await ask_health(self._socket)
        except NoHealth:
            return
        if health.disks and health.disks != self._feed.picture.disks:
            self._feed.publish(replace(self._feed.picture, disks=health.disks))
