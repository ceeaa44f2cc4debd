"""All or nothing over several folders and disks: what is to be renamed is written down first, then done.

Before the plan has its name nothing was touched; from then on everything of the table refuses to start
(`tablectl.config.table_file.restoring`) until each rename was made, by this restore or by the next one. Each can be
made again.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from tablectl.config.table_file import restoring
from tablectl.core.unreadable import UNREADABLE
from tablectl.journal.whole_file import sync_folder, write_whole
from tablectl.ops.backup.wrong import Refused
from tablectl.ops.drop_privileges import running_as_owner_of


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One rename. A file that is put in place was prepared; one that is put aside gets a name that nobody has."""

    source: str
    target: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What goes aside, then what comes in its place; the folders in which it was prepared."""

    archive: str
    aside: tuple[Move, ...]
    placed: tuple[Move, ...]
    prepared: tuple[str, ...]


def decide(config: Path, plan: Plan) -> None:
    """From here on the restore happens, whatever becomes of this process. Raises `OSError`: then it does not."""
    place = restoring(config)
    try:
        write_whole(place, msgspec.json.encode(plan), mode=0o600)
    except OSError:
        place.unlink(missing_ok=True)  # whoever asked is told that nothing was touched
        raise


def decided(config: Path) -> Plan | None:
    """The plan of a restore that did not end. Raises `Refused` where it cannot be read."""
    try:
        return msgspec.json.decode(restoring(config).read_bytes(), type=Plan)
    except FileNotFoundError:
        return None
    except (OSError, *UNREADABLE) as wrong:
        raise Refused(f"{restoring(config)}: the plan of a restore that cannot be read ({wrong}); as root?") from None


def carry_out(config: Path, plan: Plan) -> None:
    """Every rename that was not made yet; then the plan goes. Raises `Refused`: call it again."""
    try:
        for move in plan.aside:
            # What stands at a place whose old file is aside already is the new one.
            with running_as_owner_of(Path(move.target)):
                if not Path(move.target).exists() and Path(move.source).exists():
                    Path(move.source).rename(move.target)
        _sync(plan.aside)
        for move in plan.placed:
            with running_as_owner_of(Path(move.target)):
                if Path(move.source).exists():
                    Path(move.source).rename(move.target)
        _sync(plan.placed)
        for folder in plan.prepared:
            with running_as_owner_of(Path(folder)):
                shutil.rmtree(folder, ignore_errors=True)
        restoring(config).unlink()
        sync_folder(config.parent)
    except OSError as wrong:
        raise Refused(
            f"{wrong.filename}: {wrong.strerror}; the restore is not at its end, and nothing of this table starts until"
            " it is: mend that, then run the same command again"
        ) from None


def _sync(moves: tuple[Move, ...]) -> None:
    for folder in {Path(move.target).parent for move in moves}:
        sync_folder(folder)
