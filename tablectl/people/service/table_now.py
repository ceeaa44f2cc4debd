"""The table, as far as whoever keeps the accounts needs to know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from tablectl.core.public_table.table import PublicTable

_CLOSED: Final = "closed"


@dataclass(frozen=True, kw_only=True, slots=True)
class TableNow:
    """`croupier` deals, `next_croupier` will from the next hand on; "" where nobody does. `is_staffed`: no hand begins
    without a croupier. `is_demo`: its keys are a demonstration's."""

    connected: bool = False
    croupier: str = ""
    next_croupier: str = ""
    hand: int = 0
    is_closed: bool = True
    is_staffed: bool = False
    is_demo: bool = False

    def lets_deal(self, name: str) -> bool:
        """Whether what belongs to whoever deals may be entered by this person; False while nobody knows."""
        return self.connected and (not self.is_staffed or self.croupier == name)


def table_now(view: PublicTable, *, connected: bool, is_staffed: bool, is_demo: bool) -> TableNow:
    """The part of the projection that matters here."""
    return TableNow(
        connected=connected,
        croupier=view.croupier,
        next_croupier=view.next_croupier,
        hand=view.hand,
        is_closed=view.phase == _CLOSED,
        is_staffed=is_staffed,
        is_demo=is_demo,
    )


class TableSeen(Protocol):
    """Follows one table."""

    def now(self) -> TableNow:
        """As it is known now."""

    async def changed(self, *, at_most_s: float) -> None:
        """Return as soon as another record was read, or when the time is over."""
