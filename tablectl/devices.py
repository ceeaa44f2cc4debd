"""Which device fact is which table fact, and which output goes to which device. Nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from drivers import facts as device
from drivers.angel_eye.driver import AngelEye
from drivers.patlite.driver import Patlite
from drivers.patlite.messages import Buzzer, LightState, Pattern
from drivers.port import Log, Port, PortHealth
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.transport.usb_socket import usb_backend
from drivers.xkeys.driver import XKeys
from drivers.xkeys.messages import Lamp
from tablectl import config
from tablectl.cards import card
from tablectl.engine import facts as f
from tablectl.outputs import Outputs, Signal


class Hand(Protocol):
    """How one device is made to show what the table wants."""

    def show(self, wanted: Outputs) -> None:
        """Never waits for the device."""


class ShoeHand:
    """Locks the shoe while no card is due, where the configuration grants the lock."""

    def __init__(self, port: Port[AngelEye], described: config.Device) -> None:
        self._port = port
        self._granted = bool(described.settings.get("may_lock", False))
        self._due: bool | None = None

    def show(self, wanted: Outputs) -> None:
        """As `Hand.show`."""
        if self._granted and wanted.card_due is not self._due:
            self._due = wanted.card_due
            self._port.send(AngelEye.be_unlocked if wanted.card_due else AngelEye.be_locked)


class PanelHand:
    """Lights the keys that are live; one that was pressed in vain blinks red."""

    def __init__(self, port: Port[XKeys], described: config.Device) -> None:
        self._port = port
        self._keys = described.keys

    def show(self, wanted: Outputs) -> None:
        """As `Hand.show`."""
        lamps = {self._keys[key]: Lamp.BLUE for key in wanted.lit if key in self._keys}
        if wanted.refused is not None and wanted.refused in self._keys:
            lamps[self._keys[wanted.refused]] = Lamp.RED_BLINK
        self._port.send(lambda panel: panel.show(lamps))


#: Green: play. Yellow: the croupier is asked. Red: the pit boss. Red and yellow: the controller itself has failed.
_LIGHTS: Final[Mapping[Signal, LightState]] = {
    Signal.IDLE: LightState(green=Pattern.ON),
    Signal.PLAY: LightState(green=Pattern.ON),
    Signal.QUESTION: LightState(yellow=Pattern.BLINK_1),
    Signal.PIT_BOSS: LightState(red=Pattern.BLINK_1, buzzer=Buzzer.PATTERN_1, repeats=1),
    Signal.FAULT: LightState(red=Pattern.ON, yellow=Pattern.ON),
}


class LightHand:
    """The tower light, by signal."""

    def __init__(self, port: Port[Patlite], described: config.Device) -> None:
        self._port = port

    def show(self, wanted: Outputs) -> None:
        """As `Hand.show`."""
        state = _LIGHTS[wanted.signal]
        self._port.send(lambda light: light.show(state))


#: What a protocol can show, and the hand that makes it; a new kind of device is one line here.
HANDS: Final[tuple[tuple[type[Any], Callable[[Any, config.Device], Hand]], ...]] = (
    (XKeys, PanelHand),
    (Patlite, LightHand),
    (AngelEye, ShoeHand),
)


class Translator:
    """What this table's devices mean: names to roles, panel keys to meanings."""

    def __init__(self, devices: tuple[config.Device, ...]) -> None:
        self._roles = {each.name: each.role for each in devices}
        self._keys = {each.name: {number: key for key, number in each.keys.items()} for each in devices}

    def table_fact(self, fact: device.DeviceFact) -> f.Fact | None:
        """The fact for the engine, or None where the table does not care (a key that came up, rejected bytes)."""
        role = self._roles[fact.device]
        match fact:
            case device.CardOut():
                return f.Drawn(at_us=fact.at_us, card=None if fact.card is None else card(fact.card.open()))
            case device.KeyDown():
                key = self._keys[fact.device].get(fact.key)
                return None if key is None else f.Pressed(at_us=fact.at_us, key=key)
            case device.Found():
                return f.DeviceBack(at_us=fact.at_us, device=fact.device, role=role)
            case device.Lost():
                return f.DeviceLost(at_us=fact.at_us, device=fact.device, role=role, reason=fact.reason)
            case device.ShoeNote():
                return f.DeviceSaid(at_us=fact.at_us, device=fact.device, role=role, what=fact.kind, code=fact.code)
            case device.KeyUp() | device.Rejected():
                return None


class Devices:
    """All devices of a table: their ports, what they tell us, what they are told."""

    def __init__(self, table: config.Config, sink: Callable[[device.DeviceFact], None], log: Log) -> None:
        self._translator = Translator(table.devices)
        usb = usb_backend(table.usb_bus)
        self._ports: dict[str, Port[DeviceProtocol]] = {}
        hands: list[tuple[int, Hand]] = []
        for each in table.devices:
            opener, protocol = DRIVERS[each.driver].make(each.name, each.settings, usb)
            port = Port(each.name, opener, protocol, sink, log)
            self._ports[each.name] = port
            hands += [
                (order, hand(port, each)) for order, (kind, hand) in enumerate(HANDS) if isinstance(protocol, kind)
            ]
        #: keys before lights before locks: what the croupier waits for comes first
        self._hands = tuple(hand for _, hand in sorted(hands, key=lambda each: each[0]))

    def start(self) -> None:
        """Open every port, and keep it open."""
        for port in self._ports.values():
            port.start()

    def close(self) -> None:
        """Close every port."""
        for port in self._ports.values():
            port.close()

    def table_fact(self, fact: device.DeviceFact) -> f.Fact | None:
        """As `Translator.table_fact`."""
        return self._translator.table_fact(fact)

    def show(self, wanted: Outputs) -> None:
        """Make the outside look like this. Never waits for a device."""
        for hand in self._hands:
            hand.show(wanted)

    def health(self) -> tuple[PortHealth, ...]:
        """Every port at this moment."""
        return tuple(port.health() for port in self._ports.values())
