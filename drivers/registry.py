"""The models this program drives, one line each: `DRIVERS`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from math import inf
from typing import Any, Final, get_type_hints

from drivers.angel_eye.driver import NOT_VERIFIED as ANGEL_EYE_UNSEEN
from drivers.angel_eye.driver import AngelEye, AngelEyeSettings
from drivers.blink1.driver import NOT_VERIFIED as BLINK1_UNSEEN
from drivers.blink1.driver import Blink1, Blink1Settings
from drivers.blink1.messages import PRODUCT_ID as BLINK1_PRODUCT
from drivers.blink1.messages import VENDOR_ID as BLINK1_VENDOR
from drivers.modbus_panel.settings import KEYS_MAX, ModbusPanelSettings
from drivers.modbus_panel.settings import NOT_VERIFIED as MODBUS_UNSEEN
from drivers.patlite.driver import NOT_VERIFIED as PATLITE_UNSEEN
from drivers.patlite.driver import Patlite
from drivers.patlite.messages import PRODUCT_ID as LR6_PRODUCT
from drivers.patlite.messages import VENDOR_ID as PATLITE_VENDOR
from drivers.protocol import DeviceProtocol
from drivers.qlight.driver import NOT_VERIFIED as QLIGHT_UNSEEN
from drivers.qlight.driver import Qlight, QlightSettings
from drivers.qlight.messages import PRODUCT_ID as QLIGHT_PRODUCT
from drivers.qlight.messages import VENDOR_ID as QLIGHT_VENDOR
from drivers.streamdeck.driver import NOT_VERIFIED as DECK_UNSEEN
from drivers.streamdeck.driver import StreamDeck, StreamDeckSettings
from drivers.streamdeck.products import PRODUCTS as DECKS
from drivers.streamdeck.products import VENDOR_ID as DECK_VENDOR
from drivers.streamdeck.products import Product as Deck
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener
from drivers.transport.serial import Parity, SerialSettings, serial_opener
from drivers.transport.usb import Traffic, UsbId, usb_opener
from drivers.xkeys.driver import NOT_VERIFIED as XKEYS_UNSEEN
from drivers.xkeys.driver import XKeys, XKeysSettings
from drivers.xkeys.products import PRODUCTS, Product
from drivers.xkeys.products import VENDOR_ID as XKEYS_VENDOR


@dataclass(frozen=True, kw_only=True, slots=True)
class SerialPlace:
    """Where a serial device is: a path that stays the same (`/dev/serial/by-id/…`) or a URL (`socket://HOST:PORT`)."""

    port: str
    baud: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ModbusPlace:
    """Where a Modbus-RTU line is, and its settings. Even parity is the standard's, no parity what many modules have."""

    port: str
    baud: int
    parity: Parity = Parity.EVEN
    stop_bits: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbPlace:
    """Which USB device is meant, where there are several of a model: by serial number or by port path (`1-2.3`)."""

    serial: str = ""
    port_path: str = ""


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
    #: What was never verified on hardware, for the log, once at start.
    not_verified: str = ""

    def mistakes(self, raw: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """What is wrong with a device's settings: key, what was found, what would be right."""
        known = self._known()
        required = [
            each.name for each in fields(self.place) if each.name not in self.place_defaults and each.default is MISSING
        ]
        for name, value in raw.items():
            if name not in known:
                yield name, "a setting that this driver does not have", f"one of {', '.join(known)}"
            elif (right := _wrong(known[name], value)) is not None:
                yield name, repr(value), right
            elif name in required and not value:
                yield name, repr(value), f"{name} of the {self.title}"
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
        except ValueError as why:
            found, _, right = str(why).partition(": ")
            yield found.partition(" ")[0], found, right

    def make(self, name: str, raw: Mapping[str, Any], usb: UsbBackend | None) -> tuple[WireOpener, DeviceProtocol]:
        """The device of this name with settings that have no mistakes."""
        here = {**self.place_defaults, **raw}
        place = self.place(**_typed(self.place, here))
        settings = self.settings(**_typed(self.settings, raw)) if self.settings is not None else None
        return self.opener(place, usb), self.protocol(name, settings)

    def _known(self) -> dict[str, Any]:
        return {**get_type_hints(self.place), **(_simple(self.settings) if self.settings is not None else {})}


def _simple(settings: type[Any]) -> dict[str, Any]:
    """The settings a configuration can set: numbers, texts, switches and named choices."""
    hints = get_type_hints(settings)
    return {
        name: kind
        for name, kind in hints.items()
        if kind in (bool, int, float, str) or (isinstance(kind, type) and issubclass(kind, Enum))
    }


def _typed(settings: type[Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: kind(raw[name]) if issubclass(kind, Enum) else raw[name]
        for name, kind in _simple(settings).items()
        if name in raw
    }


def _wrong(kind: type[Any], value: object) -> str | None:
    if issubclass(kind, Enum):
        allowed = [each.value for each in kind]
        return None if value in allowed else f"one of {', '.join(map(repr, allowed))}"
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[kind]
    if isinstance(value, float) and not 0 < value < inf:
        return "a number above zero"
    return None


def _usb(
    title: str, vendor_id: int, product_ids: tuple[int, ...], traffic: Traffic = Traffic.IN_AND_OUT
) -> Callable[[UsbPlace, UsbBackend | None], WireOpener]:
    """How a USB device of a model is opened where the configuration says."""

    def opener(place: UsbPlace, usb: UsbBackend | None) -> WireOpener:
        which = UsbId(
            title=title,
            vendor_id=vendor_id,
            product_ids=product_ids,
            traffic=traffic,
            serial=place.serial,
            port_path=place.port_path,
        )
        return usb_opener(which, usb)

    return opener


def _xkeys(product: Product) -> Driver:
    return Driver(
        id=product.id,
        title=f"X-keys {product.title}",
        role="panel",
        place=UsbPlace,
        place_defaults={},
        settings=XKeysSettings,
        opener=_usb(f"X-keys {product.title}", XKEYS_VENDOR, product.product_ids),
        protocol=lambda name, settings: XKeys(name, settings, product=product),
        not_verified=XKEYS_UNSEEN,
        n_keys=product.n_keys,
        usb_ids=tuple((XKEYS_VENDOR, each) for each in product.product_ids),
    )


def _deck(product: Deck) -> Driver:
    return Driver(
        id=product.id,
        title=product.title,
        role="panel",
        place=UsbPlace,
        place_defaults={},
        settings=StreamDeckSettings,
        opener=_usb(product.title, DECK_VENDOR, product.product_ids, Traffic.IN_AND_NUMBERED_OUT),
        protocol=lambda name, settings: StreamDeck(name, settings, product=product),
        not_verified=DECK_UNSEEN,
        n_keys=product.n_keys,
        usb_ids=tuple((DECK_VENDOR, each) for each in product.product_ids),
    )


def _modbus_line(place: ModbusPlace, _usb: UsbBackend | None) -> WireOpener:
    line = SerialSettings(baud=place.baud, parity=place.parity, stop_bits=place.stop_bits)
    return serial_opener(place.port, line)


def _modbus_panel(name: str, settings: ModbusPanelSettings) -> DeviceProtocol:
    # Only a table that has such a panel needs pymodbus, and loading it takes time that no other start has.
    driver = importlib.import_module("drivers.modbus_panel.driver")
    panel: DeviceProtocol = driver.ModbusPanel(name, settings)
    return panel


DRIVERS: Final[Mapping[str, Driver]] = {
    "angel-eye": Driver(
        id="angel-eye",
        title="Angel Eye II-EX shoe",
        role="shoe",
        place=SerialPlace,
        place_defaults={"baud": 4800},
        settings=AngelEyeSettings,
        opener=lambda place, _: serial_opener(place.port, SerialSettings(baud=place.baud)),
        protocol=AngelEye,
        not_verified=ANGEL_EYE_UNSEEN,
    ),
    **{product.id: _xkeys(product) for product in PRODUCTS.values()},
    **{product.id: _deck(product) for product in DECKS.values()},
    "modbus-panel": Driver(
        id="modbus-panel",
        title="Modbus-RTU panel",
        role="panel",
        place=ModbusPlace,
        place_defaults={"baud": 19200},
        settings=ModbusPanelSettings,
        opener=_modbus_line,
        protocol=_modbus_panel,
        not_verified=MODBUS_UNSEEN,
        n_keys=KEYS_MAX,
    ),
    "patlite-lr6": Driver(
        id="patlite-lr6",
        title="PATLITE LR6-USB tower light",
        role="light",
        place=UsbPlace,
        place_defaults={},
        settings=None,
        opener=_usb("PATLITE LR6-USB", PATLITE_VENDOR, (LR6_PRODUCT,), Traffic.OUT_ONLY),
        protocol=lambda name, _: Patlite(name),
        not_verified=PATLITE_UNSEEN,
        usb_ids=((PATLITE_VENDOR, LR6_PRODUCT),),
    ),
    "qlight-usb": Driver(
        id="qlight-usb",
        title="Qlight USB tower light",
        role="light",
        place=UsbPlace,
        place_defaults={},
        settings=QlightSettings,
        opener=_usb("Qlight USB tower", QLIGHT_VENDOR, (QLIGHT_PRODUCT,), Traffic.OUT_ONLY),
        protocol=Qlight,
        not_verified=QLIGHT_UNSEEN,
        usb_ids=((QLIGHT_VENDOR, QLIGHT_PRODUCT),),
    ),
    "blink1": Driver(
        id="blink1",
        title="blink(1) light",
        role="light",
        place=UsbPlace,
        place_defaults={},
        settings=Blink1Settings,
        opener=_usb("blink(1)", BLINK1_VENDOR, (BLINK1_PRODUCT,), Traffic.FEATURES),
        protocol=Blink1,
        not_verified=BLINK1_UNSEEN,
        usb_ids=((BLINK1_VENDOR, BLINK1_PRODUCT),),
    ),
}
