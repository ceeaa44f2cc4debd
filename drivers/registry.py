"""The models this program drives, one line each: `DRIVERS`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from drivers.angel_eye.driver import AngelEye
from drivers.angel_eye.settings import NOT_VERIFIED as ANGEL_EYE_UNSEEN
from drivers.angel_eye.settings import AngelEyeSettings
from drivers.blink1.driver import NOT_VERIFIED as BLINK1_UNSEEN
from drivers.blink1.driver import Blink1, Blink1Settings
from drivers.blink1.messages import PRODUCT_ID as BLINK1_PRODUCT
from drivers.blink1.messages import VENDOR_ID as BLINK1_VENDOR
from drivers.entry import Driver, ModbusPlace, ParityPlace, SerialPlace, UsbPlace
from drivers.feig.driver import NOT_VERIFIED as FEIG_UNSEEN
from drivers.feig.driver import Feig, FeigSettings
from drivers.feig.opening import feig_opener
from drivers.line_shoe.driver import LineShoe
from drivers.line_shoe.messages import BAUD as LINE_SHOE_BAUD
from drivers.line_shoe.settings import NOT_VERIFIED as LINE_SHOE_UNSEEN
from drivers.line_shoe.settings import LineShoeSettings
from drivers.modbus_panel.settings import KEYS_MAX, ModbusPanelSettings
from drivers.modbus_panel.settings import NOT_VERIFIED as MODBUS_UNSEEN
from drivers.patlite.driver import NOT_VERIFIED as PATLITE_UNSEEN
from drivers.patlite.driver import Patlite
from drivers.patlite.messages import PRODUCT_ID as LR6_PRODUCT
from drivers.patlite.messages import VENDOR_ID as PATLITE_VENDOR
from drivers.pepper.driver import NOT_VERIFIED as PEPPER_UNSEEN
from drivers.pepper.driver import Pepper, PepperSettings
from drivers.pepper.opening import pepper_opener
from drivers.pn532.driver import NOT_VERIFIED as PN532_UNSEEN
from drivers.pn532.driver import Pn532, Pn532Settings
from drivers.pn532.opening import pn532_opener
from drivers.protocol import DeviceProtocol
from drivers.qlight.driver import NOT_VERIFIED as QLIGHT_UNSEEN
from drivers.qlight.driver import Qlight, QlightSettings
from drivers.qlight.messages import PRODUCT_ID as QLIGHT_PRODUCT
from drivers.qlight.messages import VENDOR_ID as QLIGHT_VENDOR
from drivers.rfid_shoe.driver import MOUTH_PRESENCE, RfidShoe
from drivers.shuffler.driver import NOT_VERIFIED as SHUFFLER_UNSEEN
from drivers.shuffler.driver import Shuffler, ShufflerSettings
from drivers.shuffler.messages import BAUD as SHUFFLER_BAUD
from drivers.streamdeck.driver import NOT_VERIFIED as DECK_UNSEEN
from drivers.streamdeck.driver import StreamDeck, StreamDeckSettings
from drivers.streamdeck.products import PRODUCTS as DECKS
from drivers.streamdeck.products import VENDOR_ID as DECK_VENDOR
from drivers.streamdeck.products import Product as Deck
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener
from drivers.transport.serial import SerialSettings, serial_opener
from drivers.transport.usb import Traffic, UsbId, usb_opener
from drivers.xkeys.driver import NOT_VERIFIED as XKEYS_UNSEEN
from drivers.xkeys.driver import XKeys, XKeysSettings
from drivers.xkeys.products import PRODUCTS, Product
from drivers.xkeys.products import VENDOR_ID as XKEYS_VENDOR


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
        is_labelled=True,
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


def _feig(place: ParityPlace, _usb: UsbBackend | None) -> WireOpener:
    return feig_opener(place.port, place.baud, place.parity)


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
    "line-shoe": Driver(
        id="line-shoe",
        title="shoe that says a line a card",
        role="shoe",
        place=SerialPlace,
        place_defaults={"baud": LINE_SHOE_BAUD},
        settings=LineShoeSettings,
        opener=lambda place, _: serial_opener(place.port, SerialSettings(baud=place.baud)),
        protocol=LineShoe,
        not_verified=LINE_SHOE_UNSEEN,
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
    "shuffler": Driver(
        id="shuffler",
        title="shuffler",
        role="shuffler",
        place=SerialPlace,
        place_defaults={"baud": SHUFFLER_BAUD},
        settings=ShufflerSettings,
        opener=lambda place, _: serial_opener(place.port, SerialSettings(baud=place.baud)),
        protocol=Shuffler,
        not_verified=SHUFFLER_UNSEEN,
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
        not_verified=PN532_UNSEEN,
        tells_tags=True,
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
        not_verified=FEIG_UNSEEN,
        tells_tags=True,
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
        not_verified=PEPPER_UNSEEN,
        tells_tags=True,
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
        not_verified=PN532_UNSEEN,
        tells_tags=True,
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
        not_verified=FEIG_UNSEEN,
        tells_tags=True,
    ),
}
