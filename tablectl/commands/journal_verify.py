"""`tablectl journal verify`: a journal, its second copy, or the public stream that somebody kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final, TextIO

from tablectl.counted import counted
from tablectl.journal.copy import copies, read_copy
from tablectl.journal.lines import NoLine
from tablectl.journal.public_keys import fingerprint, load_public
from tablectl.journal.remains import was_journal
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, JournalUnusable, Position, Stored
from tablectl.journal.verify import Fault, Verdict, Verification, Wrong, row
from tablectl.journal.verify_all import verify_all
from tablectl.journal.volumes import Shelf, VolumeMissing, follows, volumes
from tablectl.journal.whole import hold_against
from tablectl.unreadable import told

_SQLITE: Final = b"SQLite format 3\0"
_RIGHT: Final = "the path of a journal, as `journal.path` names it, of its copy, or of stream lines"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A journal and what it is held against."""
    parser.add_argument("db", metavar="FILE", type=Path, help="the journal's first file, its copy, or stream lines")
    parser.add_argument("--copy", type=Path, metavar="FILE", help="the second copy (default: FILE with .copy)")
    parser.add_argument("--key", type=Path, metavar="PEM", help="the table's public key, from a source you trust")
    parser.add_argument("--progress", action="store_true", help="say how far it came, on the error output")


class Progress:
    """Says how far a verification came: `progress journal 2560 of 100000`, a line for each hundredth part at most."""

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self._what, self._before, self._records, self._parts = "", 0, 0, 0

    def begin(self, what: str, before: int, last: int) -> None:
        """Records behind `before` up to `last` are looked at now."""
        self._what, self._before, self._records, self._parts = what, before, last - before, 0
        self(before)

    def __call__(self, seq: int) -> None:
        """It came to this record."""
        done = min(seq - self._before, self._records)
        parts = 1 + (100 * done // self._records if self._records else 100)
        if self._out is not None and parts > self._parts:
            self._parts = parts
            self._out.write(f"progress {self._what} {done} of {self._records}\n")
            self._out.flush()


def main(args: argparse.Namespace) -> int:
    """Exit status 0 intact, 1 not intact, 2 unreadable. Raises `BadKey`."""
    key = load_public(args.key) if args.key is not None else None
    path: Path = args.db
    copy: Path = args.copy if args.copy is not None else path.with_suffix(".copy")
    told = Progress(sys.stderr if args.progress else None)
    status = _looked_at(path, lambda: _by_itself(path, key, told))
    if copy == path or (status == 0 and not _is_database(path)):
        return status
    if status == 0:
        status = _looked_at(copy, lambda: _compared(path, copy, told))
        return status and _copy_too(copy, key, status)
    return _copy_too(copy, key, status)


def _looked_at(path: Path, look: Callable[[], int]) -> int:
    """The exit status of what was looked at; what cannot be read is told."""
    try:
        return look()
    except BrokenPipeError:
        raise  # not the file's fault: whoever reads our output has seen enough
    except OSError as wrong:
        sys.stderr.write(f"{told(wrong, _RIGHT, wrong.filename or path)}\n")
        return 2
    except (NoLine, VolumeMissing) as wrong:
        if isinstance(wrong, NoLine) and not was_journal(path):
            return _no_journal(path)
        print(f"{path}: NOT INTACT: {wrong}")
        return 1
    except JournalUnusable as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2


def _no_journal(path: Path) -> int:
    sys.stderr.write(f"{path}: this is no journal, nor the rest of one; would be right: {_RIGHT}\n")
    return 2


def _copy_too(copy: Path, key: bytes | None, status: int) -> int:
    """Where something is wrong, each of both is told by itself: one of them may be right."""
    _looked_at(copy, lambda: _lines(copy, key) if copies(copy) else 0)
    return status


def _is_database(path: Path) -> bool:
    first, *_ = (*volumes(path), path)  # the first volumes may be in an archive
    with first.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _by_itself(path: Path, key: bytes | None, told: Progress) -> int:
    return _database(path, key, told) if _is_database(path) else _lines(path, key)


def _database(path: Path, key: bytes | None, told: Progress) -> int:
    with closing(Shelf(path)) as shelf:
        start = shelf.stores[0].follows
        told.begin("journal", start.seq, shelf.stores[-1].newest)
        is_damaged = _is_damaged(shelf)
        try:
            verdict = verify_all(shelf, key=key, told=told)
        except JournalUnusable:
            if is_damaged:
                return 1
            raise
        if is_damaged and verdict.fault is None:
            print(f"{path}: each of its {verdict.records} records is good by itself")
            return 1
        return _told(path, verdict, key, start)


def _is_damaged(shelf: Shelf) -> bool:
    """Told of each volume; the records are looked at all the same."""
    found = [(store.path, store.damage()) for store in shelf.stores]
    for path, damage in found:
        if damage is not None:
            print(f"{path}: NOT INTACT: {damage}")
    return any(damage is not None for _, damage in found)


def _compared(path: Path, copy: Path, told: Progress) -> int:
    if not copies(copy):
        print(f"{copy}: there is no second copy: that the journal's end was not cut off, nobody can say")
        return 0
    with closing(Shelf(path)) as shelf:
        told.begin("copy", shelf.stores[0].follows.seq, shelf.stores[-1].newest)
        found = hold_against(shelf, copy, told=told)
        behind = shelf.stores[-1].newest - found.last
    if found.fault is not None:
        print(f"{copy}: JOURNAL AND COPY DIFFER: {found.fault}")
        return 1
    print(f"{copy}: the same up to record {found.last}" + (f", {behind} behind the journal" if behind > 0 else ""))
    if found.start != BEGINNING:
        print(f"{'':2}compared from behind record {found.start.seq}: what was before is not in both")
    return 0


def _lines(path: Path, key: bytes | None) -> int:
    records = chain.from_iterable(map(read_copy, copies(path)))
    first = next(records, None)
    if first is None:
        if not was_journal(path):
            return _no_journal(path)
        print(f"{path}: no record in it")
        return 1
    every: Iterator[Stored] = chain([first], records)
    begins_inside = first.seq != 1 and follows(first) == BEGINNING
    if begins_inside:
        fault = _first_fault(first, key)
        if fault is not None:
            print(f"{path}: NOT INTACT: {fault}")
            return 1
        every, start = records, Position(first.seq, first.hash)
    else:
        start = follows(first)
    verification = Verification(key=key, start=start, with_boxes=_has_boxes(path))
    verification.take(row(each) for each in every)
    return _told(path, verification.verdict(), key, start)


def _first_fault(first: Stored, key: bytes | None) -> Fault | None:
    """Lines that begin inside a journal begin with a signed record: its signature vouches for all before it."""
    what = "the lines begin here; name the table's public key with --key"
    if key is None:
        return Fault(seq=first.seq, wrong=Wrong.MISSING, what=what)
    if first.signature is None or not Witness(key).confirms(first.seq, first.hash, first.signature):
        return Fault(seq=first.seq, wrong=Wrong.OTHER_KEY, what="the first line is not signed with that key")
    if not first.boundary:
        what = "the lines begin inside a hand, so its cards cannot be checked; let them begin where a hand was closed"
        return Fault(seq=first.seq, wrong=Wrong.MISSING, what=what)
    return None


def _has_boxes(path: Path) -> bool:
    """Whether this is a second copy, with the sealed parts, or the public stream."""
    return any(each.sealed is not None for each in chain.from_iterable(map(read_copy, copies(path))))


def _told(path: Path, verdict: Verdict, key: bytes | None, start: Position) -> int:
    if verdict.fault is not None:
        print(f"{path}: NOT INTACT: {verdict.fault}")
        before = counted(verdict.records, "record")
        print(f"{before} before it {'is' if verdict.records == 1 else 'are'} good; nothing behind it can be trusted")
        return 1
    print(
        f"{path}: intact: {counted(verdict.records, 'record')}, {counted(verdict.hands, 'closed hand')}, "
        f"{counted(verdict.reveals, 'revealed card')} as committed, {counted(verdict.signatures, 'signature')}"
    )
    if start != BEGINNING:
        print(f"{'':2}begins behind record {start.seq}: what was before is not looked at here")
    signed_to = max(verdict.signed_to, start.seq)
    if verdict.end.seq > signed_to:
        print(
            f"{'':2}{counted(verdict.end.seq - signed_to, 'record')} behind the last signature: a hand that is not over"
        )
    if verdict.public_key is not None and verdict.signatures:
        known = "the key that was given" if key is not None else "compare it with the one the house published"
        print(f"{'':2}signed with {fingerprint(verdict.public_key)} ({known})")
    if verdict.is_demo:
        print(f"{'':2}DEMO KEY: anybody could have written and signed this; no evidence of a real table")
    return 0
