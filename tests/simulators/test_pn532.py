"""Driver and simulated PN532, end to end over an in-memory wire in virtual time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.facts import Found, Lost, Rejected, TagIn, TagOut
from drivers.pn532 import messages
from drivers.pn532.driver import Multiplexer, Note, Pn532, Pn532Settings
from drivers.pn532.messages import Code, Data, Status
from drivers.reader import UNANSWERED
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.field import Field
from simulators.devices.pn532.simulator import ChipOptions, ChipProtocol
from simulators.devices.world import AWAY, HAND, World, type_a_tag
from tests.simulators.readers import ReaderBench
from tests.wide import once

SPOTS = ("seat-1", "seat-2", "board")
FACES = ("As", "Kd", "7c", "2h")


class Bench(ReaderBench):
    def __init__(
        self,
        *,
        settings: Pn532Settings | None = None,
        n_antennas: int = 1,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
        options: ChipOptions | None = None,
    ) -> None:
        self.world = World(FACES, tag_of=type_a_tag)
        fields = [Field(self.world, spot) for spot in SPOTS[:n_antennas]]
        if settings is None and n_antennas > 1:
            settings = Pn532Settings(multiplexer=Multiplexer.GPIO_P3, antennas=n_antennas)
        self.chip = ChipProtocol(fields, options or ChipOptions())
        self.driver = Pn532("antennas", settings or Pn532Settings())
        super().__init__(self.driver, self.chip, fields, faults=faults, seed=seed)

    def put(self, number: int, place: str) -> str:
        card = self.world.cards()[number]
        self.world.put(card, place)
        return card.tag


def test_the_reader_says_who_it_is() -> None:
    bench = Bench()
    bench.run()
    assert [fact.identity for fact in bench.wire.facts if isinstance(fact, Found)] == ["PN532 firmware 1.6"]


def test_a_card_that_comes_stays_and_goes_is_in_once_and_out_once() -> None:
    bench = Bench()
    assert bench.run() == []
    tag = bench.put(0, "seat-1")
    assert bench.run(30.0) == [("in", tag, 1)]
    bench.put(0, HAND)
    assert bench.run(30.0) == [("out", tag, 1)]
    assert bench.count(Rejected) == 0


@pytest.mark.parametrize("max_targets", [1, 2])
def test_a_stack_of_cards_is_read_whole(max_targets: int) -> None:
    bench = Bench(settings=Pn532Settings(max_targets=max_targets))
    tags = {bench.put(number, "seat-1") for number in range(4)}
    assert {tag for _, tag, _ in bench.run()} == tags
    assert bench.run(20.0) == []
    assert bench.notes() == []


def test_more_cards_than_are_looked_for_are_noted_and_nobody_is_taken_for_gone() -> None:
    bench = Bench(settings=Pn532Settings(tags_max=3))
    bench.put(0, "seat-1")
    bench.run()
    for number in (1, 2, 3):
        bench.put(number, "seat-1")
    bench.run(20.0)
    assert bench.notes() == [(Note.TOO_MANY_TAGS, 1, 3)]
    assert [move for move in bench.run(20.0) if move[0] == "out"] == []


def test_a_card_that_will_not_be_quiet_hides_others_but_nobody_is_taken_for_gone() -> None:
    stubborn = World(FACES, tag_of=type_a_tag).cards()[0].tag
    bench = Bench(options=ChipOptions(stubborn=frozenset({stubborn})))
    other = bench.put(1, "seat-1")
    bench.run()
    bench.put(0, "seat-1")
    bench.put(1, AWAY)
    bench.put(1, "seat-1")
    assert bench.run(20.0) == [("in", stubborn, 1)]
    assert bench.notes() == [(Note.SCAN_FAILED, 1, Status.COLLISION)]
    assert other not in [tag for direction, tag, _ in bench.run(20.0) if direction == "out"]


def test_a_card_carried_to_another_antenna_moves_once() -> None:
    bench = Bench(n_antennas=3)
    tag = bench.put(0, "seat-1")
    assert bench.run() == [("in", tag, 1)]
    bench.put(0, "board")
    assert bench.run(20.0) == [("in", tag, 3), ("out", tag, 1)]


def test_a_command_that_the_chip_does_not_understand_is_noted_and_nobody_comes_or_goes() -> None:
    bench = Bench(n_antennas=2, options=ChipOptions(unknown=frozenset({Code.WRITE_GPIO})))
    bench.put(0, "seat-1")
    assert bench.run(10.0) == []
    assert bench.notes() == [(Note.SYNTAX_ERROR, antenna, Code.WRITE_GPIO) for antenna in (1, 2)]


def test_a_chip_that_does_not_understand_what_every_pn532_does_is_none() -> None:
    bench = Bench(options=ChipOptions(unknown=frozenset({Code.GET_FIRMWARE_VERSION})))
    bench.run(10.0)
    assert bench.count(Found) == 0
    assert bench.count(Lost) > 0


def test_a_listing_that_another_program_left_running_is_ended() -> None:
    bench = Bench()
    bench.chip.receive(messages.WAKE_UP + messages.encode(messages.sam_configuration()))
    bench.chip.receive(messages.encode(messages.list_type_a(1)))
    bench.chip.take_outgoing()
    tag = bench.put(0, "seat-1")
    assert bench.run() == [("in", tag, 1)]


@pytest.mark.parametrize("message", once(range(14, 26), 14, 19, 25))
def test_unplugged_at_any_byte_of_any_answer_a_card_is_in_once(message: int) -> None:
    for offset in range(21):
        cut = Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(message,), offset=offset, for_s=0.5)
        bench = Bench(faults=FaultPlan(faults=(cut,)))
        tag = bench.put(0, "seat-1")
        assert bench.run(4.0) == [("in", tag, 1)]
        assert bench.count(Lost) == 1


def test_a_copied_tag_is_in_at_both_antennas_until_one_of_them_misses_it() -> None:
    bench = Bench(n_antennas=2)
    tag = bench.put(0, "seat-1")
    bench.run()
    copy = bench.world.bring("As", "seat-2", tag=tag)
    assert bench.run(20.0) == [("in", tag, 2)]
    bench.world.put(copy, "away")
    assert bench.run(20.0) == [("out", tag, 2)]
    bench.world.put(copy, "seat-2")
    bench.run(20.0)
    bench.world.put(bench.world.cards()[0], "away")
    assert bench.run(20.0) == [("out", tag, 1)], "it has come to the other one already"


def test_a_deaf_tag_is_gone_after_a_while_and_back_when_it_answers() -> None:
    bench = Bench()
    tag = bench.put(0, "seat-1")
    bench.run()
    bench.fields[0].deaf = {tag}
    assert bench.run() == [("out", tag, 1)]
    bench.fields[0].deaf = set()
    assert bench.run() == [("in", tag, 1)]


def test_unplugged_and_plugged_in_again_nobody_is_gone_or_new() -> None:
    bench = Bench()
    tag = bench.put(0, "seat-1")
    assert bench.run() == [("in", tag, 1)]
    bench.reader.unplug()
    bench.wire.run(60.0)
    bench.reader.replug()
    assert bench.run(20.0) == []
    assert (bench.count(Found), bench.count(Lost)) == (2, 1)


def test_a_card_taken_away_while_the_reader_was_gone_is_out_when_it_is_back() -> None:
    bench = Bench()
    tag = bench.put(0, "seat-1")
    bench.run()
    bench.reader.unplug()
    bench.put(0, AWAY)
    bench.wire.run(60.0)
    bench.reader.replug()
    assert bench.run() == [("out", tag, 1)]


def test_a_chip_that_rebooted_is_woken_again() -> None:
    bench = Bench()
    tag = bench.put(0, "seat-1")
    bench.run()
    bench.reader.reboot()
    assert bench.run(20.0) == []
    assert bench.count(Lost) == 1
    bench.put(0, AWAY)
    assert bench.run() == [("out", tag, 1)]


def test_a_chip_that_is_silent_for_good_is_lost_and_found_no_more() -> None:
    bench = Bench(faults=FaultPlan(faults=(Fault(kind=FaultKind.SILENCE, at=(40,), count=10**9),)))
    tag = bench.put(0, "seat-1")
    assert bench.run(60.0) == [("in", tag, 1)]
    assert bench.count(Found) == 1
    reasons = {fact.reason for fact in bench.wire.facts if isinstance(fact, Lost)}
    assert reasons == {"PN532 does not answer"}
    assert {kind for kind, _, _ in bench.notes()} == {UNANSWERED}


BAD_WIRES = {
    "lossy": FaultPlan(faults=(Fault(kind=FaultKind.LOSE, probability=0.03),)),
    "noisy": FaultPlan(
        faults=(
            Fault(kind=FaultKind.CORRUPT, probability=0.03),
            Fault(kind=FaultKind.JUNK, probability=0.2, count=9),
        )
    ),
    "slow": FaultPlan(
        faults=(
            Fault(kind=FaultKind.SPLIT, probability=0.5, for_s=0.02),
            Fault(kind=FaultKind.DELAY, probability=0.02, for_s=0.5),
            Fault(kind=FaultKind.REPEAT, probability=0.1, count=2),
        )
    ),
    "loose": FaultPlan(faults=(Fault(kind=FaultKind.UNPLUG_MID_FRAME, probability=0.002, for_s=1.0),)),
    "restless": FaultPlan(faults=(Fault(kind=FaultKind.REBOOT, probability=0.002),)),
}


@pytest.mark.parametrize("plan", BAD_WIRES.values(), ids=BAD_WIRES)
@pytest.mark.parametrize("seed", once(range(3)))
def test_over_a_bad_wire_cards_that_stay_stay_and_one_that_moves_moves_once(plan: FaultPlan, seed: int) -> None:
    bench = Bench(n_antennas=2, faults=plan, seed=seed)
    stays, travels = bench.put(0, "seat-1"), bench.put(1, "seat-1")
    assert sorted(bench.run(30.0)) == sorted([("in", stays, 1), ("in", travels, 1)])
    bench.put(1, "seat-2")
    assert bench.run(30.0) == [("in", travels, 2), ("out", travels, 1)]
    bench.put(1, AWAY)
    assert bench.run(30.0) == [("out", travels, 2)]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([*SPOTS, AWAY])), max_size=12), st.integers(0, 3))
def test_however_cards_are_moved_each_is_where_it_lies_in_the_end(steps: list[tuple[int, str]], seed: int) -> None:
    bench = Bench(n_antennas=3, seed=seed, faults=BAD_WIRES["lossy"])
    for number, place in steps:
        bench.put(number, place)
        bench.run(0.3)
    bench.run(20.0)
    where: dict[str, set[int]] = {}
    for fact in bench.wire.facts:
        if isinstance(fact, TagIn):
            where.setdefault(fact.tag.open(), set()).add(fact.antenna)
        elif isinstance(fact, TagOut):
            where[fact.tag.open()].remove(fact.antenna)
    told = {(tag, antenna) for tag, antennas in where.items() for antenna in antennas}
    lies = {(card.tag, n) for n, spot in enumerate(SPOTS, start=1) for card in bench.world.at(spot)}
    assert told == lies


# -- the chip by itself ------------------------------------------------------------------------------------------------


def chip_with(*tags: str, options: ChipOptions | None = None) -> tuple[ChipProtocol, World]:
    world = World([])
    for tag in tags:
        world.bring("", "field", tag=tag)
    chip = ChipProtocol([Field(world, "field")], options or ChipOptions())
    say(chip, messages.WAKE_UP + messages.encode(messages.sam_configuration()))
    return chip, world


def say(chip: ChipProtocol, data: bytes) -> list[bytes]:
    chip.receive(data)
    return [*chip.take_outgoing()]


def test_a_sleeping_chip_hears_nothing_and_one_that_is_awake_answers_before_it_was_configured() -> None:
    chip = ChipProtocol([Field(World([]), "field")])
    ask = messages.encode(messages.get_firmware_version())
    assert say(chip, bytes(10)) == []
    assert say(chip, messages.WAKE_UP) == []
    assert say(chip, ask) == [messages.ACK, bytes.fromhex("00 00 FF 06 FA D5 03 32 01 06 07 E8 00")]


def test_a_listing_that_may_look_for_ever_answers_when_a_card_comes_or_is_stopped() -> None:
    chip, world = chip_with()
    ask = messages.encode(messages.list_type_a(1))
    assert say(chip, ask) == [messages.ACK]
    world.bring("", "field", tag="04112233")
    chip.field_changed()
    assert [data[6] for data in chip.take_outgoing()] == [0x4B]
    world.put(world.cards()[0], AWAY)
    assert say(chip, ask) == [messages.ACK]
    assert say(chip, messages.ACK) == []
    world.put(world.cards()[0], "field")
    chip.field_changed()
    assert chip.take_outgoing() == []


def test_a_listing_switches_the_field_on() -> None:
    chip, _ = chip_with("04112233")
    say(chip, messages.encode(messages.rf_field(on=False)))
    assert say(chip, messages.encode(messages.list_type_a(1)))[1][7] == 1
    assert say(chip, messages.encode(Data(Code.GET_GENERAL_STATUS)))[1][8] == 1


def test_a_card_that_left_has_disappeared() -> None:
    chip, world = chip_with("04112233")
    say(chip, messages.encode(messages.list_type_a(1)))
    world.put(world.cards()[0], AWAY)
    assert say(chip, messages.encode(messages.deselect()))[1] == bytes.fromhex("00 00 FF 03 FD D5 45 2B BB 00")
    assert say(chip, messages.encode(Data(0x40, b"\x01\x30")))[1][7] == Status.CARD_DISAPPEARED


def test_a_new_speed_begins_when_the_host_has_confirmed_it() -> None:
    speeds: list[int] = []
    announced: list[tuple[int, bytes]] = []
    chip = ChipProtocol(
        [Field(World([]), "field")],
        speed_changed=speeds.append,
        speed_announced=lambda baud, confirmation: announced.append((baud, confirmation)),
    )
    say(chip, messages.WAKE_UP + messages.encode(messages.sam_configuration()))
    assert len(say(chip, messages.encode(Data(0x10, b"\x07")))) == 2
    assert (speeds, announced) == ([115200], [(921600, messages.ACK)])
    assert say(chip, messages.ACK) == []
    assert speeds == [115200, 921600]
    chip.power_lost()
    assert speeds == [115200, 921600, 115200]


def test_what_the_chip_does_not_understand_is_a_syntax_error_and_a_nack_repeats_the_last_answer() -> None:
    chip, _ = chip_with()
    assert say(chip, messages.encode(Data(0x7E)))[1] == messages.SYNTAX_ERROR
    assert say(chip, messages.encode(Data(0x4A, b"\x03\x00")))[1] == messages.SYNTAX_ERROR
    answer = say(chip, messages.encode(messages.get_firmware_version()))[1]
    assert say(chip, messages.NACK) == [answer]


def test_a_line_test_of_262_bytes_goes_through_an_extended_frame() -> None:
    chip, _ = chip_with()
    sent = Data(0x00, bytes([0, *range(256), 1, 2, 3, 4, 5]))
    answer = say(chip, messages.encode(sent))[1]
    assert answer == messages.encode(Data(0x01, sent.data), tfi=messages.FROM_CHIP)
    assert answer[3:5] == b"\xff\xff"
