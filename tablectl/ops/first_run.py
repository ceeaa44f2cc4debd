"""Whether a table was set up at all, and whether it has run: what stands where its configuration says.

A controller that cannot write tilts, and a tilt is for a person to clear. Where there is no folder, no journal and no
mark of a tilt yet, nothing is in doubt: nothing was dealt there, and nothing begins. Where only the journal is away,
what else a start leaves behind tells that the table has run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.config.table_file import Config
from tablectl.core.validation import Mistake
from tablectl.journal.tilt import find
from tablectl.journal.volumes import present

#: Which disks this machine mounts where (fstab(5)).
FSTAB: Final = Path("/etc/fstab")
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
        if folder not in told and is_missing(folder):
            told.add(folder)
            yield Mistake(where=str(config.file), key=key, found=f"no folder {folder}", right=right)


def has_run(config: Config) -> Path | None:
    """What a start of this table has left behind, besides the journal; None where there is nothing. The first one makes
    the keys, before anything is dealt. Raises `OSError`."""
    keys = (config.key, config.signing_key, config.places.public_key)
    left = (*present(config.copy).values(), *config.marks, *keys)
    return next((path for path in left if path.exists()), None)


def disk_away(place: Path) -> Path | None:
    """Where the disk belongs on which a place would lie, as the machine's table of disks has it, and is not mounted."""
    try:
        lines = FSTAB.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None  # a machine without such a table
    words = [line.split() for line in lines if not line.lstrip().startswith("#")]
    points = {Path(word[1].replace("\\040", " ")) for word in words if len(word) > 1}
    above = next((parent for parent in place.parents if parent in points), None)
    return above if above is not None and not above.is_mount() else None


def is_missing(folder: Path) -> bool:
    """Whether there is none; one that this user may not look at is there for somebody."""
    try:
        folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
