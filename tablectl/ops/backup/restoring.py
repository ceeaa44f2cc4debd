"""A table from its backup: everything is unpacked beside its place, checked, then put in place at once.

Nothing is ever overwritten: what is there goes aside, under its name with `.before-restore-TIME`, and only where that
was asked for. The configuration that is there stays, as it says where everything belongs on this machine. The second
copy stays too: it may have more records than the backup.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from tablectl.config.table_file import Config, load, parsed
from tablectl.core.records import record
from tablectl.journal.public_keys import BadKey, fingerprint, load_public
from tablectl.journal.restored import Told
from tablectl.journal.store import JournalUnusable, guarded
from tablectl.journal.whole_file import sync_folder
from tablectl.ops.backup.archive import Archive
from tablectl.ops.backup.checking import check_copy
from tablectl.ops.backup.inventory import What, is_credential
from tablectl.ops.backup.manifest import Chain, member_of
from tablectl.ops.backup.owners import Owner, give
from tablectl.ops.backup.plan import carry_out, decide
from tablectl.ops.backup.work import Work, make_folder
from tablectl.ops.backup.wrong import NotIntact, Refused
from tablectl.ops.drop_privileges import running_as_owner_of


@record
class Restored:
    """What a restore did. `kept`: what was there and stays; `aside`: the new names of what was there; `left_out`: what
    has no place in this configuration; `absent`: keys that were not in the backup and are not there."""

    config: Config
    chain: Chain
    kept: tuple[Path, ...]
    aside: tuple[Path, ...]
    left_out: tuple[str, ...]
    absent: tuple[Path, ...]


def restore(archive: Archive, file: Path, *, replace: bool, key: bytes | None, now: datetime, by: str = "") -> Restored:
    """Put everything at the places that the configuration names. `key` has to have signed the journal; `now`, in UTC,
    goes into the names of what goes aside and on record at the table's next start, as `by` does. Raises `BadConfig`,
    `Refused`, `NotIntact`: nothing was touched."""
    try:
        config, is_new = _config(archive, file)
        with ExitStack() as until_done:
            key = _key_of(archive, config, key)
            work = Work(archive, config, is_new=is_new, at=f"{now:%Y%m%dT%H%M%SZ}")
            until_done.enter_context(_alone(config, *work.journal_owner))
            work.must_not_be_in_use()
            if work.aside and not replace:
                there = ", ".join(map(str, work.in_the_way))
                raise Refused(f"{there}: there already, and nothing is overwritten; --replace moves them aside")
            until_done.callback(work.clean)
            work.unpack()
            chain = work.check(key)
            work.must_not_be_in_use()
            plan = work.plan(
                Told(
                    made=archive.manifest.made,
                    when=f"{now:%Y-%m-%dT%H:%M:%SZ}",
                    records=chain.newest,
                    hash=chain.hash,
                    by=by,
                )
            )
            decide(file, plan)
            carry_out(file, plan)
    except OSError as wrong:
        text = f"{wrong.filename or file}: {wrong.strerror or wrong}; nothing was touched; look at its room and owner"
        raise Refused(text) from None
    except BadKey as wrong:
        raise Refused(f"{wrong}; nothing was touched") from None
    return Restored(
        config=config,
        chain=chain,
        kept=tuple(work.kept),
        aside=tuple(work.in_the_way.values()),
        left_out=tuple(work.left_out),
        absent=tuple(
            path for path in (config.key, config.signing_key) if not is_credential(path) and not path.exists()
        ),
    )


def look(archive: Archive, folder: Path, *, key: bytes | None) -> Chain:
    """Everything into a new folder, for its owner alone, to look at: all of it, or no folder; what the journal is.
    Raises `Refused`, `NotIntact`."""
    unnamed = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    try:
        if folder.exists():
            raise Refused(f"{folder}: there already; name a folder that is not there")
        unnamed.mkdir(mode=0o700)
        try:
            chain = _looked_at(archive, unnamed, key)
            unnamed.rename(folder)
            sync_folder(folder.parent)
        finally:
            shutil.rmtree(unnamed, ignore_errors=True)
    except OSError as wrong:
        raise Refused(f"{wrong.filename or folder}: {wrong.strerror or wrong}; nothing was unpacked") from None
    except BadKey as wrong:
        raise Refused(f"{wrong}; nothing was unpacked") from None
    return chain


def _looked_at(archive: Archive, folder: Path, key: bytes | None) -> Chain:
    files = archive.manifest.files
    for entry in files:
        descriptor = os.open(folder / entry.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            for block in archive.blocks(entry):
                file.write(block)
    others = {kept.what: folder / kept.name for kept in files if kept.volume == 0}
    try:
        chain = check_copy(folder / member_of(What.JOURNAL), others, key=key)
    except NotIntact as wrong:
        raise NotIntact(f"{archive.path}: {str(wrong).replace(f'{folder}/', '')}; nothing was unpacked") from None
    if chain != archive.manifest.journal:
        raise NotIntact(
            f"{archive.path}: the journal in it is another one than its manifest says; nothing was unpacked"
        )
    for path in set(folder.iterdir()) - {folder / entry.name for entry in files}:
        path.unlink()  # what SQLite kept beside a database while it was read
    return chain


def _config(archive: Archive, file: Path) -> tuple[Config, bool]:
    """The one that is there; where there is none, the archive's, as it would be there."""
    if file.exists():
        return load(file), False
    entry = next((member for member in archive.manifest.files if member.what is What.CONFIG), None)
    if entry is None:
        raise NotIntact(f"{archive.path}: no configuration in it, and {file} is not there")
    return parsed(file, b"".join(archive.blocks(entry)).decode("utf-8", "replace")), True


def _key_of(archive: Archive, config: Config, key: bytes | None) -> bytes | None:
    """The key that has to have signed it: the one that was given, or the one of the table that is there. Raises
    `Refused` for the backup of another table."""
    told = archive.manifest
    if told.title != config.setup.table:
        raise Refused(f"{archive.path}: the backup of {told.title!r}, but {config.file} is {config.setup.table!r}")
    if key is None and config.places.public_key.exists():
        key = load_public(config.places.public_key)
    if key is not None and key.hex() != told.journal.signing_key:
        signed = fingerprint(bytes.fromhex(told.journal.signing_key))
        raise Refused(
            f"{archive.path}: its journal is signed with {signed}, this table's key is {fingerprint(key)}: the"
            " backup of another table, or name the right key with --key"
        )
    return key


@contextmanager
def _alone(config: Config, owner: Owner, folder: Owner) -> Iterator[None]:
    """No controller of this table runs or starts meanwhile. Raises `Refused`, `OSError`."""
    make_folder(config.journal.parent, folder)
    lock = config.journal.with_name(f"{config.journal.name}.lock")
    is_new = not lock.exists()
    try:
        with ExitStack() as held:
            with running_as_owner_of(lock):
                held.enter_context(guarded(config.journal))
                if is_new:
                    give(lock, Owner(user=owner.user, group=owner.group, mode=0o600))
            yield
    except JournalUnusable as wrong:
        table = config.file.stem
        raise Refused(f"{wrong}; stop all of this table (systemctl stop 'tablectl*@{table}.service')") from None
