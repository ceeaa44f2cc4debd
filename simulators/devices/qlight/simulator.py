"""A Qlight USB tower light: it looks and sounds as it was told, and says nothing."""

from __future__ import annotations

from collections.abc import Callable

from drivers.lights import Look
from drivers.qlight.messages import PRODUCT_ID, VENDOR_ID, Command, Numbers, decode
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.usb_light import LightDevice


class QlightSimulator(LightDevice[Command]):
    """The light. `numbers` is what this one takes 1 and 2 for."""

    vendor_id = VENDOR_ID
    product_id = PRODUCT_ID
    title = "Qlight USB tower"
    dark = Command(lamps=(Look.OFF,) * 5)

    def __init__(
        self,
        *,
        numbers: Numbers = Numbers.AS_SEEN,
        on_change: Callable[[Command], None] | None = None,
        faults: FaultPlan = NO_FAULTS,
        seed: int = 0,
    ) -> None:
        super().__init__(on_change=on_change, faults=faults, seed=seed)
        self._numbers = numbers

    def _decoded(self, data: bytes, before: Command) -> Command | None:
        return decode(data, self._numbers, before)
