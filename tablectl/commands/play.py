"""`tablectl play FILE…`: hand files against the engine, or through simulated devices and the whole controller."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tablectl.handfile import BadHandFile, Difference, HandFile, parse, play
from tablectl.rulebooks.registry import RULEBOOKS, rulebook_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Files, and whether they go over the wire."""
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="hand files (docs/hand-files.md)")
    parser.add_argument("--wire", action="store_true", help="through simulated devices and the whole controller")


def main(args: argparse.Namespace) -> int:
    """Differences line by line. Exit status 0 without any, 1 with, 2 where a file cannot be read."""
    hands: list[tuple[Path, HandFile]] = []
    for path in args.files:
        try:
            hands.append((path, _read(path)))
        except (OSError, UnicodeDecodeError, BadHandFile) as wrong:
            sys.stderr.write(f"{path}: {wrong}\n")
            return 2
    player = _player(wire=args.wire)
    differing = sum(_show(path, hand, player(hand)) for path, hand in hands)
    what = "through the wire" if args.wire else "through the engine"
    print(f"{len(hands)} hand file{'s' if len(hands) != 1 else ''} played {what}, {differing} with differences")
    return 1 if differing else 0


def _read(path: Path) -> HandFile:
    hand = parse(path.read_text(encoding="utf-8"))
    if hand.setup.rulebook not in RULEBOOKS:
        raise BadHandFile(1, hand.setup.rulebook, f"a rulebook: {', '.join(RULEBOOKS)}")
    try:
        rulebook_of(hand.setup)
    except ValueError as wrong:
        raise BadHandFile(1, "profile", str(wrong)) from None
    return hand


def _player(*, wire: bool) -> Callable[[HandFile], list[Difference]]:
    if not wire:
        return lambda hand: play(hand, rulebook_of)
    # Only this option needs the simulators; a table's own installation may come without them.
    from tablectl.demo.wire import play_over_the_wire

    return play_over_the_wire


def _show(path: Path, hand: HandFile, differences: list[Difference]) -> bool:
    for difference in differences:
        print(f"{path}: {difference}")
    if sys.stdout.isatty() and not differences:
        print(f"{path}: {hand.title}")
    return bool(differences)
