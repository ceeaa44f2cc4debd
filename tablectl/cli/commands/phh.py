"""`tablectl phh FILE…`: published hand histories played again by the engine (docs/phh.md).

One line for each difference, and for each hand that was not replayed: file, line, hand, action, what it is. A summary
comes last. What cannot be read is told on standard error with its line and field, and does not stop the other hands.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tablectl.cli.progress import ProgressLine
from tablectl.cli.status import Status, WrongUsage
from tablectl.config.reader import choices_file
from tablectl.core.options.choices import profile_of
from tablectl.core.os_error_text import told
from tablectl.core.validation import Invalid, Mistake, one_of_near
from tablectl.games.registry import PROFILES
from tablectl.phh.file import HandRead, hands
from tablectl.phh.hand import Hand
from tablectl.phh.house import RULEBOOKS, published
from tablectl.phh.outcome import Ending, Replayed
from tablectl.phh.places import line_of_action
from tablectl.phh.replay import Replayer

_WORDS: Final[Mapping[Ending, str]] = {
    Ending.SKIPPED: "not replayed: not of these rules: ",
    Ending.UNFINISHED: "not to its end: ",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Files, and under which rules they are replayed."""
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="hand histories, .phh or .phhs")
    parser.add_argument(
        "--rulebook", metavar="ID", default=RULEBOOKS[0], help=f"{' or '.join(RULEBOOKS)} (default {RULEBOOKS[0]})"
    )
    parser.add_argument(
        "--profile", metavar="FILE", type=Path, help="a house's choices (TOML) instead of those for published hands"
    )


def main(args: argparse.Namespace) -> int:
    """Exit status 0 without a difference, 1 with one, 2 where something could not be read."""
    if args.rulebook not in RULEBOOKS:
        raise WrongUsage(f"phh: no rulebook {args.rulebook!r}; would be right: {one_of_near(args.rulebook, RULEBOOKS)}")
    choices = published(args.rulebook) if args.profile is None else _profile(args.rulebook, args.profile)
    if isinstance(choices, list):
        sys.stderr.writelines(f"phh: {choice}\n" for choice in choices)
        return Status.WRONG_USAGE
    report = _Report(Replayer(args.rulebook, choices))
    for path in args.files:
        report.file(path)
    chosen_by = "choices for published hands" if args.profile is None else str(args.profile)
    print(report.summary(f"{args.rulebook}, {chosen_by}"))
    return report.status


def _profile(rulebook: str, path: Path) -> Mapping[str, str] | list[Mistake]:
    try:
        keys = choices_file(path)
    except Invalid as wrong:
        return wrong.mistakes
    profile = profile_of(PROFILES[rulebook], keys, str(path))
    if isinstance(profile, list):
        return profile
    return {key: str(value) for key, value in keys.items() if key != "rulebook"}


class _Report:
    """What is printed, and what came of all the hands."""

    def __init__(self, replayer: Replayer) -> None:
        self._replayer = replayer
        self._counted: Counter[Ending] = Counter()
        self._unreadable = 0
        self._progress = ProgressLine()

    @property
    def status(self) -> int:
        """The exit status."""
        if self._unreadable:
            return Status.WRONG_USAGE
        return Status.NOT_DONE if self._counted[Ending.DIFFERS] else Status.GOOD

    def file(self, path: Path) -> None:
        """Every hand of a file."""
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            self._wrong(told(error, "the path of a file of hand histories (PHH)", path))
            return
        except UnicodeDecodeError as error:
            self._wrong(f"{path}: bytes that are no UTF-8 ({error.reason}); would be right: text in UTF-8")
            return
        lines = text.split("\n")
        for number, hand in enumerate(hands(text, str(path)), start=1):
            if isinstance(hand.read, Hand):
                self._say(path, hand, lines, self._replayer.replay(hand.read))
            else:
                self._wrong(*map(str, hand.read))
            self._progress.show(f"{path}: {number} hands")
        self._progress.clear()

    def summary(self, rules: str) -> str:
        """The last line."""
        counted = self._counted
        replayed = counted[Ending.SAME] + counted[Ending.DIFFERS]
        parts = [f"{_hands(replayed)} replayed ({rules}), {counted[Ending.DIFFERS]} with differences"]
        for ending, what in ((Ending.UNFINISHED, "not to the end"), (Ending.SKIPPED, "not of these rules")):
            if counted[ending]:
                parts.append(f"{counted[ending]} {what}")
        if self._unreadable:
            parts.append(f"{self._unreadable} not readable")
        return "; ".join(parts)

    def _wrong(self, *mistakes: str) -> None:
        self._unreadable += 1
        sys.stderr.writelines(f"phh: {mistake}\n" for mistake in mistakes)

    def _say(self, path: Path, read: HandRead, lines: list[str], replayed: Replayed) -> None:
        self._counted[replayed.ending] += 1
        for line in _told(path, read, lines, replayed):
            print(line)


def _told(path: Path, read: HandRead, lines: list[str], replayed: Replayed) -> Iterator[str]:
    """A line for each thing that a replay found."""
    at = replayed.at
    line = read.line if at is None else line_of_action(lines, read.line, at)
    hand = "" if read.header is None else f" hand {read.header}:"
    action = "" if at is None else f" action {at}:"
    for what in replayed.what:
        yield f"{path}: line {line}:{hand}{action} {_WORDS.get(replayed.ending, '')}{what}"


def _hands(count: int) -> str:
    return f"{count} hand{'' if count == 1 else 's'}"
