"""`tablectl pit migrate|pack|backup|restore|verify CONFIG …`: what is done with the whole of the database."""

from __future__ import annotations

import argparse
from itertools import groupby
from operator import itemgetter

from tablectl.cli.progress import ProgressLine
from tablectl.cli.status import Status, WrongUsage
from tablectl.core.timestamps import time_text
from tablectl.fleet.pit.opening import conninfo, opened
from tablectl.fleet.pit.packing import older_than
from tablectl.fleet.pit.settings import PitSection
from tablectl.fleet.pit.sql_store import SqlStore
from tablectl.fleet.pit.store import KnownTable, StoreUnusable
from tablectl.fleet.pit.verification import together, verify_all
from tablectl.journal.clock import now_us


def migrate(settings: PitSection, _: argparse.Namespace) -> Status:
    """The schema and the roles of a PostgreSQL database."""
    # Alembic and SQLAlchemy are for this alone.
    from tablectl.fleet.pit import schema

    made = schema.migrate(conninfo(settings))
    print(f"schema {made.after}, as before" if made.before == made.after else f"schema {made.after}")
    if made.missing:
        print(
            f"roles that are missing: {', '.join(made.missing)}; whoever may make roles in the database runs"
            f" {' '.join(f'CREATE ROLE {name};' for name in made.missing)} and then this command runs again"
        )
    return Status.GOOD


def pack(settings: PitSection, args: argparse.Namespace) -> Status:
    """Rows into chunks."""
    if args.older_than < 0:
        raise WrongUsage("--older-than: a number of hours, 0 or more")
    before, line = older_than(now_us(), args.older_than), ProgressLine()
    with opened(settings) as store:
        for table in store.tables():
            packed = 0
            while count := store.pack_some(table, before=before):
                packed += count
                line.show(f"{table.name}: {packed} records packed")
            line.clear()
            if packed:
                print(f"{table.name}: {packed} records packed", flush=True)
    return Status.GOOD


def backup(settings: PitSection, args: argparse.Namespace) -> Status:
    """A copy in a file."""
    from tablectl.fleet.pit.backup import back_up

    size = back_up(settings, args.file)
    print(f"{args.file}: {size} bytes, read again and whole")
    return Status.GOOD


def restore(settings: PitSection, args: argparse.Namespace) -> Status:
    """A copy becomes the store."""
    from tablectl.fleet.pit import backup as backups

    found = backups.restore(settings, args.file, time_text(now_us()))
    print(f"tables: {found.tables}, records: {found.records}; epoch {found.restores.count} of this server")
    print("tables that sent more say so, and send the rest again")
    print("revoke and enrol again what was revoked or enrolled after the copy was made")
    return Status.GOOD


def verify(settings: PitSection, args: argparse.Namespace) -> Status:
    """Chain and signatures of one table or of all."""
    with opened(settings) as store:
        tables = store.tables() if args.table is None else (known(store, args.table),)
        heads = [(table, store.head(table).position) for table in tables]
    every, done = sum(head.seq for _, head in heads), 0
    is_good, line = True, ProgressLine()
    for table, spans in groupby(verify_all(settings, heads), key=itemgetter(0)):
        parts = []
        for _, span, part in spans:
            parts.append(part)
            done += span.to - span.after
            line.show(f"{table.name}: {done} of {every} records of all tables")
        found = together(parts)
        line.clear()
        withheld = f", {found.withheld} too long to be sent" if found.withheld else ""
        said = found.fault or "intact"
        print(f"{table.name}: {found.records} records, {found.signatures} signatures{withheld}: {said}", flush=True)
        is_good = is_good and not found.fault
    return Status.GOOD if is_good else Status.NOT_DONE


def known(store: SqlStore, name: str) -> KnownTable:
    """The table with this name. Raises `StoreUnusable`."""
    found = next((table for table in store.tables() if table.name == name), None)
    if found is None:
        there = ", ".join(table.name for table in store.tables()) or "none"
        raise StoreUnusable(f"there is no table {name}; there is {there}")
    return found
