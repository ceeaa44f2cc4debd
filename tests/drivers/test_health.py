"""The state of a device follows from what its port and its protocol say, event by event."""

from __future__ import annotations

import errno

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import DeviceFact, Found, KeyDown, Lost, Rejected
from drivers.health import (
    FOREIGN_BYTES,
    REASONS_MAX,
    TRANSITIONS,
    DeviceState,
    Event,
    HealthRecord,
    Tally,
    event_of,
    tally_of,
)
from drivers.transport.base import WireLost, WireUnavailable

FOUND: DeviceFact = Found(device="reader", at_us=0, identity="it")
MUTE: DeviceFact = Lost(device="reader", at_us=0, reason="does not answer")
KEY: DeviceFact = KeyDown(device="reader", at_us=0, key=1)


class Clock:
    """Counts up by one each time it is asked."""

    def __init__(self) -> None:
        self.now_us = 0

    def __call__(self) -> int:
        self.now_us += 1
        return self.now_us


def record(tally: Tally | None = None) -> HealthRecord:
    return HealthRecord("reader", tally, now_us=Clock())


def garbage(n_bytes: int) -> DeviceFact:
    return Rejected(device="reader", at_us=0, reason="no header", n_bytes=n_bytes)


#: What each event does to each state, a column an event in the order of `Event`; a dot stays.
#:               opened  found  frame  garbage  mute    denied   gone
TABLE = {
    "lost": "silent  .      .      .        silent  refused  .",
    "silent": "  .       ready  .      foreign  .       refused  lost",
    "ready": "   .       .      .      foreign  silent  .        lost",
    "refused": " silent  ready  .      foreign  .       .        lost",
    "foreign": " .       ready  silent .        .       refused  lost",
}


@pytest.mark.parametrize("state", DeviceState)
def test_each_event_leads_from_each_state_where_the_table_says(state: DeviceState) -> None:
    wanted = dict(zip(Event, TABLE[state.value].split(), strict=True))
    for event, next_state in wanted.items():
        assert TRANSITIONS[state].get(event) == (None if next_state == "." else DeviceState(next_state)), event


@given(st.lists(st.sampled_from(Event)))
def test_an_answer_makes_any_device_ready_and_a_broken_wire_loses_it(before: list[Event]) -> None:
    state = DeviceState.LOST
    for event in (*before, Event.OPENED, Event.FOUND):
        state = TRANSITIONS[state].get(event, state)
    assert state is DeviceState.READY
    assert TRANSITIONS[state][Event.GONE] is DeviceState.LOST


def test_a_device_that_nobody_has_seen_is_lost() -> None:
    now = record().now()
    assert (now.state, now.last_error, now.is_open) == (DeviceState.LOST, None, False)


def test_one_that_may_be_silent_is_ready_as_soon_as_its_wire_is_open() -> None:
    it = record()
    it.opened("/dev/shoe")
    it.told(FOUND)
    assert it.now().state is DeviceState.READY


def test_one_that_owes_an_answer_is_silent_until_it_gives_it() -> None:
    it = record(Tally())
    it.opened("/dev/reader")
    it.look()
    assert (it.now().state, it.now().identity, it.now().answered) == (DeviceState.SILENT, "/dev/reader", "")
    it.told(FOUND)
    assert (it.now().state, it.now().answered) == (DeviceState.READY, "it")
    it.told(MUTE)
    assert (it.now().state, it.now().last_error) == (DeviceState.SILENT, "does not answer")


def test_since_when_is_kept_while_a_mute_device_is_opened_again_and_again() -> None:
    it = record(Tally())
    it.opened("/dev/reader")
    since_us = it.now().since_us
    for _ in range(3):
        it.failed("does not answer", Event.MUTE)
        it.told(MUTE)
        it.opened("/dev/reader")
    assert it.now().state is DeviceState.SILENT
    assert it.now().since_us == since_us
    assert it.now().reconnects == 3


def test_it_is_told_when_it_was_heard_last_and_whether_it_was_since_its_wire_was_opened() -> None:
    it = record()
    it.opened("/dev/shoe")
    it.told(FOUND)
    assert (it.now().state, it.now().bytes_in, it.now().heard_us, it.now().is_heard) == (
        DeviceState.READY,
        0,
        None,
        False,
    )
    it.heard(2, 11)
    it.heard(3, 12)
    assert (it.now().bytes_in, it.now().heard_us, it.now().is_heard) == (5, 12, True)
    it.failed("unplugged", Event.GONE)
    it.opened("/dev/shoe")
    assert (it.now().bytes_in, it.now().heard_us, it.now().is_heard) == (5, 12, False)


def test_a_lost_wire_is_no_silence_of_the_device() -> None:
    it = record()
    it.opened("/dev/reader")
    it.told(FOUND)
    it.failed("unplugged", Event.GONE)
    it.told(MUTE)
    assert (it.now().state, it.now().last_error) == (DeviceState.LOST, "unplugged")


def test_a_little_garbage_is_noise_and_much_of_it_is_another_device() -> None:
    it = record(Tally())
    it.opened("/dev/reader")
    it.told(garbage(FOREIGN_BYTES - 1))
    assert it.now().state is DeviceState.SILENT
    it.told(garbage(1))
    assert (it.now().state, it.now().last_error) == (DeviceState.FOREIGN, "no header")


def test_garbage_with_frames_between_is_noise_however_much_of_it_there_is() -> None:
    tally = Tally()
    it = record(tally)
    it.opened("/dev/reader")
    it.told(FOUND)
    for _ in range(10):
        it.told(garbage(FOREIGN_BYTES - 1))
        tally.frames += 1
        it.look()
    assert it.now().state is DeviceState.READY


def test_where_nobody_counts_frames_a_fact_is_the_sign_of_life() -> None:
    it = record()
    it.opened("/dev/shoe")
    it.told(FOUND)
    it.told(garbage(FOREIGN_BYTES))
    assert it.now().state is DeviceState.FOREIGN
    it.told(KEY)
    assert it.now().state is DeviceState.READY


def test_a_frame_from_a_stranger_that_never_said_who_it_is_makes_it_silent_not_ready() -> None:
    tally = Tally()
    it = record(tally)
    it.opened("/dev/reader")
    it.told(garbage(FOREIGN_BYTES))
    tally.frames += 1
    it.look()
    assert it.now().state is DeviceState.SILENT


def test_a_device_that_answers_no_to_what_it_must_do_is_refused_until_it_does_it() -> None:
    tally = Tally()
    it = record(tally)
    it.opened("/dev/panel")
    tally.frames += 1
    tally.refusals += 1
    it.look()
    assert it.now().state is DeviceState.REFUSED
    it.told(MUTE)
    assert it.now().state is DeviceState.REFUSED
    it.told(FOUND)
    assert it.now().state is DeviceState.READY


@pytest.mark.parametrize(
    ("number", "event"),
    [
        (errno.EACCES, Event.DENIED),
        (errno.EPERM, Event.DENIED),
        (errno.EBUSY, Event.DENIED),
        (errno.EAGAIN, Event.DENIED),
        (errno.ENOENT, Event.GONE),
        (errno.EIO, Event.GONE),
        (None, Event.GONE),
    ],
)
def test_the_operating_system_says_whether_a_wire_is_refused_or_gone(number: int | None, event: Event) -> None:
    for kind in (WireUnavailable, WireLost):
        error = kind("text")
        error.__cause__ = OSError(number, "why") if number is not None else None
        outer = WireUnavailable("a probe says it again")
        outer.__cause__ = error
        assert event_of(error) is event_of(outer) is event


def test_reasons_are_counted_apart_up_to_a_number_of_them() -> None:
    it = record()
    firsts = [
        it.told(Rejected(device="reader", at_us=0, reason=f"reason {number}", n_bytes=1))
        for number in range(REASONS_MAX + 5)
    ]
    assert firsts == [True] * (REASONS_MAX + 1) + [False] * 4
    assert it.now().rejects[0] == ("other", 5)
    assert it.now().garbage_bytes == REASONS_MAX + 5


def test_what_a_protocol_counts_is_read_and_what_it_does_not_count_is_not_made_up() -> None:
    tally = Tally(frames=3, retries=2)
    assert (record(tally).now().frames, record(tally).now().retries) == (3, 2)
    assert (record().now().frames, record().now().retries) == (None, None)


def test_a_protocol_that_does_not_count_has_no_tally() -> None:
    class Counting:
        tally = Tally()

    assert tally_of(Counting()) is Counting.tally
    assert tally_of(object()) is None
