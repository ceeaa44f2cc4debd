"""Bytes of an LR6-USB, held against what PATLITE's own example sends.

Source: PATLITE-Corporation/LR6-USB_linux_python_example, `src/main.py`: the bytes that its functions pack, worked out
by hand for the arguments named.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.patlite.messages import (
    COMMAND_BYTES,
    DARK,
    Buzzer,
    LightState,
    Pattern,
    decode,
    encode,
    encode_colours,
)

LIGHTS = st.builds(
    LightState,
    **{colour: st.sampled_from(Pattern) for colour in ("red", "yellow", "green", "blue", "white")},
    buzzer=st.sampled_from(Buzzer),
    repeats=st.integers(0, 15),
    pitch_a=st.integers(0, 15),
    pitch_b=st.integers(0, 15),
)
ALL_DIFFERENT = LightState(
    red=Pattern.ON, yellow=Pattern.BLINK_1, green=Pattern.BLINK_2, blue=Pattern.BLINK_3, white=Pattern.BLINK_4
)


def test_dark_is_what_reset_sends() -> None:
    assert encode(DARK) == bytes(8)


def test_colours_alone_are_what_set_tower_1_2_3_4_5_sends() -> None:
    assert encode_colours(ALL_DIFFERENT) == bytes.fromhex("00 00 0f 00 12 34 50 00")


def test_a_whole_state_has_the_buzzer_of_set_buz_ex_2_3_1_13() -> None:
    state = LightState(green=Pattern.ON, buzzer=Buzzer.PATTERN_1, repeats=3, pitch_a=1, pitch_b=13)
    assert encode(state) == bytes.fromhex("00 00 32 1d 00 10 00 00")


def test_a_buzzer_without_pitches_has_those_of_set_buz_1_0() -> None:
    assert encode(LightState(buzzer=Buzzer.ON)) == bytes.fromhex("00 00 01 ef 00 00 00 00")


def test_set_light_red_on_leaves_the_rest_as_it_is() -> None:
    before = LightState(yellow=Pattern.BLINK_1, white=Pattern.ON, buzzer=Buzzer.ON)
    after = decode(bytes.fromhex("00 00 0f 00 1f ff f0 00"), before)
    assert after == LightState(red=Pattern.ON, yellow=Pattern.BLINK_1, white=Pattern.ON, buzzer=Buzzer.ON)


@pytest.mark.parametrize("command", [b"", bytes(7), bytes(9), b"\1" + bytes(7), b"\0\1" + bytes(6)])
def test_what_is_no_command_is_none(command: bytes) -> None:
    assert decode(command) is None


@pytest.mark.parametrize(("repeats", "pitch_a", "pitch_b"), [(16, 0, 0), (-1, 0, 0), (0, 16, 0), (0, 0, -1)])
def test_a_number_that_does_not_fit_a_nibble_is_refused(repeats: int, pitch_a: int, pitch_b: int) -> None:
    with pytest.raises(ValueError, match="0 to 15"):
        LightState(repeats=repeats, pitch_a=pitch_a, pitch_b=pitch_b)


@given(LIGHTS, LIGHTS)
def test_a_whole_state_reads_the_same_whatever_was_before(state: LightState, before: LightState) -> None:
    meant = state if state.buzzer is not Buzzer.OFF else state.silent()
    assert decode(encode(state), before) == meant


@given(st.binary(max_size=12) | st.binary(min_size=COMMAND_BYTES, max_size=COMMAND_BYTES), LIGHTS)
def test_junk_never_raises(command: bytes, before: LightState) -> None:
    state = decode(command, before)
    assert state is None or len(command) == COMMAND_BYTES
