"""Where the files of a table are that its screens look into. What a configuration says besides, they need not know: a
configuration can open what the journal sealed, the screens cannot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class TableFiles:
    """`config` is the table's TOML file, for commands that are run with it. `auditor` is the public key of the auditor
    that the house named, None where it named none. `statistics` is their own file, None for one that lives as long as
    the screens; `shifts` when the house's begin, empty for those that most have. `uplink` is the file in which the
    uplink says how it is, `witness` that in which the notifications say how it is with the journal's heads; None for a
    table without one."""

    config: Path
    journal: Path
    copy: Path
    auditor: Path | None = None
    statistics: Path | None = None
    shifts: tuple[time, ...] = ()
    uplink: Path | None = None
    witness: Path | None = None

    @property
    def public_key(self) -> Path:
        """The table's own, which the controller puts beside its journal."""
        return self.journal.with_suffix(".pub")
