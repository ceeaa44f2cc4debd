"""`tablectl pit init|run|enrol|revoke|tables|verify|find CONFIG …`: the server that keeps the records of many tables.

`init` makes what a new server needs: the casino's authority, the server's certificate, the key that signs receipts.
`docs/fleet.md` says how a table is enrolled. Exit status 0; 1 where a check found something, or it cannot be; 2 for
wrong usage or a file that cannot be used.
"""

from __future__ import annotations

import argparse
import re
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tablectl.cli.status import Status, WrongUsage
from tablectl.core.timestamps import time_text
from tablectl.core.validation import Invalid
from tablectl.fleet.certificates import new_key, write_key
from tablectl.fleet.pit.app import make_app
from tablectl.fleet.pit.authority import Authority, NotOurs
from tablectl.fleet.pit.server import server_of
from tablectl.fleet.pit.service import PitService
from tablectl.fleet.pit.settings import PitSection, load_pit
from tablectl.fleet.pit.sqlite_store import SqliteStore
from tablectl.fleet.pit.store import KnownTable, StoreUnusable
from tablectl.fleet.pit.verification import verify
from tablectl.journal.clock import now_us
from tablectl.journal.keys import load_signer, make_signing_key
from tablectl.journal.public_keys import BadKey, fingerprint, load_public, public_pem
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin, mistakes_told
from tablectl.web.screens.server import address

#: How a table is called there: one word, which stands in certificates and receipts.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")

_LOG: Final = LateLog()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be done, and to which table."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
    for act, what in (
        ("init", "a new server: its authority, certificate and keys; nothing that is there is changed"),
        ("run", "take records from tables until a signal ends it"),
        ("enrol", "a table may send from now on; prints its certificate"),
        ("revoke", "a table may send no more"),
        ("tables", "which tables there are, and how far their records are here"),
        ("verify", "chain and signatures of one table or of all, from record 1"),
        ("find", "the records of a hand, one a line"),
    ):
        sub = acts.add_parser(act, help=what, description=what)
        sub.add_argument("config", metavar="CONFIG", type=Path, help="the pit server's TOML file")
        if act in ("enrol", "revoke", "find"):
            sub.add_argument("table", metavar="TABLE", help="one word, as its certificate has it")
        if act == "verify":
            sub.add_argument("table", metavar="TABLE", nargs="?", help="this one alone")
        if act == "enrol":
            sub.add_argument("--key", metavar="FILE", type=Path, required=True, help="its journal's public key (PEM)")
            sub.add_argument(
                "--request", metavar="FILE", type=Path, required=True, help="what `tablectl uplink --request` printed"
            )
        if act == "find":
            sub.add_argument("hand", metavar="HAND", type=int, help="the number of the hand")


def main(args: argparse.Namespace) -> int:
    """As the module says."""
    try:
        settings = load_pit(args.config)
        return int(_ACTS[args.act](settings, args))
    except Invalid as wrong:
        if not mistakes_told(Process.PIT, wrong.mistakes, sys.stderr):
            sys.stderr.writelines(f"{mistake}\n" for mistake in wrong.mistakes)
        return Status.WRONG_USAGE
    except (NotOurs, StoreUnusable) as no:
        sys.stderr.write(f"pit: {no}\n")
        return Status.NOT_DONE
    except BadKey as wrong:
        sys.stderr.write(f"pit: {wrong}\n")
    except (OSError, ValueError) as wrong:
        where = f"{wrong.filename}: " if isinstance(wrong, OSError) and wrong.filename else ""
        why = wrong.strerror or wrong if isinstance(wrong, OSError) else wrong
        sys.stderr.write(f"pit: {where}{why}; `tablectl pit init` makes what is missing\n")
    return Status.WRONG_USAGE


def _init(settings: PitSection, _: argparse.Namespace) -> Status:
    now = datetime.now(UTC)
    if not settings.authority.exists():
        Authority.made(settings.casino, now).write(settings.authority, settings.authority_key)
        print(f"{settings.authority}: the casino's authority; give it to every table")
    if not settings.certificate.exists():
        key = new_key()
        write_key(settings.key, key)
        authority = Authority.read(settings.authority, settings.authority_key)
        settings.certificate.write_bytes(authority.for_server(settings.names, key.public_key(), now))
        print(f"{settings.certificate}: the server's certificate, for {', '.join(settings.names)}")
    make_signing_key(settings.signing_key)
    signer, _is_demo = load_signer(settings.signing_key)
    settings.public_key.write_bytes(public_pem(signer.public))
    print(f"{settings.public_key}: the key of its receipts, {fingerprint(signer.public)}; give it to every table")
    return Status.GOOD


def _enrol(settings: PitSection, args: argparse.Namespace) -> Status:
    if _NAME.fullmatch(args.table) is None:
        raise WrongUsage(f"{args.table}: a name of letters, digits, dots, hyphens and underscores, 63 at most")
    authority = Authority.read(settings.authority, settings.authority_key)
    certificate = authority.for_table(args.table, args.request.read_bytes(), datetime.now(UTC))
    with _store(settings) as store:
        store.add_table(args.table, load_public(args.key), time_text(now_us()))
    print(certificate.decode(), end="")
    return Status.GOOD


def _revoke(settings: PitSection, args: argparse.Namespace) -> Status:
    with _store(settings) as store:
        if store.revoke(_known(store, args.table).name, time_text(now_us())):
            return Status.GOOD
    raise StoreUnusable(f"{args.table} was revoked before")


def _tables(settings: PitSection, _: argparse.Namespace) -> Status:
    with _store(settings) as store:
        for table in store.tables():
            head = store.head(table)
            state = f"revoked {table.revoked}" if table.revoked else f"since {table.since}"
            print(f"{table.name}: record {head.position.seq}, epoch {head.epoch}, {state}")
        for found in store.quarantined():
            print(f"not taken: {found.table}, record {found.seq}, {found.flaw}, {found.at}: {found.why}")
    return Status.GOOD


def _verify(settings: PitSection, args: argparse.Namespace) -> Status:
    is_good = True
    with _store(settings) as store:
        for table in store.tables() if args.table is None else (_known(store, args.table),):
            found = verify(store, table)
            withheld = f", {found.withheld} too long to be sent" if found.withheld else ""
            said = found.fault or "intact"
            print(f"{table.name}: {found.records} records, {found.signatures} signatures{withheld}: {said}")
            is_good = is_good and not found.fault
    return Status.GOOD if is_good else Status.NOT_DONE


def _find(settings: PitSection, args: argparse.Namespace) -> Status:
    with _store(settings) as store:
        table = _known(store, args.table)
        hands = store.hands(table, args.hand)
        if not hands:
            raise StoreUnusable(f"{args.table}: there is no hand {args.hand}")
        newest = hands[0]
        for record in store.records(table, after=newest.first - 1, to=newest.last):
            print(record.public.decode())
    return Status.GOOD


def _run(settings: PitSection, _: argparse.Namespace) -> Status:
    signer, _is_demo = load_signer(settings.signing_key)
    log = begin(Process.PIT, table=None)
    with _store(settings) as keeping, _store(settings) as reading:
        service = PitService(keeping=keeping, reading=reading, signer=signer, now_us=now_us)
        server = server_of(
            make_app(service),
            certificate=settings.certificate,
            key=settings.key,
            authority=settings.authority,
        )
        with closing(_listening(settings.host, settings.port)) as bound:
            service.start()
            print(address(settings.host, bound, has_tls=True), flush=True)
            _LOG.info("ready", host=settings.host, port=bound.getsockname()[1])
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with suppress(KeyboardInterrupt):  # uvicorn ends in order, and then says again what ended it
                server.run(sockets=[bound])
            service.stop()
    _LOG.info("stopped")
    log.close()
    return Status.GOOD


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host.strip("[]"), port))
        made.listen(1024)
    except OSError:
        made.close()
        raise
    return made


@contextmanager
def _store(settings: PitSection) -> Iterator[SqliteStore]:
    store = SqliteStore.open(settings.store)
    try:
        yield store
    finally:
        store.close()


def _known(store: SqliteStore, name: str) -> KnownTable:
    found = next((table for table in store.tables() if table.name == name), None)
    if found is None:
        there = ", ".join(table.name for table in store.tables()) or "none"
        raise StoreUnusable(f"there is no table {name}; there is {there}")
    return found


_ACTS: Final = {
    "init": _init,
    "run": _run,
    "enrol": _enrol,
    "revoke": _revoke,
    "tables": _tables,
    "verify": _verify,
    "find": _find,
}
