"""Where the files of a table are that its screens look into. What a configuration says besides, they need not know: a
configuration can open what the journal sealed, the screens cannot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class TableFiles:
    """`config` is the table's TOML file, for commands that are run with it. `statistics` is their own file,
    None for one that lives as long as the screens; `shifts` when the house's begin, empty for those that most have.
    """

    config: Path
    journal: Path
    copy: Path
    statistics: Path | None = None
    shifts: tuple[time, ...] = ()
