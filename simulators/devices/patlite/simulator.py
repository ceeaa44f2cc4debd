"""A PATLITE LR6-USB: it looks and sounds as it was told, and says nothing."""

from __future__ import annotations

from drivers.patlite.messages import DARK, PRODUCT_ID, VENDOR_ID, LightState, decode
from simulators.devices.usb_light import LightDevice


class PatliteSimulator(LightDevice[LightState]):
    """The light."""

    vendor_id = VENDOR_ID
    product_id = PRODUCT_ID
    title = "LR6-USB"
    dark = DARK

    def _decoded(self, data: bytes, before: LightState) -> LightState | None:
        return decode(data, before)
