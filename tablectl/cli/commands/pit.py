"""`tablectl pit ACT CONFIG …`: the server that keeps the records of many tables.

`init` makes what a new server needs: the casino's authority, the server's certificate, the key that signs receipts.
`docs/fleet.md` says how a table is enrolled. Exit status 0; 1 where a check found something, or it cannot be; 2 for
wrong usage or a file that cannot be used.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tablectl.cli.commands.pit_broker import broker
from tablectl.cli.commands.pit_database import backup, known, migrate, pack, restore, verify
from tablectl.cli.status import Status, WrongUsage
from tablectl.core.timestamps import time_text
from tablectl.core.validation import Invalid
from tablectl.fleet import codes
from tablectl.fleet.certificates import NoIdentity, new_key, shown_in_file, write_key
from tablectl.fleet.enrolment import NAME
from tablectl.fleet.pit import identity
from tablectl.fleet.pit.authority import Authority
from tablectl.fleet.pit.identity import Refused
from tablectl.fleet.pit.kept_journal import KeptJournal
from tablectl.fleet.pit.opening import opened
from tablectl.fleet.pit.packing import OLDER_THAN_HOURS
from tablectl.fleet.pit.settings import PitSection, load_pit
from tablectl.fleet.pit.store import StoreUnusable
from tablectl.journal.clock import now_us
from tablectl.journal.keys import load_signer, make_signing_key
from tablectl.journal.public_keys import BadKey, fingerprint, load_public, public_pem
from tablectl.ops.logs.begin import Process, mistakes_told
from tablectl.web.overview.viewers import BadViewers, add_viewer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be done, and to which table."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
    for act, what in (
        ("init", "a new server: its authority, certificate and keys; nothing that is there is changed"),
        ("migrate", "bring the PostgreSQL database to the schema of this release, and the roles to their rights"),
        ("run", "take records from tables until a signal ends it"),
        ("enrol", "shows the code with which a table is enrolled; with --request: prints its certificate"),
        ("revoke", "a table may send no more"),
        ("broker", "the configuration of a broker (Mosquitto): certificate, and which table may do what"),
        ("tables", "which tables there are, and how far their records are here"),
        ("pack", "pack older records, as the server does every hour where it may"),
        ("backup", "a copy of everything, while the server runs"),
        ("restore", "a copy becomes the store of a server that has none"),
        ("verify", "chain and signatures of one table or of all, from record 1"),
        ("viewer", "somebody may look at the overview from elsewhere; prints his token, which is shown once"),
        ("find", "the records of a hand, one a line"),
        ("export", "a hand as an archive, or all records as lines, to be checked as a table's own"),
    ):
        sub = acts.add_parser(act, help=what, description=what)
        sub.add_argument("config", metavar="CONFIG", type=Path, help="the pit server's TOML file")
        if act in ("enrol", "revoke", "find", "export"):
            sub.add_argument("table", metavar="TABLE", help="one word, as its certificate has it")
        if act == "viewer":
            sub.add_argument("name", metavar="NAME", help="who looks, in one word")
        if act == "verify":
            sub.add_argument("table", metavar="TABLE", nargs="?", help="this one alone")
        if act == "enrol":
            sub.add_argument("--key", metavar="FILE", type=Path, help="its journal's public key (PEM), and no other")
            by_file = sub.add_mutually_exclusive_group()
            by_file.add_argument(
                "--request", metavar="FILE", type=Path, help="what `tablectl uplink --request` printed"
            )
            by_file.add_argument(
                "--certificate", metavar="FILE", type=Path, help="the certificate that the casino's own authority made"
            )
        if act in ("backup", "restore"):
            sub.add_argument("file", metavar="FILE", type=Path, help="the copy")
        if act == "pack":
            sub.add_argument(
                "--older-than",
                metavar="HOURS",
                type=float,
                default=OLDER_THAN_HOURS,
                help="those that came so long ago or earlier (%(default)s)",
            )
        if act == "broker":
            sub.add_argument("folder", metavar="FOLDER", type=Path, help="where it is written, for Mosquitto")
            sub.add_argument("--name", action="append", metavar="HOST", help="by which tables find the broker")
        if act == "find":
            sub.add_argument("hand", metavar="HAND", type=int, help="the number of the hand")
        if act == "export":
            sub.add_argument("folder", metavar="FOLDER", type=Path, help="where it is written")
            sub.add_argument("--hand", metavar="N", type=int, help="this hand, in an archive (default: all records)")
            sub.add_argument(
                "--epoch",
                metavar="RESTORES",
                type=int,
                help="as the journal was after so many restores (default: the newest that has it)",
            )


def main(args: argparse.Namespace) -> int:
    """As the module says."""
    try:
        settings = load_pit(args.config)
        return int(_ACTS[args.act](settings, args))
    except Invalid as wrong:
        if not mistakes_told(Process.PIT, wrong.mistakes, sys.stderr):
            sys.stderr.writelines(f"{mistake}\n" for mistake in wrong.mistakes)
        return Status.WRONG_USAGE
    except (BadViewers, Refused, StoreUnusable) as no:
        sys.stderr.write(f"pit: {no}\n")
        return Status.NOT_DONE
    except (BadKey, NoIdentity) as wrong:
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
    if NAME.fullmatch(args.table) is None:
        raise WrongUsage(f"{args.table}: a name of letters, digits, dots, hyphens and underscores, 63 at most")
    key = b"" if args.key is None else load_public(args.key)
    if args.request is None and args.certificate is None:
        return _show_code(settings, args.table, key)
    if not key:
        raise WrongUsage("--request and --certificate need --key, the public key of the table's journal")
    if args.certificate is not None:
        certificate, shown = "", shown_in_file(args.certificate)
        if shown.name != args.table:
            raise WrongUsage(f"{args.certificate}: is of {shown.name}; its common name has to be {args.table}")
    else:
        authority = Authority.read(settings.authority, settings.authority_key)
        certificate, shown = identity.issue(authority, args.table, args.request.read_text("ascii", "replace"), now_us())
    with opened(settings) as store:
        store.enrol(args.table, key, shown, time_text(now_us()))
    print(certificate, end="")
    return Status.GOOD


def _show_code(settings: PitSection, name: str, key: bytes) -> Status:
    Authority.read(settings.authority, settings.authority_key)  # without it the code would be of no use
    with opened(settings) as store:
        code = identity.new_code(store, name, now_us(), key=key)
        is_again = any(table.name == name for table in store.tables())
    print(code)
    if is_again:
        sys.stderr.write(f"{name} is enrolled already: this is for a new key, of the same journal\n")
    sys.stderr.write(
        f"for {name}, once, within {codes.VALID_S // 60} minutes: type it at the table, where"
        " `tablectl uplink CONFIG --enrol` asks for it\n"
    )
    return Status.GOOD


def _revoke(settings: PitSection, args: argparse.Namespace) -> Status:
    with opened(settings) as store:
        if store.revoke(known(store, args.table).name, time_text(now_us())):
            return Status.GOOD
    raise StoreUnusable(f"{args.table} was revoked before")


def _tables(settings: PitSection, _: argparse.Namespace) -> Status:
    with opened(settings) as store:
        for table in store.tables():
            head = store.head(table)
            state = f"revoked {table.revoked}" if table.revoked else f"since {table.since}"
            until = f", certificate until {table.certificate_until}" if table.certificate_until else ""
            print(f"{table.name}: record {head.position.seq}, epoch {head.epoch}, {state}{until}")
        restores = store.restores()
        if restores.count:
            print(f"restored from a backup {restores.last}; epoch {restores.count} of this server")
        for found in store.quarantined():
            print(f"not taken: {found.table}, record {found.seq}, {found.flaw}, {found.at}: {found.why}")
    return Status.GOOD


def _find(settings: PitSection, args: argparse.Namespace) -> Status:
    with opened(settings) as store:
        table = known(store, args.table)
        records = KeptJournal(store, table, hand=args.hand).of_hand(args.hand)
        first = next(records, None)
        if first is None:
            raise StoreUnusable(f"{args.table}: there is no hand {args.hand}")
        for record in (first, *records):
            print(record.public.decode())
    return Status.GOOD


def _export(settings: PitSection, args: argparse.Namespace) -> Status:
    # Evidence needs the engine and the texts: to find a hand takes no second.
    from tablectl.cli.commands.pit_export import export

    return export(settings, args)


def _viewer(settings: PitSection, args: argparse.Namespace) -> Status:
    print(add_viewer(settings.viewer_tokens, args.name))
    return Status.GOOD


def _run(settings: PitSection, args: argparse.Namespace) -> Status:
    # The pages and what answers to tables are for this alone: to look something up takes no second.
    from tablectl.cli.commands.pit_run import run

    return run(settings, args)


_ACTS: Final = {
    "init": _init,
    "migrate": migrate,
    "run": _run,
    "viewer": _viewer,
    "enrol": _enrol,
    "revoke": _revoke,
    "broker": broker,
    "tables": _tables,
    "pack": pack,
    "backup": backup,
    "restore": restore,
    "verify": verify,
    "find": _find,
    "export": _export,
}
