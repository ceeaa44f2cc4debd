"""`tablectl journal restore`: the journal again, from its second copy. The way out of a damaged or cut journal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tablectl.journal.copy import copies, read_copy
from tablectl.journal.keys import load_public
from tablectl.journal.lines import NoLine
from tablectl.journal.store import BEGINNING, Position, Store, Stored
from tablectl.journal.verify import Verification, row
from tablectl.journal.volumes import follows, numbered, volume_path, volumes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """From where, to where."""
    parser.add_argument("copy", metavar="COPY", type=Path, help="the second copy's first file")
    parser.add_argument("db", metavar="DB", type=Path, help="the journal's first file; an old one is kept beside")
    parser.add_argument("--key", type=Path, metavar="PEM", help="the table's public key, from a source you trust")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where the copy is not intact (nothing was touched); 2 where it cannot be read."""
    key = load_public(args.key) if args.key is not None else None
    files = copies(args.copy)
    if not files:
        sys.stderr.write(f"{args.copy}: there is no such copy\n")
        return 2
    try:
        verification = Verification(key=key, start=_beginning(files[0]))
        verification.take(row(each) for each in chain.from_iterable(map(read_copy, files)))
    except (NoLine, OSError) as wrong:
        print(f"{args.copy}: NOT RESTORED: {wrong}; nothing was touched")
        return 1
    verdict = verification.verdict()
    if verdict.fault is not None:
        print(f"{args.copy}: NOT RESTORED: the copy is not intact either: {verdict.fault}; nothing was touched")
        return 1
    for path in _put_aside(args.db):
        print(f"{path}: the old journal, kept as it was")
    for number, file in numbered(args.copy).items():
        _write(volume_path(args.db, number), read_copy(file), args.db)
    print(f"{args.db}: restored: {verdict.records} records, {verdict.hands} closed hands, intact")
    return 0


def _beginning(file: Path) -> Position:
    first = next(read_copy(file), None)
    return follows(first) if first is not None else BEGINNING


def _put_aside(base: Path) -> Iterator[Path]:
    """Rename what is there; nothing is ever removed."""
    for path in volumes(base):
        for part in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if part.exists():
                yield part.rename(_free_name(part))


def _free_name(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return kept


def _write(path: Path, records: Iterator[Stored], base: Path) -> None:
    first = next(records, None)
    if first is None:
        return
    store = Store.open(path, guard=base)
    try:
        store.take_over(chain([first], records))
    finally:
        store.close()
