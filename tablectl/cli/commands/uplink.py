"""`tablectl uplink CONFIG [--enrol|--request|--status]`: sends the public records of a table to its pit server.

A process of its own, next to a table: it reads the public stream, listens to nobody, and may stop or fail without the
deal noticing; what it did not send it sends when it is back. `--enrol` asks for the code that `tablectl pit enrol`
shows, and gets this table's certificate; `--request` prints a request, for a house that carries files. `docs/fleet.md`
says what travels.
"""

from __future__ import annotations

import argparse
import signal
import ssl
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from tablectl.cli.status import Status, WrongUsage
from tablectl.config.sections import UplinkSection
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.core.timestamps import time_us
from tablectl.fleet.certificates import RENEW_LEFT, NoIdentity, new_key, request_of, shown_in_file, write_key
from tablectl.fleet.codes import BadCode
from tablectl.fleet.enrolment import NAME
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.uplink.enrolling import InTheWay, enrol, in_the_way, name_of
from tablectl.fleet.uplink.identity import APART_S, Identity
from tablectl.fleet.uplink.presence import ANSWER_S, PresenceLane
from tablectl.fleet.uplink.sender import Uplink
from tablectl.fleet.uplink.state import Remembered, StateFile, unit_of
from tablectl.fleet.uplink.table_now import TableNow
from tablectl.fleet.uplink.transport import Https, NowTransport, PitAway, PitRefuses, Transport, UnknownServer
from tablectl.journal.clock import now_us
from tablectl.journal.public_keys import BadKey, fingerprint, load_public
from tablectl.journal.signing import Witness
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin, mistakes_told

_LOG: Final = LateLog()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One configuration, and what else there is to do but to run."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--enrol", action="store_true", help="get this table's certificate for the code that `tablectl pit enrol` shows"
    )
    instead.add_argument(
        "--request", action="store_true", help="make the key of this table's certificate, and print the request for it"
    )
    instead.add_argument(
        "--status",
        action="store_true",
        help="how it is, the newest receipt of the pit server, the certificate and the clocks",
    )
    parser.add_argument(
        "--replace", action="store_true", help="with --enrol: a new key, and write over the files that are there"
    )


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 2 for a wrong configuration or a file that is missing: a person has to look."""
    try:
        config = load(args.config)
        settings = config.uplink
        if settings is None:
            raise WrongUsage(f"{args.config}: it names no pit server: no uplink.url")
        if args.enrol:
            return _enrol(config, settings, replaces=args.replace)
        if args.request:
            return _request(config, settings)
        if args.status:
            return _status(config, settings, now_us())
        return _run(config, settings)
    except BadConfig as wrong:
        if not mistakes_told(Process.UPLINK, wrong.mistakes, sys.stderr):
            sys.stderr.writelines(f"{mistake}\n" for mistake in wrong.mistakes)
    except (PitAway, PitRefuses, UnknownServer) as no:
        sys.stderr.write(f"uplink: {no}\n")
        return Status.NOT_DONE
    except (BadKey, BadCode, InTheWay, NoIdentity) as wrong:
        sys.stderr.write(f"uplink: {wrong}\n")
    except OSError as wrong:
        where = f"{wrong.filename}: " if wrong.filename else ""
        sys.stderr.write(f"uplink: {where}{wrong.strerror or wrong}; enrol this table (docs/fleet.md)\n")
    return Status.WRONG_USAGE


def _enrol(config: Config, settings: UplinkSection, *, replaces: bool) -> int:
    name = name_of(config, settings)
    if NAME.fullmatch(name) is None:
        raise WrongUsage(f"{name}: no name for a table at a pit server; choose one word (uplink.name)")
    if not replaces:
        in_the_way(settings)
    journal_key = load_public(config.places.public_key)
    if sys.stdin.isatty():
        sys.stderr.write(f"the code for {name}, as `tablectl pit enrol` shows it: ")
        sys.stderr.flush()
    answer = enrol(settings, name=name, code=sys.stdin.readline(), journal_key=journal_key, replaces=replaces)
    shown = shown_in_file(settings.certificate)
    print(f"{name} is enrolled until {shown.ends:%Y-%m-%d}; its certificate is renewed by itself")
    print(f"the pit server's key: {fingerprint(bytes.fromhex(answer.pit_key))}")
    ahead_s = (time_us(answer.at) - now_us()) / 1_000_000
    if abs(ahead_s) > APART_S:
        print(_apart(ahead_s))
    print(f"next: `tablectl uplink {config.file}` sends the records")
    return Status.GOOD


def _request(config: Config, settings: UplinkSection) -> int:
    key = new_key()
    write_key(settings.key, key)
    print(request_of(key, name_of(config, settings)).decode(), end="")
    return Status.GOOD


def _status(config: Config, settings: UplinkSection, at_us: int) -> int:
    found = StateFile(settings.state).read()
    print(_link_told(found, config, at_us))
    receipt, clock = found.receipt, found.clock
    if receipt is None:
        print("nothing was acknowledged yet")
    else:
        print(f"{receipt.table}: acknowledged up to record {receipt.seq}, epoch {receipt.epoch}, {receipt.at}")
    ahead_s = 0.0 if clock is None else clock.ahead_s
    now = datetime.fromtimestamp(at_us / 1_000_000 + ahead_s, UTC)
    shown = shown_in_file(settings.certificate)
    if not shown.is_good(now):
        way = "it is renewed where the pit server answers"
        print(f"certificate: good from {shown.begins:%Y-%m-%d} to {shown.ends:%Y-%m-%d}; {way}")
    else:
        print(f"certificate: good until {shown.ends:%Y-%m-%d}; renewed from {shown.ends - RENEW_LEFT:%Y-%m-%d} on")
    if found.not_renewed:
        print(f"certificate: not renewed: {found.not_renewed}")
    if clock is not None:
        print(_apart(ahead_s) if abs(ahead_s) > APART_S else f"clock: {ahead_s:+.1f} s, the pit server's less this one")
    return Status.GOOD


def _link_told(found: Remembered, config: Config, at_us: int) -> str:
    status = found.status
    if status is None or not found.runs(at_us):
        return f"link: not running; start it (systemctl start {unit_of(config.file)})"
    behind = f"{found.behind} records behind" if found.behind else "nothing is missing there"
    if status.link.is_sending:
        return f"link: {status.link} since {status.since}; {behind}" + (f"; {status.why}" if status.why else "")
    return f"link: {status.link}: {status.why or 'nothing was heard yet'}; not sending since {status.stopped}; {behind}"


def _apart(ahead_s: float) -> str:
    which = "ahead of" if ahead_s > 0 else "behind"
    apart = timedelta(seconds=round(abs(ahead_s)))
    return f"clock: the pit server's is {apart} {which} this one; set the one that is wrong (timedatectl)"


def _records(settings: UplinkSection, context: ssl.SSLContext, name: str) -> Transport:
    """The way of the records."""
    if settings.broker is not None:
        from tablectl.fleet.uplink.mqtt import Mqtt

        return Mqtt(settings.broker, context, name, lane="records")
    return Https(settings.url or "", context)


def _now(settings: UplinkSection, context: ssl.SSLContext, name: str, epoch: Epoch) -> NowTransport:
    """The way of what the table is doing now. `epoch`: of the records that the pit server has."""
    if settings.broker is not None:
        from tablectl.fleet.uplink.mqtt import Mqtt

        return Mqtt(settings.broker, context, name, lane="now", answer_s=ANSWER_S, epoch=epoch)
    return Https(settings.url or "", context, answer_s=ANSWER_S)


def _run(config: Config, settings: UplinkSection) -> int:
    url = settings.url or ""
    pit = Witness(load_public(settings.pit_key))
    identity = Identity(settings, pit=pit, now_us=now_us)
    uplink = Uplink(
        socket=config.socket,
        identity=identity,
        connect=lambda context: _records(settings, context, identity.name),
        pit=pit,
        state=StateFile(settings.state),
    )
    lane = PresenceLane(
        TableNow(config.socket, config.marks),
        lambda: _now(settings, identity.context(), identity.name, uplink.known()[0]),
        known=uplink.known,
        refused=uplink.look,
        now_us=now_us,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: uplink.stop())
    log = begin(Process.UPLINK, table=config.setup.table)
    _LOG.info("ready", pit=url)
    telling = threading.Thread(target=lane.run, name="presence")
    telling.start()
    try:
        uplink.run()
    finally:
        lane.stop()
        telling.join()
    _LOG.info("stopped")
    log.close()
    return Status.GOOD
