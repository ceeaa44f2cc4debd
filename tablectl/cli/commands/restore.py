"""`tablectl restore ARCHIVE`: a table from its backup, all of it or nothing; or into a folder, to look at it."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from tablectl.cli.status import WrongUsage
from tablectl.journal.copy import copies, read_copy
from tablectl.journal.lines import NoLine
from tablectl.journal.public_keys import BadKey, fingerprint, load_public
from tablectl.journal.store import JournalUnusable, Position
from tablectl.journal.volumes import VolumeSet, follows
from tablectl.ops.backup.archive import Archive
from tablectl.ops.backup.manifest import Chain, Manifest
from tablectl.ops.backup.plan import carry_out, decided
from tablectl.ops.backup.restoring import Restored, look, restore
from tablectl.ops.backup.wrong import NotIntact, Refused
from tablectl.ops.setup.at_boot import enable_at_boot
from tablectl.ops.setup.install_steps import NotDone
from tablectl.ops.setup.places import Places


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """From which archive, to where."""
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="what `tablectl backup` made")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--config", metavar="CONFIG", type=Path, help="put the table in place; as root")
    where.add_argument("--to", metavar="FOLDER", type=Path, help="unpack and check it in a new folder, to look at it")
    parser.add_argument("--replace", action="store_true", help="move aside what is there; nothing is ever deleted")
    parser.add_argument("--by", metavar="NAME", default="", help="who does it; on record at the table's next start")
    parser.add_argument("--key", type=Path, metavar="PEM", help="the table's public key, from a source you trust")


def main(args: argparse.Namespace) -> int:
    """Exit status 0 restored; 1 the backup is not intact; 2 refused, or it cannot be read or made, or the table is in
    place and does not start with the machine."""
    config: Path | None = args.config
    try:
        if config is not None and (plan := decided(config)) is not None:
            carry_out(config, plan)
            print(f"{plan.archive}: its restore had been interrupted; now it is at its end, and the table is whole")
            return _at_boot(config)
        key = load_public(args.key) if args.key is not None else None
        with Archive.open(args.archive) as archive:
            if config is None:
                _tell_chain(args.to, archive.manifest, look(archive, args.to, key=key))
                return 0
            restored = restore(
                archive, config, replace=args.replace, key=key, now=datetime.now(UTC), by=args.by.strip()
            )
            _tell(archive.manifest, restored)
    except NotIntact as wrong:
        print(f"NOT RESTORED: {wrong}")
        return 1
    except (BadKey, Refused) as wrong:
        raise WrongUsage(str(wrong)) from None
    return _at_boot(config)


def _at_boot(config: Path) -> int:
    """Have the restored table start with the machine, as the one did that was backed up."""
    try:
        units = enable_at_boot(config, Places())
    except NotDone as no:
        unit, reason = no.values["unit"], no.values["reason"]
        sys.stderr.write(
            f"{unit}: NOT ENABLED ({reason}). The table is in place, and does not start with this machine. "
            f"Would be right: systemctl enable {unit}\n"
        )
        return 2
    for unit in units:
        print(f"{unit}: enabled: it starts with this machine from its next start on")
    if units:
        print(f"{'':2}Now, and after what is said above: systemctl start {' '.join(units)}")
    return 0


def _tell_chain(where: Path, told: Manifest, found: Chain) -> None:
    print(f"{where}: {told.title}, made {told.made} by version {told.software}")
    print(
        f"{'':2}journal: {found.volumes} volumes up to record {found.newest} (hand {found.hand},"
        f" {found.closed_hands} closed hands), intact, signed with {fingerprint(bytes.fromhex(found.signing_key))}"
    )
    if found.open_end:
        print(f"{'':2}{found.open_end}")
    print(f"{'':2}hash of record {found.newest}: {found.hash}")


def _tell(told: Manifest, restored: Restored) -> None:
    config = restored.config
    _tell_chain(config.file, told, restored.chain)
    for path in restored.aside:
        print(f"{path}: what was there, kept as it was")
    for path in restored.kept:
        print(f"{path}: left as it is there")
    for name in restored.left_out:
        print(f"{'':2}not restored: {name}: this configuration has no file for it")
    for missing in told.missing:
        print(f"{'':2}not in the backup: {missing.what.value}: {missing.why}")
    for path in restored.absent:
        print(f"{path}: NOT THERE: bring this key from the safe; without it the table does not start")
    for line in _since(restored):
        print(line)


def _since(restored: Restored) -> list[str]:
    """What was recorded after the backup, as far as anything here knows."""
    copy, journal = restored.config.copy, restored.config.journal
    end = Position(restored.chain.newest, bytes.fromhex(restored.chain.hash))
    try:
        newest, joins = _held_against(copy, journal, end)
    except (NoLine, OSError, JournalUnusable) as wrong:
        return [
            f"{copy}: the second copy cannot be read ({wrong}); whether it has more than the backup, nobody can say"
        ]
    if newest == 0:
        what = f"there is no second copy: what was recorded after record {end.seq} is not here"
        way = f"Where the old machine's copy exists, bring it there and run: tablectl journal restore {copy} {journal}"
    elif not joins:
        what = "THE SECOND COPY DOES NOT GO ON WHERE THE BACKUP ENDS, or says something else"
        way = f"The table does not start like this: tablectl journal verify {journal} says where they part"
    elif newest > end.seq:
        what = f"the second copy goes on to record {newest}, {newest - end.seq} records after the backup"
        way = f"They are brought back by: tablectl journal restore {copy} {journal}"
    else:
        what, way = "the second copy has nothing that the backup has not", "It is brought up to date by the next start"
    return [f"{copy}: {what}. {way}"]


def _held_against(copy: Path, journal: Path, end: Position) -> tuple[int, bool]:
    """The newest record of the copy (0: there is none), and whether it has the same one at the end of the shorter of
    both."""
    newest, link, at_end = 0, b"", None
    for stored in chain.from_iterable(map(read_copy, copies(copy))):
        if newest == 0 and follows(stored) == end:
            at_end = end.hash
        newest, link = stored.seq, stored.hash
        if stored.seq == end.seq:
            at_end = stored.hash
    if newest >= end.seq:
        return newest, at_end == end.hash
    with closing(VolumeSet(journal)) as volume_set:
        ours = next((record for record in volume_set.records(after=newest - 1)), None)
    return newest, newest == 0 or (ours is not None and ours.hash == link)
