"""What a panel behind Modbus-RTU is asked and tells, with a simulated module in place of a wire, and one clock.

Frames: the worked examples of simplymodbus.ca for functions 1, 2 and 15 and for an exception, whose data are those of
the "MODBUS Application Protocol Specification V1.1b3", 6.1, 6.2 and 6.11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.framing import Garbage, Scanner
from drivers.modbus_panel.driver import ModbusPanel
from drivers.modbus_panel.messages import (
    Answer,
    Bits,
    ReadBits,
    Refusal,
    Request,
    WriteLamps,
    Written,
    answer_grammar,
    encode_answer,
    encode_request,
    request_grammar,
)
from drivers.modbus_panel.settings import Inputs, ModbusPanelSettings
from drivers.panels import KeyFace, KeyLook
from drivers.registry import DRIVERS
from simulators.devices.faults import NO_FAULTS, Action, Fault, FaultKind, FaultPlan, Send
from simulators.devices.modbus_panel.simulator import ModbusPanelSimulator
from simulators.devices.wire import SimulatedDevice

SETTINGS = ModbusPanelSettings()

READ_22 = ReadBits(inputs=Inputs.DISCRETE, first=0xC4, count=22)
READ_37 = ReadBits(inputs=Inputs.COILS, first=0x13, count=37)
WRITE_10 = WriteLamps(first=0x13, lit=tuple(bit == "1" for bit in "1011001110"))


def bits(text: str, count: int) -> Bits:
    """From bytes in hexadecimal, the lowest bit first."""
    number = int.from_bytes(bytes.fromhex(text), "little")
    return Bits(tuple(bool(number >> bit & 1) for bit in range(count)))


#: Unit, request and its frame, answer and its frame.
GOLDEN: tuple[tuple[int, Request, str, Answer, str], ...] = (
    (0x11, READ_22, "11 02 00 c4 00 16 ba a9", bits("ac db 35", 22), "11 02 03 ac db 35 20 18"),
    (0x11, READ_37, "11 01 00 13 00 25 0e 84", bits("cd 6b b2 0e 1b", 37), "11 01 05 cd 6b b2 0e 1b 45 e6"),
    (0x11, WRITE_10, "11 0f 00 13 00 0a 02 cd 01 bf 0b", Written(), "11 0f 00 13 00 0a 26 99"),
    (
        0x0A,
        ReadBits(inputs=Inputs.COILS, first=0x4A1, count=1),
        "0a 01 04 a1 00 01 ac 63",
        Refusal(2),
        "0a 81 02 b0 53",
    ),
)


@pytest.mark.parametrize(("unit", "request_", "asked", "answer", "answered"), GOLDEN)
def test_frames_are_those_of_the_worked_examples(
    unit: int, request_: Request, asked: str, answer: Answer, answered: str
) -> None:
    assert encode_request(unit, request_) == bytes.fromhex(asked)
    assert Scanner(request_grammar(unit)).feed(bytes.fromhex(asked)) == [request_]
    assert encode_answer(unit, request_, answer) == bytes.fromhex(answered)
    assert Scanner(answer_grammar(unit, request_)).feed(bytes.fromhex(answered)) == [answer]


@pytest.mark.parametrize(("unit", "request_", "asked", "answer", "answered"), GOLDEN)
@given(data=st.data())
def test_splitting_changes_nothing_and_noise_in_front_is_dropped(
    *, unit: int, request_: Request, asked: str, answer: Answer, answered: str, data: st.DataObject
) -> None:
    assert encode_request(unit, request_) == bytes.fromhex(asked)
    whole = bytes.fromhex(answered)
    noise = data.draw(st.binary(max_size=12).filter(lambda sample: unit not in sample))
    cut = data.draw(st.integers(0, len(noise + whole)))
    scanner = Scanner(answer_grammar(unit, request_))
    found = [*scanner.feed((noise + whole)[:cut]), *scanner.feed((noise + whole)[cut:])]
    assert [message for message in found if not isinstance(message, Garbage)] == [answer]
    assert sum(garbage.n_bytes for garbage in found if isinstance(garbage, Garbage)) == len(noise)


@pytest.mark.parametrize("request_", [READ_22, WRITE_10])
@given(data=st.binary(max_size=60), begins=st.sampled_from([b"", b"\x11\x02", b"\x11\x0f", b"\x11\x82\x02"]))
def test_junk_is_never_an_answer_nor_a_request(request_: Request, data: bytes, begins: bytes) -> None:
    for scanner in (Scanner(answer_grammar(0x11, request_)), Scanner(request_grammar(0x11))):
        found = [*scanner.feed(begins + data), *scanner.forget()]
        assert sum(garbage.n_bytes for garbage in found if isinstance(garbage, Garbage)) <= len(begins + data)


@pytest.mark.parametrize(
    ("answered", "reason"),
    [
        ("12 02 03 ac db 35 20 18", "not from this module"),
        ("11 03 03 ac db 35 20 18", "an answer to nothing that was asked"),
        ("11 02 04 ac db 35 20 18", "not as many inputs as were asked for"),
        ("11 02 03 ac db 35 20 19", "wrong checksum"),
    ],
)
def test_what_is_no_answer_says_why(answered: str, reason: str) -> None:
    scanner = Scanner(answer_grammar(0x11, READ_22))
    found = [*scanner.feed(bytes.fromhex(answered)), *scanner.forget()]
    assert isinstance(found[0], Garbage)
    assert found[0].reason == reason


def test_an_answer_for_other_lamps_is_none() -> None:
    other = WriteLamps(first=0x14, lit=WRITE_10.lit)
    assert Written() not in Scanner(answer_grammar(0x11, other)).feed(bytes.fromhex("11 0f 00 13 00 0a 26 99"))


# -- the driver ------------------------------------------------------------------------------------------------------


class Line:
    """The device's end of a line on which nothing takes time: what is sent lies there until it is fetched."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def start(self, device: SimulatedDevice) -> None: ...

    def perform(self, action: Action) -> None:
        if isinstance(action, Send):
            self.sent.append(action.data)

    def unplug(self) -> None: ...

    def replug(self) -> None: ...

    def close(self) -> None: ...


class Bench:
    """A driver and a module, with one clock."""

    def __init__(self, settings: ModbusPanelSettings = SETTINGS, *, faults: FaultPlan = NO_FAULTS) -> None:
        self.now_s = 100.0
        self.line = Line()
        self.module = ModbusPanelSimulator(self.line, faults=faults)
        self.driver = ModbusPanel("panel", settings)

    def open(self) -> list[DeviceFact]:
        return [*self.driver.opened(now_s=self.now_s, at_us=1), *self.exchange()]

    def exchange(self) -> list[DeviceFact]:
        for item in self.driver.take_outgoing():
            self.module.received(item)
        sent, self.line.sent = self.line.sent, []
        return [fact for data in sent for fact in self.driver.receive(data, now_s=self.now_s, at_us=2)]

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

    def show(self, **looks: KeyLook) -> None:
        """k0=…, k1=…"""
        self.driver.face({int(name[1:]): KeyFace(look=look, label="Bet") for name, look in looks.items()})


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.open()
    bench.wait(0.5)
    return bench


def kinds(facts: Sequence[DeviceFact]) -> list[type[DeviceFact]]:
    return [type(fact) for fact in facts]


def test_a_panel_is_found_with_its_first_answer() -> None:
    assert Bench().open() == [Found(device="panel", at_us=2, identity="Modbus unit 1, 16 discrete-inputs from 0")]


def test_a_press_and_a_release_are_told_within_a_tenth_of_a_second(bench: Bench) -> None:
    bench.module.press(3)
    assert bench.wait(0.1) == [KeyDown(device="panel", at_us=2, key=3)]
    bench.module.release(3)
    assert bench.wait(0.1) == [KeyUp(device="panel", at_us=2, key=3)]


def test_a_contact_that_bounces_is_one_press(bench: Bench) -> None:
    facts: list[DeviceFact] = []
    for _ in range(10):
        bench.module.press(3)
        facts += bench.wait(SETTINGS.poll_s)
        bench.module.release(3)
        facts += bench.wait(SETTINGS.poll_s)
    bench.module.press(3)
    facts += bench.wait(0.2)
    assert facts == [KeyDown(device="panel", at_us=2, key=3)]


def test_contacts_that_are_closed_while_nobody_presses() -> None:
    bench = Bench(ModbusPanelSettings(normally_closed=True))
    for key in range(16):
        bench.module.press(key)
    bench.open()
    assert bench.wait(0.5) == []
    bench.module.release(5)
    assert bench.wait(0.2) == [KeyDown(device="panel", at_us=2, key=5)]


def test_live_keys_are_lit_and_dead_ones_dark(bench: Bench) -> None:
    bench.show(k0=KeyLook.LIVE, k5=KeyLook.LIVE, k6=KeyLook.DEAD)
    bench.wait(0.1)
    assert bench.module.lamps == {0, 5}


def test_the_lamp_of_a_refused_key_flashes(bench: Bench) -> None:
    bench.show(k0=KeyLook.LIVE, k5=KeyLook.REFUSED)
    seen = set()
    for _ in range(8):
        bench.wait(SETTINGS.flash_s)
        seen.add(bench.module.lamps)
    assert seen == {frozenset({0}), frozenset({0, 5})}


def test_the_lamp_of_a_refused_key_is_lit_first_and_as_long_as_it_is_dark(bench: Bench) -> None:
    bench.show(k5=KeyLook.REFUSED)
    bench.wait(SETTINGS.flash_s / 2)
    seen = [bench.module.lamps]
    for _ in range(4):
        bench.wait(SETTINGS.flash_s)
        seen.append(bench.module.lamps)
    assert seen == [{5}, set(), {5}, set(), {5}]


def test_keys_are_still_told_while_lamps_flash_and_are_refused() -> None:
    bench = Bench(ModbusPanelSettings(first_lamp=1000))
    bench.open()
    bench.show(k5=KeyLook.REFUSED)
    bench.module.press(3)
    facts = bench.wait(1.0)
    assert KeyDown in kinds(facts)
    assert {fact.reason for fact in facts if isinstance(fact, Rejected)} == {"refuses the lamps, exception 2"}


def test_a_module_without_the_inputs_wanted_refuses_them_which_is_counted() -> None:
    bench = Bench(ModbusPanelSettings(first_input=1000))
    assert kinds(bench.open()) == [Rejected]
    assert (bench.driver.tally.frames, bench.driver.tally.refusals) == (1, 1)


def test_questions_without_an_answer_are_counted(bench: Bench) -> None:
    retries = bench.driver.tally.retries
    now_s = bench.driver.deadline_s()
    for _ in range(4):
        assert now_s is not None
        bench.driver.tick(now_s=now_s, at_us=3)
        now_s = bench.driver.deadline_s()
    assert bench.driver.tally.retries > retries
    assert bench.driver.tally.refusals == 0


def test_a_module_that_was_off_for_a_moment_is_lit_again(bench: Bench) -> None:
    bench.show(k0=KeyLook.LIVE)
    bench.wait(0.1)
    bench.module.restarted()
    assert bench.module.lamps == frozenset()
    assert bench.wait(SETTINGS.lamps_every_s + 0.1) == []
    assert bench.module.lamps == {0}


def test_a_module_that_answers_no_more_is_lost_once_with_its_keys_up_and_found_when_it_does(bench: Bench) -> None:
    bench.show(k0=KeyLook.LIVE)
    bench.module.press(3)
    bench.wait(0.2)
    bench.module.be_silent(silent=True)
    facts = bench.wait(10 * SETTINGS.mute_after_s)
    assert kinds(facts) == [KeyUp, Lost]
    bench.module.restarted()
    bench.module.be_silent(silent=False)
    assert kinds(bench.wait(1.0)) == [Found, KeyDown]
    assert bench.module.lamps == {0}


def test_a_module_that_refuses_its_inputs_is_never_found() -> None:
    bench = Bench(ModbusPanelSettings(first_input=500))
    facts = [*bench.open(), *bench.wait(5.0)]
    assert {type(fact) for fact in facts} == {Rejected, Lost}
    assert [fact.reason for fact in facts if isinstance(fact, Lost)] == ["Modbus module 1 does not answer"]


def test_another_module_on_the_line_is_not_heard() -> None:
    bench = Bench(ModbusPanelSettings(unit=2))
    assert [kind for kind in kinds([*bench.open(), *bench.wait(5.0)]) if kind is not Rejected] == [Lost]


def test_keys_come_up_when_the_port_is_lost_and_nothing_is_asked_then(bench: Bench) -> None:
    bench.module.press(3)
    bench.wait(0.2)
    assert kinds(bench.driver.closed(at_us=9, reason="unplugged")) == [KeyUp, Lost]
    assert bench.driver.deadline_s() is None


def test_bytes_that_nobody_asked_for_are_rejected() -> None:
    facts = ModbusPanel("panel").receive(b"abc", now_s=0.0, at_us=1)
    assert facts == [Rejected(device="panel", at_us=1, reason="bytes that nobody asked for", n_bytes=3)]


def test_a_key_without_a_lamp_shows_nothing_and_one_that_no_panel_has_is_an_error(bench: Bench) -> None:
    bench.show(k63=KeyLook.LIVE)
    bench.wait(0.2)
    assert bench.module.lamps == frozenset()
    with pytest.raises(ValueError, match="no panel has a key 64"):
        bench.show(k64=KeyLook.LIVE)


@pytest.mark.parametrize("wrong", [{"unit": 0}, {"unit": 248}, {"keys": 0}, {"lamps": 65}, {"first_input": 65536}])
def test_a_register_map_that_cannot_be_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^[a-z_]+ \d+: \d+ to \d+$"):
        ModbusPanelSettings(**wrong)
    mistakes = list(DRIVERS["modbus-panel"].mistakes({"port": "/dev/ttyS0", **wrong}))
    assert [key for key, _, _ in mistakes] == list(wrong)


def test_the_map_comes_from_the_configuration() -> None:
    raw = {"port": "/dev/ttyS0", "parity": "N", "unit": 7, "inputs": "coils", "keys": 8}
    driver = DRIVERS["modbus-panel"]
    assert list(driver.mistakes(raw)) == []
    _, protocol = driver.make("panel", raw, None)
    assert isinstance(protocol, ModbusPanel)
    protocol.opened(now_s=0.0, at_us=0)
    assert [item.hex(" ")[:17] for item in protocol.take_outgoing()] == ["07 01 00 00 00 08"]
    wrong = {key for key, _, _ in driver.mistakes({**raw, "parity": "X", "inputs": "registers"})}
    assert wrong == {"parity", "inputs"}


@given(
    seed=st.integers(0, 1000),
    presses=st.lists(st.tuples(st.integers(0, 15), st.booleans()), max_size=8),
)
def test_events_stay_matched_whatever_the_line_does(seed: int, presses: list[tuple[int, bool]]) -> None:
    kinds_ = (FaultKind.LOSE, FaultKind.REPEAT, FaultKind.CORRUPT, FaultKind.SPLIT, FaultKind.JUNK)
    faults = FaultPlan(faults=tuple(Fault(kind=kind, probability=0.1) for kind in kinds_))
    bench = Bench(faults=faults)
    facts = bench.open()
    for key, down in presses:
        (bench.module.press if down else bench.module.release)(key)
        facts += bench.wait(0.15)
    facts += bench.driver.closed(at_us=9, reason="unplugged")
    held: set[int] = set()
    for fact in facts:
        if isinstance(fact, KeyDown):
            assert fact.key not in held
            held.add(fact.key)
        elif isinstance(fact, KeyUp):
            held.remove(fact.key)
    assert not held


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_junk_never_raises(junk: list[bytes]) -> None:
    bench = Bench()
    bench.open()
    for data in junk:
        bench.driver.receive(data, now_s=bench.now_s, at_us=4)
        bench.wait(0.05)
    bench.module.press(1)
    assert KeyDown in kinds(bench.wait(2.0))
