"""Which device fact is which table fact, and which output goes to which device. Nowhere else."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from drivers import facts as device
from drivers.angel_eye.driver import AngelEye
from drivers.lights import ALL_OFF, Look, Sound, TowerLight, TowerState
from drivers.panels import KeyFace, KeyLook, KeyPanel
from drivers.port import Log, Port, PortHealth, PortState
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.transport.usb_socket import usb_backend
from tablectl import config
from tablectl.cards import Card, NotACard, card
from tablectl.engine import facts as f
from tablectl.engine.words import Key
from tablectl.journal.recovery import is_another_report
from tablectl.outputs import Outputs, Signal

#: How long the devices may take for what they are told at the end, all together, in seconds.
LAST_WORDS_S: Final = 1.0
#: How often a light that is being opened is looked at, in seconds.
LAST_LOOK_S: Final = 0.02


class Hand(Protocol):
    """How one device is made to show what the table wants."""

    def show(self, wanted: Outputs) -> None:
        """Never waits for the device."""


class ShoeHand:
    """Locks the shoe while no card is due, where the configuration grants the lock."""

    def __init__(self, port: Port[AngelEye], described: config.Device, _labels: Mapping[Key, str]) -> None:
        self._port = port
        self._granted = bool(described.settings.get("may_lock", False))
        self._due: bool | None = None

    def show(self, wanted: Outputs) -> None:
        """As `Hand.show`."""
        if self._granted and wanted.card_due is not self._due:
            self._due = wanted.card_due
            self._port.send(AngelEye.be_unlocked if wanted.card_due else AngelEye.be_locked)


class PanelHand:
    """Lights the keys that are live; one that was pressed in vain is red. Keys with a picture say what they are."""

    def __init__(self, port: Port[KeyPanel], described: config.Device, labels: Mapping[Key, str]) -> None:
        self._port = port
        self._keys = described.keys
        self._labels = labels

    def show(self, wanted: Outputs) -> None:
        """As `Hand.show`."""
        faces = {
            number: KeyFace(look=_look(key, wanted), label=self._labels.get(key, ""))
            for key, number in self._keys.items()
        }
        self._port.send(lambda panel: panel.face(faces))


def _look(key: Key, wanted: Outputs) -> KeyLook:
    if key is wanted.refused:
        return KeyLook.REFUSED
    return KeyLook.LIVE if key in wanted.lit else KeyLook.DEAD


#: All dark: there is no controller. Green: play. Yellow: the croupier is asked. Red: the pit boss. Red and yellow: the
#: controller itself has failed.
_LIGHTS: Final[Mapping[Signal, TowerState]] = {
    Signal.OFF: ALL_OFF,
    Signal.IDLE: TowerState(green=Look.ON),
    Signal.PLAY: TowerState(green=Look.ON),
    Signal.QUESTION: TowerState(yellow=Look.BLINK),
    Signal.PIT_BOSS: TowerState(red=Look.BLINK, sound=Sound.ONCE),
    Signal.FAULT: TowerState(red=Look.ON, yellow=Look.ON),
}


class LightHand:
    """The tower light, by signal."""

    def __init__(self, port: Port[TowerLight], _described: config.Device, _labels: Mapping[Key, str]) -> None:
        self._port = port

    def show(self, wanted: Outputs) -> None:
        """As `Hand.show`."""
        state = _LIGHTS[wanted.signal]
        self._port.send(lambda light: light.look(state))


#: What a protocol can show, and the hand that makes it; a new kind of device is one line here.
HANDS: Final[tuple[tuple[type[Any], Callable[[Any, config.Device, Mapping[Key, str]], Hand]], ...]] = (
    (KeyPanel, PanelHand),
    (TowerLight, LightHand),
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
                return f.Drawn(at_us=fact.at_us, card=_read(fact))
            case device.KeyDown():
                key = self._keys[fact.device].get(fact.key)
                return None if key is None else f.Pressed(at_us=fact.at_us, key=key)
            case device.Found():
                return f.DeviceBack(at_us=fact.at_us, device=fact.device, role=role)
            case device.Lost():
                return f.DeviceLost(at_us=fact.at_us, device=fact.device, role=role, reason=fact.reason)
            case device.ShoeNote():
                return f.DeviceSaid(at_us=fact.at_us, device=fact.device, role=role, what=fact.kind, code=fact.code)
            case device.KeyUp() | device.TagIn() | device.TagOut() | device.Rejected():
                return None
            case device.ReaderNote():
                return f.DeviceSaid(at_us=fact.at_us, device=fact.device, role=role, what=fact.kind, code=fact.code)
            case device.ShufflerNote():
                return f.DeviceSaid(at_us=fact.at_us, device=fact.device, role=role, what=fact.kind, code=fact.cards)


def _read(fact: device.CardOut) -> Card | None:
    """The card, None where it could not be read: a card left the shoe, whatever the driver made of its face."""
    if fact.card is None:
        return None
    try:
        return card(fact.card.open())
    except NotACard:
        return None


class LastReport:
    """Tells the shoe's last report, said once more, from a card.

    A shoe says its last report again when its line comes back. The driver knows repetitions by their number; but this
    process may be a new one, and then the journal alone knows which card came last. Within its hand that card cannot
    come again, whenever it is said. In another hand it can, and a card that could not be read is like every other one
    of them: there, it is a repetition at the moment when the line comes back, or for as long as nobody has touched the
    table. Whoever draws a second unread card in that moment is asked about the felt and sees that one is missing.
    """

    #: How long after the line came back a repetition may take, in microseconds.
    WITHIN_US: Final = 1_000_000

    def __init__(self, last: f.Drawn | None, *, same_hand: bool) -> None:
        self._last = last
        self._same_hand = same_hand
        self._is_touched = False
        self._back_us: int | None = None

    def repeats(self, fact: f.Fact) -> bool:
        """Whether this fact is that report once more. Ask for each fact, in their order."""
        match fact:
            case f.DeviceBack(role="shoe"):
                self._back_us = fact.at_us
            case f.DeviceSaid(role="shoe") if is_another_report(fact.what):
                self._last = None  # what was before it will not come again
            case f.Drawn():
                last, self._last = self._last, None
                return last is not None and last.card is fact.card and self._can_be(fact)
            case f.DeviceBack() | f.DeviceLost() | f.DeviceSaid():
                pass
            case _:
                self._is_touched = True
        return False

    def _can_be(self, said: f.Drawn) -> bool:
        just_back = self._back_us is not None and said.at_us - self._back_us <= self.WITHIN_US
        return (self._same_hand and said.card is not None) or just_back or not self._is_touched


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
        return all(self._ports[name].health().state is PortState.OPEN for name in self._lights)

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

    def health(self) -> tuple[PortHealth, ...]:
        """Every port at this moment."""
        return tuple(port.health() for port in self._ports.values())
