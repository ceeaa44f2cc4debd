"""`tablectl needs CONFIG`: the oldest version of the program that can go on with a table's journal.

For `tablectl-rollback`, which compares it with the version that it would put back. No key is needed, and nothing is
written: root and the controller's user may ask, while the table runs or not.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import BadConfig, load
from tablectl.journal.format import FIRST, VERSIONS, format_of
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import VolumeSet, present


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The table."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the TOML file of the table")


def main(args: argparse.Namespace) -> int:
    """Exit status 0: the version is printed; 2: it cannot be known. Raises `OSError`."""
    try:
        print(VERSIONS[_format_of(load(args.config).journal)])
    except BadConfig as wrong:
        raise WrongUsage(f"not known: {'; '.join(map(str, wrong.mistakes))}; mend the file and try again") from None
    except JournalUnusable as wrong:
        raise WrongUsage(f"not known: {wrong}; see `tablectl journal verify`") from None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise WrongUsage(
            "not known: its newest records are none of this program's; see `tablectl journal verify`"
        ) from None
    return 0


def _format_of(journal: Path) -> int:
    """Of a table that never ran: nothing that any version could not read. Raises `JournalUnusable`, and as
    `format_of`."""
    if not present(journal):
        return FIRST
    with closing(VolumeSet(journal)) as volume_set:
        return format_of(volume_set.newest_first())
