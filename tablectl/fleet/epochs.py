"""Which journal of a table a record belongs to: the one that began with a certain record, restored so many times.

A journal that was put back from a backup goes on from an earlier record, and the records after it differ from those
that were sent before. Without the epoch that would look like a forgery, or worse, like records that are known.
"""

from __future__ import annotations

from typing import Final

import msgspec

from tablectl.journal.store import GENESIS

#: The note with which a restored journal begins its next epoch.
RESTORED_KIND: Final = "restored"
HASH_BYTES: Final = len(GENESIS)


class Epoch(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """`origin`: the hash of record 1, in hexadecimal digits; empty where there is none yet. `restores`: how many
    `restored` notes the journal has up to a record."""

    origin: str = ""
    restores: int = 0

    def __str__(self) -> str:
        return f"{self.origin or '-'}.{self.restores}"

    def after_restore(self) -> Epoch:
        """The one that the next `restored` note begins."""
        return Epoch(origin=self.origin, restores=self.restores + 1)


def parse(text: str) -> Epoch:
    """The other way round. Raises `ValueError`."""
    origin, dot, restores = text.rpartition(".")
    if not dot or not restores.isdecimal() or (origin != "-" and len(bytes.fromhex(origin)) != HASH_BYTES):
        raise ValueError(f"an epoch such as {Epoch()} instead of {text[:80]!r}")
    return Epoch(origin="" if origin == "-" else origin, restores=int(restores))
