"""The X-keys panels, for `python -m simulators`."""

from __future__ import annotations

from functools import partial
from typing import Final

from drivers.xkeys.products import PRODUCTS
from simulators.devices.standalone import SimulatorEntry
from simulators.devices.xkeys.standalone import run

SIMULATORS: Final = {
    product.id: SimulatorEntry(summary=f"X-keys {product.title}, USB, on a socket", run=partial(run, product))
    for product in PRODUCTS.values()
}
