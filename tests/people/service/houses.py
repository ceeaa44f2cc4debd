"""A house before a table that takes everything, and keeps what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tablectl.people.people import People
from tablectl.people.service.answering import AccountsService, PasskeyRules
from tablectl.people.service.table_now import TableNow
from tablectl.people.source import Source
from tests.screens.signed_on import house, staffed

AT_TABLE: Final = Source(address="127.0.0.1", is_at_table=True)
ELSEWHERE: Final = Source(address="192.0.2.7")


@dataclass
class Table:
    """Whoever deals, as the house sees it."""

    seen: TableNow = field(default_factory=lambda: TableNow(connected=True, croupier="croupier", is_staffed=True))

    def now(self) -> TableNow:
        return self.seen

    async def changed(self, *, at_most_s: float) -> None:
        await asyncio.sleep(at_most_s)


@dataclass
class Controller:
    """Says yes to everything."""

    asked: list[dict[str, Any]] = field(default_factory=list)

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(dict(question))
        given = {"challenge": "00" * 32, "nonce": "0" * 32} if "challenge" in question else {}
        return {"ok": True, "seq": len(self.asked), **given}

    async def lines(self, question: Mapping[str, Any]) -> AsyncIterator[Mapping[str, Any]]:
        self.asked.append(dict(question))
        yield {"read": 1}
        yield {"ok": True}


@dataclass(frozen=True, kw_only=True)
class Place:
    """The service, and what stands around it."""

    service: AccountsService
    people: People
    table: Table
    controller: Controller

    @property
    def entered(self) -> list[dict[str, Any]]:
        """What the controller was asked."""
        return self.controller.asked


def place(folder: Path) -> Place:
    """One of each role, signed on at a desk (`token_of`)."""
    people, table, controller = house(staffed(folder / "people.db")), Table(), Controller()
    rules = PasskeyRules(host="localhost")
    service = AccountsService(people, table, controller.ask, controller.lines, rules)
    return Place(service=service, people=people, table=table, controller=controller)
