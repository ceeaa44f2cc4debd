"""`tablectl settle RULEBOOK [--profile FILE]`: JSON lines in, JSON lines out, one hand a line.

    {"board":["Ah","Kd","7c","7s","2d"],"house":["4s","4d"],
     "seats":[{"seat":1,"cards":["As","Ks"],"bets":{"ante":1000,"flop":2000,"bonus":500},"folded":false}]}
    {"seats":[{"seat":1,"net":14500,"bets":{"ante":{"stake":1000,"outcome":"push","pays":0}, ...}}],
     "house":{"plays":true,"hand":"two pair"}}

(each on one line). `texas-bonus` takes the bets `ante flop turn river bonus`, `texas-poker` `ante second txb`, integers
of the smallest unit of money; a bet that is not there is 0. `board` has five cards, the flop first, or, if every seat
folded, none (`texas-poker` also the three of the flop); then the house's hand is null. A seat that folded needs no
`cards`, but for a bonus bet of `texas-bonus`. `folded` may be left out for a seat that stayed in. `pays` is the
winnings beside the stake, negative when the stake is lost, and a seat's `net` is their sum.

The games with pots, `circle-holdem`, `open-holdem` and `draw-poker`, take what every seat put in:

    {"board":["Ah","Kd","7c","7s","2d"],"button":3,"last_aggressor":2,"smallest_chip":100,
     "seats":[{"seat":1,"cards":["As","Ks"],"put_in":15000},{"seat":2,"cards":null,"put_in":5000,"folded":true}]}
    {"pots":[{"amount":10000,"eligible":[1],"winners":[1],"awards":{"1":10000}}],
     "returned":{"1":10000},"net":{"1":5000,"2":-5000}}

`draw-poker` has five `cards` a seat and no `board`, and may have a pot `carried` over. `dead` is the part of `put_in`
that nobody has to match. Cards and a whole board are needed where two seats or more did not fold. `last_aggressor` is
null if nobody bet or raised, and may be left out where odd chips do not depend on it. The main pot comes first.

A line is settled only if the whole of it is right: shape, cards (none twice, the right number), seats (1 to 9, with
pots 1 to 10, none twice), and bets that the rulebook allows. Otherwise nothing is printed for it, standard error says
for every mistake which line and field it is, what was found and what would be right, the following lines are settled
all the same, and the exit status is 2. Empty lines are skipped. `--profile` names a TOML file with the house's choices
(see `tablectl.core.options`, and for pots `pot_rules_file`); a mistake in it ends the command before the first line.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from tablectl.cli.status import Status
from tablectl.config.reader import choices_file
from tablectl.core.settlement.lines.settler import Result
from tablectl.core.validation import Invalid, Mistake, one_of_near
from tablectl.games.registry import GAMES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: a rulebook's id and, perhaps, a profile."""
    parser.add_argument("rulebook", metavar="RULEBOOK", help="whose rules settle: " + ", ".join(GAMES))
    parser.add_argument("--profile", metavar="FILE", type=Path, help="the house's choices (TOML)")


def main(args: argparse.Namespace) -> int:
    """As the command line runs it."""
    return run(args, sys.stdin, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdin: Iterable[str], stdout: TextIO, stderr: TextIO) -> int:
    """Settle every line of `stdin`. Exit status 0, or 2 if anything could not be read."""
    if args.rulebook not in GAMES:
        stderr.write(f"settle: no rulebook {args.rulebook!r}; would be right: {one_of_near(args.rulebook, GAMES)}\n")
        return Status.WRONG_USAGE
    try:
        keys = {} if args.profile is None else choices_file(args.profile)
    except Invalid as wrong:
        _report(wrong.mistakes, stderr)
        return Status.WRONG_USAGE
    settle_one = GAMES[args.rulebook].settler(keys, str(args.profile))
    if isinstance(settle_one, list):
        _report(settle_one, stderr)
        return Status.WRONG_USAGE
    status = Status.GOOD
    for result in _results(stdin, settle_one):
        if isinstance(result, list):
            _report(result, stderr)
            status = Status.WRONG_USAGE
        else:
            stdout.write(json.dumps(result, separators=(",", ":")) + "\n")
            stdout.flush()
    return status


def _results(lines: Iterable[str], settle_one: Callable[[object, str], Result]) -> Iterator[Result]:
    number = 0
    try:
        for number, text in enumerate(lines, start=1):
            if text.strip():
                yield _settled(text.strip(), f"line {number}", settle_one)
    except UnicodeDecodeError as error:
        found = f"bytes that are no UTF-8 ({error.reason})"
        yield [Mistake(where=f"after line {number}", key="input", found=found, right="text in UTF-8")]


def _settled(text: str, where: str, settle_one: Callable[[object, str], Result]) -> Result:
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
    return settle_one(line, where)


class _KeyTwice(Exception):
    """An object names a field twice; JSON would silently keep the last."""


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for key, value in pairs:
        if key in fields:
            raise _KeyTwice(key)
        fields[key] = value
    return fields


def _report(mistakes: Iterable[Mistake], stderr: TextIO) -> None:
    stderr.writelines(f"settle: {mistake}\n" for mistake in mistakes)
