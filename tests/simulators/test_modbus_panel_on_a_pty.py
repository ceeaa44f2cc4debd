"""The simulated Modbus module on a pty: our own driver with its port, and a client that is not ours."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Final

import pytest
from pymodbus.client import ModbusSerialClient

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost
from drivers.modbus_panel.driver import ModbusPanel
from drivers.panels import KeyFace, KeyLook
from drivers.port import Port
from drivers.registry import DRIVERS
from simulators import processes
from simulators.devices.faults import Fault, FaultKind, FaultPlan
from simulators.devices.modbus_panel.simulator import ModbusPanelSimulator
from simulators.devices.wire import PtyEnd

#: Never waited for: only so that a test that hangs ends.
SOON_S: Final = 20.0

pytestmark = pytest.mark.system


class Silent:
    """A log that nobody reads."""

    def info(self, event: str, **fields: object) -> None: ...

    def warning(self, event: str, **fields: object) -> None: ...

    def error(self, event: str, **fields: object) -> None: ...


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "panel"


@pytest.fixture
def lamps() -> SimpleQueue[frozenset[int]]:
    return SimpleQueue()


@pytest.fixture
def module(link: Path, lamps: SimpleQueue[frozenset[int]]) -> Iterator[ModbusPanelSimulator]:
    faults = FaultPlan(faults=(Fault(kind=FaultKind.SPLIT, probability=0.2), Fault(kind=FaultKind.LOSE, at=(5,))))
    module = ModbusPanelSimulator(
        PtyEnd(link=link, baud=19200, speed_factor=None), on_lamps=lamps.put, faults=faults, seed=3
    )
    module.start()
    yield module
    module.close()


@pytest.fixture
def facts() -> SimpleQueue[DeviceFact]:
    return SimpleQueue()


@pytest.fixture
def port(link: Path, module: ModbusPanelSimulator, facts: SimpleQueue[DeviceFact]) -> Iterator[Port[ModbusPanel]]:
    opener, protocol = DRIVERS["modbus-panel"].make("panel", {"port": str(link)}, None)
    assert isinstance(protocol, ModbusPanel)
    port = Port("panel", opener, protocol, facts.put, Silent())
    port.start()
    yield port
    port.close()


def until(facts: SimpleQueue[DeviceFact], kind: type[DeviceFact]) -> DeviceFact:
    while not isinstance(fact := facts.get(timeout=SOON_S), kind):
        continue
    return fact


def test_keys_are_told_and_lamps_are_lit_before_and_after_the_port_is_lost(
    module: ModbusPanelSimulator,
    lamps: SimpleQueue[frozenset[int]],
    facts: SimpleQueue[DeviceFact],
    port: Port[ModbusPanel],
) -> None:
    until(facts, Found)
    port.send(lambda panel: panel.face({2: KeyFace(look=KeyLook.LIVE)}))
    assert lamps.get(timeout=SOON_S) == {2}
    module.press(4)
    until(facts, KeyDown)
    module.unplug()
    until(facts, KeyUp)
    until(facts, Lost)
    module.release(4)
    module.restarted()
    module.replug()
    until(facts, Found)
    assert lamps.get(timeout=SOON_S) == {2}


def test_a_client_that_is_not_ours_reads_the_keys_and_lights_the_lamps(
    link: Path, module: ModbusPanelSimulator
) -> None:
    with ModbusSerialClient(port=str(link), baudrate=19200, timeout=1, retries=5) as client:
        module.press(3)
        read = client.read_discrete_inputs(0, count=16, device_id=1)
        assert [number for number, bit in enumerate(read.bits[:16]) if bit] == [3]
        assert not client.write_coils(2, [True, False, True], device_id=1).isError()
        assert module.lamps == {2, 4}
        assert client.read_discrete_inputs(10, count=16, device_id=1).isError()


def test_a_module_by_itself_is_pressed_by_words_and_says_its_lamps(link: Path) -> None:
    command = [sys.executable, "-m", "simulators", "modbus-panel", "--link", str(link), "--speed", "0"]
    facts: SimpleQueue[DeviceFact] = SimpleQueue()
    with processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline().strip() == str(link)
        opener, protocol = DRIVERS["modbus-panel"].make("panel", {"port": str(link)}, None)
        assert isinstance(protocol, ModbusPanel)
        with Port("panel", opener, protocol, facts.put, Silent()) as port:
            until(facts, Found)
            port.send(lambda _: protocol.face({1: KeyFace(look=KeyLook.LIVE)}))
            assert process.stdout.readline().strip() == "lit: 1"
            for word, said in (("press 3", "press 3"), ("press 99", "the module has no input 99")):
                process.stdin.write(f"{word}\n")
                process.stdin.flush()
                assert process.stdout.readline().strip() == said
            until(facts, KeyDown)
        process.terminate()
        assert process.wait(SOON_S) == 0
