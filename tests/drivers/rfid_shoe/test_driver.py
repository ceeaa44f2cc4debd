"""A reader at a shoe's mouth: what comes and goes there, under virtual time and with a simulated PN532."""

from __future__ import annotations

from drivers.facts import DeviceFact, Lost, ReaderNote, TagIn
from drivers.pn532.driver import Multiplexer, Pn532, Pn532Settings
from drivers.rfid_shoe.driver import MOUTH_PRESENCE, Note, RfidShoe
from simulators.field import Field
from simulators.pn532 import ChipProtocol
from simulators.world import HAND, SHOE, World, type_a_tag
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
    def __init__(self) -> None:
        self.world = World(tag_of=type_a_tag)
        fields = [Field(self.world, MOUTH), Field(self.world, HAND)]
        super().__init__(RfidShoe(Pn532("shoe", SETTINGS)), ChipProtocol(fields), fields)

    def draw(self, *, through_s: float = 0.15) -> str:
        """The top card is pulled past the mouth into the hand."""
        card = self.world.at(SHOE)[0]
        self.world.put(card, MOUTH)
        self.run(through_s)
        self.world.put(card, HAND)
        self.run(1.0)
        return card.tag

    def facts(self, kind: type[TagIn] | type[ReaderNote] | type[Lost]) -> list[DeviceFact]:
        return [fact for fact in self.wire.facts if isinstance(fact, kind)]


def test_each_card_drawn_is_in_and_out_once_in_the_order_of_the_deck() -> None:
    bench = Bench()
    bench.run(1.0)
    before = len(bench.wire.facts)
    drawn = [bench.draw() for _ in range(8)]
    assert moves(bench.wire.facts[before:]) == [move for tag in drawn for move in (("in", tag, 1), ("out", tag, 1))]
    assert bench.notes() == []


def test_two_cards_drawn_as_one_are_noted() -> None:
    bench = Bench()
    bench.run(1.0)
    for card in bench.world.at(SHOE)[:2]:
        bench.world.put(card, MOUTH)
    bench.run(1.0)
    assert bench.notes() == [(Note.TWO_AT_MOUTH, 1, 2)]


def test_a_card_that_lay_at_the_mouth_when_the_reader_was_found_is_noted() -> None:
    bench = Bench()
    bench.world.put(bench.world.at(SHOE)[0], MOUTH)
    bench.run(1.0)
    assert len(bench.facts(TagIn)) == 1
    assert bench.notes() == [(Note.LAY_AT_MOUTH, 1, None)]


def test_a_loss_of_the_reader_is_passed_on() -> None:
    bench = Bench()
    bench.run(1.0)
    bench.reader.unplug()
    assert len(bench.facts(Lost)) == 1
