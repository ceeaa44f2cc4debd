"""Each model of X-keys with everything between it and the controller: port, wire, pyusb, socket, bus, simulator."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue
from typing import Final

import pytest

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost
from drivers.panels import KeyFace, KeyLook
from drivers.port import Port
from drivers.registry import DRIVERS
from drivers.transport.backend import usb_backend
from drivers.xkeys.driver import XKeys
from drivers.xkeys.messages import Lamp
from drivers.xkeys.products import PRODUCTS, Lamps, Product
from simulators.devices.usb_bus import UsbBus
from simulators.devices.usb_socket_format import SCHEME
from simulators.devices.xkeys.simulator import LampChange, XKeysSimulator

#: Never waited for: only so that a test that hangs ends.
SOON_S: Final = 20.0

pytestmark = pytest.mark.system


class Silent:
    """A log that nobody reads."""

    def info(self, event: str, **fields: object) -> None: ...

    def warning(self, event: str, **fields: object) -> None: ...

    def error(self, event: str, **fields: object) -> None: ...


@pytest.mark.parametrize("product", PRODUCTS.values(), ids=PRODUCTS)
def test_a_panel_of_each_model_is_pressed_lit_pulled_and_plugged_in_again(product: Product, tmp_path: Path) -> None:
    lamps: SimpleQueue[LampChange] = SimpleQueue()
    facts: SimpleQueue[DeviceFact] = SimpleQueue()
    panel = XKeysSimulator(product=product, on_lamp=lamps.put)
    bus = UsbBus(tmp_path / "usb.sock")
    bus.plug(panel)
    opener, protocol = DRIVERS[product.id].make("panel", {}, usb_backend(f"{SCHEME}{bus.path}"))
    assert isinstance(protocol, XKeys)
    last = product.n_keys - 1
    shows = {Lamps.NONE: {}, Lamps.BLUE: {last: Lamp.BLUE}, Lamps.BLUE_AND_RED: {last: Lamp.BLUE}}[product.lamps]
    with Port("panel", opener, protocol, facts.put, Silent()) as port:
        for _ in range(2):
            assert isinstance(facts.get(timeout=SOON_S), Found)
            port.send(lambda driver: driver.face({last: KeyFace(look=KeyLook.LIVE)}))
            while product.lamps is not Lamps.NONE and panel.lamps != shows:
                lamps.get(timeout=SOON_S)
            panel.tap(last)
            assert [type(facts.get(timeout=SOON_S)) for _ in range(2)] == [KeyDown, KeyUp]
            bus.unplug(panel)
            assert isinstance(facts.get(timeout=SOON_S), Lost)
            bus.plug(panel)
    bus.close()
    assert panel.refused == 0
