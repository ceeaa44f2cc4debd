"""The table as the pages follow it, for accounts that are kept in the same process."""

from __future__ import annotations

from tablectl.people.service.table_now import TableNow, table_now
from tablectl.web.screens.feed import Feed


class TableOfFeed:
    """What `TableSeen` asks, from the newest picture."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    def now(self) -> TableNow:
        """As it is known now."""
        picture = self._feed.picture
        is_staffed = picture.table is not None and picture.table.staff
        return table_now(picture.view, connected=picture.connected, is_staffed=is_staffed, is_demo=picture.is_demo)

    async def changed(self, *, at_most_s: float) -> None:
        """Return as soon as another record was read, or when the time is over."""
        await self._feed.after(self._feed.picture, at_most_s=at_most_s)
