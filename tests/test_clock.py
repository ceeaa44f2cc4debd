"""A clock that is set while nobody is dealt to, and a start that waits until a time server has set it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import pytest

from simulators.stage.summary import check
from tablectl.api.client import Subscription
from tablectl.config.table_file import load
from tablectl.core.timestamps import time_us
from tablectl.journal.tilt import Mark, TiltKind, find, leave
from tablectl.table.synchronised import Synchronised
from tests.desk import Desk, desk
from tests.set_clock import TheClock

pytestmark = pytest.mark.system

HOUR_US = 3_600_000_000


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        yield made


def steps(table: Desk) -> list[int]:
    """Of all that is on record: by how much the clock was set, in seconds."""
    facts = [record["fact"] for record in table.records(0)]
    return [round(fact["by_us"] / 1_000_000) for fact in facts if fact["kind"] == "clock-stepped"]


def a_hand(table: Desk) -> None:
    table.open_hand()
    table.play_on()


def until_it_is_told(table: Desk) -> dict[str, Any]:
    """What the controller says of the table to whoever comes now."""
    with Subscription(table.socket, after=table.newest) as reader:
        return reader.table


@pytest.mark.parametrize("by_us", [-3_000_000, 3_000_000, HOUR_US])
def test_a_clock_that_is_set_between_two_hands_is_on_record_and_the_table_deals(table: Desk, by_us: int) -> None:
    table.start(clock=(clock := TheClock()))
    a_hand(table)
    clock.set_by_us = by_us
    a_hand(table)
    assert steps(table) == [round(by_us / 1_000_000)]
    assert table.stop() == 0
    assert check(table.journal).good
    table.start()
    a_hand(table)


def test_before_the_first_closed_hand_the_table_goes_on_in_its_own_time(table: Desk) -> None:
    """A version before this one knows of no note that would say why the time went back."""
    table.start(clock=(clock := TheClock()))
    clock.set_by_us = -HOUR_US
    a_hand(table)
    a_hand(table)
    assert steps(table) == [-3600]
    times = times_until_the_step(table)
    assert times == sorted(times)


# --- the start, with the clock before the newest record ---------------------------------------------------------------


def times_until_the_step(table: Desk) -> list[int]:
    """Of all records before the one that says by how much the clock was set."""
    until = takewhile(lambda record: record["fact"]["kind"] != "clock-stepped", table.records(0))
    return [time_us(record["at"]) for record in until]


@pytest.mark.parametrize("after", [0, 1], ids=["in the first hand", "in a later one"])
def test_a_hand_that_was_open_goes_on_after_its_newest_record_and_the_step_is_on_record_after_it(
    table: Desk, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """The power was cut, and the machine's battery is empty."""
    table.start()
    for _ in range(after):
        a_hand(table)
    table.open_hand()
    assert table.stop() == 0
    began = table.newest
    right = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: right() - 24 * HOUR_US * 1000)
    table.start()
    table.enter("press confirm")
    table.play_on()
    assert len(table.log.events("clock behind")) == 1
    a_hand(table)
    assert [round(step / 3600) for step in steps(table)] == [-24]
    times = times_until_the_step(table)
    assert len(times) > began
    assert times == sorted(times)
    assert find(table.marks) is None
    assert table.stop() == 0
    assert check(table.journal).good


def test_a_start_between_two_hands_puts_the_step_on_record_at_once(
    table: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start()
    a_hand(table)
    assert table.stop() == 0
    newest = table.newest
    right = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: right() - HOUR_US * 1000)
    table.start()
    (step,) = [record for record in table.records(newest) if record["fact"]["kind"] == "clock-stepped"]
    assert step["seq"] == newest + 1
    assert -3600 <= steps(table)[0] <= -3590
    a_hand(table)


def test_records_of_a_time_that_has_not_come_do_not_hold_a_table_up_whose_clock_is_right(
    table: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: right() + 24 * HOUR_US * 1000)
    table.start()
    table.open_hand()
    assert table.stop() == 0
    monkeypatch.undo()
    table.start()
    table.enter("press confirm")
    table.play_on()
    a_hand(table)
    assert [round(step / 3600) for step in steps(table)] == [-24]


def test_a_tilt_is_cleared_in_the_tables_own_time(table: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    table.start()
    a_hand(table)
    table.open_hand()
    newest = table.records(0)[-1]
    assert table.stop() == 0
    leave(Mark(kind=TiltKind.DISK_FULL, reason="a test", at=newest["at"]), load(table.config).marks)
    right = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: right() - HOUR_US * 1000)
    table.clear()
    table.start()
    table.enter("press confirm")
    table.play_on()
    a_hand(table)
    times = times_until_the_step(table)
    assert len(times) > newest["seq"]
    assert times == sorted(times)


# --- the start --------------------------------------------------------------------------------------------------------


def wait_of(table: Desk, seconds: int) -> None:
    text = table.config.read_text(encoding="utf-8")
    table.config.write_text(f"{text}\n[clock]\nwait_s = {seconds}\n", encoding="utf-8")


def test_a_start_waits_until_the_clock_is_set_and_takes_no_offence(table: Desk) -> None:
    """A cold boot: the clock is 3 seconds off until a time server answers."""
    clock, asked = TheClock(), 0

    def synchronised() -> Synchronised:
        nonlocal asked
        asked += 1
        if asked < 3:
            return Synchronised.NOT_YET
        clock.set_by_us = 3_000_000
        return Synchronised.YES

    table.start(clock=clock, synchronised=synchronised)
    assert asked == 3
    assert table.log.events("clock not synchronised") == []
    assert table.log.events("clock set") == []
    assert until_it_is_told(table)["clock_synchronised"] is True
    a_hand(table)


@pytest.mark.wide
def test_a_start_that_waited_in_vain_opens_the_table_and_says_so_until_a_server_answers(
    table: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablectl.table.controller.controller.SYNC_AGAIN_S", 0.05)
    wait_of(table, 0)
    answers = threading.Event()
    table.start(synchronised=lambda: Synchronised.YES if answers.is_set() else Synchronised.NOT_YET)
    assert [event["what"] for event in table.log.events("clock not synchronised")] == ["no time server answered yet"]
    assert until_it_is_told(table)["clock_synchronised"] is False
    a_hand(table)
    answers.set()
    table.until(lambda: until_it_is_told(table)["clock_synchronised"] is True, "the pages are told")


def test_without_a_time_service_nobody_waits(table: Desk) -> None:
    wait_of(table, 60)
    began_s = time.monotonic()
    table.start(synchronised=lambda: Synchronised.NOBODY)
    assert time.monotonic() - began_s < 30
    assert [event["what"] for event in table.log.events("clock not synchronised")] == ["no time service runs"]
    assert until_it_is_told(table)["clock_synchronised"] is False


def test_who_waits_for_the_clock_can_be_stopped(table: Desk) -> None:
    wait_of(table, 60)
    asked = threading.Event()

    def never() -> Synchronised:
        asked.set()
        return Synchronised.NOT_YET

    table.begin(synchronised=never)
    assert asked.wait(20)
    assert table.stop() == 0


@pytest.mark.parametrize("by_us", [-HOUR_US, HOUR_US])
def test_a_hand_goes_on_in_its_own_time_and_the_step_is_on_record_after_it(table: Desk, by_us: int) -> None:
    table.start(clock=(clock := TheClock()))
    a_hand(table)
    table.open_hand()
    began = table.records(0)[-1]
    clock.set_by_us = by_us
    table.play_on()
    hand = [record for record in table.records(began["seq"]) if record["hand"] == began["hand"]]
    assert any("hand-closed" in [said["kind"] for said in record["decisions"]] for record in hand)
    times = [time_us(record["at"]) for record in (began, *hand)]
    assert times == sorted(times)
    assert times[-1] - times[0] < HOUR_US // 2
    a_hand(table)
    assert steps(table) == [round(by_us / 1_000_000)]
    assert find(table.marks) is None
    assert table.stop() == 0
    assert check(table.journal).good
