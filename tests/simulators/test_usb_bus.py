"""The simulated bus misbehaves as it was told, and answers as libusb does."""

from __future__ import annotations

import errno
import socket
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from usb.core import USBError

from drivers.patlite.messages import LightState, Pattern, encode
from drivers.transport.usb import UsbId, UsbWire
from drivers.xkeys.messages import (
    DescriptorReport,
    KeyReport,
    Lamp,
    Light,
    ask_descriptor,
    decode_input,
    generate_data,
    set_light,
)
from drivers.xkeys.products import XK24
from simulators.devices.faults import Fault, FaultKind, FaultPlan
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import UsbBus
from simulators.devices.usb_socket import UsbSocketBackend
from simulators.devices.usb_socket_format import LENGTHS, DeviceDescriptor, receive_message, send_message
from simulators.devices.xkeys.simulator import FIRMWARE, LampChange, XKeysSimulator

PANEL = UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405,))
LIGHT = UsbId(title="light", vendor_id=0x191A, product_ids=(0x8003,))
#: Never waited for: only so that a test that hangs ends.
SOON_S = 10.0


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[UsbBus]:
    bus = UsbBus(tmp_path / "usb.sock")
    yield bus
    bus.close()


@pytest.fixture
def backend(bus: UsbBus) -> UsbSocketBackend:
    return UsbSocketBackend(str(bus.path))


@pytest.fixture
def plugged(bus: UsbBus, backend: UsbSocketBackend) -> Iterator[Callable[[XKeysSimulator], UsbWire]]:
    wires: list[UsbWire] = []

    def plug(panel: XKeysSimulator) -> UsbWire:
        bus.plug(panel)
        wires.append(UsbWire(PANEL, backend))
        return wires[-1]

    yield plug
    for wire in wires:
        wire.close()


def faulty(kind: FaultKind, *at: int, count: int = 1, for_s: float = 0.0, offset: int | None = None) -> XKeysSimulator:
    fault = Fault(kind=kind, at=at, count=count, for_s=for_s, offset=offset)
    return XKeysSimulator(faults=FaultPlan(faults=(fault,)))


def levels(wire: UsbWire, n_reports: int) -> list[set[int] | None]:
    """The keys that the next reports say are down; None for one that is no report of keys."""
    reports = [decode_input(XK24, wire.read(SOON_S)) for _ in range(n_reports)]
    return [set(report.down) if isinstance(report, KeyReport) else None for report in reports]


# -- faults ----------------------------------------------------------------------------------------------------------


def test_a_lost_report(plugged: Callable[[XKeysSimulator], UsbWire]) -> None:
    panel = faulty(FaultKind.LOSE, 2)
    wire = plugged(panel)
    panel.tap(1)
    panel.press(2)
    assert levels(wire, 2) == [{1}, {2}]


def test_a_repeated_report(plugged: Callable[[XKeysSimulator], UsbWire]) -> None:
    panel = faulty(FaultKind.REPEAT, 1)
    wire = plugged(panel)
    panel.tap(1)
    assert levels(wire, 3) == [{1}, {1}, set()]


def test_junk_before_a_report(plugged: Callable[[XKeysSimulator], UsbWire]) -> None:
    panel = faulty(FaultKind.JUNK, 1, count=5)
    wire = plugged(panel)
    panel.press(1)
    assert levels(wire, 2) == [None, {1}]


def test_a_report_that_is_late(plugged: Callable[[XKeysSimulator], UsbWire]) -> None:
    panel = faulty(FaultKind.DELAY, 1, for_s=0.1)
    wire = plugged(panel)
    panel.press(1)
    assert wire.read(0.0) == b""
    assert levels(wire, 1) == [{1}]


def test_a_device_that_unplugs_itself_comes_back_later(
    bus: UsbBus, plugged: Callable[[XKeysSimulator], UsbWire]
) -> None:
    came_back: SimpleQueue[None] = SimpleQueue()

    class Panel(XKeysSimulator):
        def plugged_in(self) -> None:
            super().plugged_in()
            came_back.put(None)

    panel = Panel(faults=FaultPlan(faults=(Fault(kind=FaultKind.UNPLUG_MID_FRAME, at=(2,), for_s=0.01, offset=9),)))
    wire = plugged(panel)
    came_back.get(timeout=SOON_S)
    panel.press(1)
    assert levels(wire, 1) == [{1}]
    panel.press(2)
    with pytest.raises(Exception, match="unplugged"):
        levels(wire, 2)
    came_back.get(timeout=SOON_S)


# -- plugging --------------------------------------------------------------------------------------------------------


def test_a_device_keeps_its_port_and_has_a_new_address_each_time(bus: UsbBus, backend: UsbSocketBackend) -> None:
    panel, light = XKeysSimulator(), PatliteSimulator()
    for _ in range(2):
        bus.plug(panel)
        bus.plug(light)
        bus.unplug(panel)
    bus.plug(panel)
    bus.plug(panel)
    seen = {device_descriptor.product_id: device_descriptor for device_descriptor in backend.enumerate_devices()}
    assert (seen[0x0405].ports, seen[0x8003].ports) == ((1,), (2,))
    assert seen[0x0405].address > seen[0x8003].address
    assert bus.is_plugged(panel)
    bus.unplug(panel)
    assert not bus.is_plugged(panel)
    assert not panel.is_plugged


def test_two_buses_do_not_share_a_socket(bus: UsbBus) -> None:
    with pytest.raises(OSError, match="another USB bus is served here"):
        UsbBus(bus.path)


def test_a_socket_left_behind_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "usb.sock"
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(path))
    bus = UsbBus(path)
    bus.close()
    bus.close()
    assert not path.exists()


def test_plugging_into_a_bus_that_is_gone_does_nothing(bus: UsbBus) -> None:
    panel = XKeysSimulator()
    bus.close()
    bus.plug(panel)
    assert not panel.is_plugged
    panel.tap(0)


# -- the other side of the socket --------------------------------------------------------------------------------------


@pytest.fixture
def device(bus: UsbBus, backend: UsbSocketBackend) -> DeviceDescriptor:
    bus.plug(XKeysSimulator(serial="A1"))
    return next(backend.enumerate_devices())


def error_of(action: Callable[[], object]) -> int | None:
    with pytest.raises(USBError) as caught:
        action()
    return caught.value.errno


def test_an_interface_is_the_kernels_until_it_is_detached(backend: UsbSocketBackend, device: DeviceDescriptor) -> None:
    handle = backend.open_device(device)
    assert backend.is_kernel_driver_active(handle, 0)
    assert error_of(lambda: backend.claim_interface(handle, 0)) == errno.EBUSY
    backend.detach_kernel_driver(handle, 0)
    assert error_of(lambda: backend.detach_kernel_driver(handle, 0)) == errno.ENOENT
    backend.claim_interface(handle, 0)
    assert error_of(lambda: backend.attach_kernel_driver(handle, 0)) == errno.EBUSY
    backend.release_interface(handle, 0)
    assert error_of(lambda: backend.release_interface(handle, 0)) == errno.ENOENT
    backend.attach_kernel_driver(handle, 0)
    assert backend.is_kernel_driver_active(handle, 0)
    backend.close_device(handle)


def test_an_endpoint_can_only_be_used_by_who_claimed_its_interface(
    backend: UsbSocketBackend, device: DeviceDescriptor
) -> None:
    handle = backend.open_device(device)
    assert error_of(lambda: backend.intr_write(handle, 0x04, 0, array("B", b"x"), 10)) == errno.ENOENT
    assert error_of(lambda: backend.intr_read(handle, 0x7F, 0, array("B", b"x"), 10)) == errno.ENOENT
    assert error_of(lambda: backend.claim_interface(handle, 9)) == errno.ENOENT
    backend.close_device(handle)


def test_the_configuration_cannot_be_set_while_interfaces_are_held(
    backend: UsbSocketBackend, device: DeviceDescriptor
) -> None:
    handle = backend.open_device(device)
    assert backend.get_configuration(handle) == 1
    assert error_of(lambda: backend.set_configuration(handle, 1)) == errno.EBUSY
    assert error_of(lambda: backend.set_configuration(handle, 2)) == errno.EINVAL
    for interface in range(3):
        backend.detach_kernel_driver(handle, interface)
    backend.set_configuration(handle, 1)
    backend.close_device(handle)


def test_a_control_request_that_a_device_does_not_know_is_stalled(
    backend: UsbSocketBackend, device: DeviceDescriptor
) -> None:
    handle = backend.open_device(device)
    status = array("B", bytes(2))
    assert backend.ctrl_transfer(handle, 0x80, 0, 0, 0, status, 100) == 2
    assert error_of(lambda: backend.ctrl_transfer(handle, 0x40, 1, 0, 0, array("B", b"x"), 100)) == errno.EPIPE
    backend.close_device(handle)


def test_what_a_process_that_died_had_claimed_is_free(bus: UsbBus, device: DeviceDescriptor) -> None:
    def ask(connection: socket.socket, request_: dict[str, object]) -> dict[str, object]:
        send_message(connection, request_)
        return receive_message(connection)[0]

    with socket.socket(socket.AF_UNIX) as survivor:
        survivor.settimeout(SOON_S)
        survivor.connect(str(bus.path))
        ask(survivor, {"op": "open", "device": device.device})
        with socket.socket(socket.AF_UNIX) as victim:
            victim.settimeout(SOON_S)
            victim.connect(str(bus.path))
            ask(victim, {"op": "open", "device": device.device})
            ask(victim, {"op": "detach_driver", "interface": 0})
            assert ask(victim, {"op": "claim", "interface": 0}) == {}
            assert ask(survivor, {"op": "claim", "interface": 0})["errno"] == errno.EBUSY
            victim.shutdown(socket.SHUT_WR)
            assert victim.recv(1) == b""
        assert ask(survivor, {"op": "claim", "interface": 0}) == {}


def test_a_read_of_a_handle_that_is_closed_waits_no_more_and_takes_no_report(
    bus: UsbBus, device: DeviceDescriptor
) -> None:
    with socket.socket(socket.AF_UNIX) as reader, socket.socket(socket.AF_UNIX) as control:
        for connection in (reader, control):
            connection.settimeout(SOON_S)
            connection.connect(str(bus.path))
        send_message(control, {"op": "open", "device": device.device})
        handle = receive_message(control)[0]["handle"]
        for request in ({"op": "detach_driver", "interface": 0}, {"op": "claim", "interface": 0}):
            send_message(control, request)
            assert receive_message(control)[0] == {}
        send_message(reader, {"op": "attach", "handle": handle})
        assert receive_message(reader)[0] == {}
        send_message(reader, {"op": "read", "endpoint": 0x81, "size": 64, "timeout_ms": 0})
        control.shutdown(socket.SHUT_WR)
        assert receive_message(reader)[0]["errno"] == errno.ENODEV


@pytest.mark.parametrize(
    ("request_", "number"),
    [
        ({"op": "read", "endpoint": 0x81, "size": 64, "timeout_ms": 1}, errno.EINVAL),
        ({"op": "open", "device": 99}, errno.ENODEV),
        ({"op": "open"}, errno.EINVAL),
        ({"op": "attach", "handle": 99}, errno.ENODEV),
        ({}, errno.EINVAL),
    ],
)
def test_a_request_out_of_order_is_refused_and_the_next_one_is_answered(
    bus: UsbBus, request_: dict[str, object], number: int
) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SOON_S)
        connection.connect(str(bus.path))
        send_message(connection, request_)
        assert receive_message(connection)[0]["errno"] == number
        send_message(connection, {"op": "enumerate"})
        assert receive_message(connection)[0] == {"devices": []}


def test_what_is_no_request_is_hung_up_on_and_the_bus_goes_on(bus: UsbBus, backend: UsbSocketBackend) -> None:
    bus.plug(XKeysSimulator())
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SOON_S)
        connection.connect(str(bus.path))
        connection.sendall(b"\xff" * LENGTHS.size)
        assert connection.recv(1) == b""
    assert len(list(backend.enumerate_devices())) == 1


# -- devices ---------------------------------------------------------------------------------------------------------


def test_a_panel_answers_both_questions(plugged: Callable[[XKeysSimulator], UsbWire]) -> None:
    panel = XKeysSimulator(unit_id=10)
    wire = plugged(panel)
    wire.write(ask_descriptor())
    wire.write(generate_data())
    who = decode_input(XK24, wire.read(SOON_S))
    assert who == DescriptorReport(unit_id=10, firmware=FIRMWARE, product_id=0x0405)
    state = decode_input(XK24, wire.read(SOON_S))
    assert isinstance(state, KeyReport)
    assert (state.unit_id, state.asked_for, state.down) == (10, True, frozenset())


def test_a_panel_shows_its_lamps_and_says_when_they_changed(plugged: Callable[[XKeysSimulator], UsbWire]) -> None:
    changes: SimpleQueue[LampChange] = SimpleQueue()
    panel = XKeysSimulator(on_lamp=changes.put)
    wire = plugged(panel)
    wire.write(set_light(XK24.blue_led(7), Light.ON))
    wire.write(set_light(XK24.red_led(7), Light.FLASH))
    wire.write(set_light(XK24.red_led(8), Light.FLASH))
    wire.write(set_light(XK24.blue_led(7), Light.OFF))
    told = [changes.get(timeout=SOON_S) for _ in range(3)]
    assert [(lamp_change.key, lamp_change.lamp.blue) for lamp_change in told] == [
        (7, Light.ON),
        (7, Light.ON),
        (8, Light.OFF),
    ]
    assert told[0].at_s <= told[1].at_s <= told[2].at_s
    assert panel.lamps == {7: Lamp.RED_BLINK, 8: Lamp.RED_BLINK}


def test_a_panel_without_power_is_dark_but_a_finger_stays(
    bus: UsbBus, backend: UsbSocketBackend, plugged: Callable[[XKeysSimulator], UsbWire]
) -> None:
    panel = XKeysSimulator()
    plugged(panel).write(set_light(0, Light.ON))
    panel.press(5)
    bus.unplug(panel)
    wire = plugged(panel)
    assert panel.lamps == {}
    wire.write(generate_data())
    assert levels(wire, 1) == [{5}]


def test_a_panel_counts_what_it_does_not_know(plugged: Callable[[XKeysSimulator], UsbWire]) -> None:
    panel = XKeysSimulator()
    plugged(panel).write(b"\xbd\x01")
    assert panel.refused == 1


def test_a_key_that_is_none_cannot_be_pressed() -> None:
    with pytest.raises(ValueError, match="XK-24 has no key 24"):
        XKeysSimulator().tap(24)


def test_a_light_looks_as_it_was_told_and_says_when_it_changed(bus: UsbBus, backend: UsbSocketBackend) -> None:
    changes: SimpleQueue[LightState] = SimpleQueue()
    light = PatliteSimulator(on_change=changes.put)
    bus.plug(light)
    wire = UsbWire(LIGHT, backend)
    green = LightState(green=Pattern.ON)
    wire.write(encode(green))
    wire.write(b"junk")
    assert changes.get(timeout=SOON_S) == green
    assert (light.state, light.refused) == (green, 1)
    bus.unplug(light)
    bus.plug(light)
    assert light.state == LightState()
    wire.close()
