"""Driver and simulated line shoe, end to end over an in-memory wire in virtual time."""

from __future__ import annotations

import pytest

from drivers.facts import CardOut, ShoeNote
from drivers.line_shoe.driver import LineShoe, Note
from drivers.line_shoe.messages import LineEnd
from drivers.line_shoe.settings import CARDS, LineShoeSettings, Repeats
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.line_shoe.simulator import CUT_CARD, STARTED, UNREAD, LineShoeOptions, LineShoeSimulator
from simulators.devices.world import HAND, World
from tests.simulators.virtual_wire import VirtualWire

CODES = {f"{number:02d}": face for number, face in enumerate(CARDS, start=1)}
WORDS = {STARTED: "started", UNREAD: "unread", CUT_CARD: "cut-card"}
#: The shoe's line that it is ready comes first.
READY = 1


class Bench:
    def __init__(
        self,
        *,
        faults: FaultPlan = NO_FAULTS,
        settings: LineShoeSettings | None = None,
        options: LineShoeOptions | None = None,
    ) -> None:
        self.world = World()
        self.world.shuffle(3)
        self.wire = VirtualWire(LineShoe("shoe", settings or LineShoeSettings(words=WORDS)))
        self.shoe = LineShoeSimulator(self.wire, self.world, faults=faults, options=options or LineShoeOptions())
        self.shoe.start()
        self.wire.settle()

    def draw(self) -> str:
        face = self.shoe.draw().face
        self.wire.settle()
        return face

    def cards(self) -> list[str | None]:
        return [fact.card.open() if fact.card else None for fact in self.wire.facts if isinstance(fact, CardOut)]

    def notes(self) -> list[str]:
        return [fact.kind for fact in self.wire.facts if isinstance(fact, ShoeNote)]


@pytest.mark.parametrize("end", LineEnd)
def test_a_deck_arrives_in_order_and_once_whatever_ends_a_line(end: LineEnd) -> None:
    codes = {face: code for code, face in CODES.items()}
    bench = Bench(
        settings=LineShoeSettings(codes=CODES, words=WORDS, line_end=end),
        options=LineShoeOptions(codes=codes, line_end=end),
    )
    drawn = [bench.draw() for _ in range(52)]
    assert bench.cards() == drawn
    assert bench.notes() == [Note.STARTED]


@pytest.mark.parametrize(
    ("repeats", "options"),
    [
        (Repeats.LINE, LineShoeOptions(says_lines_twice=True)),
        (Repeats.CHARACTERS, LineShoeOptions(says_characters_twice=True)),
    ],
)
def test_a_shoe_that_says_cards_twice_is_read_once_with_its_setting(repeats: Repeats, options: LineShoeOptions) -> None:
    bench = Bench(settings=LineShoeSettings(words=WORDS, repeats=repeats, line_s=100.0), options=options)
    drawn = []
    for _ in range(20):
        drawn.append(bench.shoe.draw().face)
        bench.wire.carry_all()  # and no time passes: what has no line end waits for the next card
    assert bench.cards() == drawn


def test_an_unread_card_a_cut_card_and_a_restart_are_told() -> None:
    bench = Bench()
    bench.shoe.draw_unread()
    bench.shoe.draw_cut_card()
    bench.shoe.reboot()
    bench.wire.settle()
    assert bench.cards() == [None]
    assert bench.notes() == [Note.STARTED, Note.CUT_CARD, Note.STARTED]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(kind=FaultKind.SPLIT, probability=0.6, for_s=0.3),
        Fault(kind=FaultKind.DELAY, probability=0.5, for_s=4.0),
    ],
    ids=str,
)
def test_a_slow_wire_costs_nothing(fault: Fault) -> None:
    bench = Bench(faults=FaultPlan(faults=(fault,)))
    drawn = [bench.draw() for _ in range(52)]
    assert bench.cards() == drawn


@pytest.mark.parametrize("kind", [FaultKind.LOSE, FaultKind.CORRUPT, FaultKind.UNPLUG_MID_FRAME])
def test_what_a_bad_wire_takes_is_gone_for_there_is_no_repetition_and_no_other_card_comes_of_it(
    kind: FaultKind,
) -> None:
    struck = (5, 9)
    bench = Bench(faults=FaultPlan(faults=(Fault(kind=kind, at=struck, offset=1, for_s=2.0),)))
    drawn = [bench.draw() for _ in range(20)]
    kept = [face for number, face in enumerate(drawn, start=READY + 1) if number not in struck]
    assert [card for card in bench.cards() if card is not None] == kept
    assert len(bench.world.at(HAND)) == 20
