"""`tablectl screens CONFIG|--socket PATH [--host HOST] [--port N]`: the croupier's and the pit boss's pages.

A process of its own: it reads the controller's public stream at PATH and may stop or fail without the deal noticing.
It starts before the controller as well, and shows that there is none yet. It answers on loopback addresses only; exit
status 2 for any other, or for a port that is taken. `--port 0` takes any free port. Prints the address, one line.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final, TextIO

from tablectl.config import BadConfig, Config, load
from tablectl.screens.files import TableFiles
from tablectl.screens.guard import is_loopback
from tablectl.screens.server import address, listen, serve

OK: Final = 0
WRONG_USAGE: Final = 2
PORT: Final = 8420


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: the controller's socket, and where to answer."""
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument("config", metavar="CONFIG", nargs="?", type=Path, help="the table's TOML file")
    either.add_argument("--socket", metavar="PATH", type=Path, help="the controller's socket, without a configuration")
    parser.add_argument("--host", metavar="HOST", default="127.0.0.1", help="a loopback address (default %(default)s)")
    parser.add_argument("--port", metavar="N", type=int, help=f"0: any free one (default: CONFIG's, or {PORT})")


def main(args: argparse.Namespace) -> int:
    """Serve until a signal ends it. Exit status 0, or 2 where it cannot listen."""
    return run(args, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """The same, with its outputs given."""
    if not is_loopback(args.host):
        stderr.write(
            f"screens: --host {args.host}: these screens have no accounts yet and answer on loopback only; "
            "would be right: 127.0.0.1, ::1 or localhost\n"
        )
        return WRONG_USAGE
    try:
        socket, port, files = where(args)
    except BadConfig as wrong:
        stderr.write(f"{wrong}\n")
        return WRONG_USAGE
    try:
        bound = listen(args.host, port)
    except (OSError, OverflowError) as error:
        stderr.write(f"screens: cannot listen on {args.host} port {port}: {error}; --port 0 takes a free one\n")
        return WRONG_USAGE
    stdout.write(f"screens: {address(args.host, bound)}\n")
    stdout.flush()
    asyncio.run(serve(socket, bound, files))
    return OK


def where(args: argparse.Namespace) -> tuple[Path, int, TableFiles | None]:
    """The controller's socket, our port, and the files that the screens look into. Raises `BadConfig`."""
    if args.config is None:
        return args.socket, PORT if args.port is None else args.port, None
    config = load(args.config)
    return config.socket, config.screens_port if args.port is None else args.port, files_of(config)


def files_of(config: Config) -> TableFiles:
    """What of a configuration the screens know."""
    return TableFiles(
        config=config.file,
        journal=config.journal,
        copy=config.copy,
        statistics=config.statistics,
        shifts=config.shifts,
    )
