"""Panel and light with everything between them and the controller: port, wire, pyusb, socket, bus, simulator."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Final

import pytest

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.patlite.driver import Patlite
from drivers.patlite.messages import LightState, Pattern
from drivers.port import Port
from drivers.registry import DRIVERS
from drivers.transport.backend import usb_backend
from drivers.transport.usb import PRESENCE_S, UsbId, UsbWire, usb_opener
from drivers.xkeys.driver import XKeys
from drivers.xkeys.messages import Lamp
from drivers.xkeys.products import XK24
from simulators import processes
from simulators.devices.faults import NO_FAULTS, Fault, FaultKind, FaultPlan
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import Behaviour, UsbBus
from simulators.devices.usb_socket import UsbSocketBackend
from simulators.devices.usb_socket_format import SCHEME, EndpointDescriptor, InterfaceDescriptor
from simulators.devices.xkeys.simulator import LampChange, XKeysSimulator

#: Never waited for: only so that a test that hangs ends.
SOON_S: Final = 20.0
PANEL: Final = UsbId(title="panel", vendor_id=0x05F3, product_ids=XK24.product_ids)

pytestmark = pytest.mark.system


class Lines:
    """A log: what it was told."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def _add(self, level: str, event: str) -> None:
        self.lines.append((level, event))

    def info(self, event: str, **fields: object) -> None:
        self._add("info", event)

    def warning(self, event: str, **fields: object) -> None:
        self._add("warning", event)

    def error(self, event: str, **fields: object) -> None:
        self._add("error", event)


class Table:
    """A bus with a panel and a light, a port for each, and what they tell."""

    def __init__(self, folder: Path, *, faults: FaultPlan = NO_FAULTS) -> None:
        self.lamps: SimpleQueue[LampChange] = SimpleQueue()
        self.lights: SimpleQueue[LightState] = SimpleQueue()
        self.panel = XKeysSimulator(on_lamp=self.lamps.put, faults=faults)
        self.light = PatliteSimulator(on_change=self.lights.put)
        self.bus = UsbBus(folder / "usb.sock")
        self.log = Lines()
        self.facts: SimpleQueue[DeviceFact] = SimpleQueue()
        self._ports: list[Port[XKeys] | Port[Patlite]] = []

    def serve_panel(self) -> Port[XKeys]:
        port = Port("panel", usb_opener(PANEL, self.backend()), XKeys("panel"), self.facts.put, self.log)
        self._ports.append(port)
        port.start()
        return port

    def serve_light(self) -> Port[Patlite]:
        opener, _ = DRIVERS["patlite-lr6"].make("light", {}, self.backend())
        port = Port("light", opener, Patlite("light"), self.facts.put, self.log)
        self._ports.append(port)
        port.start()
        return port

    def backend(self) -> UsbSocketBackend:
        backend = usb_backend(f"{SCHEME}{self.bus.path}")
        assert isinstance(backend, UsbSocketBackend)
        return backend

    def fact(self) -> DeviceFact:
        return self.facts.get(timeout=SOON_S)

    def key_fact(self) -> tuple[type[DeviceFact], int]:
        fact = self.fact()
        assert isinstance(fact, KeyDown | KeyUp)
        return type(fact), fact.key

    def until_lit(self, key: int, lamp: Lamp) -> None:
        while (change := self.lamps.get(timeout=SOON_S)).key != key or change.lamp is not lamp:
            continue

    def close(self) -> None:
        for port in self._ports:
            port.close()
        self.bus.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def test_a_key_that_is_pressed_is_told(table: Table) -> None:
    table.bus.plug(table.panel)
    table.serve_panel()
    assert isinstance(table.fact(), Found)
    table.panel.tap(3)
    assert [table.key_fact(), table.key_fact()] == [(KeyDown, 3), (KeyUp, 3)]


def test_pulling_and_plugging_in_is_lost_and_found_once_each_with_one_line_each_and_the_lamps_as_before(
    table: Table,
) -> None:
    table.bus.plug(table.panel)
    port = table.serve_panel()
    assert isinstance(table.fact(), Found)
    port.send(lambda panel: panel.show({5: Lamp.RED_BLINK, 6: Lamp.BLUE}))
    table.until_lit(6, Lamp.BLUE)
    table.panel.press(9)
    assert table.key_fact() == (KeyDown, 9)
    table.bus.unplug(table.panel)
    assert table.key_fact() == (KeyUp, 9)
    assert isinstance(table.fact(), Lost)
    assert table.panel.lamps != {}
    table.panel.release(9)
    table.bus.plug(table.panel)
    assert isinstance(table.fact(), Found)
    table.until_lit(5, Lamp.RED_BLINK)
    table.until_lit(23, Lamp.OFF)
    assert table.panel.lamps == {5: Lamp.RED_BLINK, 6: Lamp.BLUE}
    table.panel.tap(0)
    assert [table.key_fact(), table.key_fact()] == [(KeyDown, 0), (KeyUp, 0)]
    assert table.log.lines == [("info", "device found"), ("warning", "device lost"), ("info", "device back")]


def test_a_panel_that_is_plugged_in_late_is_lost_once_and_then_found(table: Table) -> None:
    port = table.serve_panel()
    assert isinstance(table.fact(), Lost)
    table.bus.plug(table.panel)
    assert isinstance(table.fact(), Found)
    assert port.health().is_open


def test_silence_is_no_loss_of_the_port_though_nothing_but_time_outs_comes(table: Table) -> None:
    table.bus.plug(table.panel)
    port = table.serve_panel()
    assert isinstance(table.fact(), Found)
    table.panel.behave(Behaviour.HASTY)
    table.panel.tap(1)  # nobody hears it
    port.send(lambda panel: panel.show({2: Lamp.BLUE}))
    table.until_lit(2, Lamp.BLUE)
    table.panel.behave(Behaviour.WELL)
    table.panel.tap(4)
    assert [table.key_fact(), table.key_fact()] == [(KeyDown, 4), (KeyUp, 4)]
    assert table.log.lines == [("info", "device found")]
    assert port.health().reconnects == 0


def test_two_processes_on_one_device(table: Table) -> None:
    table.bus.plug(table.panel)
    program = (
        "import sys\n"
        "from drivers.transport.usb import UsbId, UsbWire\n"
        "from drivers.transport.backend import usb_backend\n"
        "wire = UsbWire(UsbId(title='panel', vendor_id=0x05F3, product_ids=(0x0405,)), usb_backend(sys.argv[1]))\n"
        "print(wire.identity, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, f"{SCHEME}{table.bus.path}"]
    with processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == "05f3:0405 at 1-1"
        port = table.serve_panel()
        lost = table.fact()
        assert isinstance(lost, Lost)
        assert lost.reason == "panel 05f3:0405 at 1-1: interface 0 is in use by another process; end that one first"
        other.kill()
    assert isinstance(table.fact(), Found)
    assert port.health().reconnects == 0


def test_a_light_is_restored_and_its_loss_is_noticed_without_a_write(table: Table) -> None:
    green = LightState(green=Pattern.ON)
    table.bus.plug(table.light)
    port = table.serve_light()
    assert isinstance(table.fact(), Found)
    assert table.lights.get(timeout=SOON_S) == LightState()
    port.send(lambda light: light.show(green))
    assert table.lights.get(timeout=SOON_S) == green
    table.bus.unplug(table.light)
    table.bus.plug(table.light)
    assert table.light.state == LightState()
    assert isinstance(table.facts.get(timeout=SOON_S * PRESENCE_S), Lost)
    assert isinstance(table.fact(), Found)
    assert table.lights.get(timeout=SOON_S) == green
    assert table.log.lines == [("info", "device found"), ("warning", "device lost"), ("info", "device back")]


def test_a_light_that_has_no_way_to_say_anything_is_driven_all_the_same(table: Table) -> None:
    table.light.interfaces = (InterfaceDescriptor(number=0, endpoints=(EndpointDescriptor(address=0x01),)),)
    table.bus.plug(table.light)
    table.serve_light()
    assert isinstance(table.fact(), Found)
    assert table.lights.get(timeout=SOON_S) == LightState()


def test_a_light_that_takes_nothing_is_lost_and_right_again_when_it_does(table: Table) -> None:
    red = LightState(red=Pattern.ON)
    table.bus.plug(table.light)
    port = table.serve_light()
    assert isinstance(table.fact(), Found)
    table.lights.get(timeout=SOON_S)
    table.light.behave(Behaviour.STUCK)
    port.send(lambda light: light.show(red))
    lost = table.fact()
    assert isinstance(lost, Lost)
    assert "took no report for" in lost.reason
    table.light.behave(Behaviour.WELL)
    while table.lights.get(timeout=SOON_S) != red:
        continue
    assert table.light.state == red


def test_keys_stay_matched_whatever_the_wire_does(tmp_path: Path) -> None:
    kinds = (FaultKind.LOSE, FaultKind.REPEAT, FaultKind.JUNK, FaultKind.CORRUPT, FaultKind.UNPLUG_MID_FRAME)
    plan = FaultPlan(faults=tuple(Fault(kind=kind, probability=0.05, count=1) for kind in kinds))
    table = Table(tmp_path, faults=plan)
    table.bus.plug(table.panel)
    table.serve_panel()

    def play() -> None:
        for number in range(600):
            table.panel.tap(number % 3)

    hammer = threading.Thread(target=play, daemon=True)
    hammer.start()
    hammer.join(SOON_S)
    assert not hammer.is_alive()
    table.bus.unplug(table.panel)
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


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    all_started: list[subprocess.Popen[str]] = []

    def start(device: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "simulators", device, "--link", str(tmp_path / "usb.sock")]
        process = processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        all_started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline().strip() == str(tmp_path / "usb.sock")
        return process

    yield start
    for process in all_started:
        with process:
            process.kill()


def ask(process: subprocess.Popen[str], word: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def test_a_panel_by_itself_is_pressed_by_words_and_says_its_lamps(
    started: Callable[[str], subprocess.Popen[str]], tmp_path: Path
) -> None:
    process = started("xkeys-xk24")
    assert process.stdout is not None
    facts: SimpleQueue[DeviceFact] = SimpleQueue()
    backend = usb_backend(f"{SCHEME}{tmp_path}/usb.sock")
    with Port("panel", usb_opener(PANEL, backend), XKeys("panel"), facts.put, Lines()) as port:
        port.send(lambda panel: panel.show({3: Lamp.BLUE}))
        assert isinstance(facts.get(timeout=SOON_S), Found)
        said = [process.stdout.readline().strip() for _ in range(2 * XK24.n_keys)]
        assert said[0] == "key 3: blue"
        assert ask(process, "press 3") == "press 3"
        pressed = facts.get(timeout=SOON_S)
        assert isinstance(pressed, KeyDown)
        assert pressed.key == 3
        assert ask(process, "press 99") == "XK-24 has no key 99"
        assert ask(process, "what").startswith("type: press K")
        assert ask(process, "unplug") == "unplugged"
        assert isinstance(facts.get(timeout=SOON_S), KeyUp)
        assert isinstance(facts.get(timeout=SOON_S), Lost)
    process.terminate()
    assert process.wait(SOON_S) == 0
    assert not (tmp_path / "usb.sock").exists()


def test_a_light_by_itself_says_how_it_looks(started: Callable[[str], subprocess.Popen[str]], tmp_path: Path) -> None:
    process = started("patlite-lr6")
    assert process.stdout is not None
    opener, light = DRIVERS["patlite-lr6"].make("light", {}, usb_backend(f"{SCHEME}{tmp_path}/usb.sock"))
    assert isinstance(light, Patlite)
    light.show(LightState(red=Pattern.BLINK_1, green=Pattern.ON))
    wire = opener()
    assert isinstance(wire, UsbWire)
    light.opened(now_s=0.0, at_us=0)
    for command in light.take_outgoing():
        wire.write(command)
    assert process.stdout.readline().strip() == "red blink 1, green on"
    wire.close()
    assert ask(process, "stuck") == "stuck"
