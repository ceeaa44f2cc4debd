"""`tablectl idle CONFIG…`: whether a table is between two hands, so that its program may be exchanged.

The controller is asked where one answers, and the journal where none does: a hand that a crash left unfinished is open.
Somebody who enrols a deck or tries a device is busy, too. No key is needed, and nothing is written: root and the
controller's user may ask, while the table runs or not.
"""

from __future__ import annotations

import argparse
import os
from contextlib import closing
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

from tablectl.client import NoController, ask
from tablectl.config import BadConfig, Config, load
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import Shelf, present
from tablectl.readers import not_let_in
from tablectl.recall import OpenHand, open_hand
from tablectl.spoken.words import MissingText, load_words

#: How long the controller has for an answer, in seconds.
ANSWER_S: Final = 5.0


class Standing(IntEnum):
    """Of one table, and the exit status. Of several tables, the highest."""

    IDLE = 0
    BUSY = 1
    UNKNOWN = 2


class NotKnown(Exception):
    """Why, and what to do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The tables."""
    parser.add_argument("configs", metavar="CONFIG", nargs="+", type=Path, help="the TOML file of each table")


def main(args: argparse.Namespace) -> int:
    """Exit status 0: no hand is open at any of these tables; 1: one is, or somebody is busy there; 2: of one of them it
    cannot be known."""
    worst = Standing.IDLE
    for path in args.configs:
        standing, told = _standing(path)
        print(f"{path.stem}: {told}")
        worst = max(worst, standing)
    return worst


def _standing(path: Path) -> tuple[Standing, str]:
    try:
        config = load(path)
        busy = _asked(config)
    except BadConfig as wrong:
        return Standing.UNKNOWN, f"not known: {'; '.join(map(str, wrong.mistakes))}; mend the file and try again"
    except NotKnown as wrong:
        return Standing.UNKNOWN, f"not known: {wrong}"
    return (Standing.IDLE, "between hands") if busy is None else (Standing.BUSY, busy)


def _asked(config: Config) -> str | None:
    """What goes on there and what to do about it; None where nothing does. Raises `NotKnown`."""
    try:
        report, test = (ask(config.socket, {"ask": what}, timeout_s=ANSWER_S) for what in ("devices", "test"))
    except NoController:
        _must_have_been_let_in(config.socket)
        return _recorded(config, f"start the table (systemctl start tablectl@{config.file.stem}), end the hand")
    except ValueError:
        raise NotKnown(f"{config.socket}: what answers there is no controller of tablectl; end it") from None
    if (busy := _tried(test)) is not None:
        return busy
    if not isinstance(report.get("play"), dict):  # of a version that does not say it
        return _recorded(config, "end the hand")
    play = report["play"]
    return _told(OpenHand(hand=play["hand"], phase=play["phase"]), "end the hand") if play["is_open"] else None


def _must_have_been_let_in(socket: Path) -> None:
    """Raises `NotKnown`."""
    if (why := not_let_in(socket, os.R_OK | os.W_OK)) is not None:
        raise NotKnown(f"{why}: this user may not ask the controller; ask as root or as the controller's user")


def _tried(test: dict[str, Any]) -> str | None:
    """Who tries a device or enrols a deck."""
    if (trial := test.get("test")) is not None:
        return f"{trial['what']} are tried by {trial['by']}; end the test, then try again"
    if (session := test.get("enrols")) is not None:
        return f"a deck is enrolled at {session['reader']} by {session['by']}; end it, then try again"
    return None


def _recorded(config: Config, what_to_do: str) -> str | None:
    """What the journal says. Raises `NotKnown`."""
    try:
        if (why := not_let_in(config.journal)) is not None:
            raise NotKnown(f"{why}; ask as root or as the controller's user")
        if not present(config.journal):
            return None
        with closing(Shelf(config.journal)) as shelf:
            found = open_hand(shelf)
    except OSError as wrong:
        who = "ask as root or as the controller's user"
        raise NotKnown(f"{wrong.filename or config.journal}: {wrong.strerror}; {who}") from None
    except JournalUnusable as wrong:
        who = "ask as root or as the controller's user, and see `tablectl journal verify`"
        raise NotKnown(f"{wrong}; {who}") from None
    except (AttributeError, KeyError, TypeError, ValueError):
        what = "a record that this program did not write; `tablectl journal verify` says more"
        raise NotKnown(f"{config.journal}: {what}") from None
    return None if found is None else _told(found, what_to_do)


def _told(open_one: OpenHand, what_to_do: str) -> str:
    return f"hand {open_one.hand} is open ({_phase(open_one.phase)}); {what_to_do}, then try again"


def _phase(name: str) -> str:
    """In words; its name where a version of another day had other phases."""
    try:
        return load_words().text("phase", name, "en")
    except MissingText:
        return name
