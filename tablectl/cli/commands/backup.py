"""`tablectl backup CONFIG FOLDER`: everything of a table in one file, checked, while the table deals."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import Config, load
from tablectl.journal.clock import now_us
from tablectl.journal.public_keys import fingerprint
from tablectl.ops.backup.archive import is_name_of
from tablectl.ops.backup.keeping import keep
from tablectl.ops.backup.taking import Made, Wanted, back_up
from tablectl.ops.backup.wrong import NotIntact, Refused
from tablectl.table.disk_space import Archives, backup_report_path, size_of, write_backup_report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which table, where to, and how many of them stay."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where archives lie; best on another disk")
    parser.add_argument("--keep", type=int, metavar="N", help="remove older good backups of this table beyond N")
    parser.add_argument("--without-keys", action="store_true", help="leave the keys out, for a place that is not safe")
    parser.add_argument("--statistics", action="store_true", help="the statistics too; the journal makes them anew")


def main(args: argparse.Namespace) -> int:
    """Exit status 0 made and checked; 1 something of the table is not intact; 2 it cannot be read or made."""
    if args.keep is not None and args.keep < 1:
        raise WrongUsage(f"backup: --keep {args.keep}: at least 1 stays")
    try:
        config = load(args.config)
        wanted = Wanted(keys=not args.without_keys, statistics=args.statistics)
        made = back_up(config, args.folder, wanted, at_us=now_us())
        _tell(made)
        if args.keep is not None:
            kept = keep(made, args.keep)
            for path in kept.removed:
                print(f"{path}: removed, {args.keep} newer ones are good")
            for why in kept.left:
                print(f"left alone: {why}")
            _tell_table(config, made, args.keep)
    except NotIntact as wrong:
        print(f"NO BACKUP WAS MADE: {wrong}")
        return 1
    except Refused as wrong:
        raise WrongUsage(str(wrong)) from None
    return 0


def _tell_table(config: Config, made: Made, most: int) -> None:
    """Where the table's backups are kept and how they grow, so that it can say when their disk will be full."""
    folder = made.path.parent.absolute()
    archives = Archives(
        folder=str(folder),
        archive_bytes=made.path.stat().st_size,
        journal_bytes=size_of(config.journal),
        n_archives=sum(is_name_of(made.manifest.table, path.name) for path in folder.iterdir()),
        keep=most,
    )
    try:
        write_backup_report(config.journal, archives)
    except OSError as wrong:
        what = "the table cannot say when the disk of its backups will be full"
        print(f"{backup_report_path(config.journal)}: {wrong.strerror}: {what}; look at the owner of that folder")


def _tell(made: Made) -> None:
    told = made.manifest
    chain = told.journal
    print(
        f"{made.path}: {told.title}, {len(told.files)} files, checked: {chain.volumes} volumes of the journal up to"
        f" record {chain.newest}, {chain.closed_hands} closed hands, signed with"
        f" {fingerprint(bytes.fromhex(chain.signing_key))}"
    )
    if chain.open_end:
        print(f"{'':2}{chain.open_end}")
    print(f"{'':2}sha256 {made.sha256}")
    for missing in told.missing:
        print(f"{'':2}not in it: {missing.what.value}: {missing.why}")
