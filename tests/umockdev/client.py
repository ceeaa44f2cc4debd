"""The ports of a panel and a light and the monitor of USB, as a table has them, each fact a line. No test.

It is started below umockdev's preloaded library, and ends with its standard input.
"""

from __future__ import annotations

import sys
import threading

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, UsbChanged
from drivers.patlite.driver import Patlite
from drivers.patlite.messages import LightState, Pattern
from drivers.port import Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.topology.usb_monitor import UsbMonitor

WRITING = threading.Lock()


class Silent:
    """A log that nobody reads."""

    def info(self, event: str, **fields: object) -> None:
        """Nothing."""

    def warning(self, event: str, **fields: object) -> None:
        """Nothing."""

    def error(self, event: str, **fields: object) -> None:
        """Nothing."""


def say(fact: DeviceFact) -> None:
    match fact:
        case Found():
            line = f"{fact.device} found"
        case Lost():
            line = f"{fact.device} lost: {fact.reason}"
        case KeyDown():
            line = f"key {fact.key} down"
        case KeyUp():
            line = f"key {fact.key} up"
        case UsbChanged():
            line = f"usb {fact.change.value} {fact.identity}"
        case _:
            line = type(fact).__name__
    with WRITING:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def port(name: str, driver: str) -> Port[DeviceProtocol]:
    opener, protocol = DRIVERS[driver].make(name, {}, None)
    if isinstance(protocol, Patlite):
        protocol.show(LightState(green=Pattern.ON))
    made = Port(name, opener, protocol, say, Silent())
    made.start()
    return made


def main() -> None:
    monitor = UsbMonitor(say, Silent())
    monitor.start()
    ports = [port(name, DRIVER_OF[name]) for name in sys.argv[1:]]
    sys.stdin.read()
    for opened in ports:
        opened.close()
    monitor.close()


DRIVER_OF = {"panel": "xkeys-xk24", "light": "patlite-lr6"}

if __name__ == "__main__":
    main()
