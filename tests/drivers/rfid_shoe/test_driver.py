"""A reader at a shoe's mouth: what comes and goes there, under virtual time and with a simulated PN532."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from drivers.facts import DeviceFact, Lost, ReaderNote, TagIn
from drivers.feig.driver import Feig
from drivers.pn532 import messages
from drivers.pn532.driver import Multiplexer, Pn532, Pn532Settings
from drivers.protocol import DeviceProtocol
from drivers.rfid_shoe.driver import MOUTH_PRESENCE, Note, RfidShoe
from drivers.rfid_shoe.with_feig import FeigShoeSettings
from simulators.devices.feig.simulator import FeigProtocol
from simulators.devices.field import Field
from simulators.devices.pn532.simulator import ChipProtocol
from simulators.devices.reader import ReaderProtocol
from simulators.devices.world import HAND, SHOE, World, iso15693_tag, type_a_tag
from tests.simulators.readers import ReaderBench, moves

MOUTH = "mouth"
SETTINGS = Pn532Settings(
    in_scans=MOUTH_PRESENCE.in_scans,
    out_scans=MOUTH_PRESENCE.out_scans,
    out_s=MOUTH_PRESENCE.out_s,
    multiplexer=Multiplexer.GPIO_P3,
    antennas=2,
)


class Bench(ReaderBench):
    def __init__(
        self,
        world: World,
        reader: DeviceProtocol,
        protocol: Callable[[Sequence[Field]], ReaderProtocol],
    ) -> None:
        self.world = world
        fields = [Field(self.world, MOUTH), Field(self.world, HAND)]
        super().__init__(reader, protocol(fields), fields)

    def draw(self, *, through_s: float = 0.15, rest_s: float = 1.0) -> str:
        """The top card is pulled past the mouth into the hand."""
        card = self.world.at(SHOE)[0]
        self.world.put(card, MOUTH)
        self.run(through_s)
        self.world.put(card, HAND)
        self.run(rest_s)
        return card.tag

    def facts(self, kind: type[TagIn] | type[ReaderNote] | type[Lost]) -> list[DeviceFact]:
        return [fact for fact in self.wire.facts if isinstance(fact, kind)]


def with_pn532() -> Bench:
    return Bench(World(tag_of=type_a_tag), RfidShoe("shoe", Pn532("shoe", SETTINGS)), ChipProtocol)


def with_feig() -> Bench:
    shoe = RfidShoe("shoe", Feig("shoe", FeigShoeSettings()))
    return Bench(World(tag_of=iso15693_tag), shoe, lambda fields: FeigProtocol(fields[0]))


Make = Callable[[], Bench]


def test_each_card_drawn_is_in_and_out_once_in_the_order_of_the_deck() -> None:
    bench = with_pn532()
    bench.run(1.0)
    before = len(bench.wire.facts)
    drawn = [bench.draw() for _ in range(8)]
    assert moves(bench.wire.facts[before:]) == [move for tag in drawn for move in (("in", tag, 1), ("out", tag, 1))]
    assert bench.notes() == []


def test_two_cards_drawn_as_one_are_noted() -> None:
    bench = with_pn532()
    bench.run(1.0)
    for card in bench.world.at(SHOE)[:2]:
        bench.world.put(card, MOUTH)
    bench.run(1.0)
    assert bench.notes() == [(Note.TWO_AT_MOUTH, 1, 2)]


@pytest.mark.parametrize("gap_s", [0.05, 0.06, 0.1, 0.15, 0.2])
@pytest.mark.parametrize("make", [with_pn532, with_feig], ids=["pn532", "feig"])
def test_cards_drawn_back_to_back_are_not_two_at_once(make: Make, gap_s: float) -> None:
    bench = make()
    bench.run(1.0)
    drawn = [bench.draw(rest_s=gap_s) for _ in range(8)]
    bench.run(1.0)
    assert [tag for way, tag, _ in moves(bench.wire.facts) if way == "in"] == drawn
    assert bench.notes() == []


@pytest.mark.parametrize("make", [with_pn532, with_feig], ids=["pn532", "feig"])
def test_a_second_card_that_comes_while_the_first_still_lies_there_is_noted_once(make: Make) -> None:
    bench = make()
    bench.run(1.0)
    first, second, third = bench.world.at(SHOE)[:3]
    for card in (first, second):
        bench.world.put(card, MOUTH)
        bench.run(0.5)
    assert bench.notes() == [(Note.TWO_AT_MOUTH, 1, 2)]
    bench.world.put(first, HAND)
    bench.run(1.0)
    assert bench.notes() == [(Note.TWO_AT_MOUTH, 1, 2)]
    bench.world.put(third, MOUTH)
    bench.run(1.0)
    assert bench.notes() == [(Note.TWO_AT_MOUTH, 1, 2)] * 2


class Hurried(ChipProtocol):
    """Somebody exchanges the card at the mouth in the middle of a scan, when the first was listed and before the next
    answer."""

    def __init__(self, fields: Sequence[Field], exchange: Callable[[], None]) -> None:
        super().__init__(fields)
        self._exchange = exchange

    def receive(self, data: bytes) -> None:
        if messages.encode(messages.deselect()) in data:
            self._exchange()
        super().receive(data)


@pytest.mark.parametrize(("gap_s", "notes"), [(0.05, []), (0.02, [(Note.TWO_AT_MOUTH, 1, 2)])])
def test_a_scan_that_takes_longer_than_a_draw_does_not_make_two_cards_one(
    gap_s: float, notes: list[tuple[str, int, int]]
) -> None:
    world = World(tag_of=type_a_tag)
    first, second = world.at(SHOE)[:2]
    shoe = RfidShoe("shoe", Pn532("shoe", SETTINGS))

    def exchange() -> None:
        if world.at(MOUTH) == (first,):
            world.put(first, HAND)
            bench.wire.now_s += gap_s
            world.put(second, MOUTH)

    bench = Bench(world, shoe, lambda fields: Hurried(fields, exchange))
    bench.run(1.0)
    world.put(first, MOUTH)
    bench.run(1.0)
    assert sorted(tag for way, tag, _ in moves(bench.wire.facts) if way == "in") == sorted([first.tag, second.tag])
    assert bench.notes() == notes


def test_a_card_that_lay_at_the_mouth_when_the_reader_was_found_is_noted() -> None:
    bench = with_pn532()
    bench.world.put(bench.world.at(SHOE)[0], MOUTH)
    bench.run(1.0)
    assert len(bench.facts(TagIn)) == 1
    assert bench.notes() == [(Note.LAY_AT_MOUTH, 1, None)]


def test_a_loss_of_the_reader_is_passed_on() -> None:
    bench = with_pn532()
    bench.run(1.0)
    bench.reader.unplug()
    assert len(bench.facts(Lost)) == 1
