"""The models this program drives, one line each: `DRIVERS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from math import inf
from typing import Any, Final, get_type_hints

from drivers.angel_eye.driver import AngelEye, AngelEyeSettings
from drivers.feig.driver import Feig, FeigSettings
from drivers.feig.opening import feig_opener
from drivers.limits import OutOfRange
from drivers.patlite.driver import Patlite
from drivers.patlite.messages import PRODUCT_ID as LR6_PRODUCT
from drivers.patlite.messages import VENDOR_ID as PATLITE_VENDOR
from drivers.pepper.driver import Pepper, PepperSettings
from drivers.pepper.opening import pepper_opener
from drivers.pn532.driver import Pn532, Pn532Settings
from drivers.pn532.opening import pn532_opener
from drivers.protocol import DeviceProtocol
from drivers.rfid_shoe.driver import MOUTH_PRESENCE, RfidShoe
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener
from drivers.transport.serial import Parity, SerialSettings, serial_opener
from drivers.transport.usb import Traffic, UsbId, usb_opener
from drivers.xkeys.driver import XKeys, XKeysSettings
from drivers.xkeys.products import VENDOR_ID as XKEYS_VENDOR
from drivers.xkeys.products import XK24


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

    def make(self, name: str, raw: Mapping[str, Any], usb: UsbBackend | None) -> tuple[WireOpener, DeviceProtocol]:
        """The device of this name with settings that have no mistakes."""
        here = {**self.place_defaults, **raw}
        place = self.place(**{each.name: here[each.name] for each in fields(self.place) if each.name in here})
        settings = self.settings(**_typed(self.settings, raw)) if self.settings is not None else None
        return self.opener(place, usb), self.protocol(name, settings)

    def _out_of_range(self, raw: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Numbers of the right kind that the driver cannot use."""
        if self.settings is None or any(_wrong(kind, raw[name]) for name, kind in self._known().items() if name in raw):
            return
        try:
            self.settings(**_typed(self.settings, raw))
        except OutOfRange as why:
            yield why.key, repr(raw.get(why.key)), why.right

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Pn532ShoeSettings(Pn532Settings):
    """As `Pn532Settings`, for a card that is at the mouth for a moment only."""

    in_scans: int = MOUTH_PRESENCE.in_scans
    out_scans: int = MOUTH_PRESENCE.out_scans
    out_s: float = MOUTH_PRESENCE.out_s


@dataclass(frozen=True, kw_only=True, slots=True)
class FeigShoeSettings(FeigSettings):
    """As `FeigSettings`, for a card that is at the mouth for a moment only."""

    in_scans: int = MOUTH_PRESENCE.in_scans
    out_scans: int = MOUTH_PRESENCE.out_scans
    out_s: float = MOUTH_PRESENCE.out_s


def _xk24(place: UsbPlace, usb: UsbBackend | None) -> WireOpener:
    which = UsbId(
        title=f"X-keys {XK24.title}",
        vendor_id=XKEYS_VENDOR,
        product_ids=XK24.product_ids,
        serial=place.serial,
        port_path=place.port_path,
    )
    return usb_opener(which, usb)


def _feig(place: ParityPlace, usb: UsbBackend | None) -> WireOpener:
    return feig_opener(place.port, place.baud, Parity(place.parity))


def _lr6(place: UsbPlace, usb: UsbBackend | None) -> WireOpener:
    which = UsbId(
        title="PATLITE LR6-USB",
        vendor_id=PATLITE_VENDOR,
        product_ids=(LR6_PRODUCT,),
        traffic=Traffic.OUT_ONLY,
        serial=place.serial,
        port_path=place.port_path,
    )
    return usb_opener(which, usb)


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
    ),
    "xkeys-xk24": Driver(
        id="xkeys-xk24",
        title=f"X-keys {XK24.title}",
        role="panel",
        place=UsbPlace,
        place_defaults={},
        settings=XKeysSettings,
        opener=_xk24,
        protocol=XKeys,
        n_keys=XK24.n_keys,
        usb_ids=tuple((XKEYS_VENDOR, product) for product in XK24.product_ids),
    ),
    "patlite-lr6": Driver(
        id="patlite-lr6",
        title="PATLITE LR6-USB tower light",
        role="light",
        place=UsbPlace,
        place_defaults={},
        settings=None,
        opener=_lr6,
        protocol=lambda name, _: Patlite(name),
        usb_ids=((PATLITE_VENDOR, LR6_PRODUCT),),
    ),
    "pn532": Driver(
        id="pn532",
        title="PN532 reader of tags",
        role="antennas",
        place=SerialPlace,
        place_defaults={"baud": 115200},
        settings=Pn532Settings,
        opener=lambda place, _: pn532_opener(place.port, place.baud),
        protocol=Pn532,
    ),
    "feig": Driver(
        id="feig",
        title="FEIG i-scan reader of tags",
        role="antennas",
        place=ParityPlace,
        place_defaults={"baud": 38400},
        settings=FeigSettings,
        opener=_feig,
        protocol=Feig,
    ),
    "pepper": Driver(
        id="pepper",
        title="Pepper C1 reader of tags",
        role="antennas",
        place=SerialPlace,
        place_defaults={"baud": 115200},
        settings=PepperSettings,
        opener=lambda place, _: pepper_opener(place.port, place.baud),
        protocol=Pepper,
    ),
    "rfid-shoe-pn532": Driver(
        id="rfid-shoe-pn532",
        title="RFID shoe with a PN532 at its mouth",
        role="shoe",
        place=SerialPlace,
        place_defaults={"baud": 115200},
        settings=Pn532ShoeSettings,
        opener=lambda place, _: pn532_opener(place.port, place.baud),
        protocol=lambda name, settings: RfidShoe(Pn532(name, settings)),
    ),
    "rfid-shoe-feig": Driver(
        id="rfid-shoe-feig",
        title="RFID shoe with a FEIG reader at its mouth",
        role="shoe",
        place=ParityPlace,
        place_defaults={"baud": 38400},
        settings=FeigShoeSettings,
        opener=_feig,
        protocol=lambda name, settings: RfidShoe(Feig(name, settings)),
    ),
}
