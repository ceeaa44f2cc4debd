"""`tablectl table float CONFIG`: what should lie in the croupier's tray; with `--opening`, `--fill`, `--credit`,
`--counted` or `--closing` and names, an entry. Amounts are in the smallest unit of money; where the house counts by
denomination, chips stand in their place: `40x500,20x2500`."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from tablectl.api.client import NoController, ask
from tablectl.cli.commands.confirmation import is_confirmed
from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import Config, load
from tablectl.core.events.notes import ChipCount
from tablectl.core.public_table.chip_float import COUNTS, TrayAct, Unknown, difference, total_of
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
    TrayAct.OPENING: "opened with",
    TrayAct.CLOSING: "closed with",
    TrayAct.COUNT: "counted",
    TrayAct.FILL: "filled with",
    TrayAct.CREDIT: "credited with",
}
#: The option of each entry.
_OPTIONS: Final[Mapping[TrayAct, str]] = {
    TrayAct.OPENING: "opening",
    TrayAct.FILL: "fill",
    TrayAct.CREDIT: "credit",
    TrayAct.COUNT: "counted",
    TrayAct.CLOSING: "closing",
}
_HELP: Final[Mapping[TrayAct, str]] = {
    TrayAct.OPENING: "what lies there when the table opens: in the smallest unit of money, or chips as 40x500,20x2500",
    TrayAct.FILL: "chips that were brought",
    TrayAct.CREDIT: "chips that were taken away",
    TrayAct.COUNT: "what lies there",
    TrayAct.CLOSING: "what lies there when the table closes",
}
_ENTRIES: Final = ", ".join(f"--{option}" for option in _OPTIONS.values())
#: So many chips of a denomination.
_CHIPS: Final = re.compile(r"([0-9]+)x([0-9]+)")


class _Said:
    """What follows an option: an amount, or chips by denomination."""

    def __init__(self, text: str) -> None:
        """Raises `ArgumentTypeError`."""
        found = [_CHIPS.fullmatch(part) for part in text.split(",")]
        matched = [match for match in found if match is not None]
        self.chips = tuple(ChipCount(value=_amount(match[2]), count=_amount(match[1])) for match in matched)
        self.amount = total_of(self.chips) if matched and len(matched) == len(found) else _amount(text)

    def asked(self) -> dict[str, Any]:
        """As the controller is asked."""
        return {"chips": msgspec.to_builtins(self.chips)} if self.chips else {"amount": self.amount}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One entry at most; without one it only says what should lie there."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    entry = parser.add_mutually_exclusive_group()
    for act, option in _OPTIONS.items():
        entry.add_argument(f"--{option}", metavar="AMOUNT", type=_Said, help=_HELP[act])
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
        raise WrongUsage(f"an entry is an amount ({_ENTRIES}) and a name (--by): give both, or none")
    try:
        config = load(args.config)
        if entry is not None and not args.json and not is_confirmed(_repeated(config, *entry)):
            return 1
        reply = ask(config.socket, {"ask": "float"} if entry is None else _asked(args, *entry))
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
        beside = _beside(*entry, reply["expected"], config.table_currency)
        print(f"{_repeated(config, *entry)}{beside} (record {reply['seq']})")
    return 0


def _asked(args: argparse.Namespace, act: TrayAct, said: _Said) -> dict[str, Any]:
    return {"float": act.value, **said.asked(), "by": args.by, "second": args.second or ""}


def _repeated(config: Config, act: TrayAct, said: _Said) -> str:
    """What is about to be entered."""
    return f"{config.setup.table}: {_DONE[act]} {_sum(said.amount, config.table_currency)}"


def _amount(text: str) -> int:
    """In the smallest unit: digits and nothing else. Raises `ArgumentTypeError`."""
    try:
        return in_smallest_unit(text)
    except NotAnAmount:
        right = (
            "digits alone, in the smallest unit of money: 125050 for 1250.50; or chips by denomination, 40x500,20x2500"
        )
        raise argparse.ArgumentTypeError(f"{text!r}: would be right: {right}") from None


def _entry(args: argparse.Namespace) -> tuple[TrayAct, _Said] | None:
    given = ((act, getattr(args, option)) for act, option in _OPTIONS.items())
    return next(((act, said) for act, said in given if said is not None), None)


def _sum(amount: int, currency: Currency) -> str:
    """As it is typed, and as it stands on the screens."""
    return f"{amount} ({sum_text(amount, currency, SOURCE)})"


def _beside(act: TrayAct, said: _Said, expected: int | None, currency: Currency) -> str:
    """Of a count: what was expected."""
    if act not in COUNTS:
        return ""
    more = difference(said.amount, expected)
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
