"""`tablectl journal restore`: the journal again, from its second copy. The way out of a damaged or cut journal.

The copy is written a moment after the journal. What only the old journal still has is taken over as well, where it
follows from the copy's end and the old journal says nothing else than the copy before.
"""

from __future__ import annotations

import argparse
import json
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from itertools import chain, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tablectl.cli.status import WrongUsage
from tablectl.core.os_error_text import told
from tablectl.core.records import record
from tablectl.journal.copy import copies, in_words, is_torn, read_copy
from tablectl.journal.lines import NoLine
from tablectl.journal.public_keys import fingerprint, load_public
from tablectl.journal.store import BEGINNING, JournalUnusable, Position, Store, Stored, guarded
from tablectl.journal.verify import Verdict, Verification, is_sound, row
from tablectl.journal.volumes import beginning_of, follows, numbered, present, volume_path
from tablectl.ops.drop_privileges import running_as_owner_of

#: The mode of a journal where no old one shows another.
PRIVATE: Final = 0o600


class NotRestored(Exception):
    """Why not; nothing was touched."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """From where, to where."""
    parser.add_argument("copy", metavar="COPY", type=Path, help="the second copy's first file")
    parser.add_argument("db", metavar="DB", type=Path, help="the journal's first file; an old one is kept beside")
    parser.add_argument("--key", type=Path, metavar="PEM", help="the table's public key, from a source you trust")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where the copy is not intact (nothing was touched); 2 where something cannot be read or made.

    Raises `BadKey`, `JournalUnusable`.
    """
    key = load_public(args.key) if args.key is not None else None
    try:
        if not copies(args.copy):
            right = "the path of the second copy, as `journal.copy` names it"
            raise WrongUsage(f"{args.copy}: there is no such copy; would be right: {right}")
        with running_as_owner_of(args.db), ExitStack() as opened:  # who reads the copy, too: it is the controller's
            verification = _checked(args.copy, args.db, key)
            opened.enter_context(guarded(args.db))
            old = Old(args.db, opened)
            if key is None:
                _must_have_signed(old.key(), verification.verdict(), f"{args.db}, which would be replaced,")
            _restore(args.copy, args.db, verification, old)
    except (NoLine, NotRestored) as wrong:
        print(f"{args.copy}: NOT RESTORED: {wrong}; nothing was touched")
        return 1
    except BrokenPipeError:
        raise  # whoever reads our output has seen enough
    except OSError as wrong:
        right = "a folder in which this user can make a journal"
        raise WrongUsage(f"{told(wrong, right, wrong.filename or args.db)}") from None
    return 0


# --- the copy -------------------------------------------------------------------------------------------------------


def _lines(copy: Path) -> Iterator[Stored]:
    return chain.from_iterable(map(read_copy, copies(copy)))


def _checked(copy: Path, db: Path, key: bytes | None) -> Verification:
    """The whole copy, with the key that is given, or that lies beside the journal. Raises `NotRestored`, `NoLine`."""
    beside = db.with_suffix(".pub")
    try:
        first = next(_lines(copy), None)
        if first is None:
            raise NotRestored("no whole record in it")
        if key is None and beside.exists():
            key = load_public(beside)
            _must_be(_key_of(_lines(copy)), key, f"{beside}")
        verification = Verification(key=key, start=follows(first))
        verification.take(row(line) for line in _lines(copy))
    except OSError as wrong:
        raise NotRestored(in_words(wrong, copy)) from None
    fault = verification.verdict().fault
    if fault is not None:
        raise NotRestored(f"the copy is not intact either: {fault}")
    return verification


def _must_have_signed(named: bytes | None, verdict: Verdict, who: str) -> None:
    if named is not None:
        _must_be(verdict.public_key, named, who)


def _must_be(signed: bytes | None, known: bytes, who: str) -> None:
    """Raises `NotRestored` where this is the copy of another table."""
    if signed not in {None, known}:
        what = f"it is signed with {fingerprint(signed or b'')}, {who} has the key {fingerprint(known)}"
        raise NotRestored(f"{what}: it is another table's copy, or name the right key with --key")


def _key_of(records: Iterable[Stored]) -> bytes | None:
    """The key that the first start names."""
    for stored in records:
        try:
            keys = json.loads(stored.public).get("keys")
            if keys is not None:
                return bytes.fromhex(keys["signing"])
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            return None  # not a record of ours: a verification says which
    return None


# --- the old journal ------------------------------------------------------------------------------------------------


class Old:
    """What can be read of the journal that is to be replaced, each volume for itself."""

    def __init__(self, base: Path, opened: ExitStack) -> None:
        self.stores: dict[int, Store] = {}
        #: what cannot be read, and why
        self.unreadable: dict[Path, str] = {}
        for number, path in present(base).items():
            try:
                store = Store.read(path, follows=beginning_of(path) or BEGINNING)
            except JournalUnusable as wrong:
                self.unreadable[path] = str(wrong)
            else:
                self.stores[number] = opened.enter_context(closing(store))

    @property
    def newest(self) -> int:
        """The highest number that can be seen in it; 0 where there is none."""
        return max((store.newest for store in self.stores.values()), default=0)

    def numbered(self, *, after: int = 0) -> Iterator[tuple[int, Stored]]:
        """Each record that can be read, with the number of its volume."""
        for number, store in self.stores.items():
            for stored in self.records(store, after=after):
                yield number, stored

    def records(self, store: Store, *, after: int = 0) -> Iterator[Stored]:
        """Those of one volume, up to where it cannot be read any more."""
        try:
            yield from takewhile(lambda stored: is_sound(row(stored)), store.records(after=after))
        except JournalUnusable as wrong:
            self.unreadable[store.path] = str(wrong)

    def key(self) -> bytes | None:
        """The one that its first start names."""
        return _key_of(stored for _, stored in self.numbered())

    def first_difference(self, copied: Iterator[Stored]) -> int | None:
        """The first record that is another one here than in the copy, or was taken away here."""
        theirs = next(copied, None)
        for store in self.stores.values():
            due = store.follows.seq + 1
            for ours in self.records(store):
                while theirs is not None and theirs.seq < ours.seq:
                    theirs = next(copied, None)
                if theirs is None:
                    return None
                if ours.seq != due or (theirs.seq == ours.seq and theirs != ours):
                    return due
                due += 1
        return None

    def is_whole_before(self, number: int, end: Position, key: bytes | None) -> bool:
        """Whether its volumes before this one are intact, up to this position."""
        earlier = [store for volume, store in self.stores.items() if volume < number]
        if not earlier:
            return False
        verification = Verification(key=key, start=earlier[0].follows)
        for store in earlier:
            verification.take(map(row, self.records(store)))
        return verification.verdict().fault is None and verification.end == end


@record
class Tail:
    """What the old journal has after the copy's end: the last good record of each of its volumes.

    `copied` is the verdict on the copy, `both` with what is taken over, and with the fault that comes after it.
    """

    until: dict[int, int]
    difference: int | None
    copied: Verdict
    both: Verdict


def _tail(old: Old, copy: Path, verification: Verification) -> Tail:
    """Goes on with the copy's verification: what is taken over follows from the copy, signed with the same key."""
    copied = verification.verdict()
    difference = old.first_difference(_lines(copy))
    until: dict[int, int] = {}
    if difference is None:
        for number, stored in old.numbered(after=copied.end.seq):
            if not verification.take([row(stored)]):
                break
            until[number] = stored.seq
    return Tail(until=until, difference=difference, copied=copied, both=verification.verdict())


# --- the new journal ------------------------------------------------------------------------------------------------


def _restore(copy: Path, db: Path, verification: Verification, old: Old) -> None:
    tail = _tail(old, copy, verification)
    files = numbered(copy)
    keeps = _kept(copy, min(files), old, tail.copied.public_key)
    owner = _owner(db)
    with TemporaryDirectory(dir=db.parent, prefix=f"{db.name}.restoring-") as made:
        for number in sorted({*files, *tail.until}):
            theirs = read_copy(files[number]) if number in files else iter(())
            ours = _between(old, number, tail.copied.end.seq, tail.until.get(number, 0))
            _write(Path(made) / volume_path(db, number).name, chain(theirs, ours))
        for path in _put_aside(db, keeps):
            print(f"{path}: the old journal, kept as it was")
        for number in present(Path(made) / db.name):
            owner.give((Path(made) / volume_path(db, number).name).rename(volume_path(db, number)))
    owner.give(db.with_name(f"{db.name}.lock"), mode=PRIVATE)
    for number in sorted(keeps):
        print(f"{volume_path(db, number)}: intact, left where it is; the copy begins after it")
    _tell(copy, db, old, tail)


def _kept(copy: Path, number: int, old: Old, key: bytes | None) -> set[int]:
    """The old volumes before the copy's first one, where they are intact: they stay."""
    first = next(_lines(copy), None)
    if first is None or not old.is_whole_before(number, follows(first), key):
        return set()
    return {store for store in old.stores if store < number}


def _between(old: Old, number: int, after: int, until: int) -> Iterator[Stored]:
    if until > after:
        yield from takewhile(lambda stored: stored.seq <= until, old.stores[number].records(after=after))


def _tell(copy: Path, db: Path, old: Old, tail: Tail) -> None:
    end, last = tail.both.end.seq, copies(copy)[-1]
    only_old = end - tail.copied.end.seq
    if is_torn(last) and not only_old:
        print(f"{last}: its last line is torn, that record is lost; put the copy aside, a new one will be made")
    if old.newest > end:
        why = "it cannot be read whole"
        if tail.difference is not None:
            why = f"its record {tail.difference} is another one than the copy's"
        elif tail.both.fault is not None:
            why = str(tail.both.fault)
        which = f"record {end + 1}" if old.newest == end + 1 else f"records {end + 1} to {old.newest}"
        print(f"{db}: of the old journal NOT taken over, and not in the copy: {which}: {why}")
    for path, wrong in old.unreadable.items():
        print(f"{path}: could not be read whole ({wrong}); it may have had more records after {end}")
    parts = f": {tail.copied.records} from the copy, {only_old} that only the old journal had" if only_old else ""
    print(f"{db}: restored: {tail.both.records} records{parts}, {tail.both.hands} closed hands, intact")


@record
class Owner:
    """Whose the old journal was, so that the service can write the new one whoever restores it."""

    user: int
    group: int
    mode: int

    def give(self, path: Path, *, mode: int | None = None) -> None:
        """Make it theirs. Says so where that is not allowed."""
        path.chmod(self.mode if mode is None else mode)
        now = path.stat()
        if (now.st_uid, now.st_gid) == (self.user, self.group):
            return
        try:
            os.chown(path, self.user, self.group)
        except PermissionError:
            print(f"{path}: not the old owner's any more; as root, run: chown {self.user}:{self.group} {path}")


def _owner(base: Path) -> Owner:
    """That of the old journal, or of the folder where there is none."""
    newest = [*present(base).values()][-1:]
    now = (newest[0] if newest else base.parent).stat()
    return Owner(user=now.st_uid, group=now.st_gid, mode=stat.S_IMODE(now.st_mode) if newest else PRIVATE)


def _put_aside(base: Path, keeps: set[int]) -> Iterator[Path]:
    """Rename what is there; nothing is ever removed."""
    for number, path in present(base).items():
        if number in keeps:
            continue
        for part in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if part.exists():
                yield part.rename(_free_name(part))


def _free_name(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return kept


def _write(path: Path, records: Iterator[Stored]) -> None:
    first = next(records, None)
    if first is None:
        return
    store = Store.open(path)
    try:
        store.take_over(chain([first], records))
    finally:
        store.close()
