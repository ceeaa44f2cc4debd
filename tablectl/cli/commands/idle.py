"""`tablectl idle CONFIG…`: whether a table is between two hands, so that its program may be exchanged.

The controller is asked where one answers, and the journal where none does: a hand that a crash left unfinished is open.
Where there is no journal either, a table that never ran is between hands, and of one that has run nobody knows.
Both are looked for where the file says, and where the controller was that read another file before (`runtime_state`).
Somebody who enrols a deck or tries a device is busy, too. No key is needed, and nothing is written: root and the
controller's user may ask, while the table runs or not.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import closing
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from tablectl.api.client import NoController, ask
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.texts import MissingText, load_texts
from tablectl.journal.readers import not_let_in
from tablectl.journal.recall import OpenHand, open_hand
from tablectl.journal.store import JournalUnusable
from tablectl.journal.volumes import VolumeSet, present
from tablectl.ops.drop_privileges import running_as_owner_of
from tablectl.ops.first_run import FSTAB, disk_away, has_run, is_missing
from tablectl.ops.runtime_state import RUN, STATE_FILE, RuntimeState, read_runtime_state, state_of

#: How long the controller has for an answer, in seconds.
ANSWER_S: Final = 5.0
_WHO: Final = "ask as root or as the controller's user"


class Standing(IntEnum):
    """Of one table, and the exit status. Of several tables, the highest."""

    IDLE = 0
    BUSY = 1
    UNKNOWN = 2


#: Of one table: how it stands, and what is said of it.
Told: TypeAlias = tuple[Standing, str]
_BETWEEN_HANDS: Final[Told] = Standing.IDLE, "between hands"


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


def _standing(path: Path) -> Told:
    try:
        config = load(path)
        here = state_of(config)
        there = _elsewhere(here)
        if there is None:
            return _asked(here, lambda: _never_ran(config))
        found = _asked(here, lambda: _BETWEEN_HANDS[1])  # it has run, elsewhere
        return there if there[0] > found[0] else found
    except BadConfig as wrong:
        return Standing.UNKNOWN, f"not known: {'; '.join(map(str, wrong.mistakes))}; mend the file and try again"
    except NotKnown as wrong:
        return Standing.UNKNOWN, f"not known: {wrong}"


def _elsewhere(here: RuntimeState) -> Told | None:
    """The same of the places that the controller was started with, where the file names others now. Raises
    `NotKnown`."""
    folder = RUN / here.config.stem
    with running_as_owner_of(folder / STATE_FILE):  # what stands there was written by that user, and leads nowhere else
        try:
            there = read_runtime_state(folder)
        except (OSError, ValueError) as wrong:
            what = f"{wrong.strerror}; {_WHO}" if isinstance(wrong, OSError) else f"{wrong}; restart the table"
            raise NotKnown(f"{folder / STATE_FILE}: {what}") from None
        if there is None or there.config != here.config or there == here:
            return None
        standing, told = _asked(there, lambda: _is_away(there.journal, folder / STATE_FILE))
    return standing, f"the file was changed, and the controller was started at {there.socket}: {told}"


def _asked(where: RuntimeState, without_journal: Callable[[], str]) -> Told:
    """What goes on there and what to do about it; without a controller and without a journal, what that means. Raises
    `NotKnown`."""
    try:
        report, test = (ask(where.socket, {"ask": what}, timeout_s=ANSWER_S) for what in ("devices", "test"))
    except NoController:
        _must_have_been_let_in(where.socket)
        table = where.config.stem
        what_to_do = f"start the table (systemctl start tablectl@{table}), end the hand"
        if where.journal.with_suffix(".tilt").exists():
            version = f"a version that cures it is put in place with TABLECTL_ANYWAY={table} before the command"
            what_to_do = f"the table is tilted: clear that first (tablectl clear), start it, end the hand ({version})"
        return _recorded(where, what_to_do, without_journal)
    except ValueError:
        raise NotKnown(f"{where.socket}: what answers there is no controller of tablectl; end it") from None
    if (busy := _tried(test)) is not None:
        return Standing.BUSY, busy
    if not isinstance(report.get("play"), dict):  # of a version that does not say it
        return _recorded(where, "end the hand", without_journal)
    play = report["play"]
    return _told(OpenHand(hand=play["hand"], phase=play["phase"]) if play["is_open"] else None, "end the hand")


def _never_ran(config: Config) -> str:
    """Of a table without a journal: that nothing was dealt there yet. Raises `NotKnown`, `OSError`."""
    word = RUN / config.file.stem / STATE_FILE
    if (away := disk_away(config.journal)) is not None:
        why = f"there is no journal {config.journal}, and its disk is not mounted ({away}, of {FSTAB})"
        raise NotKnown(f"{why}; mount it (mount {away}) and try again")
    if (left := has_run(config)) is not None:
        return _is_away(config.journal, left)
    if _names(word, config):
        return _is_away(config.journal, word)
    if is_missing(folder := config.journal.parent):
        why = f"there is no folder {folder}: this table was not set up yet, or the disk of its journal is away"
        raise NotKnown(f"{why}; set it up (`tablectl setup`), take its file away, or mount the disk, and try again")
    return f"between hands: it never ran; there is no journal {config.journal}, and nothing else that a start leaves"


def _names(word: Path, config: Config) -> bool:
    with running_as_owner_of(word):
        try:
            there = read_runtime_state(word.parent)
        except ValueError:
            return False  # `_elsewhere` has looked, too
    return there == state_of(config)


def _is_away(journal: Path, left: Path) -> str:
    """Raises `NotKnown`."""
    why = f"there is no journal {journal}, and this table has run ({left}): its disk is away, or it was moved"
    raise NotKnown(f"{why}; mount the disk, or bring the journal back (`tablectl restore`), and try again")


def _must_have_been_let_in(socket: Path) -> None:
    """Raises `NotKnown`."""
    if (why := not_let_in(socket, os.R_OK | os.W_OK)) is not None:
        raise NotKnown(f"{why}: this user may not ask the controller; ask as root or as the controller's user")


def _tried(test: dict[str, Any]) -> str | None:
    """Who tries a device or enrols a deck."""
    if (running := test.get("test")) is not None:
        return f"{running['what']} are tried by {running['by']}; end the test, then try again"
    if (session := test.get("enrols")) is not None:
        return f"a deck is enrolled at {session['reader']} by {session['by']}; end it, then try again"
    return None


def _recorded(where: RuntimeState, what_to_do: str, without_journal: Callable[[], str]) -> Told:
    """What the journal says. Raises `NotKnown`."""
    try:
        if (why := not_let_in(where.journal)) is not None:
            raise NotKnown(f"{why}; {_WHO}")
        if not present(where.journal):
            return Standing.IDLE, without_journal()
        with closing(VolumeSet(where.journal)) as volume_set:
            found = open_hand(volume_set)
    except OSError as wrong:
        raise NotKnown(f"{wrong.filename or where.journal}: {wrong.strerror}; {_WHO}") from None
    except JournalUnusable as wrong:
        raise NotKnown(f"{wrong}; {_WHO}, and see `tablectl journal verify`") from None
    except (AttributeError, KeyError, TypeError, ValueError):
        what = "a record that this program did not write; `tablectl journal verify` says more"
        raise NotKnown(f"{where.journal}: {what}") from None
    return _told(found, what_to_do)


def _told(open_one: OpenHand | None, what_to_do: str) -> Told:
    if open_one is None:
        return _BETWEEN_HANDS
    return Standing.BUSY, f"hand {open_one.hand} is open ({_phase(open_one.phase)}); {what_to_do}, then try again"


def _phase(name: str) -> str:
    """In words; its name where a version of another day had other phases."""
    try:
        return load_texts().text("phase", name, SOURCE)
    except MissingText:
        return name
