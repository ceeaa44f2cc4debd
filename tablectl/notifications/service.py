"""All of it together: one thread follows, one a target sends, until a signal ends it or, once, until nothing can go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.config.notifications import NotificationSettings, Target
from tablectl.config.witness import WitnessSettings
from tablectl.journal.clock import now_us as wall_us
from tablectl.journal.known_heads import KnownHeads, place_beside
from tablectl.notifications.follower import Follower
from tablectl.notifications.outbox import Outbox, alone
from tablectl.notifications.sender import Log, Post, Sender
from tablectl.notifications.wakeup import Wakeup
from tablectl.notifications.witness import OutboxPlace, Witness, places_of, wanting

#: How long the end waits for a message that is just leaving, in seconds beyond its target's own time.
STOP_S: Final = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """The table that is followed: its name, the controller's socket, and where a tilt leaves its mark."""

    name: str
    socket: Path
    marks: tuple[Path, ...]


class Broken(Exception):
    """A thread ended that must not: everything ends, and systemd starts it again."""


class Service:
    """Follows one table and sends. `posts`: by targets' names."""

    def __init__(
        self,
        table: Table,
        settings: NotificationSettings,
        posts: Mapping[str, Post],
        *,
        log: Log,
        now_us: Callable[[], int] = wall_us,
    ) -> None:
        self._table = table
        self._settings = settings
        self._posts = posts
        self._log = log
        self._now_us = now_us
        self._wakeup = Wakeup()
        self._closing = threading.Event()
        self._trouble: str | None = None

    def stop(self) -> None:
        """End soon; from any thread, or from a signal's handler."""
        self._closing.set()

    def run(self) -> None:
        """Until `stop`. Raises `OutboxUnusable`, or `Broken` where one of its threads broke."""
        with alone(self._settings.path), closing(Outbox(self._settings.path)) as outbox:
            heads = self._heads()
            follower = self._follower(outbox, heads)
            threads = [
                threading.Thread(target=self._send, args=(target, follower), name=f"send-{target.name}", daemon=True)
                for target in self._settings.targets
            ]
            witness = threading.Thread(target=self._witness, args=(heads,), name="witness", daemon=True)
            for thread in (*threads, witness):
                thread.start()
            try:
                follower.run(self._closing)
            finally:
                self._closing.set()
                self._wakeup.wake()
                for target, thread in zip(self._settings.targets, threads, strict=True):
                    thread.join(target.timeout_s + STOP_S)
                witness.join(STOP_S)
        if self._trouble is not None:
            raise Broken(self._trouble)

    def once(self) -> None:
        """Read what there is and send what can go now, each target until its first message has to wait. Raises
        `OutboxUnusable`."""
        with alone(self._settings.path), closing(Outbox(self._settings.path)) as outbox:
            heads = self._heads()
            follower = self._follower(outbox, heads)
            follower.catch_up()
            if self._settings.witness is not None:
                self._witness_of(self._settings.witness, heads, outbox).step()
                if heads.is_shown:
                    follower.catch_up()  # which asks about what the TPM knows
            for target in self._settings.targets:
                sender = self._sender(target, outbox, follower)
                while (wait_s := sender.step()) is not None and wait_s <= self._posts[target.name].pause_s:
                    self._closing.wait(wait_s)

    def _heads(self) -> KnownHeads:
        return KnownHeads(place_beside(self._settings.path))

    def _witness_of(self, settings: WitnessSettings, heads: KnownHeads, outbox: Outbox) -> Witness:
        name, zone = self._table.name, settings.timezone
        told = [
            OutboxPlace(target, outbox, table=name, timezone=zone, wakeup=self._wakeup)
            for target in wanting(self._settings.targets)
        ]
        return Witness(settings, [*places_of(settings, name, heads), *told], heads, self._now_us, self._log)

    def _witness(self, heads: KnownHeads) -> None:
        """A share that hangs may hang this thread at the end as well: nobody waits long for it."""
        if self._settings.witness is None:
            return
        try:
            with closing(Outbox(self._settings.path)) as outbox:
                self._witness_of(self._settings.witness, heads, outbox).run(self._closing)
        except BaseException as broken:
            self._trouble = f"witness: {type(broken).__name__}"
            raise
        finally:
            self._closing.set()

    def _follower(self, outbox: Outbox, heads: KnownHeads) -> Follower:
        return Follower(
            self._table.socket,
            self._table.marks,
            outbox,
            self._settings.targets,
            table=self._table.name,
            public_url=self._settings.public_url,
            gone_s=self._settings.gone_s,
            now_us=self._now_us,
            wakeup=self._wakeup,
            log=self._log,
            heads=heads,
        )

    def _sender(self, target: Target, outbox: Outbox, follower: Follower) -> Sender:
        return Sender(
            target,
            self._posts[target.name],
            outbox,
            now_us=self._now_us,
            is_behind=follower.is_behind,
            log=self._log,
        )

    def _send(self, target: Target, follower: Follower) -> None:
        try:
            with closing(Outbox(self._settings.path)) as outbox:
                self._sender(target, outbox, follower).run(self._wakeup, self._closing)
        except BaseException as broken:
            self._trouble = f"{target.name}: {type(broken).__name__}"
            raise
        finally:
            self._closing.set()
