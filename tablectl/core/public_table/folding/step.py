"""What every step of the fold is made of: the table before, an event or decision, and the record in which it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.table import PublicTable, SeatView

Step: TypeAlias = Callable[[PublicTable, Any, PublicRecord], PublicTable]
#: The step of each class of facts or decisions.
Steps: TypeAlias = Mapping[type[Any], Step]


def nothing(view: PublicTable, _said: object, _record: PublicRecord) -> PublicTable:
    """What has no place in the picture."""
    return view


def sit(view: PublicTable, seat: SeatView) -> PublicTable:
    """With this seat as it is now."""
    return replace(view, seats={**view.seats, seat.seat: seat})
