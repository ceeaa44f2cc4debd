"""What the registry says of a model: how it is reached and spoken to, and what a configuration may say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from math import inf
from typing import Any, Final, get_type_hints

from drivers.limits import Mistaken, OutOfRange
from drivers.protocol import DeviceProtocol
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener
from drivers.transport.serial import ADDRESSES, Parity, can_be_address

#: Of a shoe that tells tags: the number of the antenna at its mouth.
MOUTH: Final = 1
#: The type of a setting that is a table of its own, `[device.settings.NAME]` of KEY = "text".
TEXTS: Final = Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class SerialPlace:
    """Where a serial device is: a path that stays the same (`/dev/serial/by-id/…`) or a URL (`socket://HOST:PORT`)."""

    port: str
    baud: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ParityPlace(SerialPlace):
    """As `SerialPlace`, on a line with a parity bit that can be set: `N`, `E` or `O`."""

    parity: Parity = Parity.EVEN


@dataclass(frozen=True, kw_only=True, slots=True)
class ModbusPlace(ParityPlace):
    """Where a Modbus-RTU line is, and its settings. Even parity is the standard's, no parity what many modules have."""

    stop_bits: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbPlace:
    """Which USB device is meant, where there are several of a model: by serial number or by port path (`1-2.3`)."""

    serial: str = ""
    port_path: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetupSetting:
    """A setting that a new configuration names, besides where the device is: with a value that is right at first, and
    with what a house should know of it."""

    key: str
    value: str | int | bool
    comment: str
    #: Only where the device has more than one antenna.
    for_several_antennas: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Driver:
    """How a model is reached and spoken to. `place` and `settings` are dataclasses: their fields are the keys of a
    device's settings in the configuration."""

    id: str
    title: str
    role: str
    place: type[Any]
    place_defaults: Mapping[str, Any]
    settings: type[Any] | None
    opener: Callable[[Any, UsbBackend | None], WireOpener]
    protocol: Callable[[str, Any], DeviceProtocol]
    n_keys: int = 0
    #: vendor and product ids, of a USB device
    usb_ids: tuple[tuple[int, int], ...] = ()
    #: It cannot say anything: that nothing is heard of it means nothing.
    never_speaks: bool = False
    #: Keys that show a text.
    is_labelled: bool = False
    #: Tells tags; which card a tag is, only the deck register knows.
    tells_tags: bool = False
    #: What was never verified on hardware, for the log, once at start.
    not_verified: str = ""
    #: Settings that an earlier version had, and what is right instead.
    removed: Mapping[str, str] = field(default_factory=dict)
    #: Where it stands among the models of its role when a table is set up. The first one is proposed.
    setup_place: int = 100
    setup_settings: tuple[SetupSetting, ...] = ()
    #: How many antennas one reader can have.
    most_antennas: int = 1

    def mistakes(self, raw: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """What is wrong with a device's settings: key, what was found, what would be right."""
        known = self._known()
        required = [
            item.name for item in fields(self.place) if item.name not in self.place_defaults and item.default is MISSING
        ]
        for name, value in raw.items():
            if name in self.removed:
                yield name, "a setting that was removed", self.removed[name]
            elif name not in known:
                yield name, "a setting that this driver does not have", f"one of {', '.join(known)}"
            elif (right := _wrong(known[name], value)) is not None:
                yield name, repr(value), right
            elif name in required and not value:
                yield name, repr(value), f"{name} of the {self.title}"
            elif name == "port" and not can_be_address(value):
                yield name, repr(value), ADDRESSES
            elif name in self.place_defaults and type(value) is int and value < 1:
                yield name, repr(value), "a whole number above zero"
        for name in required:
            if name not in raw:
                yield name, "nothing", f"{name} of the {self.title}"
        yield from self._out_of_range(raw)

    def _out_of_range(self, raw: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """What the settings themselves object to, once each of them is of its kind."""
        if self.settings is None or any(
            name in raw and _wrong(kind, raw[name]) for name, kind in _simple(self.settings).items()
        ):
            return
        try:
            self.settings(**_typed(self.settings, raw))
        except Mistaken as why:
            yield from why.mistakes
        except OutOfRange as why:
            yield why.key, repr(raw.get(why.key)), why.right
        except ValueError as why:
            found, _, right = str(why).partition(": ")
            yield found.partition(" ")[0], found, right

    def n_antennas(self, raw: Mapping[str, Any]) -> int:
        """How many antennas a reader of tags has with these settings, which have no mistakes."""
        settings = self.settings(**_typed(self.settings, raw)) if self.settings is not None else None
        n_antennas: int = getattr(settings, "n_antennas", 1)
        return n_antennas

    def make(self, name: str, raw: Mapping[str, Any], usb: UsbBackend | None) -> tuple[WireOpener, DeviceProtocol]:
        """The device of this name with settings that have no mistakes."""
        here = {**self.place_defaults, **raw}
        place = self.place(**_typed(self.place, here))
        settings = self.settings(**_typed(self.settings, raw)) if self.settings is not None else None
        return self.opener(place, usb), self.protocol(name, settings)

    def _known(self) -> dict[str, Any]:
        return {**get_type_hints(self.place), **(_simple(self.settings) if self.settings is not None else {})}


def _simple(settings: type[Any]) -> dict[str, Any]:
    """The settings a configuration can set: numbers, texts, switches, named choices, and tables of texts."""
    hints = get_type_hints(settings)
    return {name: kind for name, kind in hints.items() if kind in (bool, int, float, str, TEXTS) or _is_choice(kind)}


def _is_choice(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _typed(settings: type[Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: kind(raw[name]) if _is_choice(kind) else raw[name]
        for name, kind in _simple(settings).items()
        if name in raw
    }


def _wrong(kind: type[Any], value: object) -> str | None:
    if kind == TEXTS:
        is_right = isinstance(value, dict) and all(isinstance(word, str) for word in value.values())
        return None if is_right else "a table of texts"
    if _is_choice(kind):
        allowed = [member.value for member in kind]
        return None if value in allowed else f"one of {', '.join(map(repr, allowed))}"
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[kind]
    if isinstance(value, float) and not 0 < value < inf:
        return "a number above zero"
    return None
