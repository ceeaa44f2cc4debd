"""`tablectl table use CONFIG GAME --by NAME`: another of a table's games, from the next hand on; and
`tablectl table limits CONFIG ante=500..10000 --by NAME --second NAME`: other limits, inside the authorised band.

The controller goes on running; the games are those of the table's file when it started. The new one begins when a
hand in play is over, and when a pot has been won that nobody opened (FCD-WIN-5).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tablectl.client import NoController, ask
from tablectl.config import BadConfig, load
from tablectl.rulebooks.registry import RULEBOOKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One word for what is done at the table."""
    words = parser.add_subparsers(dest="word", required=True, metavar="WORD")
    use = words.add_parser("use", help="play another of the table's games, from the next hand on")
    use.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    use.add_argument("game", metavar="GAME", choices=tuple(RULEBOOKS), help="one of the games in it")
    use.add_argument("--by", metavar="NAME", required=True, help="who wants it, in one word; it stands in the journal")
    use.set_defaults(do=_use)
    limits = words.add_parser("limits", help="set limits of the game that is played, from the next hand on")
    limits.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    limits.add_argument(
        "limits", metavar="BET=LEAST..MOST", nargs="+", help="inside the authorised band, in the smallest unit of money"
    )
    limits.add_argument("--by", metavar="NAME", required=True, help="who sets them, in one word")
    limits.add_argument(
        "--second",
        metavar="NAME",
        help="another person who stands for them; required where people are. Names are taken as typed: whoever may"
        " enter something at the controller's socket is asked for no secret",
    )
    limits.set_defaults(do=_limits)


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 1 where the controller would not, 2 for a wrong configuration or where no controller runs."""
    status: int = args.do(args)
    return status


def _limits(args: argparse.Namespace) -> int:
    try:
        config = load(args.config)
        who = args.by if args.second is None else f"{args.by}+{args.second}"
        reply = ask(config.socket, {"enter": f"limits {' '.join(args.limits)} by {who}"})
    except BadConfig as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    except NoController as wrong:
        sys.stderr.write(f"no controller: {wrong}\n")
        return 2
    if not reply["ok"]:
        sys.stderr.write(f"{reply['error']}\n")
        return 1
    if (refused := reply["refused"]) is not None:
        told = " ".join(filter(None, (refused["why"], refused["clause"], refused["detail"])))
        sys.stderr.write(f"nothing changes: {told}\n")
        return 1
    print(f"{config.setup.table}: {' '.join(args.limits)} from the next hand on (record {reply['seq']})")
    return 0


def _use(args: argparse.Namespace) -> int:
    try:
        config = load(args.config)
    except BadConfig as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    if args.game not in config.games:
        there = ", ".join(sorted(config.games))
        sys.stderr.write(f"{args.config}: {args.game} is none of this table's games: {there}; see [games]\n")
        return 2
    try:
        reply = ask(config.socket, {"use": args.game, "by": args.by})
    except NoController as wrong:
        sys.stderr.write(f"no controller: {wrong}\n")
        return 2
    if not reply["ok"]:
        sys.stderr.write(f"{reply['error']}\n")
        return 1
    print(f"{config.setup.table}: {args.game} from the next hand on (record {reply['seq']})")
    return 0
