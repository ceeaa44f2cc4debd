"""`tablectl kiosk CONFIG [--through PATH]`: the croupier's page of a table on this machine's screen, and nothing else.

A client of a compositor (`systemd/tablectl-display@.service`), until the browser ends. The address is the table's own:
`[screens]` of CONFIG. `--through PATH`: the pages come by the Unix socket of `tablectl screens --also PATH`, and the
address is answered here, in a network of the kiosk's own (`systemd/tablectl-kiosk@.service`). The browser's files are
in the folder that XDG_RUNTIME_DIR names, gone with it. TABLECTL_KIOSK_SCALE: how much larger than one pixel to a pixel
the page is, 0.5 to 4. Exit status 1 where the browser ended, 2 where there is nothing to show or no way to show it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from tablectl.api.unix_socket import is_listening
from tablectl.cli.status import Status, WrongUsage
from tablectl.config.table_file import BadConfig, load
from tablectl.core.os_error_text import happened
from tablectl.ops.kiosk.browser import Browser, BrowserEnded, command
from tablectl.ops.kiosk.keeper import Keeper
from tablectl.ops.kiosk.place import NotShown, Place, place_of
from tablectl.ops.kiosk.relay import Relay
from tablectl.ops.kiosk.settings import SCALE, mistakes, scale_of
from tablectl.ops.kiosk.waiting import waiting_page

RUNTIME: Final = "XDG_RUNTIME_DIR"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The table."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument(
        "--through",
        metavar="PATH",
        type=Path,
        help="the Unix socket of the screens' --also; the address is served here",
    )


def main(args: argparse.Namespace) -> int:
    """Until the browser ends."""
    try:
        place = place_of(load(args.config), args.through)
        words = command(place, profile(), scale=scale())
        begin_relay(place)
        browser = Browser(words)
    except BadConfig as wrong:
        sys.stderr.writelines(f"{mistake}\n" for mistake in wrong.mistakes)
        return Status.WRONG_USAGE
    except (NotShown, OSError) as wrong:
        raise WrongUsage(f"kiosk: {wrong}") from None
    try:
        Keeper(place, browser, waiting_page(place.languages), is_listening=is_listening).keep()
    except BrowserEnded:
        sys.stderr.write(f"kiosk: the browser ended: {browser.end()}\n")
    return Status.NOT_DONE


def begin_relay(place: Place) -> None:
    """Where the pages come through a socket; it ends with the process. Raises `NotShown`."""
    if place.through is None:
        return
    try:
        Relay(place.host, place.port, place.through, say=_say).start()
    except OSError as wrong:
        right = "a network of its own, as tablectl-kiosk@.service has"
        raise NotShown(f"{place.host} port {place.port}: found {happened(wrong)}; would be right: {right}") from None


def _say(text: str) -> None:
    sys.stderr.write(f"kiosk: {text}\n")
    sys.stderr.flush()


def profile() -> Path:
    """Where the browser keeps what it keeps. Raises `NotShown`."""
    if not (folder := os.environ.get(RUNTIME, "")):
        raise NotShown(f"{RUNTIME} is not set: the kiosk is a compositor's client, as tablectl-kiosk@.service is")
    return Path(folder) / "browser"


def scale() -> float:
    """Raises `NotShown`."""
    said = os.environ.get(SCALE) or "1"
    if (found := scale_of(said)) is None:
        raise NotShown("; ".join(mistakes({SCALE: said})))
    return found
