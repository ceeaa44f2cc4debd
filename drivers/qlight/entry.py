"""The Qlight tower light in the registry."""

from __future__ import annotations

from typing import Final

from drivers.entry import Driver, UsbPlace
from drivers.qlight.driver import NOT_VERIFIED, Qlight, QlightSettings
from drivers.qlight.messages import PRODUCT_ID, VENDOR_ID
from drivers.usb_opening import usb_model

QLIGHT_USB: Final = Driver(
    id="qlight-usb",
    title="Qlight USB tower light",
    role="light",
    place=UsbPlace,
    place_defaults={},
    settings=QlightSettings,
    opener=usb_model("Qlight USB tower", VENDOR_ID, (PRODUCT_ID,)),
    protocol=Qlight,
    never_speaks=True,
    not_verified=NOT_VERIFIED,
    setup_place=2,
    usb_ids=((VENDOR_ID, PRODUCT_ID),),
)
