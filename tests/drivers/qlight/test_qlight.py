"""What a Qlight tower is told, held against what other programs were seen to send to real ones.

Commands: the table in a program for a Qlight at a robot's emergency stop (captured from the vendor's own software), and
the template of KennethWilke/qlight_userspace. The vendor's "Communication data format of the USB product" gives the
order of the bytes up to the white lamp, with other numbers for the looks.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import Found, Lost, Rejected
from drivers.lights import ALL_OFF, Look, Sound, TowerState
from drivers.qlight.driver import IDENTITY, Qlight, QlightSettings
from drivers.qlight.messages import Command, Numbers, decode, encode

OFF, ON, BLINK = Look.OFF, Look.ON, Look.BLINK
DARK = Command(lamps=(OFF, OFF, OFF, OFF, OFF))
ALL_BLUE = Command(lamps=(BLINK, OFF, ON, BLINK, ON), channel=3)

#: Command, and what a light that was `ALL_BLUE` looks like then.
CAPTURED = (
    ("57050164646464644000b0f000000000", Command(lamps=(ON, OFF, ON, BLINK, ON), group=5, channel=3)),
    ("57050264646464644000b0f000000000", Command(lamps=(BLINK, OFF, ON, BLINK, ON), group=5, channel=3)),
    ("57050064646464644000b0f000000000", Command(lamps=(OFF, OFF, ON, BLINK, ON), group=5, channel=3)),
    ("57056464016464644000b0f000000000", Command(lamps=(BLINK, OFF, ON, BLINK, ON), group=5, channel=3)),
    ("57056464026464644000b0f000000000", Command(lamps=(BLINK, OFF, BLINK, BLINK, ON), group=5, channel=3)),
    ("57056464646464014000b0f000000000", Command(lamps=(BLINK, OFF, ON, BLINK, ON), group=5, channel=1)),
    ("57056464646464004000f0f200000000", Command(lamps=(BLINK, OFF, ON, BLINK, ON), group=5, channel=0)),
    ("5700646464646464400054f300000000", ALL_BLUE),
)
LIGHTS = st.builds(
    TowerState,
    **{colour: st.sampled_from(Look) for colour in ("red", "yellow", "green", "blue", "white")},
    sound=st.sampled_from(Sound),
)


@pytest.mark.parametrize(("command", "after"), CAPTURED)
def test_a_captured_command_means_what_its_program_calls_it(command: str, after: Command) -> None:
    assert decode(bytes.fromhex(command), Numbers.AS_SEEN, ALL_BLUE) == after


def test_a_whole_state_has_the_bytes_that_were_captured_one_by_one() -> None:
    state = Command(lamps=(ON, OFF, BLINK, OFF, ON), group=5, channel=1)
    assert encode(state, Numbers.AS_SEEN)[:8] == bytes.fromhex("57 05 01 00 02 00 01 01")
    assert len(encode(state, Numbers.AS_SEEN)) == 16


def test_the_numbers_of_the_vendors_table_are_the_other_way_round() -> None:
    state = Command(lamps=(ON, OFF, BLINK, OFF, ON), group=5, channel=1)
    assert encode(state, Numbers.AS_PRINTED)[:8] == bytes.fromhex("57 05 02 00 01 00 02 01")


@pytest.mark.parametrize("data", [b"", bytes(16), bytes.fromhex("57 00 01 00"), bytes(17)])
def test_what_is_no_command_is_none(data: bytes) -> None:
    assert decode(data, Numbers.AS_SEEN, DARK) is None


@given(st.binary(max_size=20) | st.binary(min_size=15, max_size=15).map(lambda rest: b"\x57" + rest))
def test_junk_is_never_more_than_a_command(data: bytes) -> None:
    decode(data, Numbers.AS_SEEN, DARK)


def opened(settings: QlightSettings | None = None) -> Qlight:
    light = Qlight("light", settings or QlightSettings())
    light.opened(now_s=0.0, at_us=1)
    light.take_outgoing()
    return light


def told(light: Qlight) -> list[str]:
    return [data[:8].hex(" ") for data in light.take_outgoing()]


def test_it_is_found_as_soon_as_its_port_is_open_and_made_dark() -> None:
    light = Qlight("light")
    assert light.opened(now_s=0.0, at_us=1) == [Found(device="light", at_us=1, identity=IDENTITY)]
    assert told(light) == ["57 05 00 00 00 00 00 00"]


def test_what_is_shown_is_sent_once() -> None:
    light = opened()
    light.look(TowerState(green=ON))
    light.look(TowerState(green=ON))
    assert told(light) == ["57 05 00 00 01 00 00 64"]


def test_a_sound_that_is_to_be_heard_once_is_ended_in_time() -> None:
    light = opened()
    light.look(TowerState(red=BLINK, sound=Sound.ONCE))
    assert told(light) == ["57 05 02 00 00 00 00 01"]
    due_s = light.deadline_s()
    assert due_s is not None
    assert due_s < 10.0
    light.tick(now_s=10.0, at_us=2)
    assert told(light) == []
    assert light.deadline_s() == 10.0 + QlightSettings().sound_s
    light.tick(now_s=11.5, at_us=2)
    assert told(light) == ["57 05 02 00 00 00 00 00"]
    assert light.deadline_s() is None


def test_a_lamp_that_changes_does_not_start_the_sound_anew() -> None:
    light = opened()
    light.look(TowerState(red=BLINK, sound=Sound.ONCE))
    light.look(TowerState(red=ON, sound=Sound.ONCE))
    assert told(light)[1] == "57 05 01 00 00 00 00 64"


def test_a_sound_that_was_cut_off_by_a_loss_is_not_heard_again_but_one_without_end_is() -> None:
    light = opened()
    light.look(TowerState(sound=Sound.ONCE))
    light.tick(now_s=1.0, at_us=2)
    assert light.closed(at_us=3, reason="unplugged") == [Lost(device="light", at_us=3, reason="unplugged")]
    light.opened(now_s=2.0, at_us=4)
    assert told(light) == ["57 05 00 00 00 00 00 00"]
    light.look(TowerState(sound=Sound.ON))
    light.closed(at_us=5, reason="unplugged")
    light.opened(now_s=3.0, at_us=6)
    assert told(light) == ["57 05 00 00 00 00 00 01"]


def test_a_light_that_says_something_is_not_heard() -> None:
    assert opened().receive(b"\1", now_s=0.0, at_us=5) == [
        Rejected(device="light", at_us=5, reason="a light that says something", n_bytes=1)
    ]


@given(st.lists(LIGHTS, min_size=1), st.sampled_from(Numbers))
def test_whatever_is_shown_one_after_the_other_the_last_is_what_is_seen(
    shown: list[TowerState], numbers: Numbers
) -> None:
    light = opened(QlightSettings(numbers=numbers))
    seen = DARK
    for state in shown:
        light.look(state)
        for command in light.take_outgoing():
            after = decode(command, numbers, seen)
            assert after is not None
            seen = after
    last = shown[-1]
    assert seen.lamps == (last.red, last.yellow, last.green, last.blue, last.white)
    if all(state.sound is not Sound.ONCE for state in shown):
        assert bool(seen.channel) == (last.sound is Sound.ON)
    assert last != ALL_OFF or seen.lamps == DARK.lamps
