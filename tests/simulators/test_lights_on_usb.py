"""Lights with everything between them and the controller: port, wire, pyusb, socket, bus, simulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import pytest

from drivers.blink1.driver import COLOURS
from drivers.blink1.messages import Colour
from drivers.facts import DeviceFact, Found, Lost
from drivers.lights import Look, TowerLight, TowerState
from drivers.patlite.messages import Pattern
from drivers.port import Port
from drivers.qlight.messages import Command
from drivers.registry import DRIVERS
from drivers.transport.backend import usb_backend
from simulators.devices.blink1.simulator import Blink1Simulator
from simulators.devices.faults import load_faults
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.qlight.simulator import QlightSimulator
from simulators.devices.usb_bus import Behaviour, UsbBus, VirtualDevice
from simulators.devices.usb_socket_format import SCHEME

#: Never waited for: only so that a test that hangs ends.
SOON_S: Final = 20.0
GREEN: Final = TowerState(green=Look.ON)

pytestmark = pytest.mark.system


class Silent:
    """A log that nobody reads."""

    def info(self, event: str, **fields: object) -> None: ...

    def warning(self, event: str, **fields: object) -> None: ...

    def error(self, event: str, **fields: object) -> None: ...


class Table:
    """A bus, and a port for the light that is plugged into it."""

    def __init__(self, folder: Path) -> None:
        self.bus = UsbBus(folder / "usb.sock")
        self.facts: SimpleQueue[DeviceFact] = SimpleQueue()
        self._close: list[Callable[[], None]] = []

    def serve(self, driver: str, device: VirtualDevice) -> Callable[[TowerState], None]:
        """Plug the light in; how it is told."""
        self.bus.plug(device)
        opener, protocol = DRIVERS[driver].make("light", {}, usb_backend(f"{SCHEME}{self.bus.path}"))
        assert isinstance(protocol, TowerLight)
        port = Port("light", opener, protocol, self.facts.put, Silent())
        self._close.append(port.close)
        port.start()

        def look(state: TowerState) -> None:
            port.send(lambda _: protocol.look(state))

        return look

    def fact(self) -> DeviceFact:
        return self.facts.get(timeout=SOON_S)

    def close(self) -> None:
        for close in self._close:
            close()
        self.bus.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def test_a_blink1_answers_shows_its_colour_and_is_right_again_after_a_loss(table: Table) -> None:
    colours: SimpleQueue[tuple[Colour, Colour]] = SimpleQueue()
    light = Blink1Simulator(on_change=colours.put)
    look = table.serve("blink1", light)
    found = table.fact()
    assert isinstance(found, Found)
    assert found.identity == "blink(1) 27b8:01ed, firmware 2.06"
    look(GREEN)
    while colours.get(timeout=SOON_S) != (COLOURS["green"],) * 2:
        continue
    table.bus.unplug(light)
    assert isinstance(table.fact(), Lost)
    table.bus.plug(light)
    assert isinstance(table.fact(), Found)
    while colours.get(timeout=SOON_S) != (COLOURS["green"],) * 2:
        continue
    assert light.refused == 0


def test_a_blink1_that_takes_nothing_is_lost_and_found_when_it_does(table: Table) -> None:
    light = Blink1Simulator()
    table.serve("blink1", light)
    assert isinstance(table.fact(), Found)
    light.behave(Behaviour.STUCK)
    lost = table.fact()
    assert isinstance(lost, Lost)
    assert "took no report for" in lost.reason
    light.behave(Behaviour.WELL)
    assert isinstance(table.fact(), Found)


def test_a_qlight_is_lit_and_lit_again_after_a_loss(table: Table) -> None:
    states: SimpleQueue[Command] = SimpleQueue()
    light = QlightSimulator(on_change=states.put)
    look = table.serve("qlight-usb", light)
    assert isinstance(table.fact(), Found)
    look(GREEN)
    while states.get(timeout=SOON_S).lamps[2] is not Look.ON:
        continue
    table.bus.unplug(light)
    table.bus.plug(light)
    assert isinstance(table.fact(), Lost)
    assert isinstance(table.fact(), Found)
    while states.get(timeout=SOON_S).lamps[2] is not Look.ON:
        continue
    assert light.refused == 0


TROUBLE: Final = """
[[fault]]
kind = "delay"
of = "host"
at = [9]
for_s = 60.0

[[fault]]
kind = "unplug-mid-frame"
of = "host"
at = [25]
for_s = 0.05

[[fault]]
kind = "reboot"
of = "host"
at = [40]

[[fault]]
kind = "lose"
of = "host"
probability = 0.1
"""


@pytest.mark.parametrize("driver", ["blink1", "qlight-usb", "patlite-lr6"])
def test_a_light_is_right_in_the_end_whatever_happens_to_what_it_is_told(
    table: Table, tmp_path: Path, driver: str
) -> None:
    path = tmp_path / "trouble.toml"
    path.write_text(TROUBLE, encoding="utf-8")
    faults = load_faults(path)
    #: Something of the light has changed; also what paces this test.
    news: SimpleQueue[object] = SimpleQueue()
    blink1 = Blink1Simulator(faults=faults, on_change=news.put)
    qlight = QlightSimulator(faults=faults, on_change=news.put)
    patlite = PatliteSimulator(faults=faults, on_change=news.put)
    lights: dict[str, VirtualDevice] = {"blink1": blink1, "qlight-usb": qlight, "patlite-lr6": patlite}
    is_green: Callable[[], bool] = {
        "blink1": lambda: blink1.colours[0] == COLOURS["green"],
        "qlight-usb": lambda: qlight.state.lamps[2] is Look.ON,
        "patlite-lr6": lambda: patlite.state.green is Pattern.ON,
    }[driver]
    look = table.serve(driver, lights[driver])
    seen: set[type[DeviceFact]] = set()
    while Found not in seen or Lost not in seen or not is_green():
        look(TowerState(red=Look.ON))
        look(GREEN)
        with suppress(Empty):
            news.get(timeout=0.1)
        while not table.facts.empty():
            seen.add(type(table.fact()))
