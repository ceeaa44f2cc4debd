"""The X-keys models in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, UsbPlace
from drivers.usb_opening import usb_model
from drivers.xkeys.driver import NOT_VERIFIED, XKeys, XKeysSettings
from drivers.xkeys.products import PRODUCTS, VENDOR_ID, Product


def _panel(product: Product) -> Driver:
    return Driver(
        id=product.id,
        title=f"X-keys {product.title}",
        role="panel",
        place=UsbPlace,
        place_defaults={},
        settings=XKeysSettings,
        opener=usb_model(f"X-keys {product.title}", VENDOR_ID, product.product_ids),
        protocol=lambda name, settings: XKeys(name, settings, product=product),
        not_verified=NOT_VERIFIED,
        setup_place=1,
        n_keys=product.n_keys,
        usb_ids=tuple((VENDOR_ID, product_id) for product_id in product.product_ids),
    )


XKEYS_XK24: Final = _panel(PRODUCTS["xkeys-xk24"])
XKEYS_XK16: Final = _panel(PRODUCTS["xkeys-xk16"])
XKEYS_XK60: Final = _panel(PRODUCTS["xkeys-xk60"])
XKEYS_XK80: Final = _panel(PRODUCTS["xkeys-xk80"])
XKEYS_XK3_PEDAL: Final = _panel(PRODUCTS["xkeys-xk3-pedal"])
XKEYS_XK12_SI: Final = _panel(PRODUCTS["xkeys-xk12-si"])
XKEYS_XK3_SI: Final = _panel(PRODUCTS["xkeys-xk3-si"])
XKEYS_XK12_JOG: Final = _panel(PRODUCTS["xkeys-xk12-jog"])
XKEYS_XK12_JOYSTICK: Final = _panel(PRODUCTS["xkeys-xk12-joystick"])
