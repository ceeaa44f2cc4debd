"""`tablectl table use CONFIG GAME --by NAME`: another of a table's games, from the next hand on;
`tablectl table limits CONFIG ante=500..10000 --by NAME --second NAME`: other limits, inside the authorised band; and
`tablectl table float CONFIG`: what should lie in the croupier's tray (`table_float.py`).

The controller goes on running; the games are those of the table's file when it started. The new one begins when a
hand in play is over, and when a pot has been won that nobody opened (FCD-WIN-5).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tablectl.api.client import NoController, ask
from tablectl.cli.commands import table_float
from tablectl.cli.commands.confirmation import is_confirmed
from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import Config, load
from tablectl.core.engine.vocabulary import Refusal
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.amounts import NotAnAmount, in_smallest_unit
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.sums import sum_text
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts

_LIMITS: Final = re.compile(r"([a-z][a-z-]*)=(.+?)\.\.(.+)")
#: What whoever was refused can do.
_RIGHT: Final[Mapping[str, str]] = {
    Refusal.LIMITS: "bets of the game that is played, each inside its authorised band ([limits] of the table's file)",
    Refusal.SECOND_PERSON: "--second NAME, of another person who stands for them",
}


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
    table_float.add_arguments(
        words.add_parser("float", help="what should lie in the croupier's tray; or enter a count, a fill or a credit")
    )


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 1 where the controller would not, 2 for wrong usage, a wrong configuration or where no controller
    runs."""
    status: int = args.do(args)
    return status


def _limits(args: argparse.Namespace) -> int:
    if (wrong := _mistyped(args)) is not None:
        raise WrongUsage(f"table limits: {wrong}")
    who = args.by if args.second is None else f"{args.by}+{args.second}"
    config = load(args.config)
    spans = map(_span, args.limits)
    sums = ", ".join(
        f"{bet} {' to '.join(sum_text(end, config.table_currency, SOURCE) for end in ends)}" for bet, ends in spans
    )
    what = " ".join(args.limits)
    if not is_confirmed(f"{config.setup.table}: {what} ({sums})"):
        return 1
    return _asked(config, {"enter": f"limits {what} by {who}"}, what, f"; {sums}")


def _mistyped(args: argparse.Namespace) -> str | None:
    """What cannot be a question at all, and what would be right."""
    bets = [limit.partition("=")[0] for limit in args.limits]
    for limit in args.limits:
        try:
            _, (least, most) = _span(limit)
        except NotAnAmount:
            return f"{limit}: would be right: BET=LEAST..MOST in the smallest unit of money, such as ante=500..10000"
        if least > most:
            return f"{limit}: the least is more than the most; would be right: the least first"
        if bets.count(limit.partition("=")[0]) > 1:
            return f"{limit}: would be right: each bet once"
    return _misnamed("--by", args.by) or (None if args.second is None else _misnamed("--second", args.second))


def _span(text: str) -> tuple[str, tuple[int, int]]:
    """The bet, and its least and most. Raises `NotAnAmount`."""
    found = _LIMITS.fullmatch(text)
    if found is None:
        raise NotAnAmount(text, "ante=500..10000")
    return found[1], (in_smallest_unit(found[2]), in_smallest_unit(found[3]))


def _misnamed(option: str, name: str) -> str | None:
    is_word = name.split() == [name] and name.isprintable() and "+" not in name
    return (
        None if is_word else f"{option} {name!r}: would be right: a name in one word, as it is to stand in the journal"
    )


def _use(args: argparse.Namespace) -> int:
    if (wrong := _misnamed("--by", args.by)) is not None:
        raise WrongUsage(f"table use: {wrong}")
    config = load(args.config)
    if args.game not in config.games:
        there = ", ".join(sorted(config.games))
        raise WrongUsage(f"{args.config}: {args.game} is none of this table's games: {there}; see [games]")
    return _asked(config, {"use": args.game, "by": args.by}, args.game)


def _asked(config: Config, question: Mapping[str, str], what: str, sums: str = "") -> int:
    """The exit status; what the controller said of it is told, with the amounts as the screens show them."""
    try:
        reply = ask(config.socket, question)
    except NoController as wrong:
        raise WrongUsage(f"no controller: {wrong}") from None
    if not reply["ok"]:
        sys.stderr.write(f"{reply['error']}\n")
        return 1
    if reply.get("refused") is not None:
        sys.stderr.write(f"nothing changes: {_why(config, reply['refused'])}\n")
        return 1
    print(f"{config.setup.table}: {what} from the next hand on (record {reply['seq']}){sums}")
    return 0


def _why(config: Config, refused: Mapping[str, str | None]) -> str:
    """In the words that stand on the screens, with what the clause says and what would be right."""
    texts = TableTexts(language=SOURCE, texts=load_texts(), rulebook=config.setup.rulebook)
    why, clause = str(refused["why"]), refused["clause"]
    said = texts.refusal(why, entry="limits", detail=str(refused["detail"] or ""), clause=clause)
    quoted = f" ({clause}: {texts.clause(clause).rstrip('.')})" if clause else ""
    right = _RIGHT.get(why)
    return f"{said}{quoted}" + ("" if right is None else f"; would be right: {right}")
