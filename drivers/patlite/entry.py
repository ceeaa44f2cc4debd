"""The PATLITE tower light in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, UsbPlace
from drivers.patlite.driver import NOT_VERIFIED, Patlite
from drivers.patlite.messages import PRODUCT_ID, VENDOR_ID
from drivers.transport.usb import Traffic
from drivers.usb_opening import usb_model

PATLITE_LR6: Final = Driver(
    id="patlite-lr6",
    title="PATLITE LR6-USB tower light",
    role="light",
    place=UsbPlace,
    place_defaults={},
    settings=None,
    opener=usb_model("PATLITE LR6-USB", VENDOR_ID, (PRODUCT_ID,), Traffic.OUT_ONLY),
    protocol=lambda name, _: Patlite(name),
    never_speaks=True,
    not_verified=NOT_VERIFIED,
    setup_place=1,
    usb_ids=((VENDOR_ID, PRODUCT_ID),),
)
