"""`tablectl idle CONFIG…`: whether a table is between two hands, so that its program may be exchanged.

The controller is asked where one answers, and the journal where none does: a hand that a crash left unfinished is open.
Both are looked for where the file says, and where the controller was that read another file before (`whereabouts`).
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

from tablectl.as_owner import as_owner_of
from tablectl.client import NoController, ask
from tablectl.config import BadConfig, load
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import Shelf, present
from tablectl.readers import not_let_in
from tablectl.recall import OpenHand, open_hand
from tablectl.spoken.words import MissingText, load_words
from tablectl.whereabouts import WORD, Whereabouts, whereabouts_in, word_in

#: How long the controller has for an answer, in seconds.
ANSWER_S: Final = 5.0
#: The runtime directories of the tables' services.
RUN: Final = Path("/run/tablectl")
_WHO: Final = "ask as root or as the controller's user"


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
        here = whereabouts_in(load(path))
        busy = _asked(here) or _elsewhere(here)
    except BadConfig as wrong:
        return Standing.UNKNOWN, f"not known: {'; '.join(map(str, wrong.mistakes))}; mend the file and try again"
    except NotKnown as wrong:
        return Standing.UNKNOWN, f"not known: {wrong}"
    return (Standing.IDLE, "between hands") if busy is None else (Standing.BUSY, busy)


def _elsewhere(here: Whereabouts) -> str | None:
    """The same of the places that the controller was started with, where the file names others now. Raises
    `NotKnown`."""
    folder = RUN / here.config.stem
    with as_owner_of(folder / WORD):  # what stands there was written by that user, and leads nowhere else
        try:
            there = word_in(folder)
        except (OSError, ValueError) as wrong:
            what = f"{wrong.strerror}; {_WHO}" if isinstance(wrong, OSError) else f"{wrong}; restart the table"
            raise NotKnown(f"{folder / WORD}: {what}") from None
        if there is None or there.config != here.config or there == here:
            return None
        busy = _asked(there)
    return None if busy is None else f"the file was changed, and the controller was started at {there.socket}: {busy}"


def _asked(where: Whereabouts) -> str | None:
    """What goes on there and what to do about it; None where nothing does. Raises `NotKnown`."""
    try:
        report, test = (ask(where.socket, {"ask": what}, timeout_s=ANSWER_S) for what in ("devices", "test"))
    except NoController:
        _must_have_been_let_in(where.socket)
        return _recorded(where, f"start the table (systemctl start tablectl@{where.config.stem}), end the hand")
    except ValueError:
        raise NotKnown(f"{where.socket}: what answers there is no controller of tablectl; end it") from None
    if (busy := _tried(test)) is not None:
        return busy
    if not isinstance(report.get("play"), dict):  # of a version that does not say it
        return _recorded(where, "end the hand")
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


def _recorded(where: Whereabouts, what_to_do: str) -> str | None:
    """What the journal says. Raises `NotKnown`."""
    try:
        if (why := not_let_in(where.journal)) is not None:
            raise NotKnown(f"{why}; {_WHO}")
        if not present(where.journal):
            return None
        with closing(Shelf(where.journal)) as shelf:
            found = open_hand(shelf)
    except OSError as wrong:
        raise NotKnown(f"{wrong.filename or where.journal}: {wrong.strerror}; {_WHO}") from None
    except JournalUnusable as wrong:
        raise NotKnown(f"{wrong}; {_WHO}, and see `tablectl journal verify`") from None
    except (AttributeError, KeyError, TypeError, ValueError):
        what = "a record that this program did not write; `tablectl journal verify` says more"
        raise NotKnown(f"{where.journal}: {what}") from None
    return None if found is None else _told(found, what_to_do)


def _told(open_one: OpenHand, what_to_do: str) -> str:
    return f"hand {open_one.hand} is open ({_phase(open_one.phase)}); {what_to_do}, then try again"


def _phase(name: str) -> str:
    """In words; its name where a version of another day had other phases."""
    try:
        return load_words().text("phase", name, "en")
    except MissingText:
        return name
