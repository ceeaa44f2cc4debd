"""Driver and simulated Pepper C1, end to end over an in-memory wire in virtual time."""

from __future__ import annotations

import pytest

from drivers.facts import Found, Rejected
from drivers.framing import Scanner
from drivers.pepper import messages
from drivers.pepper.driver import Note, Pepper, PepperSettings
from drivers.pepper.messages import Command, ErrorCode, Opcode, Reply
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.field import Field
from simulators.devices.pepper.simulator import PepperOptions, PepperProtocol
from simulators.devices.world import AWAY, World, iso15693_tag
from tests.simulators.readers import ReaderBench
from tests.wide import once

SPOTS = ("seat-1", "seat-2")
MUX = PepperSettings(antennas=2)


class Bench(ReaderBench):
    def __init__(
        self,
        *,
        settings: PepperSettings = MUX,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
        options: PepperOptions | None = None,
    ) -> None:
        self.world = World(tag_of=iso15693_tag)
        fields = [Field(self.world, spot) for spot in SPOTS]
        reader = PepperProtocol(fields, options or PepperOptions())
        super().__init__(Pepper("antennas", settings), reader, fields, faults=faults, seed=seed)

    def put(self, number: int, place: str) -> str:
        card = self.world.cards()[number]
        self.world.put(card, place)
        return card.tag


def test_the_reader_says_who_it_is() -> None:
    bench = Bench()
    bench.run()
    [found] = [fact for fact in bench.wire.facts if isinstance(fact, Found)]
    assert found.identity == "Pepper C1 Pepper C1 1.0 (simulated)"


def test_a_card_comes_stays_moves_and_goes() -> None:
    bench = Bench()
    tag = bench.put(0, "seat-1")
    assert bench.run(20.0) == [("in", tag, 1)]
    bench.put(0, "seat-2")
    assert bench.run(20.0) == [("in", tag, 2), ("out", tag, 1)]
    bench.put(0, AWAY)
    assert bench.run(20.0) == [("out", tag, 2)]
    assert bench.count(Rejected) == 0


def test_with_one_antenna_no_antenna_is_ever_selected() -> None:
    bench = Bench(settings=PepperSettings())
    tag = bench.put(0, "seat-1")
    bench.put(1, "seat-2")
    assert bench.run() == [("in", tag, 1)]
    driver = Pepper("one", PepperSettings())
    driver.opened(now_s=0.0, at_us=0)
    for _ in range(20):
        for sent in driver.take_outgoing():
            [command] = Scanner(messages.host_grammar()).feed(sent)
            assert isinstance(command, Command)
            assert command.opcode != Opcode.ANTENNA
            answer = {Opcode.TAG_COUNT: b"\0"}.get(Opcode(command.opcode), b"")
            driver.receive(messages.encode(messages.payload_of(Reply(command.opcode, answer))), now_s=0.0, at_us=0)
        due_s = driver.deadline_s()
        if due_s is not None:
            driver.tick(now_s=due_s, at_us=0)


@pytest.mark.parametrize(
    ("argument", "answer"),
    [
        (b"\x00", messages.REFUSAL),
        (b"\x01", messages.ANSWER),
        (b"\x02", messages.ANSWER),
        (b"\x03", messages.REFUSAL),
        (b"", messages.REFUSAL),
    ],
)
def test_the_simulated_reader_is_wired_from_one(argument: bytes, answer: int) -> None:
    world = World(tag_of=iso15693_tag)
    reader = PepperProtocol([Field(world, spot) for spot in SPOTS])
    reader.receive(messages.encode_command(Command(Opcode.ANTENNA, argument)))
    [frame] = reader.take_outgoing()
    assert frame[5] == answer


def test_five_tags_at_one_antenna_are_read() -> None:
    bench = Bench()
    tags = {bench.put(number, "seat-1") for number in range(5)}
    assert {tag for _, tag, _ in bench.run()} == tags


def test_a_tag_taken_away_between_its_count_and_its_number_costs_that_scan_alone() -> None:
    bench = Bench()
    stays = bench.put(0, "seat-1")
    goes = bench.put(1, "seat-1")
    assert sorted(bench.run()) == sorted([("in", stays, 1), ("in", goes, 1)])
    reader = PepperProtocol(bench.fields)
    reader.receive(messages.encode_command(Command(Opcode.TAG_COUNT)))
    bench.put(1, AWAY)
    reader.receive(messages.encode_command(Command(Opcode.TAG_UID, b"\x01")))
    assert reader.take_outgoing()[-1][5:9] == bytes([0xFF, 0x03, 0x00, ErrorCode.NO_REPLY])
    assert bench.run() == [("out", goes, 1)]


def test_a_refusal_is_noted_and_nobody_is_taken_for_gone() -> None:
    bench = Bench(options=PepperOptions(trouble=ErrorCode.OVERHEAT))
    bench.put(0, "seat-1")
    assert bench.run(20.0) == []
    assert bench.notes() == [(Note.SCAN_FAILED, antenna, ErrorCode.OVERHEAT) for antenna in (1, 2)]


def test_what_the_reader_says_unasked_is_rejected_and_disturbs_nobody() -> None:
    bench = Bench(options=PepperOptions(polls_by_itself=True))
    tag = bench.put(0, "seat-1")
    assert bench.run() == [("in", tag, 1)]
    assert bench.count(Rejected) > 0


def test_a_damaged_answer_is_asked_for_again_and_comes_again() -> None:
    bench = Bench(faults=FaultPlan(faults=(Fault(kind=FaultKind.CORRUPT, at=(3,)),)))
    tag = bench.put(0, "seat-1")
    assert bench.run() == [("in", tag, 1)]
    assert bench.count(Rejected) == 1


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
            Fault(kind=FaultKind.SPLIT, probability=0.5, for_s=0.03),
            Fault(kind=FaultKind.DELAY, probability=0.02, for_s=1.3),
            Fault(kind=FaultKind.REPEAT, probability=0.1, count=2),
        )
    ),
    "loose": FaultPlan(faults=(Fault(kind=FaultKind.UNPLUG_MID_FRAME, probability=0.003, for_s=1.0),)),
    "restless": FaultPlan(faults=(Fault(kind=FaultKind.REBOOT, probability=0.01),)),
}


@pytest.mark.parametrize("plan", BAD_WIRES.values(), ids=BAD_WIRES)
@pytest.mark.parametrize("seed", once(range(3)))
def test_over_a_bad_wire_cards_that_stay_stay_and_one_that_goes_goes_once(plan: FaultPlan, seed: int) -> None:
    bench = Bench(settings=PepperSettings(), faults=plan, seed=seed)
    stays, goes = bench.put(0, "seat-1"), bench.put(1, "seat-1")
    assert sorted(bench.run(30.0)) == sorted([("in", stays, 1), ("in", goes, 1)])
    bench.put(1, AWAY)
    assert bench.run(30.0) == [("out", goes, 1)]
