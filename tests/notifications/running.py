"""The service in the test's own process, with a clock of the test's."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tablectl.config.notifications import NotificationSettings, Target
from tablectl.core.engine.vocabulary import Severity
from tablectl.notifications.apprise_client import Letterbox, Outcome
from tablectl.notifications.outbox import Message, Outbox, Place, Queue
from tablectl.notifications.sender import Post
from tablectl.notifications.service import Service
from tablectl.notifications.service import Table as Followed
from tests.desk import KeptLog
from tests.notifications.table import LATER_US

S_US = 1_000_000


class Clock:
    """Stands still until a test moves it."""

    def __init__(self, now_us: int = LATER_US) -> None:
        self.now_us = now_us

    def __call__(self) -> int:
        return self.now_us

    def pass_s(self, seconds: float) -> None:
        self.now_us += int(seconds * S_US)


class Pigeonhole:
    """Takes messages without a network, for those of which there are very many."""

    pause_s = 0.0

    def __init__(self) -> None:
        self.got: list[tuple[str, str]] = []
        self.is_open = True

    def send(self, identity: str, *, title: str, body: str, severity: Severity | None) -> Outcome:
        if not self.is_open:
            return Outcome(is_taken=False, why="closed")
        self.got.append((identity, body))
        return Outcome(is_taken=True)


class Life:
    """One table's notifications, over any number of starts."""

    def __init__(self, folder: Path, socket: Path, *targets: Target, gone_s: int = 30) -> None:
        self.settings = NotificationSettings(path=folder / "notifications.db", targets=targets, gone_s=gone_s)
        self.mark = folder / "table.tilt"
        self._socket = socket
        self.clock = Clock()
        self.log = KeptLog()
        self.posts: dict[str, Post] = {}

    def service(self) -> Service:
        """A start."""
        posts = {
            target.name: self.posts.get(target.name) or Letterbox(target.url, timeout_s=target.timeout_s)
            for target in self.settings.targets
        }
        followed = Followed(name="Mesa 1", socket=self._socket, marks=(self.mark,))
        return Service(followed, self.settings, posts, log=self.log, now_us=self.clock)

    def once(self) -> None:
        """Read what there is, send what can go."""
        self.service().once()

    @contextmanager
    def running(self) -> Iterator[None]:
        """The service in threads."""
        service = self.service()
        thread = threading.Thread(target=service.run)
        thread.start()
        try:
            yield
        finally:
            service.stop()
            thread.join(30)
            assert not thread.is_alive(), "it must end when it is told to"

    @property
    def queues(self) -> dict[str, Queue]:
        with closing(Outbox(self.settings.path)) as outbox:
            return {queue.target: queue for queue in outbox.queues()}

    @property
    def place(self) -> Place | None:
        with closing(Outbox(self.settings.path)) as outbox:
            return outbox.place()

    def first(self, target: str) -> Message | None:
        with closing(Outbox(self.settings.path)) as outbox:
            return outbox.first(target)
