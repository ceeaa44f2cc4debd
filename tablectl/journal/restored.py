"""That a journal was put in place from a backup: left beside it by `tablectl restore`, on record at the next start.

Not written into the journal at once: the second copy may have records after the backup, and these come back first
(`tablectl journal restore`), each where it was.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from tablectl.core.events.notes import Restored
from tablectl.core.unreadable import UNREADABLE


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the file. `made` and `when`: of the backup and of the restore (RFC 3339, UTC); `records` and
    `hash`: the newest record that the backup has; `by` is empty where nobody said a name."""

    made: str
    when: str
    records: int
    hash: str
    by: str


#: Where the file cannot be read: that there was a restore stands all the same.
_NOTHING_TOLD = Told(made="", when="", records=0, hash="", by="")


def place_of(journal: Path) -> Path:
    """Where it waits."""
    return journal.with_name(f"{journal.name}.restored")


def written(told: Told) -> bytes:
    """What stands in the file."""
    return msgspec.json.encode(told)


def waiting(journal: Path, *, at_us: int) -> Restored | None:
    """The note of a restore that is not on record yet. Raises `OSError`."""
    try:
        text = place_of(journal).read_bytes()
    except FileNotFoundError:
        return None
    try:
        told = msgspec.json.decode(text, type=Told)
    except UNREADABLE:
        told = _NOTHING_TOLD
    return Restored(at_us=at_us, made=told.made, when=told.when, records=told.records, hash=told.hash, by=told.by)


def on_record(journal: Path) -> None:
    """The note is durable: the file goes. Where the power fails before, the next start notes it once more. Raises
    `OSError`."""
    place_of(journal).unlink(missing_ok=True)
