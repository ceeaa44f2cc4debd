"""Where one table's journal lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """The journal, its keys and its second copy. A volume has about so many records: it goes on to its hand's end."""

    journal: Path
    key: Path
    signing_key: Path
    copy: Path
    volume_records: int

    @property
    def public_key(self) -> Path:
        """For whoever checks the journal."""
        return self.journal.with_suffix(".pub")
