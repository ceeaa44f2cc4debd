"""`tablectl journal TOOL DB`: the audit tools."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tablectl.cli.commands import journal_export, journal_open, journal_restore, journal_verifier, journal_verify
from tablectl.cli.status import WrongUsage
from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.stream import encode_decision, encode_event, kind_of_event
from tablectl.core.os_error_text import told
from tablectl.core.records import KIND
from tablectl.games.registry import rulebook_of
from tablectl.i18n.pluralize import pluralize
from tablectl.journal.comparing import faults
from tablectl.journal.keys import load_sealing
from tablectl.journal.lines import line
from tablectl.journal.overview import volumes_of
from tablectl.journal.public_keys import BadKey
from tablectl.journal.recovery import ReplayDiffers, replay
from tablectl.journal.store import JournalUnusable, Stored
from tablectl.journal.tilt import Tilt
from tablectl.journal.volumes import VolumeSet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One parser a tool; each sets `tool_main`."""
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    for name, text, module in (
        ("verify", "check chain, signatures, reveals and the second copy; needs no secret key", journal_verify),
        ("open", "the sealed cards of a hand, for the auditor; the asking goes on record first", journal_open),
        ("export", "a hand as evidence: its hand file, or an archive that anybody can check", journal_export),
        ("verifier", "the page with which anybody checks the records of a hand in a browser", journal_verifier),
        ("restore", "make a damaged or lost journal again from its second copy", journal_restore),
    ):
        tool = tools.add_parser(name, help=text, description=text)
        module.add_arguments(tool)
        tool.set_defaults(tool_main=module.main)
    for name, text, main_of_tool in (
        ("show", "the public records, one JSON object a line, or a list for people", _show),
        ("replay", "run the facts through the engine again and compare what it concludes; needs the key", _replay),
        (
            "volumes",
            "the files of a journal, and until when each has to be kept",
            _volumes,
        ),
    ):
        tool = tools.add_parser(name, help=text, description=text)
        tool.add_argument("db", metavar="DB", type=Path, help="the journal's first file")
        tool.set_defaults(tool_main=main_of_tool)
        if name != "volumes":
            tool.add_argument("--hand", type=int, metavar="N", help="only this hand")
        if name == "show":
            tool.add_argument("--json", action="store_true", help="public records as they were chained")
        if name == "replay":
            tool.add_argument("--key", type=Path, metavar="FILE", help="the sealing key (default: DB with .key)")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 1 where something is wrong with the journal, 2 where it cannot be read, 3 where it must not be."""
    try:
        status: int = args.tool_main(args)
    except (JournalUnusable, BadKey, UnreadableRecord) as wrong:
        raise WrongUsage(str(wrong)) from None
    except Tilt as tilt:
        sys.stderr.write(f"{tilt}\n")
        return 3
    except PermissionError as wrong:
        raise WrongUsage(
            f"{told(wrong, 'the path of a journal, as `journal.path` names it', wrong.filename or args.tool)}"
        ) from None
    return status


def _volumes(args: argparse.Namespace) -> int:
    with closing(VolumeSet(args.db)) as volume_set:
        if (earlier := min(volume_set.numbered) - 1) > 0:
            print(f"{1:>4}  to {earlier} are not here: in an archive, it is to be hoped")
        for volume in volumes_of(volume_set):
            if not volume.last:
                print(f"{volume.number:>4}  {volume.path}  empty")
                continue
            print(
                f"{volume.number:>4}  {volume.path}  records {volume.first} to {volume.last}, "
                f"{volume.since} to {volume.until}, "
                f"{'closed' if volume.is_closed else 'open'}; keep until {volume.keep_until} at least"
            )
    return 0


def _show(args: argparse.Namespace) -> int:
    with closing(VolumeSet(args.db)) as volume_set:
        if not _has_hand(volume_set, args.hand):
            return _no_hand(args)
        for stored in volume_set.records(hand=args.hand):
            try:
                print(line(stored).decode() if args.json else "\n".join(_readable(stored)))
            except UnreadableRecord:
                what = "its public form is none that this program writes"
                sys.stderr.write(f"{args.db}: record {stored.seq}: {what}\n")
                return 1
    return 0


def _has_hand(volume_set: VolumeSet, hand: int | None) -> bool:
    return hand is None or next(volume_set.records(hand=hand), None) is not None


def _no_hand(args: argparse.Namespace) -> int:
    with closing(VolumeSet(args.db)) as volume_set:
        newest = max(store.newest_hand for store in volume_set.stores)
    raise WrongUsage(f"{args.db}: no hand {args.hand}; the newest one is hand {newest}")


def _readable(stored: Stored) -> Iterator[str]:
    """The record for people. Raises `UnreadableRecord`."""
    record = stored.decoded()
    yield f"{record.seq:>7}  {record.at}  hand {record.hand}  {_words(record.kind, encode_event(record))}"
    for decision in record.decisions:
        yield f"{'':9}-> {_words(kind_of_event(decision), encode_decision(decision))}"
    for reveal in record.reveals:
        yield f"{'':9}   {reveal.slot.name} is {reveal.card.code} (draw {reveal.draw})"


def _words(kind: str, members: Mapping[str, Any]) -> str:
    told = sorted((name, value) for name, value in members.items() if name != KIND and value is not None)
    return " ".join([kind, *(f"{name}={_short(value)}" for name, value in told)])


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return f"sealed:{text[:8]}…" if len(text) == 64 and " " not in text else text


def _replay(args: argparse.Namespace) -> int:
    count, hands, changed, is_other = 0, 0, 0, False
    with closing(VolumeSet(args.db)) as volume_set:
        vault, _ = load_sealing(args.key or args.db.with_suffix(".key"))
        if not _has_hand(volume_set, args.hand):
            return _no_hand(args)
        try:
            for replayed in replay(volume_set, vault, rulebook_of, hand=args.hand):
                for difference in faults(replayed.differences):
                    print(f"{args.db}: record {replayed.stored.seq} DIFFERS: {difference.what}")
                    print(f"  recorded: {difference.recorded}")
                    print(f"  decided:  {difference.now}")
                    return 1
                for difference in replayed.differences:
                    print(f"  {difference}")
                changed += len(replayed.differences)
                is_other = is_other or replayed.is_of_another_course
                count, hands = (
                    count + (replayed.fact is not None),
                    hands + (replayed.stored.boundary and replayed.fact is not None),
                )
        except ReplayDiffers as wrong:
            print(f"{args.db}: NOT REPLAYED: {wrong}")
            return 1
    same = "decisions, prompts and carries as recorded"
    if changed:
        same = f"cards, money and phases as recorded; {pluralize(changed, 'change')} of the program since, named above"
    if is_other:
        same += "; hands that take another course by the rules of today were compared as far as that"
    print(f"{args.db}: replayed: {pluralize(count, 'record')}, {pluralize(hands, 'closed hand')}, {same}")
    return 0
