"""`tablectl kiosk CONFIG`: the croupier's page of a table on this machine's screen, and nothing else.

Runs inside a compositor (`systemd/tablectl-kiosk@.service` starts both) until the browser ends. The address is the
table's own: `[screens]` of CONFIG. The browser's files are in the folder that XDG_RUNTIME_DIR names, gone with it.
TABLECTL_KIOSK_SCALE: how much larger than one pixel to a pixel the page is, 0.5 to 4. Exit status 1 where the
browser ended, 2 where there is nothing to show or no way to show it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from tablectl.config import BadConfig, load
from tablectl.kiosk.browser import Browser, BrowserEnded, command
from tablectl.kiosk.keeper import Keeper
from tablectl.kiosk.place import NotShown, place_of
from tablectl.kiosk.waiting import waiting_page

ENDED: Final = 1
WRONG_USAGE: Final = 2
SCALE: Final = "TABLECTL_KIOSK_SCALE"
RUNTIME: Final = "XDG_RUNTIME_DIR"
_LEAST, _MOST = 0.5, 4.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The table."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")


def main(args: argparse.Namespace) -> int:
    """Until the browser ends."""
    try:
        place = place_of(load(args.config))
        words = command(place, profile(), scale=scale())
        browser = Browser(words)
    except BadConfig as wrong:
        sys.stderr.writelines(f"{each}\n" for each in wrong.mistakes)
        return WRONG_USAGE
    except (NotShown, OSError) as wrong:
        sys.stderr.write(f"kiosk: {wrong}\n")
        return WRONG_USAGE
    try:
        Keeper(place, browser, waiting_page(place.languages)).keep()
    except BrowserEnded:
        sys.stderr.write(f"kiosk: the browser ended: {browser.end()}\n")
    return ENDED


def profile() -> Path:
    """Where the browser keeps what it keeps. Raises `NotShown`."""
    if not (folder := os.environ.get(RUNTIME, "")):
        raise NotShown(f"{RUNTIME} is not set: the kiosk runs inside a compositor, as tablectl-kiosk@.service does it")
    return Path(folder) / "browser"


def scale() -> float:
    """Raises `NotShown`."""
    said = os.environ.get(SCALE) or "1"
    try:
        found = float(said)
    except ValueError:
        found = 0.0
    if not _LEAST <= found <= _MOST:
        raise NotShown(f"{SCALE}={said}; would be right: a number from {_LEAST:g} to {_MOST:g}, such as 1.25")
    return found
