"""`tablectl journal verify|show|replay DB`: the audit tools."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tablectl.journal.recovery import ReplayDiffers, replay
from tablectl.journal.seal import BadKey, Vault, load_key
from tablectl.journal.store import JournalUnusable, Store, Stored
from tablectl.journal.verify import verify
from tablectl.rulebooks.registry import rulebook_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Three tools."""
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    for name, text in (
        ("verify", "check the chain and every revealed card; needs no key"),
        ("show", "the public records, one JSON object a line, or a list for people"),
        ("replay", "run the facts through the engine again and compare every decision; needs the key"),
    ):
        tool = tools.add_parser(name, help=text, description=text)
        tool.add_argument("db", metavar="DB", type=Path, help="the journal's file")
        if name != "verify":
            tool.add_argument("--hand", type=int, metavar="N", help="only this hand")
        if name == "show":
            tool.add_argument("--json", action="store_true", help="public records as they were chained")
        if name == "replay":
            tool.add_argument("--key", type=Path, metavar="FILE", help="the table's key (default: DB with .key)")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, 1 where something is wrong with the journal, 2 where it cannot be read."""
    try:
        with closing(Store.read(args.db)) as store:
            match args.tool:
                case "verify":
                    return _verify(store)
                case "show":
                    return _show(store, args)
                case _:
                    return _replay(store, args)
    except (JournalUnusable, BadKey) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2


def _verify(store: Store) -> int:
    verdict = verify(store.records())
    if verdict.fault is not None:
        print(f"{store.path}: NOT INTACT: {verdict.fault}")
        print(f"{verdict.records} records before it are good; nothing behind it can be trusted")
        return 1
    print(
        f"{store.path}: intact: {verdict.records} records, {verdict.hands} closed hands, "
        f"{verdict.reveals} revealed cards as committed"
    )
    return 0


def _show(store: Store, args: argparse.Namespace) -> int:
    if not _has_hand(store, args.hand):
        return _no_hand(store, args.hand)
    for stored in store.records(hand=args.hand):
        try:
            print(_json(stored) if args.json else "\n".join(_readable(stored, json.loads(stored.public))))
        except (AttributeError, KeyError, TypeError, ValueError):
            sys.stderr.write(f"{store.path}: record {stored.seq}: its public form is none that this program writes\n")
            return 1
    return 0


def _json(stored: Stored) -> str:
    return json.dumps({**json.loads(stored.public), "hash": stored.hash.hex()}, ensure_ascii=False)


def _has_hand(store: Store, hand: int | None) -> bool:
    return hand is None or next(store.records(hand=hand), None) is not None


def _no_hand(store: Store, hand: int) -> int:
    sys.stderr.write(f"{store.path}: no hand {hand}; the newest one is hand {store.newest_hand}\n")
    return 2


def _readable(stored: Stored, public: dict[str, Any]) -> Iterator[str]:
    yield f"{stored.seq:>7}  {public['at']}  hand {stored.hand}  {_words(public['fact'])}"
    for decision in public["decisions"]:
        yield f"{'':9}-> {_words(decision)}"
    for reveal in public.get("reveals", ()):
        yield f"{'':9}   {reveal['slot']} is {reveal['card']} (draw {reveal['draw']})"


def _words(said: dict[str, Any]) -> str:
    rest = " ".join(f"{name}={_short(value)}" for name, value in said.items() if name != "kind" and value is not None)
    return f"{said['kind']} {rest}".rstrip()


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"sealed:{text[:8]}…" if len(text) == 64 and " " not in text else text


def _replay(store: Store, args: argparse.Namespace) -> int:
    vault = Vault(load_key(args.key or store.path.with_suffix(".key")))
    if not _has_hand(store, args.hand):
        return _no_hand(store, args.hand)
    count, hands = 0, 0
    try:
        for each in replay(store, vault, rulebook_of, hand=args.hand):
            if each.differs:
                print(f"{store.path}: record {each.stored.seq} DIFFERS")
                print(f"  recorded: {each.public['decisions']}")
                print(f"  decided:  {each.decisions}")
                return 1
            count, hands = count + 1, hands + each.stored.closes_hand
    except ReplayDiffers as wrong:
        print(f"{store.path}: NOT REPLAYED: {wrong}")
        return 1
    print(f"{store.path}: replayed: {count} records, {hands} closed hands, every decision as recorded")
    return 0
