"""`tablectl play FILE…`: hand files against the engine, or through simulated devices and the whole controller; and one
hand fact by fact, or with the decisions of today."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tablectl.api.client import NoController
from tablectl.api.stage import NoStage, StageBroken, wire
from tablectl.cli.status import WrongUsage
from tablectl.core.engine.facts import GameChosen, Opened
from tablectl.core.os_error_text import told
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.conversation import Conversation
from tablectl.journal.handfile.file import HandFile, Reader, parse
from tablectl.journal.handfile.playing import Difference, play, rewritten
from tablectl.journal.handfile.tokens import BadHandFile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Files, and whether they go over the wire."""
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="hand files (docs/hand-files.md)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--wire", action="store_true", help="through simulated devices and the whole controller")
    how.add_argument(
        "--json",
        action="store_true",
        help="answer each fact with one JSON object: what follows, and what can be entered next; -: standard input, "
        "line by line",
    )
    how.add_argument("--write", action="store_true", help="print the file with the decisions of today's engine")
    parser.add_argument(
        "--sealed", action="store_true", help="with --json: name the cards that the rules have not turned up, too"
    )


def main(args: argparse.Namespace) -> int:
    """Differences line by line. Exit status 0 without any, 1 with; 2 where a file cannot be read, after all others were
    played."""
    is_one_wanted = args.json or args.write
    if is_one_wanted and len(args.files) > 1:
        raise WrongUsage("--json and --write take one hand file")
    if args.json and args.files == [Path("-")]:
        return _answer_line_by_line(sealed=args.sealed)
    hands: list[tuple[Path, HandFile]] = []
    unreadable = 0
    for path in args.files:
        try:
            hands.append((path, _read_file(path)))
        except WrongUsage as wrong:
            if len(args.files) == 1:
                raise
            unreadable += 1
            sys.stderr.write(f"{wrong}\n")
    if is_one_wanted:
        ((path, hand),) = hands
        _answer(hand, sealed=args.sealed) if args.json else _write(path, hand)
        return 0
    played = _over_the_wire(hands) if args.wire else ((path, hand, play(hand, rulebook_of)) for path, hand in hands)
    try:
        shown = [_show(path, hand, differences) for path, hand, differences in played]
    except NoStage as wrong:
        raise WrongUsage(f"--wire: {wrong}") from None
    differing, what = sum(shown), "through the wire" if args.wire else "through the engine"
    print(f"{len(shown)} hand file{'s' if len(shown) != 1 else ''} played {what}, {differing} with differences")
    return 2 if unreadable else 1 if differing else 0


def _read_file(path: Path) -> HandFile:
    """A hand file that can be played. Raises `WrongUsage` with what is wrong with it."""
    try:
        return _read(path)
    except OSError as wrong:
        raise WrongUsage(f"{told(wrong, 'the path of a hand file (docs/hand-files.md)', path)}") from None
    except (UnicodeDecodeError, BadHandFile) as wrong:
        raise WrongUsage(f"{path}: {wrong}") from None


def _answer(hand: HandFile, *, sealed: bool) -> None:
    conversation = Conversation(hand, rulebook_of, sealed=sealed)
    for step in hand.steps:
        _tell(conversation.answer(step.text, step.fact))


def _answer_line_by_line(*, sealed: bool) -> int:
    """Each fact is answered as soon as its line has come. One that cannot be read is said on standard error, changes
    nothing and makes the exit status 2; a header that cannot be read ends it."""
    conversation: Conversation | None = None
    status, reader = 0, Reader()
    for number, raw in enumerate(sys.stdin, start=1):
        try:
            line = reader.take(number, raw.rstrip("\n"))
            if line is None or line[0] == "<":
                continue
            hand = _playable(reader.hand([(number, line)]))
        except BadHandFile as wrong:
            sys.stderr.write(f"{wrong}\n")
            sys.stderr.flush()
            if conversation is None:
                return 2
            status = 2
            continue
        conversation = conversation or Conversation(hand, rulebook_of, sealed=sealed)
        (step,) = hand.steps
        _tell(conversation.answer(step.text, step.fact))
    return status


def _tell(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


def _write(path: Path, hand: HandFile) -> None:
    sys.stdout.write(rewritten(path.read_text(encoding="utf-8"), hand, rulebook_of))


def _read(path: Path) -> HandFile:
    return _playable(parse(path.read_text(encoding="utf-8")))


def _playable(hand: HandFile) -> HandFile:
    """The same file, whose game and profile this program has. Raises `BadHandFile`."""
    if hand.setup.rulebook not in RULEBOOKS:
        raise BadHandFile(1, hand.setup.rulebook, f"a rulebook: {', '.join(RULEBOOKS)}")
    later = [(step.line, step.fact.setup) for step in hand.steps if isinstance(step.fact, Opened | GameChosen)]
    if hand.carry.next_setup is not None:
        later.insert(0, (1, hand.carry.next_setup))
    for line, setup in ((1, hand.setup), *later):
        try:
            rulebook_of(setup)
        except ValueError as wrong:
            raise BadHandFile(line, "profile", str(wrong)) from None
    return hand


def _over_the_wire(hands: list[tuple[Path, HandFile]]) -> Iterator[tuple[Path, HandFile, Sequence[Difference | str]]]:
    """Each file has devices and a controller of its own, so several can be played side by side. Where such a table
    broke, that and what its controller said last stands in the place of the differences."""
    # Only this option needs the simulators; a table's own installation may come without them.
    stage = wire()

    def played(hand: HandFile) -> Sequence[Difference | str]:
        try:
            return stage.play_over_the_wire(hand)
        except (NoController, StageBroken) as wrong:
            return [str(wrong)]

    for path, reason in [(path, reason) for path, hand in hands if (reason := stage.why_not(hand)) is not None]:
        print(f"{path}: not over the wire: {reason}")
    hands = [(path, hand) for path, hand in hands if stage.why_not(hand) is None]
    with ThreadPoolExecutor(max_workers=2 * (os.cpu_count() or 1)) as pool:
        differences = pool.map(lambda item: played(item[1]), hands)
        for (path, hand), found in zip(hands, differences, strict=True):
            yield path, hand, found


def _show(path: Path, hand: HandFile, differences: Sequence[Difference | str]) -> bool:
    for difference in differences:
        print(f"{path}: {difference}")
    if sys.stdout.isatty() and not differences:
        print(f"{path}: {hand.title}")
    return bool(differences)
