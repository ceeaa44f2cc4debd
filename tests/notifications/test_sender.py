"""When one target's first message goes, and when it has to wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tablectl.config.notifications import Target
from tablectl.core.engine.vocabulary import Severity
from tablectl.notifications.outbox import Message, Outbox, identity
from tablectl.notifications.sender import Sender
from tests.desk import KeptLog
from tests.notifications.running import S_US, Clock, Pigeonhole

TARGET: Final = Target(name="hook", url="json://127.0.0.1", timeout_s=20)


class Bench:
    """One sender, its outbox, and what it is allowed to know."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox = outbox
        self.clock = Clock()
        self.hole = Pigeonhole()
        self.log = KeptLog()
        self.is_behind = False
        self.sender = Sender(
            TARGET, self.hole, outbox, now_us=self.clock, is_behind=lambda: self.is_behind, log=self.log
        )

    def add(self, number: int, *, after_s: int = 0) -> str:
        made = identity(f"{number:064x}", f"incident-{number}", "incident-raised", TARGET.name)
        with self.outbox.together():
            self.outbox.add(
                Message(
                    id=made,
                    target=TARGET.name,
                    journal=1,
                    record=f"{number:064x}",
                    subject=f"incident-{number}",
                    severity=Severity.ALERT,
                    at_us=self.clock(),
                    due_us=self.clock() + after_s * S_US,
                    title=f"title {number}",
                    body=f"body {number}",
                    languages="en",
                )
            )
        return made

    @property
    def ids(self) -> list[str]:
        return [sent for sent, _ in self.hole.got]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with closing(Outbox(tmp_path / "notifications.db")) as outbox:
        yield Bench(outbox)


def test_with_nothing_to_send_it_waits_for_the_bell(bench: Bench) -> None:
    assert bench.sender.step() is None


def test_they_go_in_their_order(bench: Bench) -> None:
    expected = [bench.add(number) for number in range(3)]
    assert [bench.sender.step() for _ in range(4)] == [0.0, 0.0, 0.0, None]
    assert bench.ids == expected


def test_an_escalation_waits_until_all_is_read_that_could_end_it(bench: Bench) -> None:
    made = bench.add(1, after_s=60)
    bench.is_behind = True
    assert bench.sender.step() == 60.0
    bench.clock.pass_s(60)
    assert bench.sender.step() is None
    assert bench.ids == []
    bench.is_behind = False
    assert bench.sender.step() == 0.0
    assert bench.ids == [made]


def test_what_was_cut_off_waits_for_its_targets_time(bench: Bench) -> None:
    made = bench.add(1)
    message = bench.outbox.first(TARGET.name)
    assert message is not None
    bench.outbox.begin(message.number, bench.clock())
    assert bench.sender.step() == TARGET.timeout_s
    bench.clock.pass_s(TARGET.timeout_s)
    assert bench.sender.step() == 0.0
    assert bench.ids == [made]


def test_a_failure_waits_at_least_for_its_targets_time(bench: Bench) -> None:
    bench.add(1)
    bench.hole.is_open = False
    assert bench.sender.step() == TARGET.timeout_s
    (said,) = bench.log.events("not taken")
    assert (said["why"], said["tries"]) == ("closed", 1)


def test_a_clock_that_was_set_back_holds_up_nothing(bench: Bench) -> None:
    bench.add(1)
    bench.hole.is_open = False
    bench.sender.step()
    bench.hole.is_open = True
    bench.clock.pass_s(-86_400)
    assert bench.sender.step() == 0.0
    assert len(bench.ids) == 1


def test_only_what_arrives_more_than_120_s_after_it_was_due_says_so(bench: Bench) -> None:
    bench.add(1)
    bench.add(2)
    bench.clock.pass_s(120)
    bench.sender.step()
    bench.clock.pass_s(1)
    bench.sender.step()
    assert ["Delivered late" in body for _, body in bench.hole.got] == [False, True]


def test_a_service_that_wants_a_pause_is_given_it(bench: Bench) -> None:
    bench.hole.pause_s = 1000.0
    bench.add(1)
    bench.add(2)
    assert bench.sender.step() == 0.0
    pause_s = bench.sender.step()
    assert pause_s is not None
    assert 0 < pause_s <= 1000.0
    assert len(bench.ids) == 1
