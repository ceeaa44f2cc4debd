"""Whether a table was set up at all: the folders that its configuration names, before a controller begins in them.

A controller that cannot write tilts, and a tilt is for a person to clear. Where there is no folder, no journal and no
mark of a tilt yet, nothing is in doubt: nothing was dealt there, and nothing begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.config import Config
from tablectl.journal.volumes import present
from tablectl.mistakes import Mistake
from tablectl.tilt import find

_SETUP: Final = (
    "`tablectl setup`, which makes the folders of a new table (this one was not set up yet),"
    " or, where the folder is on a disk of its own, that disk mounted"
)
_RUN: Final = (
    "the service's own start, which makes it (`systemctl start tablectl@{table}`), `tablectl setup`"
    " for a table that was not set up yet, or the folder made by whoever starts the controller by hand"
)


def missing_folders(config: Config) -> list[Mistake]:
    """Each folder without which this table cannot begin; none where it has begun before, or is tilted: then what is
    missing is for a person to look into, and the start says so. The socket's, which goes with the power, is always
    told."""
    if find(config.marks) is not None:
        return []
    try:
        begun = bool(present(config.journal) or present(config.copy))
    except OSError:
        begun = True  # what cannot be looked at may be there
    return list(_missing(config, begun=begun))


def _missing(config: Config, *, begun: bool) -> Iterator[Mistake]:
    places = [("control.socket", config.socket, _RUN.format(table=config.file.stem))]
    if not begun:
        places = [("journal.path", config.journal, _SETUP), ("journal.copy", config.copy, _SETUP), *places]
    told: set[Path] = set()
    for key, place, right in places:
        folder = place.parent
        if folder not in told and _is_missing(folder):
            told.add(folder)
            yield Mistake(where=str(config.file), key=key, found=f"no folder {folder}", right=right)


def _is_missing(folder: Path) -> bool:
    try:
        folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False  # it is there for somebody
    return False
