"""Which output goes to which device: how each kind of device is made to show what the table wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from drivers.lights import ALL_OFF, Look, Sound, TowerLight, TowerState
from drivers.locks import CardLock
from drivers.panels import KeyFace, KeyLook, KeyPanel
from drivers.port import Port
from drivers.reader import TagReader
from tablectl.config.devices import Device
from tablectl.core.engine.outputs import Outputs, Signal
from tablectl.core.engine.vocabulary import Key


class Adapter(Protocol):
    """How one device is made to show what the table wants."""

    def show(self, wanted: Outputs) -> None:
        """Never waits for the device."""


class ShoeAdapter:
    """Locks the shoe while no card is due, where the configuration grants the lock."""

    def __init__(self, port: Port[CardLock], described: Device, _labels: Mapping[Key, str]) -> None:
        self._port = port
        self._granted = bool(described.settings.get("may_lock", False))
        self._due: bool | None = None

    def show(self, wanted: Outputs) -> None:
        """As `Adapter.show`."""
        if self._granted and wanted.card_due is not self._due:
            self._due = is_due = wanted.card_due
            self._port.send(lambda shoe: shoe.be_unlocked() if is_due else shoe.be_locked())


class PanelAdapter:
    """Lights the keys that are live; one that was pressed in vain is red. Keys with a picture say what they are."""

    def __init__(self, port: Port[KeyPanel], described: Device, labels: Mapping[Key, str]) -> None:
        self._port = port
        self._keys = described.keys
        self._faces = {
            look: {number: KeyFace(look=look, label=labels.get(key, "")) for key, number in described.keys.items()}
            for look in KeyLook
        }

    def show(self, wanted: Outputs) -> None:
        """As `Adapter.show`."""
        faces = dict(self._faces[KeyLook.DEAD])
        refused = () if wanted.refused is None else (wanted.refused,)
        for look, keys in ((KeyLook.LIVE, wanted.lit), (KeyLook.REFUSED, refused)):
            for key in keys:
                if key in self._keys:
                    faces[self._keys[key]] = self._faces[look][self._keys[key]]
        self._port.send(lambda panel: panel.face(faces))


class ReaderAdapter:
    """Lets the readers under the felt rest between two hands."""

    def __init__(self, port: Port[TagReader[Any, Any, Any]], _described: Device, _labels: Mapping[Key, str]) -> None:
        self._port = port
        self._rests: bool | None = None

    def show(self, wanted: Outputs) -> None:
        """As `Adapter.show`."""
        rests = wanted.signal in _NOBODY_PLAYS
        if rests is not self._rests:
            self._rests = rests
            self._port.send(lambda reader: reader.rest(rests=rests))


#: No hand is open, or none will be.
_NOBODY_PLAYS: Final = frozenset({Signal.IDLE, Signal.OFF, Signal.FAULT})

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


class LightAdapter:
    """The tower light, by signal."""

    def __init__(self, port: Port[TowerLight], _described: Device, _labels: Mapping[Key, str]) -> None:
        self._port = port
        self._signal: Signal | None = None

    def show(self, wanted: Outputs) -> None:
        """As `Adapter.show`."""
        if wanted.signal is not self._signal:
            self._signal = wanted.signal
            state = _LIGHTS[wanted.signal]
            self._port.send(lambda light: light.look(state))


#: What a protocol can show, and the adapter that makes it; a new kind of device is one line here.
ADAPTERS: Final[tuple[tuple[type[Any], Callable[[Any, Device, Mapping[Key, str]], Adapter]], ...]] = (
    (KeyPanel, PanelAdapter),
    (TowerLight, LightAdapter),
    (CardLock, ShoeAdapter),
    (TagReader, ReaderAdapter),
)
