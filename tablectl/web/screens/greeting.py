"""What the controller says of itself when a screen connects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from tablectl.core.events.notes import MissingHead
from tablectl.core.public_table.table import Span
from tablectl.i18n.languages import USUAL
from tablectl.i18n.times import NO_ZONE, is_zone


@dataclass(frozen=True, kw_only=True, slots=True)
class TableInfo:
    """What the controller says of itself when a screen connects.

    `timezone` is the house's, by its name in the tz database."""

    name: str
    rulebook: str
    seats: int
    tracking: str
    limits: Mapping[str, Span] = field(default_factory=dict)
    #: those that are offered for choice, the table's first; and one more that is shown beside it, where it asks for one
    languages: tuple[str, ...] = USUAL
    second_language: str | None = None
    currency: str = "EUR"
    currency_exponent: int = 2
    demo_key: bool = False
    #: whether a time server set the table's clock since its machine was started
    clock_synchronised: bool = True
    #: the authorised band of each bet, in which the limits can be set at the table
    bands: Mapping[str, Span] = field(default_factory=dict)
    #: whether the house knows its people: no hand begins without a croupier
    staff: bool = False
    #: the house's clock, by its name in the database of time zones
    timezone: str = "Europe/Madrid"
    #: how long the same press is no other one after another seat came to be asked, in milliseconds; 0: it always is
    repeat_ms: int = 0
    #: the house's chips, by which the tray is counted, the smallest first; none where a total is entered
    denominations: tuple[int, ...] = ()
    #: what the table signed and its journal does not have, as long as nobody accepted that
    missing: MissingHead | None = None

    @property
    def amounts(self) -> bool:
        """Whether amounts are entered at this table."""
        return self.tracking == "amounts"


def table_info(greeting: Mapping[str, Any]) -> TableInfo:
    """The controller's greeting as a value. Raises `KeyError`, `TypeError` or `ValueError` for one that is none."""
    info = msgspec.convert({"timezone": NO_ZONE, **greeting["table"]}, TableInfo)
    return info if is_zone(info.timezone) else replace(info, timezone=NO_ZONE)
