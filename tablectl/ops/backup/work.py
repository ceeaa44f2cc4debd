"""The files of a restore before they are in place: where each belongs, what is in its way, what was prepared."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tablectl.config.table_file import Config, restoring
from tablectl.journal.restored import Told, place_of, written
from tablectl.journal.store import JournalUnusable
from tablectl.journal.verify import Verification, row
from tablectl.journal.volumes import VolumeSet, present, volume_path
from tablectl.journal.whole_file import sync_folder
from tablectl.ops.backup.archive import Archive
from tablectl.ops.backup.checking import check_copy
from tablectl.ops.backup.inventory import KINDS, What, is_credential, places_of
from tablectl.ops.backup.manifest import Chain, Entry
from tablectl.ops.backup.owners import Owner, give, known, owner_of
from tablectl.ops.backup.plan import Move, Plan
from tablectl.ops.backup.using import user_of
from tablectl.ops.backup.wrong import NotIntact, Refused
from tablectl.ops.drop_privileges import running_as_owner_of

#: The files that SQLite keeps beside a database.
BESIDE: Final = ("-wal", "-shm", "-journal")
_STAGING: Final = ".restoring-"


class Work:
    """One restore. `is_new`: the configuration itself comes from the archive. `at` is a time for the names of what goes
    aside."""

    def __init__(self, archive: Archive, config: Config, *, is_new: bool, at: str) -> None:
        self._archive = archive
        self._config = config
        self._at = at
        self._targets: dict[Path, Entry] = {}
        #: what is in the way, and the name that it would get
        self.aside: dict[Path, Path] = {}
        #: what is there and stays
        self.kept: list[Path] = []
        #: what is in the archive and has no place on this machine
        self.left_out: list[str] = []
        self._look(is_new=is_new)

    @property
    def journal_owner(self) -> tuple[Owner, Owner]:
        """Whose the journal will be, and its folder where that has to be made."""
        entry = next(target for target in self._targets.values() if target.what is What.JOURNAL)
        return self._owner(self._config.journal, entry), entry.folder

    # --- what belongs where -----------------------------------------------------------------------------------------

    def _look(self, *, is_new: bool) -> None:
        places = places_of(self._config)
        for entry in self._archive.manifest.files:
            place = places.get(entry.what)
            if entry.what is What.CONFIG and not is_new:
                self.kept.append(self._config.file)
            elif place is None or is_credential(place):
                self.left_out.append(entry.what.value)
            elif _stays(place, entry):
                self.kept.append(place)
            else:
                target = volume_path(place, entry.volume) if entry.volume else place
                self._targets.setdefault(target, entry)
        for target, entry in self._targets.items():
            known(self._owner(target, entry))
            known(entry.folder)
            self._put_aside(target, is_database=KINDS[entry.what].is_database)
        for number, path in present(self._config.journal).items():
            if number >= self._first:
                self._put_aside(path, is_database=True)
        if What.STATISTICS not in {aim.what for aim in self._targets.values()}:
            self._put_aside(self._config.statistics or self._config.journal, is_database=True)

    @property
    def _first(self) -> int:
        """The number of the archive's first volume."""
        return next(file.volume for file in self._archive.manifest.files if file.what is What.JOURNAL)

    @property
    def in_the_way(self) -> dict[Path, Path]:
        """What goes aside, without what SQLite keeps beside it."""
        return {old: new for old, new in self.aside.items() if not old.name.endswith(BESIDE)}

    def _put_aside(self, place: Path, *, is_database: bool) -> None:
        """A database keeps its log: both get names that belong together."""
        number, name = 1, f"{place.name}.before-restore-{self._at}"
        while place.with_name(name).exists():
            number, name = number + 1, f"{place.name}.before-restore-{self._at}-{number}"
        for end in ("", *(BESIDE if is_database else ())):
            if (part := place.with_name(f"{place.name}{end}")).exists():
                self.aside.setdefault(part, place.with_name(f"{name}{end}"))

    def _owner(self, target: Path, entry: Entry) -> Owner:
        """Whose the old one is; where there is none, whose it was."""
        return owner_of(target) if target.exists() else entry.owner

    def must_not_be_in_use(self) -> None:
        """Screens and notifications write databases of their own. Raises `Refused`, `OSError`."""
        for path in self.in_the_way:
            user = user_of(path) if path not in present(self._config.journal).values() else None
            if user is not None:
                table = self._config.file.stem
                raise Refused(
                    f"{path}: process {user} has it open; stop all of this table first"
                    f" (systemctl stop 'tablectl*@{table}.service'); nothing was touched"
                )

    # --- prepared ---------------------------------------------------------------------------------------------------

    def _prepared(self, target: Path) -> Path:
        return self._staging(target) / target.name

    def _staging(self, target: Path) -> Path:
        """On the disk of its place, so that a rename is all that is left to do."""
        return target.parent / f"{_STAGING}{self._config.file.stem}"

    def unpack(self) -> None:
        """Every file beside its place. Raises `NotIntact`, `Refused`, `OSError`."""
        self.clean()
        for target, entry in self._targets.items():
            make_folder(target.parent, entry.folder)
            with running_as_owner_of(target):
                self._staging(target).mkdir(mode=0o700, exist_ok=True)
                descriptor = os.open(self._prepared(target), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                for block in self._archive.blocks(entry):
                    file.write(block)

    def check(self, key: bytes | None) -> Chain:
        """The whole journal with its signatures, the other databases, whether the keys that are there or come are its
        own. Raises `NotIntact`, `BadKey`, `OSError`."""
        base = self._prepared(self._config.journal)
        try:
            found = check_copy(base, self._files_to_check(), key=key)
            told = self._archive.manifest.journal
            if (found if told.signed_to else replace(found, signed_to=0)) != told:
                raise NotIntact("the journal in it is another one than its manifest says")
            self._check_earlier(base, key)
        except NotIntact as wrong:
            raise NotIntact(f"{self._archive.path}: {self._at_its_place(str(wrong))}; nothing was touched") from None
        return found

    def _files_to_check(self) -> dict[What, Path]:
        """What comes; and the keys that are there where none come."""
        there = {What.SEALING_KEY: self._config.key, What.SIGNING_KEY: self._config.signing_key}
        prepared = {entry.what: self._prepared(target) for target, entry in self._targets.items()}
        return {what: path for what, path in there.items() if path.exists()} | prepared

    def _check_earlier(self, base: Path, key: bytes | None) -> None:
        """Volumes before the archive's first one, where they are there, lead up to it."""
        try:
            with closing(VolumeSet(base)) as ours:
                start = ours.stores[0].follows
            if self._first == 1 or self._first - 1 not in present(self._config.journal):
                return
            with closing(VolumeSet(self._config.journal)) as volume_set:
                stores = [store for number, store in volume_set.numbered.items() if number < self._first]
                verification = Verification(key=key, start=stores[0].follows)
                verification.take(map(row, chain.from_iterable(store.records() for store in stores)))
                if verification.verdict().fault is not None or verification.end != start:
                    raise NotIntact(
                        f"{stores[-1].path}: does not lead up to record {start.seq + 1}, with which the backup begins;"
                        " move it away"
                    )
        except JournalUnusable as wrong:
            raise NotIntact(str(wrong)) from None

    def _at_its_place(self, text: str) -> str:
        for target, entry in self._targets.items():
            text = text.replace(str(self._prepared(target)), entry.name)
        return text

    def plan(self, told: Told) -> Plan:
        """With every file durable, and its owner's; `told`, for the journal's next start, among them. Raises `OSError`,
        `Refused`."""
        journal, mark = self._config.journal, self._prepared(place_of(self._config.journal))
        with running_as_owner_of(journal):
            mark.write_bytes(written(told))
            give(mark, self._owner(journal, self._targets[journal]))
            with mark.open("rb") as file:
                os.fsync(file.fileno())
        for target, entry in self._targets.items():
            prepared = self._prepared(target)
            with running_as_owner_of(target):
                give(prepared, self._owner(target, entry))
                with prepared.open("rb") as file:
                    os.fsync(file.fileno())
        folders = {self._staging(target) for target in self._targets}
        for folder in folders:
            sync_folder(folder)
            sync_folder(folder.parent)
        return Plan(
            archive=str(self._archive.path),
            aside=tuple(Move(source=str(old), target=str(new)) for old, new in self.aside.items()),
            placed=tuple(
                Move(source=str(self._prepared(path)), target=str(path)) for path in (*self._targets, place_of(journal))
            ),
            prepared=tuple(map(str, folders)),
        )

    def clean(self) -> None:
        """What was prepared goes, unless it was decided that it comes in place."""
        if restoring(self._config.file).exists():
            return
        for folder in {self._staging(target) for target in self._targets}:
            with running_as_owner_of(folder):
                shutil.rmtree(folder, ignore_errors=True)


def make_folder(path: Path, owner: Owner) -> None:
    """One that is not there yet, and those above it, theirs. Raises `OSError`, `Refused`."""
    if path.is_dir():
        return
    with running_as_owner_of(path):
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        path.mkdir(mode=0o700)
        give(path, owner)


def _stays(place: Path, entry: Entry) -> bool:
    """Whether what is there is left there."""
    kind = KINDS[entry.what]
    return (kind.stays and place.exists()) or (not kind.is_database and _is_same(place, entry))


def _is_same(place: Path, entry: Entry) -> bool:
    if not place.is_file() or place.stat().st_size != entry.size_bytes:
        return False
    return hashlib.sha256(place.read_bytes()).hexdigest() == entry.sha256
