"""`tablectl notifications CONFIG`: tells phones, chats and mailboxes what happens at the table.

A process of its own. It follows the controller's public stream, can be reached by nobody, and may stop or fail without
the deal noticing; what it was to send is sent when it is back. `docs/notifications.md` says what is told, and to whom.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from drivers.port import Log
from tablectl.cli.status import Status, WrongUsage
from tablectl.config.notifications import NoAddress, NotificationSettings, Target
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.config.witness import WitnessSettings
from tablectl.core.os_error_text import told
from tablectl.core.timestamps import time_text
from tablectl.journal.clock import now_us
from tablectl.journal.readers import not_let_in
from tablectl.journal.sqlite_file import SqliteError
from tablectl.notifications.apprise_client import BadAddress, Letterbox
from tablectl.notifications.outbox import Outbox, OutboxUnusable, Queue, identity
from tablectl.notifications.service import Broken, Service, Table
from tablectl.notifications.witness_state import read_state
from tablectl.notifications.wording import Scene, last_lines, sample_message
from tablectl.ops.log import LateLog
from tablectl.ops.logs.begin import Process, begin, mistakes_told

_LOG: Final = LateLog()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One configuration, and what else there is to do but to run."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--once", action="store_true", help="read what there is, send what can go now, and end")
    instead.add_argument(
        "--test", metavar="NAME", help="send a test message to a target or a group, and say if it went"
    )
    instead.add_argument(
        "--list", action="store_true", help="who is told what; of addresses only of which kind they are"
    )
    instead.add_argument("--status", action="store_true", help="what waits for each target, and since when")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where something was not sent, or the outbox cannot be used or another process has it: it may be
    better next time; 2 for a wrong configuration or address: a person has to look."""
    try:
        config = load(args.config)
        settings = config.notifications
        if settings is None:
            raise WrongUsage(f"{args.config}: it names nobody to be told: no table [[notify]], and no [witness]")
        if args.list:
            return _list(settings.targets)
        if args.status:
            return _status(settings)
        if args.test is not None:
            return _test(config, settings, args.test)
        return _run(config, settings, once=args.once)
    except BadConfig as wrong:
        _say(wrong.mistakes)
        return Status.WRONG_USAGE
    except (NoAddress, BadAddress) as wrong:
        _say([wrong])
        return Status.WRONG_USAGE
    except OutboxUnusable as wrong:
        _say([wrong])
    except SqliteError as wrong:
        _say([f"notifications: the outbox: {wrong}"])
    return Status.NOT_DONE


def _say(mistakes: Sequence[object]) -> None:
    if not mistakes_told(Process.NOTIFICATIONS, mistakes, sys.stderr):
        sys.stderr.writelines(f"{mistake}\n" for mistake in mistakes)


def _run(config: Config, settings: NotificationSettings, *, once: bool) -> int:
    if once:
        service = _service(config, settings)
        service.once()
        waiting = [queue for queue in _queues(settings) if queue.waits or queue.doubtful]
        print("\n".join(map(_told, waiting)) or "nothing waits")
        return Status.NOT_DONE if waiting else Status.GOOD
    log = begin(Process.NOTIFICATIONS, table=config.setup.table)
    service = _service(config, settings)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    try:
        status = _kept(service, [target.name for target in settings.targets])
    except (OutboxUnusable, SqliteError):
        log.close()
        raise
    log.close()
    return status


def _service(config: Config, settings: NotificationSettings) -> Service:
    if (why := not_let_in(config.socket, os.R_OK | os.W_OK)) is not None:
        _LOG.warning("controller not seen", reason=f"{why}; control.readers says who may come to it")
    marks = tuple(looked_for(config.marks, _LOG))
    table = Table(name=config.setup.table, socket=config.socket, marks=marks)
    return Service(table, settings, {target.name: _letterbox(target) for target in settings.targets}, log=_LOG)


def _kept(service: Service, targets: list[str]) -> int:
    _LOG.info("ready", targets=targets)
    try:
        service.run()
    except Broken as wrong:
        _LOG.error("notifications broke", reason=str(wrong))
        return Status.NOT_DONE
    _LOG.info("stopped")
    return Status.GOOD


def looked_for(marks: Iterable[Path], log: Log) -> Iterator[Path]:
    """Those that this user may look for. To the controller a mark that it cannot read is one; to somebody who may not
    even look, it is none: whoever is told of tilts would be told of one for ever."""
    for mark in marks:
        if (why := not_let_in(mark)) is None:
            yield mark
        else:
            log.warning("mark of a tilt not seen", reason=f"{why}; tilts are heard of from its other places")


def _letterbox(target: Target) -> Letterbox:
    try:
        return Letterbox(target.address(), timeout_s=target.timeout_s)
    except BadAddress as wrong:
        raise BadAddress(f"notify {target.name} ({target.kind}): {wrong}") from None


def _test(config: Config, settings: NotificationSettings, name: str) -> int:
    wanted = [target for target in settings.targets if name in (target.name, target.group)]
    if not wanted:
        names = sorted({word for target in settings.targets for word in (target.name, target.group) if word})
        raise WrongUsage(f"--test {name}: no target and no group of this name; there is {', '.join(names)}")
    at, is_good = time_text(now_us()), True
    for target in wanted:
        text = sample_message(at, Scene(table=config.setup.table), target.languages)
        name_of_it = identity(at, "test", "test", target.name)
        body = f"{text.body}\n\n{last_lines(name_of_it, 0, target.languages)}"
        outcome = _letterbox(target).send(name_of_it, title=text.title, body=body, severity=None)
        is_good = is_good and outcome.is_taken
        print(f"{target.name}: {'taken' if outcome.is_taken else f'NOT taken: {outcome.why}'}, id {name_of_it}")
    return Status.GOOD if is_good else Status.NOT_DONE


def _list(targets: Iterable[Target]) -> int:
    for target in targets:
        group = f" ({target.group})" if target.group else ""
        what = ", ".join(sorted(target.what))
        severities = "/".join(sorted(target.severities))
        after = f", if nobody has acknowledged it within {target.after_s} s" if target.after_s else ""
        languages = "+".join(target.languages)
        print(f"{target.name}{group}: {target.kind}: {what} [{severities}], {languages}{after}")
    return Status.GOOD


def _status(settings: NotificationSettings) -> int:
    if not settings.path.exists():
        print("nothing was read yet")
        return Status.GOOD
    known = {target.name for target in settings.targets}
    for queue in _queues(settings):
        print(_told(queue) + ("" if queue.target in known else "; no longer configured: they wait for its return"))
    with closing(Outbox(settings.path)) as outbox:
        place = outbox.place()
    print("nothing was read yet" if place is None else f"read up to record {place.seq}, {place.at or 'no time known'}")
    return _witness_status(settings.witness)


def _witness_status(witness: WitnessSettings | None) -> int:
    """What each place has that keeps heads. Raises `WrongUsage` where nobody may look."""
    if witness is None:
        return Status.GOOD
    try:
        state = read_state(witness.state)
    except OSError as wrong:
        raise WrongUsage(told(wrong, "the user of the notifications, or root", wrong.filename)) from None
    for name, kept in state.places.items():
        has = f"has record {kept.seq} since {kept.at}" if kept.seq else "has nothing yet"
        print(f"witness {name}: {has}" + (f"; since {kept.since}: {kept.why}" if kept.why else ""))
    return Status.GOOD


def _queues(settings: NotificationSettings) -> tuple[Queue, ...]:
    with closing(Outbox(settings.path)) as outbox:
        return outbox.queues()


def _told(queue: Queue) -> str:
    since = "" if queue.oldest_us is None else f", the first since {time_text(queue.oldest_us)}"
    doubt = f", {queue.doubtful} in doubt" if queue.doubtful else ""
    tries = f", tried {queue.tries} times" if queue.tries else ""
    return f"{queue.target}: {queue.waits} wait{doubt}{since}{tries}; {queue.sent} sent, {queue.spared} not needed"
