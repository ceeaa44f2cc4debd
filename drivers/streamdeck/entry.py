"""The Stream Deck models in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, UsbPlace
from drivers.streamdeck.driver import NOT_VERIFIED, StreamDeck, StreamDeckSettings
from drivers.streamdeck.products import PRODUCTS, VENDOR_ID, Product
from drivers.transport.usb import Traffic
from drivers.usb_opening import usb_model


def _panel(product: Product) -> Driver:
    return Driver(
        id=product.id,
        title=product.title,
        role="panel",
        place=UsbPlace,
        place_defaults={},
        settings=StreamDeckSettings,
        opener=usb_model(product.title, VENDOR_ID, product.product_ids, Traffic.IN_AND_NUMBERED_OUT),
        protocol=lambda name, settings: StreamDeck(name, settings, product=product),
        not_verified=NOT_VERIFIED,
        setup_place=2,
        is_labelled=True,
        n_keys=product.n_keys,
        usb_ids=tuple((VENDOR_ID, product_id) for product_id in product.product_ids),
    )


STREAMDECK_15: Final = _panel(PRODUCTS["streamdeck-15"])
STREAMDECK_XL: Final = _panel(PRODUCTS["streamdeck-xl"])
STREAMDECK_MINI: Final = _panel(PRODUCTS["streamdeck-mini"])
STREAMDECK_PEDAL: Final = _panel(PRODUCTS["streamdeck-pedal"])
