"""Whether somebody approved the software with which a table deals."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.events.notes import SoftwareApproval
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.step import Steps
from tablectl.core.public_table.table import PublicTable


def _asked(view: PublicTable, note: SoftwareApproval, _record: PublicRecord) -> PublicTable:
    return replace(view, approval_until=note.until)


FACTS: Final[Steps] = {SoftwareApproval: _asked}
