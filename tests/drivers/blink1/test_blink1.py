"""What a blink(1) is told, and that it turns red by itself when nobody tells it anything any more.

Bytes: worked out by hand from the formats in todbot/blink1, `docs/blink1-hid-commands.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.blink1.driver import COLOURS, OFF, Blink1, Blink1Settings
from drivers.blink1.messages import (
    ASK,
    AskVersion,
    Colour,
    Command,
    SetColour,
    SetLine,
    Tickle,
    decode,
    decode_version,
    encode,
    encode_version,
)
from drivers.facts import DeviceFact, Found, Lost, Rejected
from drivers.lights import ALL_OFF, Look, TowerState
from drivers.transport.base import AskFeature, FeatureAnswer, SetFeature
from simulators.devices.blink1.simulator import Blink1Simulator

SETTINGS = Blink1Settings()
RED, GREEN, YELLOW = COLOURS["red"], COLOURS["green"], COLOURS["yellow"]

#: { 1, 'n', r,g,b, 0,0, n }, { 1, 'P', r,g,b, th,tl, p }, { 1, 'D', on,th,tl, st,sp,ep }, { 1, 'v', 0… }
GOLDEN: tuple[tuple[str, Command], ...] = (
    ("01 6e ff a0 00 00 00 02", SetColour(led=2, colour=Colour(255, 160, 0))),
    ("01 50 ff 00 00 00 32 03", SetLine(line=3, colour=Colour(255, 0, 0), for_ms=500)),
    ("01 44 01 01 2c 01 01 02", Tickle(within_ms=3000)),
    ("01 44 00 00 00 01 00 00", Tickle(within_ms=0, first=0, last=0)),
    ("01 76 00 00 00 00 00 00", AskVersion()),
)


@pytest.mark.parametrize(("data", "command"), GOLDEN)
def test_a_command_has_the_bytes_of_the_document(data: str, command: Command) -> None:
    assert encode(command) == bytes.fromhex(data)
    assert isinstance(encode(command), SetFeature)
    assert decode(bytes.fromhex(data)) == command


def test_a_version_is_two_digits() -> None:
    assert encode_version(2, 6) == bytes.fromhex("01 76 00 32 36 00 00 00")
    assert decode_version(bytes.fromhex("01 76 00 33 30 00 00 00")) == (3, 0)


@given(st.binary(max_size=12) | st.binary(min_size=6, max_size=6).map(lambda rest: b"\x01D" + rest))
def test_junk_is_never_more_than_a_command_or_a_version(data: bytes) -> None:
    decode(data)
    decode_version(data)


class Room:
    """A light and its driver, with one clock between them that only the test moves. No wire: what one says, the other
    hears, unless the controller is dead."""

    def __init__(self, version: tuple[int, int] = (2, 6)) -> None:
        self.now_s = 100.0
        self.light = Blink1Simulator(version=version, now_s=lambda: self.now_s)
        self.driver = Blink1("light")
        self.said: list[bytes] = []

    def open(self) -> list[DeviceFact]:
        facts = list(self.driver.opened(now_s=self.now_s, at_us=1))
        return facts + self.exchange()

    def exchange(self) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        while outgoing := self.driver.take_outgoing():
            for item in outgoing:
                self.said.append(item)
                if isinstance(item, AskFeature):
                    answer = self.light.feature_asked(item[0])
                    assert answer is not None
                    facts += self.driver.receive(FeatureAnswer(answer), now_s=self.now_s, at_us=2)
                else:
                    assert self.light.feature_written(item)
        return facts

    def look(self, state: TowerState) -> None:
        self.driver.look(state)
        self.exchange()

    def wait(self, seconds: float) -> list[DeviceFact]:
        until_s = self.now_s + seconds
        facts: list[DeviceFact] = []
        while (due_s := self.driver.deadline_s()) is not None and due_s <= until_s:
            self.now_s = max(due_s, self.now_s)
            facts += [*self.driver.tick(now_s=self.now_s, at_us=3), *self.exchange()]
            next_s = self.driver.deadline_s()
            assert next_s is not None
            assert next_s > self.now_s, "the driver wants a tick that changes nothing"
        self.now_s = until_s
        return facts

    def die(self, seconds: float) -> None:
        """The controller does nothing for so long."""
        self.now_s += seconds


@pytest.fixture
def room() -> Room:
    room = Room()
    room.open()
    return room


def test_it_is_found_when_it_has_told_its_version() -> None:
    assert Room().open() == [Found(device="light", at_us=2, identity="blink(1) 27b8:01ed, firmware 2.06")]


def test_the_light_turns_red_by_itself_when_the_controller_dies_and_stays_so(room: Room) -> None:
    room.look(TowerState(green=Look.ON))
    room.wait(60.0)
    assert room.light.colours == (GREEN, GREEN)
    room.die(SETTINGS.dead_after_s + 0.01)
    for _ in range(20):
        assert room.light.colours == (RED, RED)
        room.die(0.37)


def test_a_controller_that_lives_is_never_taken_for_dead(room: Room) -> None:
    room.look(TowerState(green=Look.ON))
    for _ in range(200):
        room.wait(0.7)
        assert room.light.colours == (GREEN, GREEN)


def test_a_controller_that_was_only_late_makes_the_light_right_again(room: Room) -> None:
    room.look(TowerState(green=Look.ON))
    room.die(SETTINGS.dead_after_s + 1.0)
    assert room.light.colours == (RED, RED)
    room.driver.tick(now_s=room.now_s, at_us=4)
    room.exchange()
    assert room.light.colours == (GREEN, GREEN)
    room.die(SETTINGS.dead_after_s + 1.0)
    assert room.light.colours == (RED, RED)


def test_a_wire_that_breaks_turns_the_light_red_too_as_long_as_it_has_power(room: Room) -> None:
    room.look(TowerState(green=Look.ON))
    assert [type(fact) for fact in room.driver.closed(at_us=5, reason="unplugged")] == [Lost]
    assert room.driver.deadline_s() is None
    room.die(SETTINGS.dead_after_s + 1.0)
    assert room.light.colours == (RED, RED)
    room.light.plugged_in()
    assert [type(fact) for fact in room.open()] == [Found]
    assert room.light.colours == (GREEN, GREEN)


def test_a_controller_that_ends_in_order_leaves_the_light_dark(room: Room) -> None:
    room.look(TowerState(green=Look.ON))
    room.look(ALL_OFF)
    room.die(1000.0)
    assert room.light.colours == (OFF, OFF)
    assert not room.light.is_playing


def test_red_lines_are_written_before_the_light_is_armed(room: Room) -> None:
    commands = [decode(item) for item in room.said if isinstance(item, SetFeature)]
    lines = [place for place, command in enumerate(commands) if isinstance(command, SetLine)]
    first_tickle = next(place for place, command in enumerate(commands) if isinstance(command, Tickle))
    assert len(lines) == 3
    assert max(lines) < first_tickle


def test_the_eeprom_of_an_mk1_is_not_worn_out() -> None:
    room = Room(version=(1, 0))
    assert [type(fact) for fact in room.open()] == [Found]
    room.look(TowerState(green=Look.ON))
    commands = [decode(item) for item in room.said if isinstance(item, SetFeature)]
    assert not any(isinstance(command, SetLine) for command in commands)
    assert Tickle(within_ms=3000) in commands


def test_the_most_urgent_colours_are_on_its_two_leds(room: Room) -> None:
    room.look(TowerState(white=Look.ON, green=Look.ON, red=Look.ON))
    assert room.light.colours == (RED, GREEN)
    room.look(TowerState(red=Look.ON, yellow=Look.ON))
    assert room.light.colours == (RED, YELLOW)


@pytest.mark.parametrize(
    ("state", "colour"),
    [
        (TowerState(red=Look.ON), Colour(255, 0, 0)),
        (TowerState(green=Look.ON), Colour(0, 255, 0)),
        (TowerState(blue=Look.ON), Colour(0, 0, 255)),
        (TowerState(white=Look.ON), Colour(255, 255, 255)),
        (ALL_OFF, Colour(0, 0, 0)),
    ],
)
def test_a_colour_is_as_pure_and_bright_as_can_be(room: Room, state: TowerState, colour: Colour) -> None:
    room.look(state)
    assert room.light.colours == (colour, colour)


def test_yellow_is_red_with_less_green_and_no_blue(room: Room) -> None:
    room.look(TowerState(yellow=Look.ON))
    yellow, _ = room.light.colours
    assert (yellow.red, yellow.blue) == (255, 0)
    assert 0 < yellow.green < 255


def test_what_blinks_is_on_half_of_the_time_beside_what_does_not(room: Room) -> None:
    room.look(TowerState(red=Look.BLINK, green=Look.ON))
    seen = set()
    for _ in range(12):
        room.wait(SETTINGS.blink_s)
        seen.add(room.light.colours)
    assert seen == {(RED, GREEN), (OFF, GREEN)}


def test_a_light_that_does_not_answer_is_lost_once_asked_on_and_shown_what_is_wanted() -> None:
    room = Room()
    room.driver.opened(now_s=room.now_s, at_us=1)
    room.driver.look(TowerState(red=Look.ON))
    facts: list[DeviceFact] = []
    said: list[bytes] = []
    for _ in range(60):
        room.now_s += 0.5
        facts += room.driver.tick(now_s=room.now_s, at_us=2)
        said += room.driver.take_outgoing()
    assert facts == [Lost(device="light", at_us=2, reason="blink(1) is plugged in but does not answer")]
    assert said.count(ASK) == 1 + room.driver.tally.retries > 10
    assert encode(SetColour(led=1, colour=RED)) in said
    assert list(room.driver.closed(at_us=3, reason="unplugged")) == []


def test_what_is_no_answer_is_rejected(room: Room) -> None:
    facts = room.driver.receive(b"\1\2", now_s=0.0, at_us=5)
    assert facts == [
        Rejected(device="light", at_us=5, reason="not the answer to the question for its version", n_bytes=2)
    ]


@given(st.lists(st.builds(TowerState, red=st.sampled_from(Look), yellow=st.sampled_from(Look)), min_size=1))
def test_whatever_is_shown_one_after_the_other_the_last_is_what_is_seen(shown: Sequence[TowerState]) -> None:
    room = Room()
    room.open()
    for state in shown:
        room.look(state)
        room.wait(0.2)
    last = shown[-1]
    is_lit = {name for name in ("red", "yellow") if getattr(last, name) is not Look.OFF}
    seen: set[Colour] = set()
    for _ in range(4):
        room.wait(SETTINGS.blink_s)
        seen |= set(room.light.colours)
    assert seen - {OFF} == {COLOURS[name] for name in is_lit}
