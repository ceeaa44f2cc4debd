"""`tablectl settle RULEBOOK [--profile FILE]`: JSON lines in, JSON lines out, one hand a line.

    {"board":["Ah","Kd","7c","7s","2d"],"house":["4s","4d"],
     "seats":[{"seat":1,"cards":["As","Ks"],"bets":{"ante":1000,"flop":2000,"bonus":500},"folded":false}]}
    {"seats":[{"seat":1,"net":14500,"bets":{"ante":{"stake":1000,"outcome":"push","pays":0}, ...}}],
     "house":{"plays":true,"hand":"two pair"}}

(each on one line). `texas-bonus` takes the bets `ante flop turn river bonus`, integers of the smallest unit of money;
a bet that is not there is 0. `board` has five cards, or none if every seat folded; then the house's hand is null. A
seat that folded without a bonus bet needs no `cards`. `folded` may be left out for a seat that stayed in. `pays` is
the winnings beside the stake, negative when the stake is lost, and a seat's `net` is their sum.

A line is settled only if the whole of it is right: shape, cards (none twice, the right number), seats (1 to 9, none
twice), and bets that the rulebook allows. Otherwise nothing is printed for it, standard error says for every mistake
which line and field it is, what was found and what would be right, the following lines are settled all the same, and
the exit status is 2. Empty lines are skipped. `--profile` names a TOML file with the house's choices (see
`tablectl.profile`); a mistake in it ends the command before the first line.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol, TextIO

from tablectl.commands.texas_bonus_line import settle_line
from tablectl.mistakes import Mistake, one_of_near
from tablectl.profile import TexasBonusProfile, parse_profile

OK: Final = 0
UNREADABLE: Final = 2


class _SettleLine(Protocol):
    def __call__(self, line: object, *, where: str, profile: TexasBonusProfile) -> dict[str, Any] | list[Mistake]: ...


#: Rulebooks that this command settles, by id.
LINES: Final[Mapping[str, _SettleLine]] = {"texas-bonus": settle_line}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: a rulebook's id and, perhaps, a profile."""
    parser.add_argument("rulebook", metavar="RULEBOOK", help="whose rules settle: " + ", ".join(LINES))
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the house's choices (TOML)")


def main(args: argparse.Namespace) -> int:
    """As the command line runs it."""
    return run(args, sys.stdin, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdin: Iterable[str], stdout: TextIO, stderr: TextIO) -> int:
    """Settle every line of `stdin`. Exit status 0, or 2 if anything could not be read."""
    if args.rulebook not in LINES:
        stderr.write(f"settle: no rulebook {args.rulebook!r}; would be right: {one_of_near(args.rulebook, LINES)}\n")
        return UNREADABLE
    profile = TexasBonusProfile() if args.profile is None else _read_profile(args.profile)
    if not isinstance(profile, TexasBonusProfile):
        _report(profile, stderr)
        return UNREADABLE
    status = OK
    for result in _results(stdin, LINES[args.rulebook], profile):
        if isinstance(result, list):
            _report(result, stderr)
            status = UNREADABLE
        else:
            stdout.write(json.dumps(result, separators=(",", ":")) + "\n")
            stdout.flush()
    return status


def _results(
    lines: Iterable[str], settle_one: _SettleLine, profile: TexasBonusProfile
) -> Iterator[dict[str, Any] | list[Mistake]]:
    number = 0
    try:
        for number, text in enumerate(lines, start=1):
            if text.strip():
                yield _settled(text.strip(), f"line {number}", settle_one, profile)
    except UnicodeDecodeError as error:
        found = f"bytes that are no UTF-8 ({error.reason})"
        yield [Mistake(where=f"after line {number}", key="input", found=found, right="text in UTF-8")]


def _settled(
    text: str, where: str, settle_one: _SettleLine, profile: TexasBonusProfile
) -> dict[str, Any] | list[Mistake]:
    try:
        line = json.loads(text, object_pairs_hook=_each_key_once)
    except json.JSONDecodeError as error:
        found = f"no JSON ({error.msg})"
        return [Mistake(where=where, key=f"column {error.colno}", found=found, right="one JSON object on the line")]
    except (ValueError, RecursionError) as error:
        found = f"no JSON that can be read ({error})"
        return [Mistake(where=where, key="line", found=found, right="one JSON object on the line")]
    except _KeyTwice as twice:
        return [Mistake(where=where, key=str(twice), found="the field twice in one object", right="every field once")]
    return settle_one(line, where=where, profile=profile)


class _KeyTwice(Exception):
    """An object names a field twice; JSON would silently keep the last."""


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for key, value in pairs:
        if key in fields:
            raise _KeyTwice(key)
        fields[key] = value
    return fields


def _read_profile(path: Path) -> TexasBonusProfile | list[Mistake]:
    try:
        text = path.read_text(encoding="utf-8")
        return parse_profile(tomllib.loads(text), str(path))
    except OSError as error:
        return [Mistake(where=str(path), key="file", found=error.strerror or "no way to read it", right="a TOML file")]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [Mistake(where=str(path), key="file", found=f"no TOML ({error})", right="lines such as key = 'value'")]


def _report(mistakes: Iterable[Mistake], stderr: TextIO) -> None:
    stderr.writelines(f"settle: {each}\n" for each in mistakes)
