"""`tablectl journal verify`: a journal, its second copy, or the public stream that somebody kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final

from tablectl.journal.copy import copies, read_copy
from tablectl.journal.keys import fingerprint, load_public
from tablectl.journal.lines import NoLine
from tablectl.journal.signing import Witness
from tablectl.journal.store import BEGINNING, Position, Stored
from tablectl.journal.verify import Fault, Verdict, Verification, Wrong, compare, row
from tablectl.journal.verify_all import verify_all
from tablectl.journal.volumes import Shelf, follows

_SQLITE: Final = b"SQLite format 3\0"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A journal and what it is held against."""
    parser.add_argument("db", metavar="FILE", type=Path, help="the journal's first file, its copy, or stream lines")
    parser.add_argument("--copy", type=Path, metavar="FILE", help="the second copy (default: FILE with .copy)")
    parser.add_argument("--key", type=Path, metavar="PEM", help="the table's public key, from a source you trust")


def main(args: argparse.Namespace) -> int:
    """Exit status 0 intact, 1 not intact, 2 unreadable. Raises `JournalUnusable`, `BadKey`."""
    key = load_public(args.key) if args.key is not None else None
    try:
        with args.db.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
        return _database(args.db, args.copy, key) if is_database else _lines(args.db, key)
    except OSError as wrong:
        sys.stderr.write(f"{wrong.filename or args.db}: cannot be read ({wrong.strerror})\n")
        return 2
    except NoLine as wrong:
        print(f"{args.db}: NOT INTACT: {wrong}")
        return 1


def _database(path: Path, copy: Path | None, key: bytes | None) -> int:
    with closing(Shelf(path)) as shelf:
        for store in shelf.stores:
            if (damage := store.damage()) is not None:
                print(f"{store.path}: NOT INTACT: {damage}")
                return 1
        status = _told(path, verify_all(shelf, key=key), key)
        copy = copy if copy is not None else path.with_suffix(".copy")
        return status or _compared(shelf, copy)


def _compared(shelf: Shelf, copy: Path) -> int:
    if not copies(copy):
        print(f"{copy}: there is no second copy: that the journal's end was not cut off, nobody can say")
        return 0
    last = 0

    def copied() -> Iterator[Stored]:
        nonlocal last
        for stored in chain.from_iterable(map(read_copy, copies(copy))):
            last = stored.seq
            if last > shelf.stores[0].follows.seq:
                yield stored

    fault = compare(shelf.records(), copied())
    if fault is not None:
        print(f"{copy}: JOURNAL AND COPY DIFFER: {fault}")
        return 1
    behind = shelf.stores[-1].newest - last
    print(f"{copy}: the same up to record {last}" + (f", {behind} behind the journal" if behind else ""))
    return 0


def _lines(path: Path, key: bytes | None) -> int:
    records = read_copy(path)
    first = next(records, None)
    if first is None:
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
    return _told(path, verification.verdict(), key)


def _first_fault(first: Stored, key: bytes | None) -> Fault | None:
    """Lines that begin inside a journal begin with a signed record: its signature vouches for all before it."""
    what = "the lines begin here; name the table's public key with --key"
    if key is None:
        return Fault(seq=first.seq, wrong=Wrong.MISSING, what=what)
    if first.signature is None or not Witness(key).confirms(first.seq, first.hash, first.signature):
        return Fault(seq=first.seq, wrong=Wrong.OTHER_KEY, what="the first line is not signed with that key")
    return None


def _has_boxes(path: Path) -> bool:
    """Whether this is a second copy, with the sealed parts, or the public stream."""
    return any(each.sealed is not None for each in read_copy(path))


def _told(path: Path, verdict: Verdict, key: bytes | None) -> int:
    if verdict.fault is not None:
        print(f"{path}: NOT INTACT: {verdict.fault}")
        print(f"{verdict.records} records before it are good; nothing behind it can be trusted")
        return 1
    print(
        f"{path}: intact: {verdict.records} records, {verdict.hands} closed hands, "
        f"{verdict.reveals} revealed cards as committed, {verdict.signatures} signatures"
    )
    if verdict.end.seq > verdict.signed_to:
        print(f"{'':2}{verdict.end.seq - verdict.signed_to} records behind the last signature: a hand that is not over")
    if verdict.public_key is not None:
        known = "the key that was given" if key is not None else "compare it with the one the house published"
        print(f"{'':2}signed with {fingerprint(verdict.public_key)} ({known})")
    if verdict.is_demo:
        print(f"{'':2}DEMO KEY: anybody could have written and signed this; no evidence of a real table")
    return 0
