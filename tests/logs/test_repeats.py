"""What goes on and on does not fill a disk, and is counted."""

from __future__ import annotations

import itertools
import logging
import threading
from collections import Counter

import pytest

from drivers.facts import DeviceFact
from drivers.port import Patience, Port
from drivers.transport.base import Wire, WireUnavailable
from tablectl.ops.logs.repeats import BURST, KEYS_MOST, WINDOW_S, Held, Repeats
from tests.drivers.test_port import SOON_S, Letters
from tests.logs.reading import ReadLog, reading

NIGHT_S = 8 * 3600
#: A port tries so often to open its wire, in seconds.
AGAIN_S = 2


def told(read: ReadLog, event: str) -> int:
    """How often this happened, as a reader of the log counts."""
    return sum(
        entry["times"] if entry["event"] == "repeated" else 1
        for entry in read.events
        if event in (entry["event"], entry.get("of"))
    )


@pytest.mark.wide
def test_a_plug_that_is_loose_all_night_is_counted_and_fills_no_disk() -> None:
    n_losses = NIGHT_S // AGAIN_S
    with reading() as read:
        for _ in range(n_losses):
            read.now_s += AGAIN_S
            read.log.warning("device lost", device="shoe", reason="unplugged")
            read.log.info("device back", device="shoe", identity="usb 1-2")
    assert told(read, "device lost") == told(read, "device back") == n_losses
    assert len(read.lines) < 2 * (BURST + NIGHT_S / WINDOW_S + 1)
    assert len(read.text) < 50_000
    last = [event for event in read.events if event["event"] == "repeated"][-2]
    assert (last["of"], last["level"], last["device"]) == ("device lost", "warning", "shoe")


def test_a_device_that_is_missing_all_night_is_one_line() -> None:
    """The real port tries as often as it does in a night, without its pauses."""
    tries, enough = itertools.count(), threading.Event()

    def opener() -> Wire:
        if next(tries) == NIGHT_S // AGAIN_S:
            enough.set()
        raise WireUnavailable("no such device")

    heard: list[DeviceFact] = []
    with reading() as read:
        patience = Patience(first_s=0.0, ceiling_s=0.0)
        with Port("shoe", opener, Letters(), heard.append, read.log, patience=patience):
            assert enough.wait(SOON_S * 3)
    assert [event["event"] for event in read.events] == ["device lost"]


def test_when_it_is_over_the_rest_is_counted_with_the_next_line() -> None:
    with reading() as read:
        for _ in range(BURST + 3):
            read.log.warning("not taken", target="chef")
        read.now_s += WINDOW_S
        read.log.info("sent", target="chef")
        read.now_s += WINDOW_S
        read.log.warning("not taken", target="chef")
    assert [event["event"] for event in read.events] == ["not taken"] * BURST + ["repeated", "sent", "not taken"]
    assert read.events[BURST]["times"] == 3


def test_at_the_end_of_the_process_the_rest_is_counted() -> None:
    with reading() as read:
        for _ in range(BURST + 1):
            read.log.warning("stream broken")
    assert [event["event"] for event in read.events][-1] == "repeated"
    assert read.events[-1]["of"] == "stream broken"


def test_other_devices_hands_and_levels_are_said_all_the_same() -> None:
    with reading() as read:
        for number in range(100):
            read.log.info("hand over", hand=number)
        for device in ("shoe", "panel"):
            for _ in range(100):
                read.log.warning("bytes rejected", device=device, n_bytes=_)
    count = Counter(event["event"] for event in read.events)
    assert count == {"hand over": 100, "bytes rejected": 2 * BURST, "repeated": 2}


def test_whoever_looks_for_a_fault_sees_every_line() -> None:
    with reading({"TABLECTL_LOG": "debug"}) as read:
        for _ in range(100):
            read.log.debug("statistics do not follow")
    assert len(read.lines) == 100


def test_a_library_that_goes_on_and_on_is_counted_too() -> None:
    with reading() as read:
        for number in range(100):
            logging.getLogger("uvicorn.error").warning("Invalid request %s", number)
    assert len(read.lines) == BURST + 1
    assert (read.events[-1]["library"], read.events[-1]["times"]) == ("uvicorn.error", 100 - BURST)


def test_no_more_is_remembered_than_fits_and_what_was_held_back_is_not_forgotten() -> None:
    repeats: Repeats[int] = Repeats(lambda: 0.0)
    for _ in range(BURST + 2):
        repeats.is_to_say(0)
    for key in range(1, KEYS_MOST + 1):
        assert repeats.is_to_say(key)
    assert repeats.due() == [Held(key=0, times=2)]
    assert repeats.due() == []
    assert repeats.rest() == []
