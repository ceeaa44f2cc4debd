"""How a USB device of a model is opened where the configuration says."""

from __future__ import annotations

from collections.abc import Callable

from drivers.entry import UsbPlace
from drivers.transport.backend import UsbBackend
from drivers.transport.base import WireOpener
from drivers.transport.usb import Traffic, UsbId, usb_opener


def usb_model(
    title: str, vendor_id: int, product_ids: tuple[int, ...], traffic: Traffic = Traffic.IN_AND_OUT
) -> Callable[[UsbPlace, UsbBackend | None], WireOpener]:
    """What opens a device of this model; which one, where there are several, is the configuration's affair."""

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
