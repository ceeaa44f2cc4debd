"""`tablectl notifications CONFIG`: tells phones, chats and mailboxes what happens at the table.

A process of its own. It follows the controller's public stream, can be reached by nobody, and may stop or fail without
the deal noticing; what it was to send is sent when it is back. `docs/notifications.md` says what is told, and to whom.
"""

from __future__ import annotations

import argparse
import signal
import sqlite3
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from tablectl.clock import now_us
from tablectl.config import BadConfig, Config, load
from tablectl.journal.record import time_text
from tablectl.log import LateLog
from tablectl.notifications.apprise_door import BadAddress, Letterbox
from tablectl.notifications.outbox import Outbox, OutboxUnusable, Queue, identity
from tablectl.notifications.service import Broken, Service, Table
from tablectl.notifications.settings import NoAddress, NotificationSettings, Target
from tablectl.notifications.wording import Scene, last_lines, trial

OK: Final = 0
NOT_ALL: Final = 1
WRONG_USAGE: Final = 2


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
            sys.stderr.write(f"{args.config}: it names nobody to be told: no table [[notify]]\n")
            return WRONG_USAGE
        if args.list:
            return _list(settings.targets)
        if args.status:
            return _status(settings)
        if args.test is not None:
            return _test(config, settings, args.test)
        return _run(config, settings, once=args.once)
    except (BadConfig, NoAddress, BadAddress) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return WRONG_USAGE
    except OutboxUnusable as wrong:
        sys.stderr.write(f"{wrong}\n")
    except sqlite3.Error as wrong:
        sys.stderr.write(f"notifications: the outbox: {wrong}\n")
    return NOT_ALL


def _run(config: Config, settings: NotificationSettings, *, once: bool) -> int:
    table = Table(name=config.setup.table, socket=config.socket, marks=config.marks)
    posts = {target.name: _letterbox(target) for target in settings.targets}
    log = LateLog(table=table.name)
    service = Service(table, settings, posts, log=log)
    if once:
        service.once()
        waiting = [each for each in _queues(settings) if each.waits or each.doubtful]
        print("\n".join(map(_told, waiting)) or "nothing waits")
        return NOT_ALL if waiting else OK
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    log.info("notifications begin", targets=[target.name for target in settings.targets])
    try:
        service.run()
    except Broken as wrong:
        log.error("notifications broke", reason=str(wrong))
        return NOT_ALL
    log.info("notifications end")
    return OK


def _letterbox(target: Target) -> Letterbox:
    try:
        return Letterbox(target.address(), timeout_s=target.timeout_s)
    except BadAddress as wrong:
        raise BadAddress(f"notify {target.name} ({target.kind}): {wrong}") from None


def _test(config: Config, settings: NotificationSettings, name: str) -> int:
    wanted = [target for target in settings.targets if name in (target.name, target.group)]
    if not wanted:
        names = sorted({word for target in settings.targets for word in (target.name, target.group) if word})
        sys.stderr.write(f"--test {name}: no target and no group of this name; there is {', '.join(names)}\n")
        return WRONG_USAGE
    at, is_good = time_text(now_us()), True
    for target in wanted:
        text = trial(at, Scene(table=config.setup.table), target.languages)
        name_of_it = identity(at, "test", "test", target.name)
        body = f"{text.body}\n\n{last_lines(name_of_it, 0, target.languages)}"
        outcome = _letterbox(target).send(name_of_it, title=text.title, body=body, severity=None)
        is_good = is_good and outcome.is_taken
        print(f"{target.name}: {'taken' if outcome.is_taken else f'NOT taken: {outcome.why}'}, id {name_of_it}")
    return OK if is_good else NOT_ALL


def _list(targets: Iterable[Target]) -> int:
    for target in targets:
        group = f" ({target.group})" if target.group else ""
        what = ", ".join(sorted(target.what))
        severities = "/".join(sorted(target.severities))
        after = f", if nobody has acknowledged it within {target.after_s} s" if target.after_s else ""
        languages = "+".join(target.languages)
        print(f"{target.name}{group}: {target.kind}: {what} [{severities}], {languages}{after}")
    return OK


def _status(settings: NotificationSettings) -> int:
    if not settings.path.exists():
        print("nothing was read yet")
        return OK
    known = {target.name for target in settings.targets}
    for queue in _queues(settings):
        print(_told(queue) + ("" if queue.target in known else "; no longer configured: they wait for its return"))
    with closing(Outbox(settings.path)) as outbox:
        place = outbox.place()
    print("nothing was read yet" if place is None else f"read up to record {place.seq}, {place.at or 'no time known'}")
    return OK


def _queues(settings: NotificationSettings) -> tuple[Queue, ...]:
    with closing(Outbox(settings.path)) as outbox:
        return outbox.queues()


def _told(queue: Queue) -> str:
    since = "" if queue.oldest_us is None else f", the first since {time_text(queue.oldest_us)}"
    doubt = f", {queue.doubtful} in doubt" if queue.doubtful else ""
    tries = f", tried {queue.tries} times" if queue.tries else ""
    return f"{queue.target}: {queue.waits} wait{doubt}{since}{tries}; {queue.sent} sent, {queue.spared} not needed"
