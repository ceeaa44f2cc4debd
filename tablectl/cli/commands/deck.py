"""`tablectl deck …`: the deck register: enrol a deck tag by tag, list, put in play, withdraw, retire."""

from __future__ import annotations

import argparse
import json
import queue
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from drivers.port import Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.transport.backend import usb_backend
from tablectl.api.client import NoController, ask, lines
from tablectl.cli.status import WrongUsage
from tablectl.config.devices import Device as Described
from tablectl.config.spots import STUB
from tablectl.config.table_file import Config, load
from tablectl.core.cards import Card
from tablectl.core.timestamps import time_text
from tablectl.journal.clock import now_us
from tablectl.journal.deck_register import DeckState, NotSo, Register, RegisterUnusable
from tablectl.journal.keys import load_sealing, make_keys
from tablectl.journal.public_keys import BadKey
from tablectl.ops.drop_privileges import running_as_owner_of
from tablectl.ops.log import SilentLog
from tablectl.table.decks.at_reader import CannotEnrol, Enter, Heard, card_name, conversation, hear
from tablectl.table.decks.enrolment import Enrolment
from tablectl.table.decks.makers_list import BadList, read_list

_MOVES: Final = {
    "play": (DeckState.IN_PLAY, "put a deck in play; the one that was in play is ready again"),
    "release": (DeckState.READY, "let a deck be used again that was withdrawn, or take the one in play away"),
    "quarantine": (DeckState.QUARANTINED, "withdraw a deck until somebody has looked at it"),
    "retire": (DeckState.RETIRED, "never deal from a deck again"),
}
#: What a state is called here.
_STATES: Final = {
    DeckState.READY: "ready",
    DeckState.IN_PLAY: "in play",
    DeckState.QUARANTINED: "in quarantine",
    DeckState.RETIRED: "retired",
}


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
    """Exit status 0; 1 where the register does not take it or the reader does not answer; 2 for wrong usage or a file
    that cannot be read: configuration, key, register, maker's list."""
    if args.word != "list" and not args.by.strip():
        raise WrongUsage("deck: --by in words: it goes on record")
    try:
        config = load(args.config)
        if args.word == "enroll" and not config.key.exists() and not config.journal.exists():
            # As the table's first start would; the decks may well be there before it.
            with running_as_owner_of(config.key):
                make_keys(config.key, config.signing_key, demo=False)
        if not config.key.exists() and not config.deck.register.exists():
            return _nothing_there(args, config)
        vault, _ = load_sealing(config.key)
        with Register(config.deck.register, vault) as register:
            do: Callable[[argparse.Namespace, Config, Register], int] = args.do
            return do(args, config, register)
    except BadKey as wrong:
        sys.stderr.write(f"{wrong}\n(the deck register is sealed with the table's key)\n")
    except (RegisterUnusable, BadList) as wrong:
        sys.stderr.write(f"{wrong}\n")
    except (NotSo, CannotEnrol) as wrong:
        sys.stderr.write(f"deck: {wrong}\n")
        return 1
    return 2


def _nothing_there(args: argparse.Namespace, config: Config) -> int:
    """Before the first deck and the table's first start there is neither a register nor a key to seal one with."""
    if args.word == "list":
        _say_none(args, config)
        return 0
    raise NotSo(f"{args.deck}: no such deck; registered are: none yet")


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
            at = time_text(deck.since_us)[:19].replace("T", " ")
            print(f"{deck.name:20}  {_STATES[deck.state]:13}  since {at} UTC, by {deck.by}{why}")
    if not register.decks:
        _say_none(args, config)
    return 0


def _say_none(args: argparse.Namespace, config: Config) -> None:
    if not args.json:
        print(f"no deck is registered at {config.setup.table}; tablectl deck enroll {config.file} DECK --by NAME")


def _move(args: argparse.Namespace, config: Config, register: Register) -> int:
    with running_as_owner_of(config.deck.register):
        register.move(args.deck, args.state, by=args.by.strip(), reason=args.reason.strip(), at_us=now_us())
    print(f"{args.deck} is {_STATES[args.state]}; where the table plays, it knows before its next hand")
    return 0


def _enroll(args: argparse.Namespace, config: Config, register: Register) -> int:
    register.check_name(args.deck)
    if args.list is None and (done := _at_the_table(args, config)) is not None:
        print(f"{args.deck}: all {done} cards are registered; it is ready")
        return 0
    tags = read_list(args.list) if args.list is not None else _from_reader(args, config, register)
    with running_as_owner_of(config.deck.register):  # a file that root made the controller could not open
        register.enrol(args.deck, tags, by=args.by.strip(), reason=args.reason.strip(), at_us=now_us())
    print(f"{args.deck}: all {len(tags)} cards are registered; it is ready")
    return 0


def _at_the_table(args: argparse.Namespace, config: Config) -> int | None:
    """By the controller, which has the readers to itself; how many cards. None where none runs."""
    reader = _reader(config, args.reader).name
    asked = {"deck": args.deck, "reader": reader, "by": args.by.strip(), "reason": args.reason.strip()}
    try:
        told = lines(config.socket, {"enrol": asked})
    except NoController:
        return None
    hear(sys.stdin, lambda: ask(config.socket, {"enrol": "back"}))
    try:
        for entry in told:
            if "line" in entry:
                print(entry["line"], flush=True)
            elif entry["ok"]:
                return int(entry["done"])
            else:
                raise CannotEnrol(entry["error"])
    except NoController:
        pass
    raise CannotEnrol("the controller ended; nothing is registered, begin again")


def _from_reader(args: argparse.Namespace, config: Config, register: Register) -> dict[str, Card]:
    described = _reader(config, args.reader)
    heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
    entry = DRIVERS[described.driver]
    # A card is taken away at once here, and the next one is not far: nothing is gained by waiting for a tag that may
    # only be flickering.
    settings = {**described.settings, "out_s": 0.0}
    opener, protocol = entry.make(described.name, settings, usb_backend(config.usb_bus))
    enrolment = Enrolment(register.owner)
    port: Port[DeviceProtocol] = Port(described.name, opener, protocol, heard.put, SilentLog())
    hear(sys.stdin, lambda: heard.put(Enter()))
    with port:
        for told in conversation(enrolment, heard, described.name, card_name):
            if told is not None:
                print(told.line, flush=True)
    return dict(enrolment.tags)


def _reader(config: Config, name: str | None) -> Described:
    readers = [device for device in config.devices if device.spots]
    at_the_stub = [reader for reader in readers if any(spot.name == STUB for spot in reader.spots.values())]
    named = [reader for reader in readers if reader.name == name] if name is not None else at_the_stub or readers
    if len(named) == 1:
        return named[0]
    if not readers:
        raise CannotEnrol(f"{config.setup.table} has no reader of tags; --from FILE takes the maker's list instead")
    there = ", ".join(reader.name for reader in readers)
    raise CannotEnrol(f"--reader says at which reader the cards are laid; those of {config.setup.table}: {there}")
