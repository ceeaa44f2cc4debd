"""A device that hangs, and one that keeps the pace of its wire, over a real pty and over the simulated USB bus."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.angel_eye.messages import BAUD
from drivers.transport.backend import usb_backend
from drivers.transport.base import Wire, WireLost
from drivers.transport.serial import Parity, SerialSettings, open_serial
from drivers.transport.usb import Traffic, UsbId, usb_opener
from simulators.devices.angel_eye.simulator import AngelEyeSimulator
from simulators.devices.faults import Fault, FaultKind, FaultPlan, Side
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import UsbBus, VirtualDevice
from simulators.devices.wire import PtyEnd
from simulators.devices.world import World
from simulators.devices.xkeys.simulator import XKeysSimulator

SOON_S = 20.0
STARTED = bytes.fromhex("05 31 53 03 36 31")
#: Twelve reports of an X-keys panel, from its first endpoint with a bInterval of 10 ms.
TAPS, INTERVAL_S = 6, 0.010


def read_until(wire: Wire, wanted: bytes) -> bytes:
    read, until_s = b"", time.monotonic() + SOON_S
    while wanted not in read:
        read += wire.read(1.0)
        assert time.monotonic() < until_s, read
    return read


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[UsbBus]:
    made = UsbBus(tmp_path / "usb.sock", speed_factor=1.0)
    yield made
    made.close()


def opened(bus: UsbBus, device: VirtualDevice, traffic: Traffic = Traffic.IN_AND_OUT) -> Wire:
    which = UsbId(
        title="it",
        vendor_id=device.vendor_id,
        product_ids=(device.product_id,),
        traffic=traffic,
        write_timeout_ms=50,
    )
    return usb_opener(which, usb_backend(f"unix:{bus.path}"))()


class _Listening(AngelEyeSimulator):
    """A shoe of which is known when it has taken from its line what it was told, whether it does anything with it."""

    def __init__(self, end: PtyEnd, world: World, *, faults: FaultPlan) -> None:
        super().__init__(end, world, faults=faults)
        self.heard = threading.Event()

    def received(self, data: bytes) -> None:
        super().received(data)
        self.heard.set()


@pytest.mark.system
def test_a_shoe_that_hangs_answers_nothing_until_it_has_power_anew(tmp_path: Path) -> None:
    # It hangs at its seventh message, the first of the first card.
    plan = FaultPlan(faults=(Fault(kind=FaultKind.STUCK, at=(7,)),))
    shoe = _Listening(PtyEnd(link=tmp_path / "shoe", baud=BAUD, speed_factor=None), World(), faults=plan)
    shoe.start()
    wire = open_serial(str(tmp_path / "shoe"), SerialSettings(baud=BAUD))
    try:
        read_until(wire, STARTED * 3)
        shoe.draw()
        wire.write(bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42"))
        assert shoe.heard.wait(SOON_S), "what waits on the line would be heard after the restart"
        assert b"D" not in wire.read(0.2)
        assert not shoe.is_locked, "it does nothing with what it is told"
        shoe.reboot()
        assert b"D" not in read_until(wire, STARTED * 3)
    finally:
        wire.close()
        shoe.close()


def test_a_panel_that_hangs_reports_nothing_until_it_is_plugged_in_anew(bus: UsbBus) -> None:
    panel = XKeysSimulator(faults=FaultPlan(faults=(Fault(kind=FaultKind.STUCK, at=(2,)),)))
    bus.plug(panel)
    wire = opened(bus, panel)
    panel.press(1)
    assert wire.read(SOON_S)
    panel.release(1)
    panel.press(2)
    assert wire.read(0.05) == b""
    with pytest.raises(WireLost, match="took no report"):
        wire.write(bytes(35))
    wire.close()
    bus.unplug(panel)
    bus.plug(panel)
    wire = opened(bus, panel)
    panel.press(3)
    assert wire.read(SOON_S)
    wire.close()


def test_a_light_hangs_at_what_it_is_told_and_may_get_power_by_itself(bus: UsbBus) -> None:
    fault = Fault(kind=FaultKind.STUCK, at=(2,), of=Side.HOST, for_s=0.1)
    light = PatliteSimulator(faults=FaultPlan(faults=(fault,)))
    bus.plug(light)
    wire = opened(bus, light, Traffic.OUT_ONLY)
    green = bytes.fromhex("00 00 00 00 00 10 00 00")
    wire.write(green)
    lit = light.state
    with pytest.raises(WireLost):
        wire.write(bytes.fromhex("00 00 00 00 10 00 00 00"))  # red, and no green
    assert light.state in (lit, PatliteSimulator().state), "what it was told, it did not do"
    wire.close()
    until_s = time.monotonic() + SOON_S
    while light.state == lit:
        assert time.monotonic() < until_s, "it is dark when it was plugged in anew"


def test_reports_come_one_an_interval_of_their_endpoint(bus: UsbBus) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened(bus, panel)
    began_s = time.monotonic()
    for _ in range(TAPS):
        panel.tap(1)
    for _ in range(2 * TAPS):
        assert wire.read(SOON_S)
    assert time.monotonic() - began_s >= (2 * TAPS - 1) * INTERVAL_S
    wire.close()


class Ear:
    """A device that only listens."""

    def __init__(self) -> None:
        self.came = threading.Event()
        self.went = threading.Event()
        self.heard = threading.Event()

    def client_came(self) -> None:
        self.came.set()

    def client_went(self) -> None:
        self.came.clear()
        self.went.set()

    def restarted(self) -> None:
        self.came.clear()

    def received(self, data: bytes) -> None:
        self.heard.set()


@pytest.mark.system
def test_a_line_with_parity_is_opened_again_when_its_client_was_away(tmp_path: Path) -> None:
    ear, end = Ear(), PtyEnd(link=tmp_path / "port", baud=38400, speed_factor=None)
    end.start(ear)
    try:
        for _ in range(3):
            wire = open_serial(str(tmp_path / "port"), SerialSettings(baud=38400, parity=Parity.EVEN))
            assert ear.came.wait(SOON_S)
            wire.close()
            assert ear.went.wait(SOON_S)
            ear.went.clear()
    finally:
        end.close()


@pytest.mark.system
@pytest.mark.parametrize("bits", [10, 11])
def test_a_device_hears_no_faster_than_its_line_carries(tmp_path: Path, bits: int) -> None:
    ear, end = Ear(), PtyEnd(link=tmp_path / "port", baud=4800, bits_per_byte=bits)
    end.start(ear)
    wire = open_serial(str(tmp_path / "port"), SerialSettings(baud=4800))
    try:
        assert ear.came.wait(SOON_S)
        began_s = time.monotonic()
        wire.write(bytes(48))
        assert ear.heard.wait(SOON_S)
        assert time.monotonic() - began_s >= 48 * bits / 4800
    finally:
        wire.close()
        end.close()
