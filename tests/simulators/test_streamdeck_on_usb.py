"""A Stream Deck with everything between it and the controller: port, wire, pyusb, socket, bus, simulator."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Final

import pytest

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.panels import KeyFace, KeyLook
from drivers.port import Port
from drivers.registry import DRIVERS
from drivers.streamdeck.driver import StreamDeck
from drivers.transport.backend import usb_backend
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.streamdeck.simulator import StreamDeckSimulator
from simulators.devices.usb_bus import Behaviour, UsbBus
from simulators.devices.usb_socket_format import SCHEME

#: Never waited for: only so that a test that hangs ends.
SOON_S: Final = 20.0

pytestmark = pytest.mark.system


class Lines:
    """A log: what it was told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def info(self, event: str, **fields: object) -> None:
        self.lines.append(event)

    warning = error = info


class Table:
    """A bus with a deck, and its port."""

    def __init__(self, folder: Path, *, faults: FaultPlan = NO_FAULTS) -> None:
        self.pictures: SimpleQueue[int] = SimpleQueue()
        self.deck = StreamDeckSimulator(on_picture=self.pictures.put, faults=faults)
        self.bus = UsbBus(folder / "usb.sock")
        self.bus.plug(self.deck)
        self.facts: SimpleQueue[DeviceFact] = SimpleQueue()
        self.log = Lines()
        opener, protocol = DRIVERS["streamdeck-15"].make("deck", {}, usb_backend(f"{SCHEME}{self.bus.path}"))
        assert isinstance(protocol, StreamDeck)
        self.port = Port("deck", opener, protocol, self.facts.put, self.log)
        self.port.start()

    def fact(self) -> DeviceFact:
        return self.facts.get(timeout=SOON_S)

    def show(self, faces: dict[int, KeyFace]) -> None:
        self.port.send(lambda deck: deck.face(faces))

    def until_lit(self, key: int) -> None:
        while self.pictures.get(timeout=SOON_S) != key or not self.deck.is_lit(key):
            continue

    def tapped(self, key: int) -> None:
        self.deck.tap(key)
        assert [type(self.fact()), type(self.fact())] == [KeyDown, KeyUp]

    def close(self) -> None:
        self.port.close()
        self.bus.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def test_keys_are_told_and_faces_are_shown_before_and_after_a_loss(table: Table) -> None:
    assert isinstance(table.fact(), Found)
    table.show({2: KeyFace(look=KeyLook.LIVE, label="Apuesta")})
    table.until_lit(2)
    assert table.deck.has_ink(2)
    table.tapped(2)
    table.bus.unplug(table.deck)
    assert isinstance(table.fact(), Lost)
    table.bus.plug(table.deck)
    assert isinstance(table.fact(), Found)
    table.until_lit(2)
    table.tapped(4)
    assert table.log.lines == ["device found", "device lost", "device back"]
    assert table.deck.refused == 0


def test_reading_goes_on_after_each_kind_of_trouble(table: Table) -> None:
    assert isinstance(table.fact(), Found)
    table.deck.behave(Behaviour.HASTY)
    table.deck.tap(1)  # nobody hears it
    table.deck.behave(Behaviour.WELL)
    table.tapped(1)
    table.deck.behave(Behaviour.STUCK)
    table.show({0: KeyFace(look=KeyLook.LIVE)})
    assert isinstance(table.fact(), Lost)
    table.deck.behave(Behaviour.WELL)
    assert isinstance(table.fact(), Found)
    table.tapped(3)
    assert table.port.health().is_open


def test_keys_stay_matched_whatever_the_wire_does(tmp_path: Path) -> None:
    kinds = (FaultKind.LOSE, FaultKind.REPEAT, FaultKind.JUNK, FaultKind.CORRUPT, FaultKind.UNPLUG_MID_FRAME)
    table = Table(tmp_path, faults=FaultPlan(faults=tuple(Fault(kind=kind, probability=0.05) for kind in kinds)))

    def play() -> None:
        for number in range(300):
            table.deck.tap(number % 3)

    hammer = threading.Thread(target=play, daemon=True)
    hammer.start()
    hammer.join(SOON_S)
    assert not hammer.is_alive()
    table.bus.unplug(table.deck)
    table.close()
    held: set[int] = set()
    while not table.facts.empty():
        match table.facts.get():
            case KeyDown(key=key):
                assert key not in held
                held.add(key)
            case KeyUp(key=key):
                held.remove(key)
            case Lost():
                assert held == set()
            case Found() | Rejected():
                continue
