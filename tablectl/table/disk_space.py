"""How long the disks of a table last: the room that is left for journal, copy and backups, at the rate of the last
dealing days. A full disk stops the table, so somebody has to hear of it weeks before."""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec

from tablectl.core.disk_room import Holds, Space, Urgency
from tablectl.core.timestamps import time_us
from tablectl.journal.store import Stored
from tablectl.journal.volumes import VolumeSet, present
from tablectl.journal.whole_file import write_whole
from tablectl.ops.drop_privileges import running_as_owner_of

NOTICE_DAYS: Final = 30
ALARM_DAYS: Final = 7
ALARM_BYTES: Final = 2_000_000_000
#: So many of the last days on which a hand was dealt tell the rate.
RATE_DAYS: Final = 7
#: Days without a hand that are looked through for them, at most.
LOOKED_BACK: Final = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Folder:
    """A folder on its disk. `rate_bytes`: by how much what is in it grows on a dealing day; None where no day is known.
    `device`: the number of the disk, which several folders may share."""

    holds: Holds
    path: str
    device: int
    free_bytes: int
    rate_bytes: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Archives:
    """What the last backup reported: where it lies, its size and that of the journal then, how many of its table
    lie there, and how many stay at most."""

    folder: str
    archive_bytes: int
    journal_bytes: int
    n_archives: int
    keep: int

    def rate_bytes(self, journal_rate_bytes: float) -> float:
        """By how much the folder grows a day, with one backup a day: every archive holds the whole journal, so each of
        those that stay is larger than the one that it replaces; until then one more comes."""
        grown = self.archive_bytes / max(1, self.journal_bytes) * journal_rate_bytes
        return grown * self.n_archives + (0 if self.n_archives >= self.keep else self.archive_bytes)


def urgency_of(free_bytes: int, days: float | None) -> Urgency:
    """How soon somebody has to make room."""
    if free_bytes <= ALARM_BYTES or (days is not None and days <= ALARM_DAYS):
        return Urgency.ALARM
    return Urgency.NOTICE if days is not None and days <= NOTICE_DAYS else Urgency.NONE


def spaces(folders: Iterable[Folder]) -> tuple[Space, ...]:
    """What is told of these: folders on one disk use up the same room together."""
    found = tuple(folders)
    rates: dict[int, float] = defaultdict(float)
    for folder in found:
        rates[folder.device] += folder.rate_bytes or 0.0
    return tuple(_space(folder, rates[folder.device]) for folder in found)


def _space(folder: Folder, rate_bytes: float) -> Space:
    days = folder.free_bytes / rate_bytes if rate_bytes > 0 else None
    urgency = urgency_of(folder.free_bytes, days)
    return Space(holds=folder.holds, path=folder.path, free_bytes=folder.free_bytes, days=days, urgency=urgency)


def measured(
    journal: Path, copy: Path | None, day_of: Callable[[int], date], volume_set: VolumeSet
) -> tuple[Space, ...]:
    """The disks of a table as they are now. A folder that cannot be looked at is left out: whoever writes there says
    so. `day_of`: the house's day of a moment, in microseconds since the epoch. Raises `JournalUnusable`."""
    records_a_day = dealt_a_day(volume_set, day_of)
    n_records = max(1, volume_set.stores[-1].newest - volume_set.stores[0].follows.seq)
    a_day = None if records_a_day is None else records_a_day / n_records
    journal_bytes = size_of(journal)
    found = [_folder(Holds.JOURNAL, journal.parent, journal_bytes, a_day)]
    if copy is not None:
        found.append(_folder(Holds.COPY, copy.parent, size_of(copy), a_day))
    archives = read_backup_report(journal)
    if archives is not None:
        rate = None if a_day is None else archives.rate_bytes(a_day * journal_bytes)
        found.append(_looked_at(Holds.BACKUPS, Path(archives.folder), rate))
    return spaces(folder for folder in found if folder is not None)


def _folder(holds: Holds, path: Path, size_bytes: int, a_day: float | None) -> Folder | None:
    return _looked_at(holds, path, None if a_day is None else a_day * size_bytes)


def _looked_at(holds: Holds, path: Path, rate_bytes: float | None) -> Folder | None:
    try:
        disk, device = os.statvfs(path), path.stat().st_dev
    except OSError:
        return None
    free_bytes = disk.f_bavail * disk.f_frsize
    return Folder(holds=holds, path=str(path), device=device, free_bytes=free_bytes, rate_bytes=rate_bytes)


def size_of(base: Path) -> int:
    """All volumes of a journal, or all files of its copy, in bytes; 0 where they cannot be looked at."""
    try:
        return sum(path.stat().st_size for path in present(base).values())
    except OSError:
        return 0


# -- the rate ----------------------------------------------------------------------------------------------------------


def dealt_a_day(volume_set: VolumeSet, day_of: Callable[[int], date]) -> float | None:
    """Records of a dealing day, on average over the last ones; None before the first. The day that the newest record
    belongs to is left out where there are others: it may not be over."""
    found: list[int] = []
    for number, n_records in enumerate(_days(volume_set, day_of)):
        if number == LOOKED_BACK or len(found) > RATE_DAYS:
            break
        if n_records:
            found.append(n_records)
    over = found[1 : RATE_DAYS + 1] or found
    return sum(over) / len(over) if over else None


def _days(volume_set: VolumeSet, day_of: Callable[[int], date]) -> Iterator[int]:
    """Each day that has records, the newest first: how many there are; 0 where no hand was dealt."""
    first, last = volume_set.stores[0].follows.seq + 1, volume_set.stores[-1].newest
    while last >= first:
        day = day_of(_at_us(_record(volume_set, last)))
        begins = bisect_left(range(first, last), day, key=lambda seq: day_of(_at_us(_record(volume_set, seq))))
        began = first + begins
        is_dealt = _record(volume_set, began).hand != _record(volume_set, last).hand
        yield last - began + 1 if is_dealt else 0
        last = began - 1


def _record(volume_set: VolumeSet, seq: int) -> Stored:
    store = next(store for store in reversed(volume_set.stores) if store.follows.seq < seq)
    found = store.at(seq)
    if found is None:
        raise LookupError(seq)
    return found


def _at_us(stored: Stored) -> int:
    return time_us(json.loads(stored.public)["at"])


# -- what a backup reports ---------------------------------------------------------------------------------------------


def backup_report_path(journal: Path) -> Path:
    """Where the last backup reports what it left: beside the journal, for a controller may not look into its folder."""
    return journal.with_suffix(".backups")


def write_backup_report(journal: Path, archives: Archives) -> None:
    """Whole or not at all, as the user to whom the journal's folder belongs. Raises `OSError`."""
    place = backup_report_path(journal)
    with running_as_owner_of(place):
        write_whole(place, f"{json.dumps(asdict(archives))}\n".encode())


def read_backup_report(journal: Path) -> Archives | None:
    """What the last backup reported; None where none did, or nobody can read it."""
    try:
        return msgspec.json.decode(backup_report_path(journal).read_bytes(), type=Archives)
    except (OSError, ValueError):
        return None


# -- as it is told to others -------------------------------------------------------------------------------------------


def told(found: Iterable[Space]) -> list[dict[str, Any]]:
    """As JSON."""
    return [asdict(space) for space in found]


def heard(said: object) -> tuple[Space, ...]:
    """The other way round. Raises `ValueError` for nonsense."""
    return msgspec.convert(said, tuple[Space, ...])
