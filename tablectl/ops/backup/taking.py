"""Make a backup while the table deals.

Every database is copied by SQLite's own backup in one step, from one snapshot. Of the journal, the accounts, the
outbox and the statistics (write-ahead logs) the writer feels nothing of it; the deck register has none, and whoever
moves a deck in the milliseconds of its copy waits that long. A copy of the journal's volumes, each after the one
before, is the beginning of the journal up to some record. What follows the journal is copied before it.

The archive holds the keys that open every sealed card, unless they are left out: it is readable for its owner alone,
and where a file system cannot promise that (a USB stick), keys are refused. It is not encrypted: on the machine of the
table it is guarded as the keys beside it are, and for other places there are backups without keys, and a safe.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from tablectl.config.table_file import Config
from tablectl.core.records import record
from tablectl.core.timestamps import time_text
from tablectl.journal.public_keys import BadKey, load_public
from tablectl.journal.sqlite_file import SqliteError, connect_for_copy, connect_for_reading
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import numbered
from tablectl.journal.whole_file import sync_folder
from tablectl.ops.backup.archive import Archive, name_of, pack
from tablectl.ops.backup.checking import check_copy
from tablectl.ops.backup.inventory import KINDS, What, is_credential, places_of
from tablectl.ops.backup.manifest import FORMAT, Entry, Manifest, Missing, member_of
from tablectl.ops.backup.owners import owner_of
from tablectl.ops.backup.wrong import NotIntact, Refused
from tablectl.ops.drop_privileges import running_as_owner_of

_LEFT_OUT = "left out (--without-keys)"
_CREDENTIAL = (
    "a credential of systemd, which no file of the table holds: keep the key itself in a safe. The encrypted credential"
    " alone opens on this machine only"
)
_MADE_ANEW = "made anew from the journal"


@record
class Wanted:
    """What goes into it."""

    keys: bool
    statistics: bool


@record
class Made:
    """A backup that was made, checked, and is durable. `sha256` is that of the whole archive."""

    path: Path
    manifest: Manifest
    sha256: str


def back_up(config: Config, folder: Path, wanted: Wanted, *, at_us: int) -> Made:
    """One more archive in a folder, which is made for its owner alone where it is not there. Nothing has the name of
    an archive before it was checked. Raises `Refused`, `NotIntact`."""
    table = config.file.stem
    path = folder / name_of(table, at_us)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder, table) as work:
            if path.exists():
                raise Refused(f"{path}: there is a backup of this second already; try again")
            staged = _Staged(config, work)
            staged.take(wanted)
            manifest = staged.manifest(at_us)
            unnamed = work / "unnamed"
            pack(unnamed, manifest, staged.file)
            _must_be_private(unnamed, manifest)
            with Archive.open(unnamed) as archive:
                archive.check()
            with unnamed.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            unnamed.rename(path)
            sync_folder(folder)
            return Made(path=path, manifest=manifest, sha256=digest)
    except OSError as wrong:
        text = f"{wrong.filename or folder}: {wrong.strerror or wrong}; no backup was made; look at its room and owner"
        raise Refused(text) from None


@contextmanager
def _alone(folder: Path, table: str) -> Iterator[Path]:
    """A folder to work in, which nobody takes for a backup; what one that was killed left there is gone. Raises
    `Refused` where another backup of this table is being made there."""
    lock = os.open(folder / f".{table}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(f"{folder}: another backup of {table} is being made there; wait for it") from None
        work = folder / f".{table}.making"
        if work.exists():
            shutil.rmtree(work)
        work.mkdir(mode=0o700)
        try:
            yield work
        finally:
            with suppress(OSError):
                shutil.rmtree(work)
    finally:
        os.close(lock)


class _Staged:
    """Copies of everything, and what is known of them."""

    def __init__(self, config: Config, work: Path) -> None:
        self._config = config
        self._work = work
        self._files: list[Entry] = []
        self._missing: list[Missing] = []

    def file(self, entry: Entry) -> Path:
        """Where the copy of one lies."""
        return self._work / entry.name

    def take(self, wanted: Wanted) -> None:
        """Copy everything that is there and wanted, the journal last."""
        for what, place in places_of(self._config).items():
            why = self._why_not(what, place, wanted)
            if why is not None:
                self._missing.append(Missing(what=what, why=why))
            elif what is What.JOURNAL:
                self._take_journal(place)
            elif place.exists():
                self._take(what, place)

    def _why_not(self, what: What, place: Path, wanted: Wanted) -> str | None:
        if KINDS[what].is_secret and is_credential(place):
            return _CREDENTIAL
        if KINDS[what].is_secret and not wanted.keys:
            return f"{_LEFT_OUT}: {KINDS[what].without}"
        return _MADE_ANEW if what is What.STATISTICS and not wanted.statistics else None

    def _take_journal(self, base: Path) -> None:
        try:
            found = numbered(base)
        except JournalUnusable as wrong:
            raise NotIntact(str(wrong)) from None
        if not found:
            raise Refused(f"{base}: there is no journal yet: a table that never began needs its configuration alone")
        for number, place in found.items():
            self._take(What.JOURNAL, place, volume=number)

    def _take(self, what: What, place: Path, *, volume: int = 0) -> None:
        name = member_of(what, volume)
        target = self._work / name
        if KINDS[what].is_database:
            _copied(place, target)
            if volume > 1 and _has_no_record(target):  # it was only just made: the journal ends before it
                target.unlink()
                return
        else:
            with running_as_owner_of(place):
                content = place.read_bytes()
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            target.write_bytes(content)
        with target.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        with running_as_owner_of(place):
            owner, folder = owner_of(place), owner_of(place.parent)
        entry = Entry(
            name=name,
            what=what,
            volume=volume,
            sha256=digest,
            size_bytes=target.stat().st_size,
            place=str(place),
            owner=owner,
            folder=folder,
        )
        self._files.append(entry)

    def manifest(self, at_us: int) -> Manifest:
        """Of these copies, which are checked first. Raises `NotIntact`, `Refused`."""
        copies = {file.what: self.file(file) for file in self._files if file.volume == 0}
        base = self._work / member_of(What.JOURNAL)
        try:
            key = load_public(copies[What.PUBLIC_KEY]) if What.PUBLIC_KEY in copies else None
            chain = check_copy(base, copies, key=key)
        except BadKey as wrong:
            raise Refused(self._at_its_place(str(wrong))) from None
        except NotIntact as wrong:
            raise NotIntact(self._at_its_place(str(wrong))) from None
        return Manifest(
            format=FORMAT,
            table=self._config.file.stem,
            title=self._config.setup.table,
            software=version("tablectl"),
            made=time_text(at_us),
            journal=chain,
            files=tuple(self._files),
            missing=tuple(self._missing),
        )

    def _at_its_place(self, text: str) -> str:
        """What is wrong with a copy is wrong with what was copied."""
        for file in self._files:
            text = text.replace(str(self.file(file)), file.place)
        return text


def _copied(place: Path, target: Path) -> None:
    """A database in one step from one snapshot, whoever writes it meanwhile. Raises `Refused`."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with (
            closing(connect_for_copy(target)) as copy,
            running_as_owner_of(place),
            closing(connect_for_reading(place)) as source,
        ):
            source.backup(copy)
    except SqliteError as wrong:
        raise Refused(
            f"{place}: cannot be copied ({wrong}); as root? is it its folder's owner's? is there room for the copy?"
        ) from None


def _has_no_record(volume: Path) -> bool:
    with closing(connect_for_reading(volume)) as base:
        made = base.execute("SELECT 1 FROM sqlite_master WHERE name = 'record'").fetchone()
        return made is None or base.execute("SELECT 1 FROM record LIMIT 1").fetchone() is None


def _must_be_private(path: Path, manifest: Manifest) -> None:
    """Raises `Refused` where a file system keeps no modes and a key is inside."""
    if path.stat().st_mode & 0o077 and any(KINDS[file.what].is_secret for file in manifest.files):
        what = "this file system cannot keep others from reading, and keys are in the backup"
        raise Refused(f"{path.parent.parent}: {what}; take --without-keys for it, or another folder")
