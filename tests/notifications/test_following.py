"""The follower alone: what it reads at once, when it wakes those who send, and that a controller is gone."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablectl.config.notifications import Target
from tablectl.notifications import follower as following
from tablectl.notifications.follower import Follower
from tablectl.notifications.outbox import Outbox, Place
from tablectl.notifications.wakeup import Wakeup
from tests.desk import KeptLog
from tests.notifications.running import Clock
from tests.notifications.table import Table, incident
from tests.screens.controller import Bench

#: How often a follower is let look for more before a test gives up.
LOOKS = 20


class Desk:
    """One follower, and what it is connected with."""

    def __init__(self, socket_path: Path, outbox: Outbox, target: Target) -> None:
        self.outbox = outbox
        self.wakeup = Wakeup()
        self.log = KeptLog()
        self.clock = Clock()
        self.follower = Follower(
            socket_path,
            (),
            outbox,
            (target,),
            table="Mesa 1",
            gone_s=30,
            now_us=self.clock,
            wakeup=self.wakeup,
            log=self.log,
        )


@contextmanager
def desk(socket_path: Path, target: Target | None = None) -> Iterator[Desk]:
    with closing(Outbox(socket_path.with_name("notifications.db"))) as outbox:
        yield Desk(socket_path, outbox, target or Target(name="hook", url="json://127.0.0.1"))


@contextmanager
def controller(path: Path, *answers: Sequence[dict[str, Any]], stays: bool = False) -> Iterator[None]:
    """One that says to each connection in turn what it has for it, in one breath, and hangs up; with `stays` it is
    silent after its last words until the test is over."""
    over = threading.Event()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen()

    def serve() -> None:
        for number, answer in enumerate(answers, start=1):
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"".join(json.dumps(line).encode() + b"\n" for line in answer))
                if stays and number == len(answers):
                    over.wait()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        listener.close()
        path.unlink()


def hashed(bench: Bench) -> list[dict[str, Any]]:
    return [{**record, "hash": f"{record['seq']:064x}"} for record in bench.records]


def test_before_its_first_look_it_may_be_behind(socket_path: Path) -> None:
    """Somebody may have acknowledged an escalation while nobody followed: it must not be sent before that is read."""
    with desk(socket_path) as found:
        assert found.follower.is_behind()
        found.follower.catch_up()
        assert not found.follower.is_behind(), "nobody is there to read from"


def test_what_happens_while_it_follows_is_kept_and_wakes_those_who_send(socket_path: Path, bench: Bench) -> None:
    counts: list[int] = []
    with Table(socket_path, bench) as table, desk(socket_path) as found:

        def is_over() -> bool:
            if found.follower.is_behind():
                return False
            if not counts:
                incident(table, 1)
            counts.append(found.wakeup.count)
            return found.outbox.first("hook") is not None or len(counts) > LOOKS

        found.follower.follow(is_over)
        assert found.outbox.first("hook") is not None, "it is told while the connection lasts"
        assert counts[-1] > counts[0]


def test_what_a_controller_has_said_is_read_to_its_end(socket_path: Path, bench: Bench) -> None:
    """It said that it has one record, and sends more: what came with the first one is not left for the next time."""
    incident(bench, 1)
    with desk(socket_path) as found, found.outbox.together():
        found.outbox.keep(Place(seq=0))
    with controller(socket_path, [{"records": 1}], [bench.greeting, *hashed(bench)]), desk(socket_path) as found:
        found.follower.catch_up()
        place = found.outbox.place()
        assert place is not None
        assert place.seq == len(bench.records)


def test_a_controller_that_does_not_send_what_it_has_is_given_up(
    socket_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "LOOK_S", 0.01)
    monkeypatch.setattr(following, "STORED_S", 0.05)
    with desk(socket_path) as found, found.outbox.together():
        found.outbox.keep(Place(seq=0))
    looks: list[int] = []

    def is_over() -> bool:
        looks.append(len(looks))
        return len(looks) > LOOKS

    with controller(socket_path, [{"records": 5}], [bench.greeting], stays=True), desk(socket_path) as found:
        found.follower.follow(is_over)
        (said,) = found.log.events("no controller")
        assert said["reason"] == "it does not send what it has"
        assert len(looks) == 5, "it was asked for as long as a stored record may take, and no longer"


def test_one_that_is_back_is_followed_and_nobody_is_told_that_it_was_gone(socket_path: Path, bench: Bench) -> None:
    waits = Target(name="hook", url="json://127.0.0.1", after_s=300)
    with desk(socket_path, waits) as found:
        with Table(socket_path, bench):
            found.follower.catch_up()
        assert found.log.events("following") == [], "it was not missed"
        found.follower.catch_up()
        found.clock.pass_s(30)
        found.follower.catch_up()
        message = found.outbox.first("hook")
        assert message is not None
        assert (message.subject, message.due_us - message.at_us) == ("controller", 300_000_000)
        with Table(socket_path, bench):
            found.follower.catch_up()
        assert found.outbox.first("hook") is None
        assert [queue.spared for queue in found.outbox.queues()] == [1]
        assert found.log.events("following") == [{"after": len(bench.records)}]


def test_one_that_was_gone_for_too_long_is_told_although_it_is_back(socket_path: Path, bench: Bench) -> None:
    waits = Target(name="hook", url="json://127.0.0.1", after_s=300)
    with desk(socket_path, waits) as found:
        with Table(socket_path, bench):
            found.follower.catch_up()
        found.follower.catch_up()
        found.clock.pass_s(300)
        found.follower.catch_up()
        with Table(socket_path, bench):
            found.follower.catch_up()
        message = found.outbox.first("hook")
        assert message is not None
        assert message.subject == "controller"


def test_it_is_missed_after_thirty_seconds_and_not_before(socket_path: Path, bench: Bench) -> None:
    with desk(socket_path) as found:
        with Table(socket_path, bench):
            found.follower.catch_up()
        found.follower.catch_up()
        found.clock.now_us += 29_999_999
        found.follower.catch_up()
        assert found.outbox.first("hook") is None
        found.clock.now_us += 1
        found.follower.catch_up()
        assert found.outbox.first("hook") is not None
