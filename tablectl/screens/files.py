"""Where the files of a table are that its screens look into. What a configuration says besides, they need not know: a
configuration can open what the journal sealed, the screens cannot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class TableFiles:
    """`config` is the table's TOML file, for commands that are run with it."""

    config: Path
    journal: Path
    copy: Path
