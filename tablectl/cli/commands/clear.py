"""`tablectl clear CONFIG`: a person looked into a tilt; the table may go on. Every check of a start is made again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import load
from tablectl.journal.tilt import Tilt
from tablectl.ops.drop_privileges import running_as_owner_of
from tablectl.ops.first_run import missing_folders
from tablectl.table.clear_tilt import NothingToClear, clear


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which table, who and why."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument("--by", required=True, metavar="NAME", help="who looked into it")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="what was found and done; it goes on record")


def main(args: argparse.Namespace) -> int:
    """Exit status 0 cleared, 1 there is no tilt, 2 wrong configuration or a table that was not set up yet, 3 what
    caused it is still there."""
    config = load(args.config)
    # The socket's folder goes with the service, and is no business of a tilt's.
    if missing := [folder for folder in missing_folders(config) if folder.key != "control.socket"]:
        sys.stderr.writelines(f"{mistake}\n" for mistake in missing)
        raise WrongUsage("Nothing was cleared: a table that was not set up has no tilt.")
    if not args.by.strip() or not args.reason.strip():
        raise WrongUsage("clear: --by and --reason in words: they go on record")
    try:
        with running_as_owner_of(config.journal):
            told = clear(config, by=args.by.strip(), reason=args.reason.strip())
    except NothingToClear as wrong:
        print(wrong)
        return 1
    except Tilt as tilt:
        sys.stderr.write(f"NOT CLEARED, {tilt.kind.value}: {tilt}\n")
        return 3
    print(told)
    return 0
