"""`tablectl screens CONFIG|--socket PATH --people PATH [--host HOST] [--port N]`: the pages of the people at the table.

A process of its own: it reads the controller's public stream at PATH and may stop or fail without the deal noticing.
It starts before the controller as well, and shows that there is none yet. Beyond loopback it answers by TLS alone, or
behind a proxy of this machine that does it (docs/accounts.md); exit status 2 where neither is given, for a port that is
taken, and for a file of accounts that others can read. `--port 0` takes any free port. Prints the address, one line;
at the first start of a house one more, with its first manager's one-time password or, where no terminal shows it, with
the file that it is in.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from tablectl.config import BadConfig, load
from tablectl.people.administration import Administration
from tablectl.people.file import PeopleUnusable
from tablectl.people.first import FIRST_MANAGER, keep_first
from tablectl.people.people import People
from tablectl.screens.files import TableFiles
from tablectl.screens.server import PLAIN, NotSafe, Transport, address, listen, make_server

OK: Final = 0
WRONG_USAGE: Final = 2
PORT: Final = 8420
HOST: Final = "127.0.0.1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Where:
    """The controller's socket, the file of accounts, where to answer and how, and the table's files if known."""

    socket: Path
    people: Path
    host: str
    port: int
    transport: Transport = PLAIN
    files: TableFiles | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: the controller's socket and the accounts, and where to answer."""
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument("config", metavar="CONFIG", nargs="?", type=Path, help="the table's TOML file")
    either.add_argument("--socket", metavar="PATH", type=Path, help="the controller's socket, without a configuration")
    parser.add_argument("--people", metavar="PATH", type=Path, help="the file of accounts; goes with --socket")
    parser.add_argument("--host", metavar="HOST", help=f"where to answer (default: CONFIG's, or {HOST})")
    parser.add_argument("--port", metavar="N", type=int, help=f"0: any free one (default: CONFIG's, or {PORT})")


def main(args: argparse.Namespace) -> int:
    """Serve until a signal ends it. Exit status 0, or 2 where it cannot listen."""
    return run(args, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """The same, with its outputs given."""
    if args.config is None and args.people is None:
        stderr.write("screens: --socket PATH goes with --people PATH: the file of accounts\n")
        return WRONG_USAGE
    try:
        place = where(args)
        place.transport.check(place.host)
        people = People(place.people)
    except BadConfig as wrong:
        stderr.write(f"{wrong}\n")
        return WRONG_USAGE
    except (NotSafe, PeopleUnusable) as wrong:
        stderr.write(f"screens: {wrong}\n")
        return WRONG_USAGE
    try:
        server = make_server(place.socket, people, place.files, transport=place.transport)
    except OSError as wrong:
        stderr.write(f"screens: certificate or key: {wrong}\n")
        return WRONG_USAGE
    try:
        bound = listen(place.host, place.port)
    except (OSError, OverflowError) as error:
        stderr.write(f"screens: cannot listen on {place.host} port {place.port}: {error}; --port 0 takes a free one\n")
        return WRONG_USAGE
    stdout.write(f"screens: {address(place.host, bound, has_tls=place.transport.has_tls)}\n")
    try:
        stdout.write(first_said(people, is_terminal=stdout.isatty()))
    except OSError as wrong:
        right = f"tablectl people reset CONFIG {FIRST_MANAGER}"
        stderr.write(f"screens: the first password cannot be kept: {wrong}; would be right: {right}\n")
        return WRONG_USAGE
    stdout.flush()
    asyncio.run(server.serve(sockets=[bound]))
    return OK


def first_said(people: People, *, is_terminal: bool) -> str:
    """At the first start of a house: how its manager signs on. The password goes to whoever sits there, and else into a
    file of the accounts' owner: what a service says is kept by the system, and read by others. Raises `OSError`."""
    password = asyncio.run(Administration(people).first())
    if password is None:
        return ""
    as_who = f"screens: no accounts yet; sign on as {FIRST_MANAGER} with the one-time password"
    if is_terminal:
        return f"{as_who} {password}\n"
    return f"{as_who} in {keep_first(people.file.path, password)}\n"


def where(args: argparse.Namespace) -> Where:
    """From the configuration or from the command line. Raises `BadConfig`."""
    if args.config is None:
        return Where(
            socket=args.socket,
            people=args.people,
            host=HOST if args.host is None else args.host,
            port=PORT if args.port is None else args.port,
        )
    config = load(args.config)
    return Where(
        socket=config.socket,
        people=config.people if args.people is None else args.people,
        host=config.screens_host if args.host is None else args.host,
        port=config.screens_port if args.port is None else args.port,
        transport=Transport(
            certificate=config.screens_certificate, key=config.screens_key, behind_proxy=config.screens_behind_proxy
        ),
        files=TableFiles(
            config=config.file,
            journal=config.journal,
            copy=config.copy,
            auditor=config.auditor,
            statistics=config.statistics,
            shifts=config.shifts,
        ),
    )
