"""Where one table's journal lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tablectl.journal.readers import Readers


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """The journal, its keys and its second copy. A volume has about so many records: it goes on to its hand's end.

    `readers` may read journal, copy and public key; nobody but their owner the keys.
    """

    journal: Path
    key: Path
    signing_key: Path
    copy: Path
    volume_records: int
    readers: Readers = Readers.OWNER

    @property
    def public_key(self) -> Path:
        """For whoever checks the journal."""
        return self.journal.with_suffix(".pub")
