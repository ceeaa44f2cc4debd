"""From the antennas of one reader to an alarm: a copied tag is told after the same time as between two readers."""

from __future__ import annotations

import pytest

from drivers.facts import TagIn, TagOut
from drivers.pn532.driver import Multiplexer, Pn532, Pn532Settings
from simulators.devices.field import Field
from simulators.devices.pn532.simulator import ChipProtocol
from simulators.devices.world import AWAY, World, type_a_tag
from tablectl.config.decks import CLONE_US
from tablectl.config.spots import Spot
from tablectl.core.cards import card
from tablectl.core.engine import facts as f
from tablectl.table.decks.tag_tracker import TagTracker
from tests.simulators.readers import ReaderBench

CLONE_S = CLONE_US / 1_000_000
PLACES = ("seat-1", "board")
SETTINGS = Pn532Settings(multiplexer=Multiplexer.GPIO_P3, antennas=2)


class Felt:
    """Two antennas behind one multiplexer, one card, and what is told of it."""

    def __init__(self, *spots: str) -> None:
        self.world = World(["As"], tag_of=type_a_tag)
        self.card = self.world.cards()[0]
        fields = [Field(self.world, place) for place in PLACES]
        self.bench = ReaderBench(Pn532("felt", SETTINGS), ChipProtocol(fields), fields)
        self.there = TagTracker({("felt", number): Spot(name=spot) for number, spot in enumerate(spots, start=1)})
        self.there.know({self.card.tag: card("As")}, ())
        self._n_heard = 0

    def told(self, for_s: float) -> list[tuple[type[f.Fact], str]]:
        """What becomes of so much time, looked at as often as a controller would."""
        found: list[f.Fact] = []
        for _ in range(int(for_s * 10)):
            self.bench.wire.run(0.1)
            heard, self._n_heard = self.bench.wire.facts[self._n_heard :], len(self.bench.wire.facts)
            for fact in heard:
                if isinstance(fact, TagIn):
                    found += self.there.came(fact)
                elif isinstance(fact, TagOut):
                    found += self.there.left(fact)
            found += self.there.overdue(int(self.bench.wire.now_s * 1_000_000))
        return [(type(of_tag), of_tag.spot) for of_tag in found if isinstance(of_tag, f.Seen | f.Gone | f.StrangeTag)]


def test_a_copy_at_another_antenna_of_the_same_reader_is_an_alarm_once_and_after_its_time() -> None:
    felt = Felt(*PLACES)
    felt.world.put(felt.card, "seat-1")
    assert felt.told(2) == [(f.Seen, "seat-1")]
    felt.world.bring("As", "board", tag=felt.card.tag)
    assert felt.told(CLONE_S - 0.5) == []
    assert felt.told(2) == [(f.StrangeTag, "board")]
    assert felt.told(3 * CLONE_S) == []


def test_a_card_that_is_pushed_across_both_antennas_is_no_alarm_and_moves_once() -> None:
    felt = Felt(*PLACES)
    felt.world.put(felt.card, "seat-1")
    felt.told(2)
    between = felt.world.bring("As", "board", tag=felt.card.tag)
    assert felt.told(CLONE_S / 2) == []
    felt.world.put(felt.card, AWAY)
    assert felt.told(3 * CLONE_S) == [(f.Gone, "seat-1"), (f.Seen, "board")]
    felt.world.put(between, AWAY)
    assert felt.told(2) == [(f.Gone, "board")]


def test_a_card_that_flickers_at_the_second_antenna_is_no_alarm() -> None:
    """Each time it begins anew."""
    felt = Felt(*PLACES)
    felt.world.put(felt.card, "seat-1")
    copy = felt.world.bring("As", "board", tag=felt.card.tag)
    felt.told(1)
    for _ in range(3):
        assert felt.told(CLONE_S / 2) == []
        felt.world.put(copy, AWAY)
        assert felt.told(1) == []
        felt.world.put(copy, "board")


@pytest.mark.parametrize("spot", ["board", "house"])
def test_two_antennas_that_look_at_one_spot_may_both_see_a_card(spot: str) -> None:
    felt = Felt(spot, spot)
    felt.world.put(felt.card, "seat-1")
    felt.world.bring("As", "board", tag=felt.card.tag)
    assert felt.told(3 * CLONE_S) == [(f.Seen, spot)]
