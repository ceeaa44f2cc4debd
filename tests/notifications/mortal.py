"""The real service, killed at a commit: just before it or just after it, whatever it is that is committed.

As a program, `python -m tests.notifications.mortal`, it takes orders from its standard input, a JSON line each, and
forks a service for each of them, which reads what there is, sends what can go, and ends. It answers with the status of
that life and its commits.

Nothing in the program under test knows of this: SQLite tells of each statement when it begins, and the interpreter
tells its auditors of each connection to a server.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any, Final, NoReturn
from unittest.mock import patch

from tablectl.config.notifications import NotificationSettings, Target
from tablectl.journal.clock import now_us
from tablectl.notifications.apprise_client import Letterbox
from tablectl.notifications.service import Service, Table

BEFORE: Final = "before"
AFTER: Final = "after"
NEVER: Final = 0
TIMEOUT_S: Final = 5


class QuietLog:
    """Nobody reads it."""

    def info(self, event: str, **fields: object) -> None: ...

    def warning(self, event: str, **fields: object) -> None: ...

    def error(self, event: str, **fields: object) -> None: ...


class Commits:
    """Counts them, and kills at one of them."""

    def __init__(self, fatal: int, point: str) -> None:
        self.number = 0
        self._fatal = fatal
        self._point = point

    def audit(self, event: str, _told: tuple[Any, ...]) -> None:
        if event == "socket.connect":
            self._next_step()

    def connect(
        self, path: Path, *, timeout: float, isolation_level: None, check_same_thread: bool
    ) -> sqlite3.Connection:
        connection = sqlite3.Connection(
            path, timeout=timeout, isolation_level=isolation_level, check_same_thread=check_same_thread
        )
        connection.set_trace_callback(self._statement)
        return connection

    def _statement(self, text: str) -> None:
        self._next_step()
        if text == "COMMIT":
            self.number += 1
            if self.number == self._fatal and self._point == BEFORE:
                die()

    def _next_step(self) -> None:
        """Whatever was committed is durable by now."""
        if self.number == self._fatal != NEVER and self._point == AFTER:
            die()


def die() -> NoReturn:
    """As in a power cut: no handler runs, nothing is flushed or closed."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("killed, and still there")


def live(order: dict[str, Any]) -> int:
    """One life, in a process of its own."""
    folder = Path(order["folder"])
    targets = tuple(Target(name=name, url=url, timeout_s=TIMEOUT_S) for name, url in order["urls"].items())
    commits = Commits(order["fatal"], order["point"])
    posts = {target.name: Letterbox(target.url, timeout_s=TIMEOUT_S) for target in targets}
    sys.addaudithook(commits.audit)
    service = Service(
        Table(name="Mesa 1", socket=Path(order["socket"]), marks=(folder / "table.tilt",)),
        NotificationSettings(path=folder / "notifications.db", targets=targets),
        posts,
        log=QuietLog(),
        now_us=lambda: now_us() + order["later_us"],
    )
    with patch.object(sqlite3, "connect", commits.connect):
        service.once()
    return commits.number


def main() -> None:
    Letterbox("json://127.0.0.1", timeout_s=TIMEOUT_S)  # loads all services, once for all lives
    for line in sys.stdin:
        told, telling = os.pipe()
        pid = os.fork()  # this process has one thread only
        if pid == 0:
            os.write(telling, str(live(json.loads(line))).encode())
            os._exit(0)
        os.close(telling)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        commits = os.read(told, 100).decode()
        os.close(told)
        sys.stdout.write(json.dumps({"status": status, "commits": int(commits or 0)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
