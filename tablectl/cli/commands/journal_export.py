"""`tablectl journal export`: a hand that leaves the table, as a hand file, as an archive that anybody can check, or as
a hand history; without a number all finished hands as hand histories."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from tablectl.cli.commands.journal_end import services_of
from tablectl.cli.commands.journal_history import all_hands, one_hand
from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import BadConfig, load
from tablectl.core.events.codec import UnreadableRecord
from tablectl.i18n.languages import DEFAULT, LANGUAGES
from tablectl.i18n.times import NO_ZONE, is_zone
from tablectl.journal.evidence.bundle import bundle, bundles, unfinished_words
from tablectl.journal.evidence.hand import Hand, NoEvidence, read
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.evidence.origin import Origin
from tablectl.journal.public_keys import fingerprint, public_pem
from tablectl.journal.verify import Verdict, Verification, row
from tablectl.journal.volumes import VolumeSet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The journal, the hand, and where it goes."""
    parser.add_argument("db", metavar="DB", type=Path, help="the journal's first file")
    parser.add_argument("--hand", type=int, metavar="N", help="which hand (with --phh: all of them)")
    parser.add_argument("--to", type=int, metavar="M", help="with --bundle: all hands from N to M, each in an archive")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the hand file (default: printed)")
    parser.add_argument("--phh", action="store_true", help="as a hand history (docs/phh.md) instead of a hand file")
    parser.add_argument(
        "--bundle",
        nargs="?",
        type=Path,
        metavar="FILE",
        const=Path(),
        help="an archive with records, key, page and how to check them (default: hand-N.zip, hands-N-M.zip;"
        " -UNFINISHED.zip where a hand is not over)",
    )
    parser.add_argument(
        "--timezone", metavar="ZONE", default=NO_ZONE, help="in which the page of the archive says times (default: UTC)"
    )
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        help="of the page of the archive, with its second one beside it (default: the first of the table's)",
    )


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 1 for a journal that is not intact, 2 where there is no such hand or no place for the file.

    Raises `JournalUnusable`.
    """
    if args.hand is None and (not args.phh or args.bundle is not None):
        raise WrongUsage("journal export: which hand? --hand N; all of them go as hand histories only, with --phh")
    if args.to is not None and (args.bundle is None or args.out is not None or args.to < args.hand):
        raise WrongUsage("journal export: --to takes a later hand than --hand, and goes with --bundle alone")
    if not is_zone(args.timezone):
        raise WrongUsage(f"journal export: {args.timezone}: no time zone; a name such as Europe/Madrid")
    try:
        with closing(VolumeSet(args.db)) as journal:
            hands = list(_hands(journal, args.hand, args.to))
            archive = Path(archive_name(hands)) if args.bundle == Path() else args.bundle
            for path in filter(None, (args.out, archive)):
                if path.exists():
                    raise _there_already(path)
            verdict = _verified(journal, hands[-1])
        if verdict.fault is not None:
            print(f"{args.db}: NOT INTACT: {verdict.fault}")
            what = "this" if args.hand is None or args.to is not None else f"hand {args.hand}"
            print(f"{what} is no evidence: nothing was exported; bring the journal back from its second copy")
            return 1
        files = _files(args, archive, hands, verdict)
    except NoEvidence as wrong:
        raise WrongUsage(str(wrong)) from None
    except UnreadableRecord as wrong:
        where = "" if args.hand is None else f" hand {args.hand}:"
        print(f"{args.db}: NOT INTACT:{where} {wrong}; nothing was exported")
        return 1
    status = write_files(files)
    for hand in hands if archive is not None and status == 0 else ():
        if words := unfinished_words(hand):
            print(words)
    return status


def archive_name(hands: Sequence[Hand]) -> str:
    """Of an archive, where none was given; it says where a hand in it is not over."""
    first, last = hands[0], hands[-1]
    end = "" if all(hand.is_closed for hand in hands) else "-UNFINISHED"
    return f"hand-{first.number}{end}.zip" if first is last else f"hands-{first.number}-{last.number}{end}.zip"


def _hands(journal: VolumeSet, number: int | None, to: int | None) -> Iterator[Hand]:
    """The hands of these numbers, or all that are over. Raises `NoEvidence` where there is none."""
    if number is not None:
        for hand_number in range(number, (number if to is None else to) + 1):
            hand = _read(journal, hand_number)
            if not hand.version:
                raise NoEvidence(f"hand {hand_number} was not begun: there are only records after the hand before")
            yield hand
        return
    oldest = next((record.hand for record in journal.records()), 1)  # those before it may be in an archive
    newest = journal.newest_hand
    read_all = (_read(journal, hand_number) for hand_number in range(max(1, oldest), newest + 1))
    over = [hand for hand in read_all if hand.version and hand.is_closed]
    if not over:
        raise NoEvidence(f"{journal.stores[0].path}: no hand that is over")
    yield from over


def _read(journal: VolumeSet, number: int) -> Hand:
    try:
        return read(journal, number)
    except (AttributeError, KeyError, TypeError, ValueError) as wrong:
        raise UnreadableRecord(f"a record that this program cannot read ({wrong!r})") from None


def _verified(journal: VolumeSet, hand: Hand) -> Verdict:
    """From the first record to the last one of the hand: what follows cannot change it."""
    last = hand.chain[-1].stored.seq
    verification = Verification(start=journal.stores[0].follows)
    verification.take(map(row, takewhile(lambda stored: stored.seq <= last, journal.records())))
    return verification.verdict()


def _files(
    args: argparse.Namespace, archive: Path | None, hands: Sequence[Hand], verdict: Verdict
) -> Mapping[Path | None, bytes]:
    """What is to be written, by place; None is the terminal."""
    files: dict[Path | None, bytes] = {}
    hand = hands[-1]
    if args.phh:
        files[args.out] = all_hands(hands) if args.hand is None else one_hand(hand)
    elif args.out is not None or archive is None:
        files[args.out] = hand_file(hand).encode()
    if archive is not None:
        if verdict.public_key is None:
            raise NoEvidence(f"{args.db}: no record names the key that signs; an archive would prove nothing")
        origin = origin_of(
            verdict.public_key,
            is_demo=verdict.is_demo,
            timezone=args.timezone,
            language=args.language or language_of_table(args.db),
        )
        files[archive] = bundle(hand, origin) if args.to is None else bundles(hands, origin)
    return files


def origin_of(key: bytes, *, is_demo: bool, timezone: str, language: str, source: str = "") -> Origin:
    """Evidence that is made now, of a journal that this key signed. `source`: where its records are, unless at the
    table."""
    return Origin(
        public_key=key,
        public_pem=public_pem(key),
        fingerprint=fingerprint(key),
        is_demo=is_demo,
        exported_at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        tool=f"tablectl {version('tablectl')}{source and f', {source}'}",
        timezone=timezone,
        language=language,
    )


def language_of_table(path: Path) -> str:
    """The first language of the table that writes this journal; of a house that chose none, where no service says so or
    its file cannot be read."""
    for service in services_of(path):
        try:
            return load(service.config).languages[0]
        except BadConfig:
            continue
    return DEFAULT


def write_files(files: Mapping[Path | None, bytes]) -> int:
    """Each in its place, which has to be free; None is the terminal. Raises `WrongUsage`."""
    for path, content in files.items():
        if path is None:
            sys.stdout.write(content.decode())
            continue
        with new_file(path) as file:
            file.write(content)
        print(f"{path}: {len(content)} bytes")
    return 0


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """It, to be written. Raises `WrongUsage` where there is one already, or none can be made."""
    try:
        with path.open("xb") as file:
            yield file
    except FileExistsError:
        raise _there_already(path) from None
    except OSError as wrong:
        raise WrongUsage(
            f"{path}: cannot be written ({wrong.strerror}); name a file in a folder that is yours"
        ) from None


def _there_already(path: Path) -> WrongUsage:
    return WrongUsage(f"{path}: is there already, and nothing is written over it; name another file")
