"""What the tower light is told, and when."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import Found, Lost, Rejected
from drivers.lights import ALL_OFF, Look, Sound, TowerState
from drivers.patlite.driver import IDENTITY, Patlite
from drivers.patlite.messages import DARK, Buzzer, LightState, Pattern, decode, encode

GREEN = LightState(green=Pattern.ON)
ALARM = LightState(red=Pattern.BLINK_1, buzzer=Buzzer.PATTERN_1)
CHIME = LightState(yellow=Pattern.ON, buzzer=Buzzer.PATTERN_2, repeats=2)
LIGHTS = st.builds(LightState, red=st.sampled_from(Pattern), buzzer=st.sampled_from(Buzzer), repeats=st.integers(0, 2))


def opened() -> Patlite:
    light = Patlite("light")
    light.opened(now_s=0.0, at_us=1)
    light.take_outgoing()
    return light


def test_it_is_found_as_soon_as_its_port_is_open_and_made_dark() -> None:
    light = Patlite("light")
    assert light.opened(now_s=0.0, at_us=1) == [Found(device="light", at_us=1, identity=IDENTITY)]
    assert list(light.take_outgoing()) == [bytes(8)]
    assert light.deadline_s() is None


def test_what_is_shown_is_sent_once() -> None:
    light = opened()
    light.show(GREEN)
    assert list(light.take_outgoing()) == [bytes.fromhex("00 00 0f 00 00 10 00 00")]
    light.show(GREEN)
    assert list(light.take_outgoing()) == []


def test_a_colour_that_changes_does_not_start_the_sound_anew() -> None:
    light = opened()
    light.show(CHIME)
    assert list(light.take_outgoing()) == [encode(CHIME)]
    light.show(LightState(green=Pattern.ON, buzzer=Buzzer.PATTERN_2, repeats=2))
    assert list(light.take_outgoing()) == [bytes.fromhex("00 00 0f 00 00 10 00 00")]


def test_a_sound_that_ends_is_ended() -> None:
    light = opened()
    light.show(ALARM)
    light.take_outgoing()
    light.show(GREEN)
    assert list(light.take_outgoing()) == [bytes.fromhex("00 00 00 00 00 10 00 00")]


def test_after_a_loss_all_of_it_is_sent_again() -> None:
    light = opened()
    light.show(ALARM)
    assert light.closed(at_us=2, reason="unplugged") == [Lost(device="light", at_us=2, reason="unplugged")]
    assert list(light.take_outgoing()) == []
    light.opened(now_s=1.0, at_us=3)
    assert list(light.take_outgoing()) == [encode(ALARM)]


def test_what_was_shown_while_it_was_lost_is_sent_when_it_is_back() -> None:
    light = Patlite("light")
    light.show(GREEN)
    assert list(light.take_outgoing()) == []
    light.opened(now_s=1.0, at_us=3)
    assert list(light.take_outgoing()) == [encode(GREEN)]


def test_a_sound_of_so_many_times_is_not_heard_again_after_a_loss() -> None:
    light = opened()
    light.show(CHIME)
    light.closed(at_us=2, reason="unplugged")
    light.opened(now_s=1.0, at_us=3)
    assert list(light.take_outgoing()) == [encode(LightState(yellow=Pattern.ON))]


def test_a_sound_that_was_shown_while_it_was_lost_is_heard_when_it_is_back() -> None:
    light = Patlite("light")
    light.show(CHIME)
    light.opened(now_s=1.0, at_us=3)
    assert list(light.take_outgoing()) == [encode(CHIME)]
    light.closed(at_us=4, reason="unplugged")
    light.opened(now_s=2.0, at_us=5)
    assert list(light.take_outgoing()) == [encode(CHIME.silent())]


def test_a_light_that_says_something_is_not_heard() -> None:
    assert opened().receive(b"\1\2", now_s=0.0, at_us=5) == [
        Rejected(device="light", at_us=5, reason="a light that says something", n_bytes=2)
    ]


@given(st.lists(LIGHTS, min_size=1))
def test_whatever_is_shown_one_after_the_other_the_last_is_what_is_seen(shown: list[LightState]) -> None:
    light = opened()
    seen = DARK
    for state in shown:
        light.show(state)
        for command in light.take_outgoing():
            after = decode(command, seen)
            assert after is not None
            seen = after
    assert encode(seen) == encode(shown[-1])


def test_the_words_for_every_light_are_its_first_patterns() -> None:
    light = opened()
    light.look(TowerState(red=Look.BLINK, green=Look.ON, sound=Sound.ONCE))
    expected = LightState(red=Pattern.BLINK_1, green=Pattern.ON, buzzer=Buzzer.PATTERN_1, repeats=1)
    assert list(light.take_outgoing()) == [encode(expected)]
    light.look(TowerState(white=Look.ON, sound=Sound.ON))
    assert list(light.take_outgoing()) == [encode(LightState(white=Pattern.ON, buzzer=Buzzer.PATTERN_1))]
    light.look(ALL_OFF)
    assert list(light.take_outgoing()) == [encode(DARK)]
