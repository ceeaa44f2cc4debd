"""A croupier whose account was shut, or who is none any more, leaves the table: between two hands, or after the hand
in play. The engine knows names and not accounts, so whoever keeps the accounts tells it.
"""

from __future__ import annotations

from typing import Final

from tablectl.api.client import NoController
from tablectl.core.roles import SYSTEM
from tablectl.ops.log import LateLog
from tablectl.people.audit import Ask
from tablectl.people.presence import Presence
from tablectl.people.service.table_now import TableNow, TableSeen

#: How often accounts are looked at where the table is quiet, in seconds: the console changes them, too.
LOOK_S: Final = 1.0

_LOG: Final = LateLog()


class Relieving:
    """Of one table."""

    def __init__(
        self,
        table: TableSeen,
        ask: Ask,
        presence: Presence,
    ) -> None:
        self._table = table
        self._ask = ask
        self._presence = presence
        #: who was told to leave, in which state of the table: what was refused there is not asked for again
        self._told: tuple[str, int, bool] | None = None

    async def run(self) -> None:
        """For ever. Ends only when it is cancelled."""
        while True:
            await self.look(self._table.now())
            await self._table.changed(at_most_s=LOOK_S)

    async def look(self, now: TableNow) -> None:
        """Once."""
        name = self._leaving(now)
        if name is None:
            return
        told = (name, now.hand, now.is_closed)
        if told == self._told:
            return
        try:
            reply = await self._ask({"enter": f"croupier-off {name}", "by": SYSTEM})
        except NoController:
            return
        self._told = told
        _LOG.info("croupier relieved", name=name, ok=reply.get("ok") is True, error=str(reply.get("error", "")))

    def _leaving(self, now: TableNow) -> str | None:
        """Who has to leave and can now. Who only waits for the table can at any time."""
        if not now.connected:
            return None
        at_table = (now.next_croupier, now.croupier if now.is_closed else "")
        return next((name for name in at_table if name and not self._presence.may_deal(name)), None)
