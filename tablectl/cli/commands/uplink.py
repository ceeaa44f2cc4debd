"""`tablectl uplink CONFIG [--request|--status]`: sends the public records of a table to its pit server.

A process of its own, next to a table: it reads the public stream, listens to nobody, and may stop or fail without the
deal noticing; what it did not send it sends when it is back. `--request` makes the key of this table's certificate and
prints the request that `tablectl pit enrol` takes. `docs/fleet.md` says what travels.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import Final

from tablectl.cli.status import Status, WrongUsage
from tablectl.config.sections import UplinkSection
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.fleet.certificates import NoIdentity, client_context, name_in_file, new_key, request_of, write_key
from tablectl.fleet.uplink.sender import Uplink
from tablectl.fleet.uplink.state import StateFile
from tablectl.fleet.uplink.transport import Https
from tablectl.journal.public_keys import BadKey, load_public
from tablectl.journal.signing import Witness
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin, mistakes_told

_LOG: Final = LateLog()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One configuration, and what else there is to do but to run."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--request", action="store_true", help="make the key of this table's certificate, and print the request for it"
    )
    instead.add_argument("--status", action="store_true", help="the newest receipt of the pit server")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 2 for a wrong configuration or a file that is missing: a person has to look."""
    try:
        config = load(args.config)
        settings = config.uplink
        if settings is None:
            raise WrongUsage(f"{args.config}: it names no pit server: no uplink.url")
        if args.request:
            return _request(config, settings)
        if args.status:
            return _status(settings)
        return _run(config, settings)
    except BadConfig as wrong:
        if not mistakes_told(Process.UPLINK, wrong.mistakes, sys.stderr):
            sys.stderr.writelines(f"{mistake}\n" for mistake in wrong.mistakes)
    except (BadKey, NoIdentity) as wrong:
        sys.stderr.write(f"uplink: {wrong}\n")
    except OSError as wrong:
        where = f"{wrong.filename}: " if wrong.filename else ""
        sys.stderr.write(f"uplink: {where}{wrong.strerror or wrong}; enrol this table (docs/fleet.md)\n")
    return Status.WRONG_USAGE


def _request(config: Config, settings: UplinkSection) -> int:
    key = new_key()
    write_key(settings.key, key)
    print(request_of(key, config.setup.table).decode(), end="")
    return Status.GOOD


def _status(settings: UplinkSection) -> int:
    receipt = StateFile(settings.state).read()
    if receipt is None:
        print("nothing was acknowledged yet")
    else:
        print(f"{receipt.table}: acknowledged up to record {receipt.seq}, epoch {receipt.epoch}, {receipt.at}")
    return Status.GOOD


def _run(config: Config, settings: UplinkSection) -> int:
    context = client_context(authority=settings.authority, certificate=settings.certificate, key=settings.key)
    url = settings.url or ""
    uplink = Uplink(
        socket=config.socket,
        table=name_in_file(settings.certificate),
        connect=lambda: Https(url, context),
        pit=Witness(load_public(settings.pit_key)),
        state=StateFile(settings.state),
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: uplink.stop())
    log = begin(Process.UPLINK, table=config.setup.table)
    _LOG.info("ready", pit=url)
    uplink.run()
    _LOG.info("stopped")
    log.close()
    return Status.GOOD
