"""`tablectl table float CONFIG`: what should lie in the croupier's tray; with `--counted`, `--fill` or `--credit` and
names, an entry. Amounts are in the smallest unit of money."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.api.client import NoController, ask
from tablectl.cli.commands.confirmation import is_confirmed
from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import Config, load
from tablectl.core.public_table.chip_float import TrayAct, Unknown, difference
from tablectl.i18n.amounts import NotAnAmount, in_smallest_unit
from tablectl.i18n.currency import Currency
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.sums import sum_text

_WHY: Final[Mapping[str, str]] = {
    Unknown.NO_COUNT: "nobody has counted the tray yet; count it and enter it with --counted",
    Unknown.NO_AMOUNTS: "since the last count a hand was played without amounts; count the tray again",
    Unknown.NO_FEE: "since the last count a hand was played against no bank and without a fee; count the tray again",
}
_DONE: Final[Mapping[TrayAct, str]] = {
    TrayAct.COUNT: "counted",
    TrayAct.FILL: "filled with",
    TrayAct.CREDIT: "credited with",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One entry at most; without one it only says what should lie there."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    entry = parser.add_mutually_exclusive_group()
    entry.add_argument(
        "--counted", metavar="AMOUNT", type=_amount, help="what lies there, in the smallest unit of money"
    )
    entry.add_argument("--fill", metavar="AMOUNT", type=_amount, help="chips that were brought")
    entry.add_argument("--credit", metavar="AMOUNT", type=_amount, help="chips that were taken away")
    parser.add_argument("--by", metavar="NAME", help="who enters it, in one word; required with an entry")
    parser.add_argument(
        "--second",
        metavar="NAME",
        help="another person who stands for it; required where people are. Names are taken as typed, as for limits",
    )
    parser.add_argument("--json", action="store_true", help="what the controller says, as one JSON object")
    parser.set_defaults(do=main)


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 1 where the controller would not, 2 for wrong usage or where no controller runs."""
    entry = _entry(args)
    if (entry is None) != (args.by is None) or (entry is None and args.second is not None):
        raise WrongUsage("an entry is an amount (--counted, --fill or --credit) and a name (--by): give both, or none")
    try:
        config = load(args.config)
        if entry is not None and not args.json and not is_confirmed(_repeated(config, entry)):
            return 1
        question = {"ask": "float"} if entry is None else {**entry, "by": args.by, "second": args.second or ""}
        reply = ask(config.socket, question)
    except NoController as wrong:
        raise WrongUsage(f"no controller: {wrong}") from None
    if not reply["ok"]:
        sys.stderr.write(f"nothing was entered: {reply['error']}\n" if entry else f"{reply['error']}\n")
        return 1
    if args.json:
        print(json.dumps(reply, ensure_ascii=False))
    elif entry is None:
        print(f"{config.setup.table}: {_told(reply, config.table_currency)}")
    else:
        beside = _beside(entry, reply["expected"], config.table_currency)
        print(f"{_repeated(config, entry)}{beside} (record {reply['seq']})")
    return 0


def _repeated(config: Config, entry: Mapping[str, Any]) -> str:
    """What is about to be entered."""
    return f"{config.setup.table}: {_DONE[TrayAct(entry['float'])]} {_sum(entry['amount'], config.table_currency)}"


def _amount(text: str) -> int:
    """In the smallest unit: digits and nothing else. Raises `ArgumentTypeError`."""
    try:
        return in_smallest_unit(text)
    except NotAnAmount:
        right = "digits alone, in the smallest unit of money: 125050 for 1250.50"
        raise argparse.ArgumentTypeError(f"{text!r}: would be right: {right}") from None


def _entry(args: argparse.Namespace) -> dict[str, Any] | None:
    amounts = {TrayAct.COUNT: args.counted, TrayAct.FILL: args.fill, TrayAct.CREDIT: args.credit}
    return next(({"float": act.value, "amount": amount} for act, amount in amounts.items() if amount is not None), None)


def _sum(amount: int, currency: Currency) -> str:
    """As it is typed, and as it stands on the screens."""
    return f"{amount} ({sum_text(amount, currency, SOURCE)})"


def _beside(entry: Mapping[str, Any], expected: int | None, currency: Currency) -> str:
    """Of a count: what was expected."""
    if entry["float"] != TrayAct.COUNT:
        return ""
    more = difference(entry["amount"], expected)
    if expected is None or more is None:
        return ", what to expect was not known"
    return f", expected {_sum(expected, currency)}, difference {more:+}"


def _told(reply: Mapping[str, Any], currency: Currency) -> str:
    if reply["unknown"] is not None:
        return f"expected float not known: {_WHY[reply['unknown']]}"
    made = reply["made_of"]
    told = (
        f"expected float {_sum(reply['expected'], currency)}: counted {made['counted']} (record {made['seq']}), "
        f"fills {made['fills']}, credits {made['credits']}, {made['hands']} hands {made['change']:+}"
    )
    return f"{told}; as of the last hand that closed, one is in play" if reply["is_hand_open"] else told
