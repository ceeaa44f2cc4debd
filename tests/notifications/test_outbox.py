"""Which messages an acknowledgement cancels: those that would come later, of its own journal, and none on its way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.engine.vocabulary import Severity
from tablectl.notifications.outbox import Message, Outbox, State, identity

AT_US: Final = 1_795_301_100_000_000
S_US: Final = 1_000_000
ESCALATION: Final = Message(
    id=identity("1" * 64, "incident-1", "incident-raised", "hook"),
    target="hook",
    journal=2,
    record="1" * 64,
    subject="incident-1",
    severity=Severity.ALERT,
    at_us=AT_US,
    due_us=AT_US + 60 * S_US,
    title="title",
    body="body",
    languages="en",
)


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    with closing(Outbox(tmp_path / "outbox.db")) as made:
        yield made


def spared(outbox: Outbox, message: Message, *, at_us: int = AT_US + 10 * S_US, numbers: int = 1) -> bool:
    """Whether an acknowledgement of `incident-1` in journal 2 cancels it."""
    with outbox.together():
        outbox.add(message)
    with outbox.together():
        outbox.spare(2, "incident-1", at_us)
    (queue,) = outbox.queues()
    assert queue.waits + queue.doubtful + queue.sent + queue.spared == numbers
    return queue.spared == 1


def test_what_would_have_been_told_later_is_not(outbox: Outbox) -> None:
    assert spared(outbox, ESCALATION)
    assert outbox.first("hook") is None


def test_never_a_message_of_another_journal(outbox: Outbox) -> None:
    """Incidents are numbered anew in each: the one with the same number there is another one."""
    assert not spared(outbox, replace(ESCALATION, journal=1))
    waits = outbox.first("hook")
    assert waits is not None
    assert (waits.journal, waits.state, waits.body) == (1, State.WAITS, "body")


def test_never_one_that_is_being_sent(outbox: Outbox) -> None:
    with outbox.together():
        outbox.add(ESCALATION)
    outbox.begin(1, AT_US + 60 * S_US)
    with outbox.together():
        outbox.spare(2, "incident-1", AT_US + 10 * S_US)
    on_its_way = outbox.first("hook")
    assert on_its_way is not None
    assert on_its_way.state is State.SENDING, "its target may have it by now: it goes to its end"


def test_never_one_that_was_begun_and_has_to_go_again(outbox: Outbox) -> None:
    with outbox.together():
        outbox.add(ESCALATION)
    outbox.begin(1, AT_US + 60 * S_US)
    outbox.again(1, AT_US + 90 * S_US)
    with outbox.together():
        outbox.spare(2, "incident-1", AT_US + 10 * S_US)
    waits = outbox.first("hook")
    assert waits is not None
    assert (waits.state, waits.tries) == (State.WAITS, 1)


def test_nor_one_that_was_sent(outbox: Outbox) -> None:
    with outbox.together():
        outbox.add(ESCALATION)
    outbox.begin(1, AT_US + 60 * S_US)
    outbox.done(1, AT_US + 61 * S_US)
    with outbox.together():
        outbox.spare(2, "incident-1", AT_US + 10 * S_US)
    assert [(queue.sent, queue.spared) for queue in outbox.queues()] == [(1, 0)]


@pytest.mark.parametrize(
    ("message", "at_us"),
    [
        (replace(ESCALATION, subject="incident-11"), AT_US + 10 * S_US),
        (replace(ESCALATION, due_us=AT_US), AT_US + 10 * S_US),
        (replace(ESCALATION, due_us=AT_US), AT_US - 10 * S_US),
        (ESCALATION, AT_US + 60 * S_US),
        (ESCALATION, AT_US + 61 * S_US),
    ],
    ids=[
        "of something else",
        "no escalation",
        "no escalation, and the clock was set back",
        "when it is due",
        "too late",
    ],
)
def test_nor_what_is_told_all_the_same(outbox: Outbox, message: Message, at_us: int) -> None:
    assert not spared(outbox, message, at_us=at_us)
