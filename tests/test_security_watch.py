"""Attempts on the table: what is a burst, and how little of a flood is on record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.core.access import AccessKind
from tablectl.core.events.notes import Access, Security
from tablectl.core.security import AGAIN_US, BURSTS, SecurityCause
from tablectl.core.timestamps import time_text
from tablectl.people.lockout import WRONG_MOST
from tablectl.table.security_watch import SOURCE_CHARS, SOURCES_MOST, SecurityWatch

NOW_US = 1_795_302_000_000_000
SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US


class Clock:
    def __init__(self) -> None:
        self.us = NOW_US

    def __call__(self) -> int:
        return self.us


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watch(clock: Clock) -> SecurityWatch:
    return SecurityWatch(clock)


def access(what: AccessKind, who: str = "ana", about: str = "password", *, at_us: int = NOW_US) -> Access:
    return Access(
        at_us=NOW_US,
        id="0" * 32,
        number=1,
        when=time_text(at_us),
        what=what,
        who=who,
        role="",
        about=about,
        granted=False,
    )


def due(watch: SecurityWatch) -> list[Security]:
    return list(watch.due())


def test_a_manager_who_mistypes_twice_is_no_burst(watch: SecurityWatch) -> None:
    for _ in range(2):
        watch.on_record(access(AccessKind.REFUSED, "luis"))
    assert due(watch) == []


def test_who_forgot_his_password_and_locked_his_account_is_no_burst(watch: SecurityWatch) -> None:
    for _ in range(WRONG_MOST):
        watch.on_record(access(AccessKind.REFUSED, "luis"))
    watch.on_record(access(AccessKind.LOCKED, "luis"))
    assert due(watch) == []
    assert BURSTS[SecurityCause.SIGN_ONS].least >= 2 * WRONG_MOST


def test_guessing_passwords_is_one_record_that_names_the_accounts(watch: SecurityWatch, clock: Clock) -> None:
    least = BURSTS[SecurityCause.SIGN_ONS].least
    for number in range(least):
        assert due(watch) == []
        clock.us += SECOND_US
        watch.on_record(access(AccessKind.REFUSED, "ana" if number % 2 else "luis", at_us=clock.us))
    [note] = due(watch)
    assert note == Security(
        at_us=clock.us,
        cause=SecurityCause.SIGN_ONS,
        count=least,
        first=time_text(NOW_US + SECOND_US),
        last=time_text(clock.us),
        source="luis, ana",
    )
    assert due(watch) == []


def test_guessing_at_the_second_signature_counts_too(watch: SecurityWatch) -> None:
    for _ in range(BURSTS[SecurityCause.SIGN_ONS].least):
        watch.on_record(access(AccessKind.CO_SIGNED))
    assert [note.cause for note in due(watch)] == [SecurityCause.SIGN_ONS]


def test_what_was_granted_counts_for_nothing(watch: SecurityWatch) -> None:
    for _ in range(100):
        watch.on_record(replace(access(AccessKind.CO_SIGNED), granted=True))
    assert due(watch) == []


def test_mistakes_of_a_whole_shift_are_no_burst(watch: SecurityWatch) -> None:
    """Also where they are told all at once, because the controller did not answer: they count when they were."""
    burst = BURSTS[SecurityCause.SIGN_ONS]
    for number in range(100):
        at_us = NOW_US + number * (burst.within_us // (burst.least - 1) + 1)
        watch.on_record(access(AccessKind.REFUSED, at_us=at_us))
    assert due(watch) == []


def test_looking_for_pages_of_others_is_one_record(watch: SecurityWatch) -> None:
    for page in ("/people", "/auditor", "/technician", "/pit", "/pit/limits"):
        watch.on_record(access(AccessKind.PAGE_REFUSED, "luis", page))
    [note] = due(watch)
    assert (note.cause, note.count) == (SecurityCause.PAGES, BURSTS[SecurityCause.PAGES].least)
    assert note.source.startswith("luis: /people, luis: /auditor")


def test_a_flood_of_ten_thousand_attempts_is_two_records(watch: SecurityWatch, clock: Clock) -> None:
    notes = []
    for _ in range(10_000):
        watch.tried(SecurityCause.WRITES, "tablectl-notify: enter")
        notes += due(watch)
    assert [note.count for note in notes] == [1]
    clock.us += AGAIN_US
    notes += due(watch)
    assert [note.count for note in notes] == [1, 9_999]
    assert due(watch) == []


def test_a_clock_that_is_set_back_silences_nothing(watch: SecurityWatch, clock: Clock) -> None:
    watch.tried(SecurityCause.WRITES, "nobody: enter")
    assert len(due(watch)) == 1
    clock.us -= 24 * 60 * MINUTE_US
    watch.tried(SecurityCause.WRITES, "nobody: enter")
    assert [note.count for note in due(watch)] == [1]


def test_a_record_stays_small_whatever_names_are_tried(watch: SecurityWatch) -> None:
    for number in range(BURSTS[SecurityCause.SIGN_ONS].least * 50):
        watch.on_record(access(AccessKind.REFUSED, f"{number}-\n\x1b" + "x" * 500))
    [note] = due(watch)
    assert len(note.source) <= SOURCES_MOST * (SOURCE_CHARS + 2)
    assert note.source.isprintable()


def test_one_cause_hides_no_other_one(watch: SecurityWatch) -> None:
    watch.tried(SecurityCause.WRITES, "nobody: enter")
    watch.tried(SecurityCause.SECOND_CONTROLLER, "process 7, user root")
    assert {note.cause for note in due(watch)} == {SecurityCause.WRITES, SecurityCause.SECOND_CONTROLLER}
