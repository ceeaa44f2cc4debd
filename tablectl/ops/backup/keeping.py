"""Which older backups go: those of the same table, good ones, beyond as many as are to be kept."""

from __future__ import annotations

from pathlib import Path

from tablectl.core.records import record
from tablectl.journal.whole_file import sync_folder
from tablectl.ops.backup.archive import Archive, is_name_of
from tablectl.ops.backup.taking import Made
from tablectl.ops.backup.wrong import Refused


@record
class Kept:
    """What went, and what was left alone although it has the name of an older backup: why."""

    removed: tuple[Path, ...]
    left: tuple[str, ...]


def keep(made: Made, most: int) -> Kept:
    """Keep the newest good ones, the one that was just made among them. Raises `Refused`.

    An archive that is damaged, or another table's, counts for nothing and is never removed: it may be the last one of
    whoever wants to look into it. Only a good one that is older than all that are kept goes.
    """
    table = made.manifest.table
    good, removed, left = 1, [], []
    try:
        others = [other for other in made.path.parent.iterdir() if is_name_of(table, other.name) and other != made.path]
        for path in sorted(others, key=lambda other: other.name, reverse=True):
            wrong = _wrong(path, made)
            if wrong is not None:
                left.append(wrong)
            elif good < most:
                good += 1
            else:
                path.unlink()
                removed.append(path)
        sync_folder(made.path.parent)
    except OSError as wrong_disk:
        raise Refused(f"{wrong_disk.filename}: older backups cannot be removed ({wrong_disk.strerror})") from None
    return Kept(removed=tuple(removed), left=tuple(left))


def _wrong(path: Path, made: Made) -> str | None:
    """Why this is no good backup of the same table; None where it is one."""
    try:
        with Archive.open(path) as archive:
            told = archive.manifest
            if (told.table, told.journal.signing_key) != (made.manifest.table, made.manifest.journal.signing_key):
                return f"{path}: the backup of another table ({told.title})"
            archive.check()
    except Refused as refused:
        return str(refused)
    return None
