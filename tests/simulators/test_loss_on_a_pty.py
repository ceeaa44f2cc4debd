"""Every serial driver, with every setting of its line, loses its device and has it back, over a real pty.

Two ways to lose one: the wire is pulled and plugged in again, or it is given up and opened again as it is there.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from drivers.entry import ModbusPlace, ParityPlace, SerialPlace
from drivers.facts import DeviceFact, Found, Lost
from drivers.port import Patience, Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.transport.serial import Parity
from simulators.devices.registry import SIMULATORS
from simulators.devices.wire import PtyEnd
from tests.drivers.models import simulator_of
from tests.wide import once

SOON_S: Final = 20.0


class Log:
    def info(self, event: str, **fields: object) -> None: ...

    warning = info
    error = info


#: Besides the driver's own.
OTHER_BAUD: Final = 57600


def lines() -> Iterator[tuple[str, dict[str, object]]]:
    """Driver, and one of its settings of the line."""
    for name, driver in DRIVERS.items():
        if not issubclass(driver.place, SerialPlace):
            continue
        bauds = (driver.place_defaults["baud"], OTHER_BAUD)
        parities = tuple(Parity) if issubclass(driver.place, ParityPlace) else (None,)
        stops = (1, 2) if issubclass(driver.place, ModbusPlace) else (None,)
        for baud, parity, stop_bits in product(bauds, parities, stops):
            settings: dict[str, object] = {"baud": baud}
            if parity is not None:
                settings["parity"] = parity.value
            if stop_bits is not None:
                settings["stop_bits"] = stop_bits
            yield name, settings


LINES: Final = list(lines())
FIRST_OF_A_DEVICE: Final = {name: (name, settings) for name, settings in reversed(LINES)}.values()


@pytest.mark.system
@pytest.mark.parametrize("line", once(LINES, *FIRST_OF_A_DEVICE))
def test_a_device_that_was_lost_is_back(line: tuple[str, dict[str, object]], tmp_path: Path) -> None:
    name, settings = line
    link = tmp_path / "device"
    end = PtyEnd(link=link, baud=int(str(settings["baud"])), speed_factor=None, minds_speed=True)
    on_line = SIMULATORS[simulator_of(DRIVERS[name])].on_line
    assert on_line is not None
    device = on_line(end)
    opener, protocol = DRIVERS[name].make("it", {"port": str(link), **settings}, None)
    facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
    port: Port[DeviceProtocol] = Port("it", opener, protocol, facts.put, Log(), patience=Patience(first_s=0.01))

    def read_until(kind: type[Found] | type[Lost]) -> None:
        while not isinstance(facts.get(timeout=SOON_S), kind):
            pass

    device.start()
    try:
        with port:
            read_until(Found)
            for _ in range(2):
                port.give_up("somebody says so")
                read_until(Lost)
                read_until(Found)
            device.unplug()
            read_until(Lost)
            device.replug()
            read_until(Found)
    finally:
        device.close()
