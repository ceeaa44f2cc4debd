"""The whole way over a real pty: simulated shoe, kernel, pyserial, port, driver, facts."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from drivers.angel_eye.driver import AngelEye
from drivers.angel_eye.messages import BAUD
from drivers.angel_eye.settings import AngelEyeSettings, Note
from drivers.facts import CardOut, DeviceFact, Found, Lost, ShoeNote
from drivers.port import Patience, Port
from drivers.transport.serial import SerialSettings, serial_opener
from simulators.devices.angel_eye.simulator import AngelEyeSimulator, ShoeHoldsCards
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.wire import PtyEnd
from simulators.devices.world import HAND, SHOE, World

pytestmark = pytest.mark.system

SOON_S = 20.0
EAGER = Patience(first_s=0.002, ceiling_s=0.02)
#: A report of a card, and how often it is sent.
FRAME_BYTES = 8
REPETITIONS = 3
#: Messages of the banner: two reports.
BANNER = 2 * REPETITIONS


class Notes:
    def __init__(self) -> None:
        self.events: list[str] = []

    def info(self, event: str, **fields: object) -> None:
        self.events.append(event)

    warning = info
    error = info


class Bench:
    """A shoe at one end of a pty and a port at the other."""

    def __init__(self, link: Path, faults: FaultPlan, settings: AngelEyeSettings, speed_factor: float | None) -> None:
        self.world = World()
        self.world.shuffle(7)
        end = PtyEnd(link=link, baud=BAUD, speed_factor=speed_factor)
        self.shoe = AngelEyeSimulator(end, self.world, faults=faults, seed=1)
        self.log = Notes()
        self.facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
        self.seen: list[DeviceFact] = []
        self.port = Port(
            "shoe",
            serial_opener(str(link), SerialSettings(baud=BAUD)),
            AngelEye("shoe", settings),
            self.facts.put,
            self.log,
            patience=EAGER,
        )

    def read_until(self, wanted: Callable[[DeviceFact], bool]) -> DeviceFact:
        while True:
            fact = self.facts.get(timeout=SOON_S)
            self.seen.append(fact)
            if wanted(fact):
                return fact

    def read_note(self, kind: Note) -> None:
        self.read_until(lambda fact: isinstance(fact, ShoeNote) and fact.kind == kind)

    def read_card(self) -> str:
        fact = self.read_until(lambda fact: isinstance(fact, CardOut))
        assert isinstance(fact, CardOut)
        assert fact.card is not None
        return fact.card.open()

    def count(self, kind: type[DeviceFact]) -> int:
        return sum(isinstance(fact, kind) for fact in self.seen)

    def started(self) -> Bench:
        self.shoe.start()
        self.port.start()
        self.read_note(Note.STAND_BY)
        return self


Start = Callable[..., Bench]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Start]:
    with ExitStack() as stack:

        def start(
            *,
            faults: FaultPlan = NO_FAULTS,
            settings: AngelEyeSettings | None = None,
            speed_factor: float | None = None,
        ) -> Bench:
            made = Bench(tmp_path / "shoe", faults, settings or AngelEyeSettings(), speed_factor)
            stack.callback(made.port.close)
            stack.callback(made.shoe.close)
            return made.started()

        yield start


def test_the_banner_comes_after_the_client_and_then_every_card_once(bench: Start) -> None:
    table = bench()
    drawn = [table.shoe.draw().face for _ in range(52)]
    assert [table.read_card() for _ in range(52)] == drawn
    assert len(table.world.at(HAND)) == 52
    assert table.world.at(SHOE) == ()
    assert table.log.events == ["device found"]


@pytest.mark.parametrize("repetition", range(REPETITIONS))
@pytest.mark.parametrize("offset", range(FRAME_BYTES + 1))
def test_unplugged_at_any_byte_of_a_report_its_card_arrives_exactly_once(
    bench: Start, repetition: int, offset: int
) -> None:
    cut = Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(BANNER + 1 + repetition,), offset=offset)
    table = bench(faults=FaultPlan(faults=(cut,)))
    first = table.shoe.draw().face
    table.read_until(lambda fact: isinstance(fact, Lost))
    table.read_until(lambda fact: isinstance(fact, Found))
    # The shoe has the line again before it is asked for the next card, as a croupier would wait for the lamp.
    if not table.count(CardOut):
        table.read_card()
    second = table.shoe.draw().face
    table.read_until(lambda fact: isinstance(fact, CardOut) and fact.card is not None and fact.card.open() == second)
    cards = [fact.card.open() for fact in table.seen if isinstance(fact, CardOut) and fact.card]
    assert cards == [first, second]
    assert (table.count(Found), table.count(Lost)) == (2, 1)
    assert table.log.events.count("device lost") == 1
    assert table.log.events.count("device back") == 1


def test_unplugged_and_plugged_in_by_hand_nothing_is_lost_or_doubled(bench: Start) -> None:
    table = bench()
    before = table.shoe.draw().face
    assert table.read_card() == before
    table.shoe.unplug()
    table.read_until(lambda fact: isinstance(fact, Lost))
    meanwhile = table.shoe.draw().face
    table.shoe.replug()
    assert table.read_card() == meanwhile
    after = table.shoe.draw().face
    assert table.read_card() == after
    assert table.count(CardOut) == 3


def test_a_shoe_that_reboots_says_so_and_goes_on(bench: Start) -> None:
    table = bench()
    first = table.shoe.draw().face
    assert table.read_card() == first
    table.shoe.reboot()
    table.read_note(Note.STARTED)
    second = table.shoe.draw().face
    assert table.read_card() == second
    assert table.count(Lost) == 0


def test_the_lock_holds_the_cards_and_gives_them_back(bench: Start) -> None:
    table = bench(settings=AngelEyeSettings(may_lock=True))
    table.port.send(AngelEye.be_locked)
    table.read_note(Note.LOCKED)
    with pytest.raises(ShoeHoldsCards):
        table.shoe.draw()
    assert len(table.world.at(SHOE)) == 52
    pulled = table.shoe.draw_by_force().face
    assert table.read_card() == pulled
    table.port.send(AngelEye.be_unlocked)
    table.read_note(Note.UNLOCKED)
    drawn = table.shoe.draw().face
    assert table.read_card() == drawn


def test_at_the_pace_of_the_wire_bytes_come_one_by_one_and_cards_whole(bench: Start) -> None:
    table = bench(speed_factor=4.0)
    drawn = [table.shoe.draw().face for _ in range(3)]
    assert [table.read_card() for _ in range(3)] == drawn
    assert table.port.health().garbage_bytes == 0


def test_a_second_program_cannot_open_the_port(bench: Start, tmp_path: Path) -> None:
    table = bench()
    refused = threading.Event()
    second = Port(
        "second",
        serial_opener(str(tmp_path / "shoe"), SerialSettings(baud=BAUD)),
        AngelEye("second"),
        lambda fact: refused.set() if isinstance(fact, Lost) else None,
        Notes(),
        patience=EAGER,
    )
    with second:
        assert refused.wait(SOON_S)
    drawn = table.shoe.draw().face
    assert table.read_card() == drawn


def test_a_program_that_neither_flushes_nor_sends_is_served_too(tmp_path: Path) -> None:
    end = PtyEnd(link=tmp_path / "shoe", baud=BAUD, speed_factor=None)
    shoe = AngelEyeSimulator(end, World())
    shoe.start()
    try:
        client = os.open(end.path, os.O_RDWR | os.O_NOCTTY)
        assert shoe.wait_for_client(SOON_S)
        # Three times `S`, three times `P`; a line discipline that is not raw would change or hold them back.
        banner = bytes.fromhex("05 31 53 03 36 31") * 3 + bytes.fromhex("05 32 50 03 36 31") * 3
        read = b""
        while len(read) < len(banner):
            read += os.read(client, 100)
        assert read == banner
        os.close(client)
    finally:
        shoe.close()
    assert not (tmp_path / "shoe").is_symlink()
