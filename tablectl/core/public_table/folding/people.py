"""Who is the croupier, and who takes the table after the hand in play."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import CroupierAtTable, CroupierLeft, CroupierWaits
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.step import Steps
from tablectl.core.public_table.table import PublicTable


def carried(view: PublicTable, carry: Carry) -> PublicTable:
    """As a table remembers it from one hand to the next."""
    return replace(view, croupier=carry.croupier, next_croupier=carry.next_croupier)


def _at_table(view: PublicTable, said: CroupierAtTable, _record: PublicRecord) -> PublicTable:
    return replace(view, croupier=said.croupier, next_croupier="")


def _waits(view: PublicTable, said: CroupierWaits, _record: PublicRecord) -> PublicTable:
    return replace(view, next_croupier=said.croupier)


def _left(view: PublicTable, said: CroupierLeft, _record: PublicRecord) -> PublicTable:
    """Whoever only waited for the table leaves the one who is there."""
    if said.croupier == view.next_croupier:
        return replace(view, next_croupier="")
    return replace(view, croupier="")


DECISIONS: Final[Steps] = {
    CroupierAtTable: _at_table,
    CroupierWaits: _waits,
    CroupierLeft: _left,
}
