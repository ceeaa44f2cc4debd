"""`tablectl accounts CONFIG [--people PATH] [--listen PATH]`: keeps the accounts of one table's people.

A process of its own, with a user of its own: it alone opens the file of accounts, and it alone enters something at the
controller in the name of people. The screens, which face the network, ask it at the Unix socket PATH, by default
`accounts.sock` beside the file of accounts. It starts before the controller as well. Exit status 2 for a configuration
that is wrong, for a file of accounts that others can read, and for a socket at which somebody listens already.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TextIO

from tablectl.api import async_client
from tablectl.cli.first_manager import cannot_keep_first, first_said
from tablectl.cli.status import Status
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.core.os_error_text import happened
from tablectl.journal.known_heads import KnownHeads
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin, mistakes_told
from tablectl.ops.logs.choice import goes_to_journal
from tablectl.ops.tasks import Run, kept_running
from tablectl.people.file import PeopleUnusable
from tablectl.people.people import People
from tablectl.people.service.answering import AccountsService, passkey_rules
from tablectl.people.service.following import FollowedTable
from tablectl.people.service.head_keeper import HeadKeeper
from tablectl.people.service.server import AccountsServer

#: How long the controller may take for an answer, in seconds.
REPLY_WITHIN_S: Final = 6.0
_SOCKET: Final = "accounts.sock"

_LOG: Final = LateLog()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument("--people", metavar="PATH", type=Path, help="the file of accounts (default: CONFIG's)")
    parser.add_argument("--listen", metavar="PATH", type=Path, help=f"the socket (default: {_SOCKET} beside that file)")


def main(args: argparse.Namespace) -> int:
    """Serve until a signal ends it. Exit status 0, or 2 where it cannot."""
    return run(args, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """The same, with its outputs given."""
    try:
        config = load(args.config)
        path = config.people if args.people is None else args.people
        people = People(path, idle_us=config.idle_minutes * 60_000_000)
    except BadConfig as wrong:
        return _refuse(wrong.mistakes, stderr)
    except PeopleUnusable as wrong:
        return _refuse([f"accounts: {wrong}"], stderr)
    log = begin(Process.ACCOUNTS, table=config.setup.table)
    try:
        first = first_said(people, Process.ACCOUNTS, is_terminal=stdout.isatty())
    except OSError as wrong:
        return _refuse([f"accounts: {cannot_keep_first(wrong, happened(wrong))}"], stderr)
    is_service = goes_to_journal(os.environ, stdout)
    if is_service and first:
        _LOG.warning("no accounts yet", said=first.strip())
    elif first:
        stdout.write(first)
    listen = path.with_name(_SOCKET) if args.listen is None else args.listen
    try:
        heads = KnownHeads(path.with_name(f"{config.file.stem}.heads"))
        asyncio.run(_serve(people, config, listen, None if is_service else stdout, heads))
    except OSError as wrong:
        right = "a path in a folder of this user's, at which nobody answers"
        return _refuse([f"accounts: cannot listen at {listen}: {happened(wrong)}; would be right: {right}"], stderr)
    finally:
        people.file.close()
    _LOG.info("stopped")
    log.close()
    return Status.GOOD


async def _serve(people: People, config: Config, listen: Path, stdout: TextIO | None, heads: KnownHeads) -> None:
    """Raises `OSError` where it cannot listen."""
    table, keeper = FollowedTable(config.socket, heads), HeadKeeper(config.socket, heads)
    ask = partial(async_client.ask, config.socket, timeout_s=REPLY_WITHIN_S)
    lines = partial(async_client.lines, config.socket)
    rules = passkey_rules(config.passkey_host, is_required=config.needs_passkey)
    service = AccountsService(people, table, ask, lines, rules)
    server = AccountsServer(listen, service)
    await server.start()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    following: Run = partial(table.run, service.heard)
    parts = {**service.running(), **keeper.running(), "the link to the controller": following}
    tasks = [asyncio.create_task(kept_running(name, run)) for name, run in parts.items()]
    if stdout is not None:
        stdout.write(f"accounts: {listen}\n")
        stdout.flush()
    _LOG.info("ready", socket=str(listen))
    try:
        await ended.wait()
    finally:
        await server.end()
        service.settle()
        await keeper.keep()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def _refuse(mistakes: Sequence[object], stderr: TextIO) -> int:
    if not mistakes_told(Process.ACCOUNTS, mistakes, stderr):
        stderr.writelines(f"{mistake}\n" for mistake in mistakes)
    return Status.WRONG_USAGE
