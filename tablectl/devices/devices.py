"""All devices of a table: their ports, what they tell us, what they are told."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from typing import Final

from drivers import facts as device
from drivers.health import DeviceHealth
from drivers.port import Log, Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.transport.usb_socket import usb_backend
from tablectl import config
from tablectl.devices.hands import HANDS, Hand
from tablectl.devices.translator import Translator
from tablectl.engine import facts as f
from tablectl.engine.words import Key
from tablectl.outputs import Outputs

#: How long the devices may take for what they are told at the end, all together, in seconds.
LAST_WORDS_S: Final = 1.0
#: How often a light that is being opened is looked at, in seconds.
LAST_LOOK_S: Final = 0.02


def _labels(table: config.Config) -> Mapping[Key, str]:
    """What the keys are called in the house's first language; loaded only where a panel can show it."""
    if not any(DRIVERS[each.driver].is_labelled for each in table.devices):
        return {}
    words = importlib.import_module("tablectl.spoken.words").load_words()
    return {key: words.text("key", key.value, table.languages[0]) for key in Key}


class Devices:
    """All devices of a table: their ports, what they tell us, what they are told."""

    def __init__(self, table: config.Config, sink: Callable[[device.DeviceFact], None], log: Log) -> None:
        self._translator = Translator(table.devices)
        usb = usb_backend(table.usb_bus)
        labels = _labels(table)
        for unseen in sorted({DRIVERS[each.driver].not_verified for each in table.devices} - {""}):
            log.info("never verified on hardware", what=unseen)
        self._ports: dict[str, Port[DeviceProtocol]] = {}
        hands: list[tuple[int, Hand]] = []
        for each in table.devices:
            opener, protocol = DRIVERS[each.driver].make(each.name, each.settings, usb)
            port = Port(each.name, opener, protocol, sink, log)
            self._ports[each.name] = port
            hands += [
                (order, hand(port, each, labels))
                for order, (kind, hand) in enumerate(HANDS)
                if isinstance(protocol, kind)
            ]
        self._lights = tuple(each.name for each in table.devices if each.role == "light")
        self._is_started = False
        #: keys before lights before locks: what the croupier waits for comes first
        self._hands = tuple(hand for _, hand in sorted(hands, key=lambda each: each[0]))

    def start(self) -> None:
        """Open every port, and keep it open."""
        for port in self._ports.values():
            port.start()
        self._is_started = True

    def show_at_last(self, wanted: Outputs) -> None:
        """Make the outside look like this, and nothing after it: also where the ports were never opened.

        Then only those of the lights are, and they get a moment to be found: nobody would record what another device
        says now.
        """
        self.show(wanted)
        if self._is_started:
            return
        for name in self._lights:
            self._ports[name].start()
        until_s = time.monotonic() + LAST_WORDS_S
        while not self._lights_are_there() and time.monotonic() < until_s:
            time.sleep(LAST_LOOK_S)
        self.show(wanted)

    def _lights_are_there(self) -> bool:
        return all(self._ports[name].health().is_open for name in self._lights)

    def close(self) -> None:
        """Close every port, when what was to be shown last is out."""
        until_s = time.monotonic() + LAST_WORDS_S
        for port in self._ports.values():
            port.drain(max(0.0, until_s - time.monotonic()))
        for port in self._ports.values():
            port.close()

    def table_fact(self, fact: device.DeviceFact) -> f.Fact | None:
        """As `Translator.table_fact`."""
        return self._translator.table_fact(fact)

    def show(self, wanted: Outputs) -> None:
        """Make the outside look like this. Never waits for a device."""
        for hand in self._hands:
            hand.show(wanted)

    @property
    def ports(self) -> tuple[Port[DeviceProtocol], ...]:
        """Every port, in the order of the configuration."""
        return tuple(self._ports.values())

    def health(self) -> tuple[DeviceHealth, ...]:
        """Every device at this moment, in the order of the configuration."""
        return tuple(port.health() for port in self._ports.values())
