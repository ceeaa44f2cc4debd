"""`tablectl pit export CONFIG TABLE FOLDER`: what the pit server keeps of a table, to be checked as a table's own.

With `--hand` the archive that `tablectl journal export --bundle` makes at the table; without, all records as lines of
the public stream, which `tablectl journal verify FILE --key PEM` takes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

from tablectl.cli.commands.journal_export import archive_name, new_file, origin_of, write_files
from tablectl.cli.commands.pit_database import known
from tablectl.cli.status import Status, WrongUsage
from tablectl.core.events.codec import UnreadableRecord
from tablectl.fleet.pit.kept_journal import KeptJournal
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.store import KnownTable, StoreUnusable
from tablectl.i18n.pluralize import pluralize
from tablectl.journal.evidence.bundle import bundle, unfinished_words
from tablectl.journal.evidence.hand import Hand, NoEvidence, read
from tablectl.journal.lines import line
from tablectl.journal.public_keys import public_pem
from tablectl.journal.store import Stored
from tablectl.journal.verify import Verdict, row, verify
from tablectl.journal.verify_lines import lines_begin

_KEY: Final = "public-key.pem"


def export(settings: PitSection, args: argparse.Namespace) -> Status:
    """Written into a folder; 1 where something is not as the table sent it, or not here, and then it is not written."""
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise WrongUsage(f"{args.folder}: no folder can be made there ({wrong.strerror}); name another one") from None
    with opened(settings) as store:
        table = known(store, args.table)
        journal = KeptJournal(store, table, hand=args.hand, restores=args.epoch)
        print(f"{table.name}: epoch {journal.epoch}; sealed parts stay at the table, and are not in what is exported")
        if args.hand is None:
            return _all(journal, table, args.folder)
        return _hand(settings, journal, table, args)


def _hand(settings: PitSection, journal: KeptJournal, table: KnownTable, args: argparse.Namespace) -> Status:
    hand = _read(journal, args.hand)
    verdict = _verified(iter([recorded.stored for recorded in hand.chain]), table.key)
    if verdict.fault is not None:
        raise StoreUnusable(
            f"{table.name}: hand {args.hand} is NOT INTACT: {verdict.fault}; nothing was exported; `tablectl pit verify"
            f" {args.config} {table.name}` looks at all records, and a backup or the table has what was there"
        )
    first = next(journal.records())
    origin = origin_of(
        table.key,
        is_demo=verify([first], key=table.key, with_boxes=False).is_demo,
        timezone=settings.timezone,
        language=settings.language,
        source="from the records of a pit server",
    )
    write_files({args.folder / archive_name([hand]): bundle(hand, origin)})
    if words := unfinished_words(hand):
        print(words)
    return Status.GOOD


def _read(journal: KeptJournal, number: int) -> Hand:
    """Raises `StoreUnusable`."""
    try:
        hand = read(journal, number)
        if not hand.is_closed:  # or its last record is one that was too long to be sent
            journal.must_not_be_withheld(hand.records[-1].stored.seq + 1)
        if not hand.version:
            raise NoEvidence(f"hand {number} was not begun: there are only records after the hand before")
    except (NoEvidence, UnreadableRecord) as wrong:
        raise StoreUnusable(f"{wrong}") from None
    return hand


def _all(journal: KeptJournal, table: KnownTable, folder: Path) -> Status:
    write_files({folder / _KEY: public_pem(table.key)})
    status = Status.GOOD
    for missing, records in journal.pieces():
        first = next(records, None)
        if missing:
            status = Status.NOT_DONE
            print(f"record {missing} was too long to be sent, and is not here")
        if first is not None:
            if missing:
                print(f"lines go on with record {first.seq}, the next one with which they can be checked")
            _write(folder / f"records-{first.seq}.jsonl", first, records, table)
    return status


def _write(path: Path, first: Stored, others: Iterator[Stored], table: KnownTable) -> None:
    """Raises `StoreUnusable` where they are not what the table sent."""
    with new_file(path) as file:

        def written(records: Iterable[Stored]) -> Iterator[Stored]:
            for stored in records:
                file.write(line(stored) + b"\n")
                yield stored

        verdict = _verified(written(chain((first,), others)), table.key)
    if verdict.fault is not None:
        path.unlink()
        raise StoreUnusable(f"{table.name}: NOT INTACT: {verdict.fault}; {path.name} was not exported")
    print(f"{path}: {pluralize(verdict.records, 'record')}, signed up to record {verdict.signed_to}")


def _verified(records: Iterator[Stored], key: bytes) -> Verdict:
    """As `tablectl journal verify` does it with lines."""
    begin = lines_begin(next(records), key)
    if begin.fault is not None:
        return replace(begin.verification().verdict(), fault=begin.fault)
    verification = begin.verification()
    verification.take(map(row, begin.to_verify(records)))
    return verification.verdict()
