"""A croupier whose account was shut, or who is none any more, leaves the table: between two hands, or behind the hand
in play. The engine knows names and not accounts, so it is the screens that tell it.
"""

from __future__ import annotations

from typing import Final

from tablectl.api.client import NoController
from tablectl.ops.log import LateLog
from tablectl.people.presence import Presence
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.link import Link

#: How often accounts are looked at where the table is quiet, in seconds: the console changes them, too.
LOOK_S: Final = 1.0
_SYSTEM: Final = "system"
_CLOSED: Final = "closed"

_LOG: Final = LateLog()


class Relieving:
    """Of one table."""

    def __init__(self, feed: Feed, link: Link, presence: Presence) -> None:
        self._feed = feed
        self._link = link
        self._presence = presence
        #: who was told to leave, in which state of the table: what was refused there is not asked for again
        self._told: tuple[str, int, str] | None = None

    async def run(self) -> None:
        """For ever. Ends only when it is cancelled."""
        while True:
            picture = self._feed.picture
            await self.look(picture)
            await self._feed.after(picture, at_most_s=LOOK_S)

    async def look(self, picture: Picture) -> None:
        """Once."""
        name = self._leaving(picture)
        if name is None:
            return
        told = (name, picture.view.hand, picture.view.phase)
        if told == self._told:
            return
        try:
            reply = await self._link.enter(f"croupier-off {name}", by=_SYSTEM)
        except NoController:
            return
        self._told = told
        _LOG.info("croupier relieved", name=name, ok=reply.ok, error=reply.error)

    def _leaving(self, picture: Picture) -> str | None:
        """Who has to leave and can now. Who only waits for the table can at any time."""
        view = picture.view
        if not picture.connected:
            return None
        now = (view.next_croupier, view.croupier if view.phase == _CLOSED else "")
        return next((name for name in now if name and not self._presence.may_deal(name)), None)
