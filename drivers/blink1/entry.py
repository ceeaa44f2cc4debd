"""The blink(1) in the registry."""

from __future__ import annotations

from typing import Final

from drivers.blink1.driver import NOT_VERIFIED, Blink1, Blink1Settings
from drivers.blink1.messages import PRODUCT_ID, VENDOR_ID
from drivers.entry import Driver, UsbPlace
from drivers.transport.usb import Traffic
from drivers.usb_opening import usb_model

BLINK1: Final = Driver(
    id="blink1",
    title="blink(1) light",
    role="light",
    place=UsbPlace,
    place_defaults={},
    settings=Blink1Settings,
    opener=usb_model("blink(1)", VENDOR_ID, (PRODUCT_ID,), Traffic.FEATURES),
    protocol=Blink1,
    not_verified=NOT_VERIFIED,
    setup_place=3,
    usb_ids=((VENDOR_ID, PRODUCT_ID),),
)
