"""`tablectl screens CONFIG … [--host HOST] [--port N] [--also PATH]`: the people's pages.

A process of its own: it reads the controller's public stream and may stop or fail without the deal noticing. It starts
before the controller as well, and shows that there is none yet. Instead of CONFIG: `--socket PATH` of the controller.
`--accounts PATH`: another process keeps the accounts (`tablectl accounts`), as at a real table; otherwise this one
does, in the file `--people PATH` or in that of CONFIG.

Beyond loopback it answers by TLS alone, or behind a proxy of this machine that does it (docs/accounts.md); exit status
2 where neither is given, for a port that is taken, and for a file of accounts that others can read. `--port 0` takes
any free port. `--also PATH`: the same pages at a Unix socket, for the table's own browser, which has no network
(`tablectl kiosk --through PATH`). Prints the address, one line; where it keeps the accounts, at the first start of a
house one more, with its first manager's one-time password or, where no terminal shows it, with the file that it is in.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from tablectl.cli.first_manager import cannot_keep_first, first_said
from tablectl.cli.status import Status
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.core.os_error_text import happened, told
from tablectl.journal.readers import not_let_in
from tablectl.ops.connections import listen
from tablectl.ops.end_in_order import end_in_order
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin, mistakes_told
from tablectl.ops.logs.choice import goes_to_journal
from tablectl.people.file import PeopleUnusable
from tablectl.people.people import People
from tablectl.people.service.answering import PasskeyRules, passkey_rules
from tablectl.people.service.remote import RemoteAccounts
from tablectl.people.sessions import IDLE_US
from tablectl.web.screens.files import TableFiles
from tablectl.web.screens.server import PLAIN, NotSafe, Transport, address, listen_also, make_server

PORT: Final = 8420
HOST: Final = "127.0.0.1"

_LOG: Final = LateLog()


@dataclass(frozen=True, kw_only=True, slots=True)
class Where:
    """The controller's socket, the accounts, where to answer and how, and the table's name and files if known."""

    socket: Path
    people: Path | None
    host: str
    port: int
    transport: Transport = PLAIN
    table: str | None = None
    files: TableFiles | None = None
    #: how long a session at a desk lasts without a touch, in microseconds
    idle_us: int = IDLE_US
    #: a Unix socket at which they answer too
    also: Path | None = None
    #: what of the table this user may not use, with what its pages then lack, and who could let it
    closed: tuple[str, ...] = ()
    #: the socket of the process that keeps the accounts, where it is another one
    accounts: Path | None = None
    #: what a house with passkeys says of them
    passkeys: PasskeyRules | None = None

    def house(self) -> People | RemoteAccounts:
        """The accounts, or the process that keeps them. Raises `PeopleUnusable`."""
        if self.accounts is not None:
            return RemoteAccounts(self.accounts)
        if self.people is None:
            raise PeopleUnusable("there is no file of accounts; would be right: --people PATH, or --accounts PATH")
        return People(self.people, idle_us=self.idle_us)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: the controller's socket and the accounts, and where to answer."""
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument("config", metavar="CONFIG", nargs="?", type=Path, help="the table's TOML file")
    either.add_argument("--socket", metavar="PATH", type=Path, help="the controller's socket, without a configuration")
    accounts = parser.add_mutually_exclusive_group()
    accounts.add_argument("--people", metavar="PATH", type=Path, help="the file of accounts; goes with --socket")
    accounts.add_argument(
        "--accounts", metavar="PATH", type=Path, help="the socket of the process that keeps them: tablectl accounts"
    )
    parser.add_argument("--host", metavar="HOST", help=f"where to answer (default: CONFIG's, or {HOST})")
    parser.add_argument("--port", metavar="N", type=int, help=f"0: any free one (default: CONFIG's, or {PORT})")
    parser.add_argument("--also", metavar="PATH", type=Path, help="a Unix socket at which to answer too")


def main(args: argparse.Namespace) -> int:
    """Serve until a signal ends it. Exit status 0, or 2 where it cannot listen."""
    return run(args, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """The same, with its outputs given."""
    if args.config is None and args.people is None and args.accounts is None:
        stderr.write("screens: --socket PATH goes with --people PATH, the file of accounts, or with --accounts PATH\n")
        return Status.WRONG_USAGE
    try:
        place = where(args)
        place.transport.check(place.host)
        people = place.house()
    except BadConfig as wrong:
        return _refuse(wrong.mistakes, stderr)
    except (NotSafe, PeopleUnusable) as wrong:
        return _refuse([f"screens: {wrong}"], stderr)
    log = begin(Process.SCREENS, table=place.table)
    _say_closed(place.closed, stderr)
    status = _serve(place, people, stdout, stderr)
    log.close()
    return status


def _refuse(mistakes: Sequence[object], stderr: TextIO) -> int:
    if not mistakes_told(Process.SCREENS, mistakes, stderr):
        stderr.writelines(f"{mistake}\n" for mistake in mistakes)
    return Status.WRONG_USAGE


def _say_closed(closed: Sequence[str], stderr: TextIO) -> None:
    for text in closed:
        if goes_to_journal(os.environ, stderr):
            _LOG.warning("closed to the screens", what=text)
        else:
            stderr.write(f"screens: {text}\n")


def _serve(place: Where, people: People | RemoteAccounts, stdout: TextIO, stderr: TextIO) -> int:
    try:
        place.transport.check_files()
        server = make_server(place.socket, people, place.files, passkeys=place.passkeys, transport=place.transport)
    except OSError as wrong:
        return _refuse([f"screens: certificate or key: {_unusable(wrong)}"], stderr)
    try:
        bound = listen(place.host, place.port, place.transport.limits)
    except (OSError, OverflowError) as error:
        what = f"cannot listen on {place.host} port {place.port}: {_why(error)}; --port 0 takes a free one"
        return _refuse([f"screens: {what}"], stderr)
    try:
        also = None if place.also is None else listen_also(place.also)
    except OSError as error:
        right = "a path in a folder of this user's, at which nobody answers"
        return _refuse([f"screens: cannot listen at {place.also}: {happened(error)}; would be right: {right}"], stderr)
    end_in_order(server)
    is_service = goes_to_journal(os.environ, stdout)
    if not is_service:
        stdout.write(f"screens: {address(place.host, bound, has_tls=place.transport.has_tls)}\n")
    try:
        first = first_said(people, Process.SCREENS, is_terminal=stdout.isatty()) if isinstance(people, People) else ""
    except OSError as wrong:
        return _refuse([f"screens: {cannot_keep_first(wrong, happened(wrong))}"], stderr)
    if is_service and first:
        _LOG.warning("no accounts yet", said=first.strip())
    elif first:
        stdout.write(first)
    stdout.flush()
    _LOG.info("ready", host=place.host, port=bound.getsockname()[1], tls=place.transport.has_tls)
    asyncio.run(server.serve(sockets=[bound] if also is None else [bound, also]))
    if place.also is not None:
        place.also.unlink(missing_ok=True)
    _LOG.info("stopped")
    return Status.GOOD


def _why(error: OSError | OverflowError) -> str:
    return happened(error) if isinstance(error, OSError) else str(error)


def _unusable(wrong: OSError) -> str:
    """A file that cannot be read; or, from the TLS library and without a path, one that is no certificate or key."""
    return str(wrong) if wrong.filename is None else told(wrong, "the PEM file that screens.certificate and key name")


def where(args: argparse.Namespace) -> Where:
    """From the configuration or from the command line. Raises `BadConfig`."""
    if args.config is None:
        return Where(
            socket=args.socket,
            people=args.people,
            accounts=args.accounts,
            host=HOST if args.host is None else args.host,
            port=PORT if args.port is None else args.port,
            also=args.also,
        )
    config = load(args.config)
    return Where(
        socket=config.socket,
        people=config.people if args.people is None else args.people,
        accounts=args.accounts,
        passkeys=passkey_rules(config.passkey_host, is_required=config.needs_passkey),
        host=config.screens_host if args.host is None else args.host,
        port=config.screens_port if args.port is None else args.port,
        transport=Transport(
            certificate=config.screens_certificate, key=config.screens_key, behind_proxy=config.screens_behind_proxy
        ),
        table=config.setup.table,
        files=TableFiles(
            config=config.file,
            journal=config.journal,
            copy=config.copy,
            auditor=config.auditor,
            statistics=config.statistics,
            shifts=config.shifts,
            uplink=None if config.uplink is None else config.uplink.state,
            witness=_witness_state(config),
        ),
        idle_us=config.idle_minutes * 60_000_000,
        also=args.also,
        closed=tuple(_closed(config)),
    )


def _witness_state(config: Config) -> Path | None:
    """Where the notifications say how it is with the journal's heads."""
    witness = None if config.notifications is None else config.notifications.witness
    return None if witness is None else witness.state


def _closed(config: Config) -> Iterator[str]:
    """What belongs to the controller or to the house, where this user cannot use it."""
    journal = "the auditor's pages and the hands of before lack it; journal.readers says who may read it"
    approved = "the technician's page cannot check the software; make it readable for everybody"
    uplink = "the technician's page cannot tell how the uplink is; give it to the group tablectl-readers"
    looked_into: tuple[tuple[Path | None, int, str], ...] = (
        (config.socket, os.R_OK | os.W_OK, "no page hears of the table; control.readers says who may come to it"),
        (config.journal, os.R_OK, journal),
        (config.copy, os.R_OK, "the auditor's pages cannot compare the copy; journal.readers says who may read it"),
        (config.places.public_key, os.R_OK, "no signature can be checked; journal.readers says who may read it"),
        (config.auditor, os.R_OK, "the auditor's page cannot name the auditor's key; make it readable for everybody"),
        (config.manifest, os.R_OK, approved),
        (config.approver, os.R_OK, approved),
        (None if config.uplink is None else config.uplink.state, os.R_OK, uplink),
    )
    for path, access, what in looked_into:
        if path is not None and (why := not_let_in(path, access)) is not None:
            yield f"{why}: {what}"
