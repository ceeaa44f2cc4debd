"""`tablectl deck …`: the deck register: enrol a deck tag by tag, list, put in play, withdraw, retire."""

from __future__ import annotations

import argparse
import csv
import json
import queue
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from drivers import facts as device
from drivers.port import Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.transport.usb_socket import usb_backend
from tablectl.cards import DECK, Card, NotACard, card
from tablectl.clock import now_us
from tablectl.config import BadConfig, Config, load
from tablectl.decks.enrolment import Enrolment, Said
from tablectl.decks.register import DeckState, NotSo, Register, RegisterUnusable
from tablectl.device_config import Device as Described
from tablectl.journal.keys import BadKey, load_sealing, make_keys
from tablectl.journal.record import time_text
from tablectl.log import SilentLog

#: How long the reader has to answer, in seconds.
ANSWER_S: Final = 10.0
_TAG: Final = re.compile("([0-9A-F]{2}){4,10}")
_MOVES: Final = {
    "play": (DeckState.IN_PLAY, "put a deck in play; it takes effect with the next hand"),
    "release": (DeckState.READY, "let a deck that was withdrawn be used again, or take the one in play away"),
    "quarantine": (DeckState.QUARANTINED, "withdraw a deck until somebody has looked at it"),
    "retire": (DeckState.RETIRED, "never deal from a deck again"),
}


class CannotEnrol(Exception):
    """The text says why, and what to do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One word for what happens to a deck."""
    words = parser.add_subparsers(dest="word", required=True, metavar="WORD")
    enroll = words.add_parser("enroll", help="register a deck, card by card on a reader, or from its maker's list")
    _add_deck(enroll)
    enroll.add_argument("--reader", metavar="DEVICE", help="which reader of the table (default: the one at the stub)")
    enroll.add_argument("--from", type=Path, dest="list", metavar="FILE", help="lines TAG,CARD instead of a reader")
    enroll.set_defaults(do=_enroll)
    shown = words.add_parser("list", help="every deck, its state, and since when")
    shown.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    shown.add_argument("--json", action="store_true", help="one JSON object a line")
    shown.set_defaults(do=_list)
    for word, (state, what) in _MOVES.items():
        move = words.add_parser(word, help=what)
        _add_deck(move)
        move.set_defaults(do=_move, state=state)


def _add_deck(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument("deck", metavar="DECK", help="its name; write it on the box")
    parser.add_argument("--by", required=True, metavar="NAME", help="who does it; it goes on record")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where the register does not take it; 2 for wrong usage or an unreadable file."""
    try:
        config = load(args.config)
        if not config.key.exists() and not config.journal.exists():
            # As the table's first start would; the decks may well be there before it.
            make_keys(config.key, config.signing_key, demo=False)
        vault, _ = load_sealing(config.key)
        with Register(config.deck.register, vault) as register:
            do: Callable[[argparse.Namespace, Config, Register], int] = args.do
            return do(args, config, register)
    except BadKey as wrong:
        sys.stderr.write(f"{wrong}\n(the register is sealed with the table's key)\n")
    except (BadConfig, RegisterUnusable) as wrong:
        sys.stderr.write(f"{wrong}\n")
    except (NotSo, CannotEnrol) as wrong:
        sys.stderr.write(f"deck: {wrong}\n")
        return 1
    return 2


def _list(args: argparse.Namespace, config: Config, register: Register) -> int:
    for deck in register.decks:
        if args.json:
            said = {
                "deck": deck.name,
                "state": deck.state.value,
                "since": time_text(deck.since_us),
                "by": deck.by,
                "reason": deck.reason,
            }
            print(json.dumps(said, ensure_ascii=False))
        else:
            why = f": {deck.reason}" if deck.reason else ""
            print(f"{deck.name:20} {deck.state:12} since {time_text(deck.since_us)[:19]}Z by {deck.by}{why}")
    if not register.decks and not args.json:
        print(f"{config.deck.register}: no deck is registered; tablectl deck enroll {config.file} NAME --by YOU")
    return 0


def _move(args: argparse.Namespace, config: Config, register: Register) -> int:
    register.move(args.deck, args.state, by=args.by, reason=args.reason, at_us=now_us())
    print(f"{args.deck} is {args.state}; a table that runs takes it up with its next hand")
    return 0


def _enroll(args: argparse.Namespace, config: Config, register: Register) -> int:
    tags = _from_list(args.list) if args.list is not None else _from_reader(args, config, register)
    register.enrol(args.deck, tags, by=args.by, reason=args.reason, at_us=now_us())
    print(f"{args.deck}: {len(tags)} cards registered; it is ready")
    return 0


# --- from a list ------------------------------------------------------------------------------------------------------


def _from_list(path: Path) -> dict[str, Card]:
    """What the maker of the deck says. Refused whole, with every wrong line."""
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as wrong:
        raise CannotEnrol(f"{path}: {wrong}") from None
    found: dict[str, Card] = {}
    wrongs: list[str] = []
    for number, row in enumerate(rows, start=1):
        if not row or row[0].lstrip().startswith("#"):
            continue
        mistake = _take_row(row, found)
        if mistake is not None:
            wrongs.append(f"line {number}: {mistake}")
    if wrongs:
        raise CannotEnrol("\n".join([f"{path}: nothing is registered", *wrongs]))
    return found


def _take_row(row: list[str], found: dict[str, Card]) -> str | None:
    if len(row) != 2:
        return "TAG,CARD as in 04A1B2C3D4E580,As"
    tag, code = row[0].strip().upper(), row[1].strip()
    if not _TAG.fullmatch(tag):
        return "a tag is 4 to 10 bytes in hexadecimal"
    if tag in found:
        return "this tag stands there twice"
    try:
        known = card(code)
    except NotACard as wrong:
        return str(wrong)
    if known in found.values():
        return f"{code} stands there twice"
    found[tag] = known
    return None


# --- card by card -----------------------------------------------------------------------------------------------------


def _from_reader(args: argparse.Namespace, config: Config, register: Register) -> dict[str, Card]:
    described = _reader(config, args.reader)
    facts: queue.SimpleQueue[device.DeviceFact] = queue.SimpleQueue()
    entry = DRIVERS[described.driver]
    opener, protocol = entry.make(described.name, described.settings, usb_backend(config.usb_bus))
    enrolment = Enrolment(register.owner)
    port: Port[DeviceProtocol] = Port(described.name, opener, protocol, facts.put, SilentLog())
    with port:
        for line in _conversation(enrolment, facts, described.name):
            print(line, flush=True)
    return dict(enrolment.tags)


def _reader(config: Config, name: str | None) -> Described:
    readers = [each for each in config.devices if DRIVERS[each.driver].tells_tags]
    at_the_stub = [each for each in readers if any(spot.name == "stub" for spot in each.spots.values())]
    named = [each for each in readers if each.name == name] if name is not None else at_the_stub or readers
    if len(named) == 1:
        return named[0]
    there = ", ".join(each.name for each in readers) or "none"
    raise CannotEnrol(f"which reader? --reader DEVICE; readers of this table: {there}")


def _conversation(enrolment: Enrolment, facts: queue.SimpleQueue[device.DeviceFact], name: str) -> Iterator[str]:
    """Ask for each card, and say what became of it. Raises `CannotEnrol`."""
    found = _await_reader(facts, name)
    yield f"{name}: {found}"
    yield _ask(enrolment)
    there = 0
    while enrolment.due is not None:
        fact = facts.get()
        said: Said | None = None
        match fact:
            case device.TagIn():
                there += 1
                said = enrolment.came(fact.tag.open())
            case device.TagOut():
                there -= 1
                said = enrolment.left(fact.tag.open())
            case device.Lost():
                raise CannotEnrol(f"{name}: {fact.reason}; nothing is registered, begin again")
        if said is not None:
            yield _WORDS[said]
        if said is Said.BOUND and enrolment.due is not None:
            yield _ask(enrolment)


def _await_reader(facts: queue.SimpleQueue[device.DeviceFact], name: str) -> str:
    until_s = time.monotonic() + ANSWER_S
    reason = "it does not answer"
    while (left_s := until_s - time.monotonic()) > 0:
        try:
            fact = facts.get(timeout=left_s)
        except queue.Empty:
            break
        if isinstance(fact, device.Found):
            return fact.identity
        if isinstance(fact, device.Lost):
            reason = fact.reason
    raise CannotEnrol(f"{name}: {reason}; a table that runs has its readers to itself, stop it first")


def _ask(enrolment: Enrolment) -> str:
    due = enrolment.due
    assert due is not None, "asked for a card that there is"
    return f"{enrolment.done + 1:2}/{len(DECK)}  lay {due.code} on the reader, then take it away"


_WORDS: Final = {
    Said.BOUND: "       registered",
    Said.AGAIN: "       that card was laid before: nothing is registered twice",
    Said.OF_ANOTHER_DECK: "       that card belongs to another deck; take it away",
    Said.TWO: "       two cards lie there: take both away, then lay one",
}
