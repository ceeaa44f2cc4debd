"""Driver and simulated shuffler, end to end over an in-memory wire, and over a real pty with its own heart."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest

from drivers.facts import DeviceFact, Found, Lost, ShufflerNote
from drivers.port import Patience, Port
from drivers.shuffler.driver import Note, Shuffler, ShufflerSettings
from drivers.shuffler.messages import BAUD
from drivers.transport.serial import SerialSettings, serial_opener
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.shuffler.simulator import ShufflerSimulator
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, SHOE, World
from tests.simulators.virtual_wire import VirtualWire

SOON_S = 20.0


class Bench:
    def __init__(self, *, faults: FaultPlan = NO_FAULTS) -> None:
        self.world = World()
        self.wire = VirtualWire(Shuffler("mixer", ShufflerSettings(silent_s=1e6)))
        self.shuffler = ShufflerSimulator(self.wire, self.world, faults=faults, keep_alive_s=None)
        self.shuffler.start()

    def notes(self) -> list[tuple[str, int | None]]:
        self.wire.carry_all()
        return [(fact.kind, fact.cards) for fact in self.wire.facts if isinstance(fact, ShufflerNote)]


def test_a_whole_deck_is_shuffled_and_the_count_said() -> None:
    bench = Bench()
    before = [card.face for card in bench.world.at(SHOE)]
    assert bench.shuffler.shuffle(4) == 52
    assert bench.notes() == [(Note.RESTARTED, None), (Note.STARTED, None), (Note.COMPLETE, 52)]
    assert [card.face for card in bench.world.at(SHOE)] != before


def test_a_card_that_went_away_is_missing_and_one_that_came_is_too_many() -> None:
    bench = Bench()
    bench.world.put(bench.world.at(SHOE)[0], AWAY)
    bench.shuffler.shuffle(1)
    bench.world.bring("As", SHOE)
    bench.world.bring("As", SHOE)
    bench.shuffler.shuffle(2)
    assert bench.notes()[1:] == [
        (Note.STARTED, None),
        (Note.CARD_MISSING, 51),
        (Note.COMPLETE, 51),
        (Note.STARTED, None),
        (Note.CARD_EXTRA, 53),
        (Note.COMPLETE, 53),
    ]


def test_a_jam_and_the_door_are_said() -> None:
    bench = Bench()
    bench.shuffler.jam()
    bench.shuffler.open_door()
    bench.shuffler.close_door()
    bench.shuffler.reboot()
    assert [kind for kind, _ in bench.notes()[1:]] == [
        *(Note.STARTED, Note.JAM, Note.DOOR_OPEN, Note.DOOR_CLOSED, Note.RESTARTED)
    ]


@pytest.mark.parametrize("kind", [FaultKind.LOSE, FaultKind.CORRUPT])
def test_a_completion_that_is_lost_is_never_taken_for_one_and_noticed_with_the_next_line(kind: FaultKind) -> None:
    bench = Bench(faults=FaultPlan(faults=(Fault(kind=kind, at=(3,), offset=9),)))
    bench.shuffler.shuffle(4)
    bench.shuffler.be_heard()
    assert bench.notes()[1:] == [(Note.STARTED, None), (Note.LINES_MISSING, None)]


def test_on_a_real_port_its_heart_keeps_it_there_until_it_is_switched_off(tmp_path: Path) -> None:
    end = PtyEnd(link=tmp_path / "mixer", baud=BAUD, speed_factor=None)
    shuffler = ShufflerSimulator(end, World(), keep_alive_s=0.01)
    facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
    opener = serial_opener(str(tmp_path / "mixer"), SerialSettings(baud=BAUD))
    patience = Patience(first_s=0.002, ceiling_s=0.02)
    shuffler.start()
    with Port("mixer", opener, Shuffler("mixer"), facts.put, Quiet(), patience=patience) as port:
        assert isinstance(facts.get(timeout=SOON_S), Found)
        shuffler.shuffle(1)
        while not (isinstance(fact := facts.get(timeout=SOON_S), ShufflerNote) and fact.kind == Note.COMPLETE):
            pass
        shuffler.close()
        while not isinstance(facts.get(timeout=SOON_S), Lost):
            pass
        assert port.health().rejects == ()


class Quiet:
    def info(self, event: str, **fields: object) -> None:
        """Nobody reads this log."""

    warning = info
    error = info
