"""The whole way over a real pty: simulated PN532, kernel, pyserial, port, driver; and a client that is not ours."""

from __future__ import annotations

import os
import queue
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from drivers.facts import DeviceFact, Found, Lost, TagIn, TagOut
from drivers.pn532.driver import Pn532, Pn532Settings
from drivers.pn532.messages import BAUD
from drivers.pn532.opening import pn532_opener
from drivers.port import Patience, Port
from simulators import processes
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.field import Field
from simulators.devices.pn532.simulator import ChipOptions, ChipProtocol
from simulators.devices.reader import ReaderSimulator
from simulators.devices.wire import PtyEnd
from simulators.devices.world import AWAY, World, type_a_tag

pytestmark = pytest.mark.system

SOON_S = 30.0
EAGER = Patience(first_s=0.002, ceiling_s=0.02)


class Silent:
    def info(self, event: str, **fields: object) -> None: ...

    warning = info
    error = info


class Bench:
    """A reader at one end of a pty, and whoever opens its path."""

    def __init__(self, link: Path, *, faults: FaultPlan = NO_FAULTS, options: ChipOptions | None = None) -> None:
        self.world = World(["As", "Kd"], tag_of=type_a_tag)
        self.end = PtyEnd(link=link, baud=BAUD, speed_factor=None, minds_speed=True)
        field = Field(self.world, "seat-1")
        chip = ChipProtocol(
            [field], options or ChipOptions(), speed_changed=self.end.speak_at, speed_announced=self.end.will_speak_at
        )
        self.reader = ReaderSimulator(self.end, chip, faults=faults, seed=1)
        self.facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
        self.reader.start()

    def put(self, number: int, place: str) -> str:
        card = self.world.cards()[number]
        self.world.put(card, place)
        return card.tag

    def port(self) -> Port[Pn532]:
        settings = Pn532Settings(pause_s=0.01, out_s=0.05)
        opener = pn532_opener(self.end.path, BAUD)
        return Port("antennas", opener, Pn532("antennas", settings), self.facts.put, Silent(), patience=EAGER)

    def read_until(self, wanted: Callable[[DeviceFact], bool]) -> DeviceFact:
        while True:
            fact = self.facts.get(timeout=SOON_S)
            if wanted(fact):
                return fact


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    with ExitStack() as stack:

        def make(*, faults: FaultPlan = NO_FAULTS, options: ChipOptions | None = None) -> Bench:
            bench = Bench(tmp_path / "reader", faults=faults, options=options)
            stack.callback(bench.reader.close)
            return bench

        yield make


def test_a_card_goes_in_and_out_over_a_real_port(start: Callable[..., Bench]) -> None:
    bench = start()
    tag = bench.put(0, "seat-1")
    with bench.port():
        came = bench.read_until(lambda fact: isinstance(fact, TagIn))
        assert isinstance(came, TagIn)
        assert (came.tag.open(), came.antenna) == (tag, 1)
        bench.put(0, AWAY)
        bench.read_until(lambda fact: isinstance(fact, TagOut))


@pytest.mark.parametrize("baud", [921600, 9600])
def test_a_chip_that_was_left_at_another_speed_is_found_there(start: Callable[..., Bench], baud: int) -> None:
    bench = start(options=ChipOptions(baud=baud))
    with bench.port() as port:
        found = bench.read_until(lambda fact: isinstance(fact, Found))
        assert isinstance(found, Found)
        assert found.identity == "PN532 firmware 1.6"
        assert port.health().identity.endswith(f"{baud} baud")


def test_unplugged_in_the_middle_of_a_frame_it_comes_back(start: Callable[..., Bench]) -> None:
    cut = Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(12,), offset=4, for_s=0.05)
    bench = start(faults=FaultPlan(faults=(cut,)))
    tag = bench.put(0, "seat-1")
    with bench.port():
        bench.read_until(lambda fact: isinstance(fact, Lost))
        bench.read_until(lambda fact: isinstance(fact, Found))
        came = bench.read_until(lambda fact: isinstance(fact, TagIn))
        assert isinstance(came, TagIn)
        assert came.tag.open() == tag


def nfc_list(path: str) -> list[str]:
    """The cards that libnfc's own program finds; skips where it is not installed."""
    program = shutil.which("nfc-list")
    if program is None:
        pytest.skip("nfc-list is not installed (Debian: libnfc-bin)")
    environment = {**os.environ, "LIBNFC_DEVICE": f"pn532_uart:{path}"}
    done = processes.run(
        [program], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    uids: list[str] = re.findall(r"UID \(NFCID1\): ([0-9a-f ]+)", done.stdout)
    return [uid.replace(" ", "").upper() for uid in uids]


def test_libnfc_finds_no_card_where_none_lies_and_both_where_two_lie(start: Callable[..., Bench]) -> None:
    bench = start()
    assert nfc_list(bench.end.path) == []
    one, two = bench.put(0, "seat-1"), bench.put(1, "seat-1")
    assert nfc_list(bench.end.path) == [one, two]
