"""Reads that are on record: who looked at what."""

from __future__ import annotations

from typing import Protocol

from tablectl.people.roles import Person


class Audit(Protocol):
    """Puts a read on record. `kind` is a word of the audit (`read-statistics`, `downloaded`), `about` what was read."""

    async def __call__(self, kind: str, person: Person | None, about: str) -> None:
        """Raises nothing: who asks is answered, and the record is told later where it cannot be now."""


async def nobody_asks(kind: str, person: Person | None, about: str) -> None:
    """Where there are no accounts, there is nobody to name."""
