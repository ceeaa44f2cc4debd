"""Driver and simulated FEIG reader, end to end over an in-memory wire in virtual time."""

from __future__ import annotations

import pytest

from drivers.facts import Found, Lost, Rejected
from drivers.feig import messages
from drivers.feig.driver import Feig, FeigSettings, Note, RfReset
from drivers.feig.messages import Control, Frame, Status
from drivers.framing import Scanner
from drivers.reader import UNANSWERED
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.feig.simulator import FeigOptions, FeigProtocol
from simulators.devices.field import Field
from simulators.devices.world import AWAY, World, iso15693_tag
from tests.simulators.readers import ReaderBench
from tests.wide import once

SPOT = "muck"


class Bench(ReaderBench):
    def __init__(
        self,
        *,
        settings: FeigSettings | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
        options: FeigOptions | None = None,
    ) -> None:
        self.world = World(tag_of=iso15693_tag)
        field = Field(self.world, SPOT)
        reader = FeigProtocol(field, options or FeigOptions())
        super().__init__(Feig("antennas", settings or FeigSettings()), reader, [field], faults=faults, seed=seed)

    def put(self, number: int, place: str = SPOT) -> str:
        card = self.world.cards()[number]
        self.world.put(card, place)
        return card.tag


def test_the_reader_says_who_it_is() -> None:
    bench = Bench()
    bench.run()
    [found] = [fact for fact in bench.wire.facts if isinstance(fact, Found)]
    assert found.identity == "FEIG reader, software 4.0, hardware type 00, software type 30"


RESETS = [(how, FeigOptions(only_new=only_new)) for how in RfReset for only_new in (True, False)]


@pytest.mark.parametrize(("how", "options"), RESETS)
def test_a_card_that_stays_is_neither_gone_nor_new_though_its_tag_was_told_to_be_quiet(
    how: RfReset, options: FeigOptions
) -> None:
    bench = Bench(settings=FeigSettings(rf_reset=how), options=options)
    tag = bench.put(0)
    assert bench.run(60.0) == [("in", tag, 1)]
    bench.put(0, AWAY)
    assert bench.run(60.0) == [("out", tag, 1)]
    assert bench.count(Rejected) == 0


class Overheard(FeigProtocol):
    """What it is asked, in order."""

    def __init__(self, field: Field, options: FeigOptions) -> None:
        super().__init__(field, options)
        self.asked: list[int] = []

    def receive(self, data: bytes) -> None:
        for frame in Scanner(messages.host_grammar()).feed(data):
            assert isinstance(frame, Frame)
            self.asked.append(frame.control)
        super().receive(data)


@pytest.mark.parametrize(
    ("how", "only_new", "asks_once", "resets"),
    [
        (RfReset.EACH_SWEEP, True, [], True),
        (RfReset.EACH_SWEEP, False, [], True),
        (RfReset.AS_CONFIGURED, True, [Control.READ_CONFIGURATION], True),
        (RfReset.AS_CONFIGURED, False, [Control.READ_CONFIGURATION], False),
    ],
)
def test_the_field_is_reset_when_the_setting_says_so(
    how: RfReset, asks_once: list[int], *, only_new: bool, resets: bool
) -> None:
    field = Field(World([]), SPOT)
    reader = Overheard(field, FeigOptions(only_new=only_new))
    ReaderBench(Feig("antennas", FeigSettings(rf_reset=how)), reader, [field]).run()
    begin = [Control.SOFTWARE_VERSION, *asks_once]
    sweep = [Control.RF_RESET, Control.ISO15693] if resets else [Control.ISO15693]
    assert reader.asked[: len(begin) + 2 * len(sweep)] == [*begin, *sweep, *sweep]


def test_without_the_reset_a_quiet_tag_would_be_gone() -> None:
    # What the simulator is for: a driver that trusts the inventory alone takes a quiet tag for a card that left.
    world = World([])
    world.bring("", SPOT, tag="E004015012345678")
    reader = FeigProtocol(Field(world, SPOT))
    ask = messages.encode(Frame(address=255, control=Control.ISO15693, data=b"\x01\x00"))
    answers: list[bytes] = []
    for _ in range(2):
        reader.receive(ask)
        answers += reader.take_outgoing()
    assert answers == [
        bytes.fromhex("11 00 B0 00 01 03 00 E0 04 01 50 12 34 56 78 BA 40"),
        bytes.fromhex("06 00 B0 01 5C 63"),
    ]


@pytest.mark.parametrize("records_max", once([7, 2, 24]))
@pytest.mark.parametrize("settings", [FeigSettings(), FeigSettings(advanced_frames=True)])
def test_a_whole_deck_is_read_in_parts(records_max: int, settings: FeigSettings) -> None:
    bench = Bench(settings=settings, options=FeigOptions(records_max=records_max))
    tags = {bench.put(number) for number in range(52)}
    assert {tag for _, tag, _ in bench.run()} == tags
    assert bench.run() == []
    assert bench.notes() == []


def test_more_tags_than_are_looked_for_are_noted_and_nobody_is_taken_for_gone() -> None:
    bench = Bench(settings=FeigSettings(tags_max=4), options=FeigOptions(records_max=2))
    for number in range(8):
        bench.put(number)
    assert len(bench.run()) == 4
    assert bench.run(20.0) == []
    assert bench.notes() == [(Note.TOO_MANY_TAGS, 1, 4)]


@pytest.mark.parametrize("status", [Status.DATA_FALSE, Status.RF_COMMUNICATION, Status.NOT_AVAILABLE])
def test_an_inventory_that_fails_is_noted_and_nobody_is_taken_for_gone(status: Status) -> None:
    bench = Bench(options=FeigOptions(trouble=status))
    bench.put(0)
    assert bench.run(20.0) == []
    assert bench.notes() == [(Note.SCAN_FAILED, 1, status)]


def test_the_configured_address_is_the_one_that_is_heard() -> None:
    assert Bench(settings=FeigSettings(address=7), options=FeigOptions(address=7)).run() == []
    other_reader = Bench(settings=FeigSettings(address=8), options=FeigOptions(address=7))
    other_reader.run(10.0)
    assert other_reader.count(Found) == 0
    assert other_reader.count(Lost) > 0
    assert other_reader.notes()[0] == (UNANSWERED, None, Control.SOFTWARE_VERSION)


@pytest.mark.parametrize(
    ("control", "data", "status"),
    [
        (Control.DETECT_BAUD, b"\0", Status.OK),
        (Control.CPU_RESET, b"", Status.OK),
        (Control.RF_ON_OFF, b"\1", Status.OK),
        (Control.RF_ON_OFF, b"\7", Status.PARAMETER_RANGE),
        (Control.READ_CONFIGURATION, b"\0", Status.RESERVED_CONFIGURATION),
        (Control.READ_CONFIGURATION, b"\x85", Status.OK),
        (Control.READ_BUFFER, b"\1", Status.UNKNOWN_COMMAND),
        (Control.ISO15693, b"\1", Status.LENGTH),
    ],
)
def test_what_the_simulated_reader_answers(control: Control, data: bytes, status: Status) -> None:
    reader = FeigProtocol(Field(World([]), SPOT), FeigOptions(address=3))
    reader.receive(messages.encode(Frame(address=3, control=control, data=data)))
    [answer] = reader.take_outgoing()
    assert (answer[1], answer[2], answer[3]) == (3, control, status)


@pytest.mark.parametrize("wire", ["05 FF 55 66 FA", "05 FF 65 E5 CC", "05 04 65 45 53", "FF"])
def test_the_simulated_reader_is_silent_on_the_flash_loader_and_on_what_is_damaged_or_not_for_it(wire: str) -> None:
    reader = FeigProtocol(Field(World([]), SPOT), FeigOptions(address=3))
    reader.receive(bytes.fromhex(wire))
    assert reader.take_outgoing() == []


BAD_WIRES = {
    "lossy": FaultPlan(faults=(Fault(kind=FaultKind.LOSE, probability=0.05),)),
    "noisy": FaultPlan(
        faults=(
            Fault(kind=FaultKind.CORRUPT, probability=0.05),
            Fault(kind=FaultKind.JUNK, probability=0.2, count=9),
        )
    ),
    "slow": FaultPlan(
        faults=(
            Fault(kind=FaultKind.SPLIT, probability=0.5, for_s=0.03),
            Fault(kind=FaultKind.DELAY, probability=0.05, for_s=0.7),
            Fault(kind=FaultKind.REPEAT, probability=0.1, count=2),
        )
    ),
    "loose": FaultPlan(faults=(Fault(kind=FaultKind.UNPLUG_MID_FRAME, probability=0.01, for_s=1.0),)),
    "restless": FaultPlan(faults=(Fault(kind=FaultKind.REBOOT, probability=0.05),)),
}


@pytest.mark.parametrize("plan", BAD_WIRES.values(), ids=BAD_WIRES)
@pytest.mark.parametrize("seed", once(range(3)))
def test_over_a_bad_wire_a_card_that_stays_stays_and_one_that_goes_goes_once(plan: FaultPlan, seed: int) -> None:
    bench = Bench(faults=plan, seed=seed)
    stays, goes = bench.put(0), bench.put(1)
    assert sorted(bench.run(60.0)) == sorted([("in", stays, 1), ("in", goes, 1)])
    bench.put(1, AWAY)
    assert bench.run(60.0) == [("out", goes, 1)]
