"""A clock that is set while nobody is dealt to, and a start that waits until a time server has set it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from simulators.stage.summary import check
from tablectl.api.client import Subscription
from tablectl.core.timestamps import time_us
from tablectl.journal.tilt import find
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


def test_before_the_first_closed_hand_it_is_in_the_log_alone(table: Desk) -> None:
    table.start(clock=(clock := TheClock()))
    clock.set_by_us = -3_000_000
    a_hand(table)
    assert steps(table) == []
    assert table.log.events("clock set") == [{"by_s": -3.0}]


def test_a_start_between_two_hands_finds_the_clock_before_the_newest_record(
    table: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start()
    a_hand(table)
    assert table.stop() == 0
    right = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: right() - HOUR_US * 1000)
    table.start()
    a_hand(table)
    assert len(steps(table)) == 1
    assert -3600 <= steps(table)[0] <= -3590


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
