"""A replay: when time-outs happen, what counts as written, and what a loss of the wire is to a driver."""

from __future__ import annotations

import pytest

from tablectl.ops.trace.text import parse
from tablectl.table.devices.trace_check import step_lines, wrong_with
from tablectl.table.devices.trace_replay import CannotReplay, replay

FEIG = "driver feig\nsetting answer_s = 1.0\nsetting attempts = 2\n"
ASKED = "05 FF 65 E5 CB"
LIGHT = "driver patlite-lr6\n"
TOWER = "driver qlight-usb\n"
#: Its lamps and its sound: dark, red and heard, red and silent.
_TOWER = (("00", "00"), ("02", "01"), ("02", "00"))
GREEN = "00 00 00 00 00 10 00 00"


def lines(text: str) -> list[str]:
    """What a replay says, without the entries themselves."""
    made = parse(text)
    told = [line for step in replay(made.head, made.entries) for line in step_lines(step, began_us=0, unsealed=True)]
    return [line.strip() for line, _ in told if line.startswith("        ")]


def test_a_time_out_happens_where_something_was_written_because_of_it() -> None:
    # Half a second late: the controller was busy.
    assert lines(f"{FEIG}0 opened\n0 out {ASKED}\n1.5 out {ASKED}\n") == []


def test_a_time_out_that_was_not_due_is_no_reason_to_write() -> None:
    assert lines(f"{FEIG}0 opened\n0 out {ASKED}\n0.5 out {ASKED}\n") == [
        f"DIFFERS: wanted nothing, written out {ASKED}"
    ]


def test_an_answer_that_came_just_in_time_for_a_late_controller_is_heard_before_the_time_out() -> None:
    answer = "0D 00 65 00 04 00 00 00 30 00 08 97 41"
    late = lines(f"{FEIG}0 opened\n0 out {ASKED}\n1.1 in {answer}\n1.1 out 05 FF 69 89 01\n")
    assert late == ['= found identity="FEIG reader, software 4.0, hardware type 00, software type 30"']
    too_late = lines(f"{FEIG}0 opened\n0 out {ASKED}\n1.9 in {answer}\n")
    assert f"DIFFERS: wanted out {ASKED}, written nothing" in too_late, "it would have asked again long before"


def test_what_was_wanted_and_never_written_is_told_where_the_wire_was_closed() -> None:
    assert lines(f"{FEIG}0 opened\n0.5 closed\n") == [f"DIFFERS: wanted out {ASKED}, written nothing"]
    assert lines(f"{FEIG}0 opened\n0.1 closed\n") == [], "it had no time to be written"


def test_a_driver_that_gives_its_wire_up_says_why_and_loses_it_when_it_is_closed() -> None:
    text = f"{FEIG}0 opened\n0 out {ASKED}\n1 out {ASKED}\n2.5 wait\n2.5 closed\n3 opened\n3 out {ASKED}\n"
    assert lines(text) == [
        "= reader-note kind=unanswered antenna=none code=101",
        "the driver gave its wire up: FEIG reader does not answer",
        '= lost reason="FEIG reader does not answer"',
    ]


def test_a_loss_is_told_once_however_often_the_device_is_not_there() -> None:
    text = f"{LIGHT}0 opened\n0 out 00 00 00 00 00 00 00 00\n1 lost pulled\n1 closed\n1.1 unavailable gone\n"
    assert [line for line in lines(text) if "lost" in line] == ["= lost reason=pulled"]
    assert lines(f"{LIGHT}0 unavailable gone\n1 unavailable busy\n") == ["= lost reason=gone"]


def test_a_port_that_the_table_closed_is_no_loss() -> None:
    assert not any("lost" in line for line in lines(f"{LIGHT}0 opened\n0 out 00 00 00 00 00 00 00 00\n1 closed\n"))


def test_a_trace_that_begins_in_the_middle_is_compared_from_the_next_opening_on() -> None:
    told = '{"lit":[],"signal":"play","card_due":false,"refused":null}'
    assert lines(f"{LIGHT}0 told {told}\n0 out 00 00 0F 00 11 00 00 00\n1 closed\n2 opened\n2 out {GREEN}\n") == [
        '= found identity="PATLITE LR6-USB 191a:8003 (never answers)"'
    ]


def test_what_was_written_in_between_and_what_stands_after_are_told_apart() -> None:
    told = '{"lit":[],"signal":"play","card_due":false,"refused":null}'
    text = parse(f"{LIGHT}0 told {told}\n0 opened\n0 out {GREEN[:-2]}01\n1 out {GREEN}\n")
    assert [line.partition("DIFFERS: ")[2] for line in wrong_with(text)] == [
        f"wanted out {GREEN}, written out {GREEN[:-2]}01",
        f"wanted nothing, written out {GREEN}",
    ]


def test_a_sound_that_is_heard_once_ends_some_time_after_it_was_told() -> None:
    dark, sounds, silent = (f"57 05 {lamps} 00 00 00 00 {sound}{' 00' * 8}" for lamps, sound in _TOWER)
    told = '{"lit":[],"signal":"pit-boss","card_due":false,"refused":null}'
    text = f"{TOWER}0 opened\n0 out {dark}\n1 told {told}\n1 out {sounds}\n"
    # The port looks at the clock after its read: up to a quarter of a second late, twice.
    assert [line for line in lines(f"{text}2.9 out {silent}\n") if "DIFFERS" in line] == []
    too_soon = [line for line in lines(f"{text}1.9 out {silent}\n") if "DIFFERS" in line]
    assert too_soon == [f"DIFFERS: wanted nothing, written out {silent}"]


def test_missing_entries_and_bytes_before_any_opening_harm_nothing() -> None:
    assert lines(f"{LIGHT}0 in 01 02\n0 missing 7\n") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("driver toaster\n0 wait", "no driver 'toaster'"),
        ("driver feig\nsetting baud = 0\n0 wait", "baud: found 0"),
        ("driver feig\nsetting colour = 'red'\n0 wait", "a setting that this driver does not have"),
    ],
)
def test_a_driver_that_cannot_be_made_is_named(text: str, told: str) -> None:
    made = parse(text)
    with pytest.raises(CannotReplay, match=told):
        list(replay(made.head, made.entries))
