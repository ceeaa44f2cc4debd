"""USB wires through the real pyusb and a bus on a socket: which device is opened, what is said when it is not, and what
each error number means."""

from __future__ import annotations

import errno
import threading
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import usb.backend.libusb1
import usb.core
from pytest_mock import MockerFixture
from usb.backend import IBackend

from drivers.transport.backend import usb_backend
from drivers.transport.base import AskFeature, FeatureAnswer, SetFeature, WireLost, WireUnavailable
from drivers.transport.usb import PRESENCE_S, Traffic, UsbId, UsbWire, plugged_in
from drivers.xkeys.messages import OUTPUT_BYTES, Say, decode_input, generate_data
from drivers.xkeys.products import XK24
from simulators.devices.usb_bus import Behaviour, UsbBus, VirtualDevice
from simulators.devices.usb_socket import UsbSocketBackend
from simulators.devices.usb_socket_format import EndpointDescriptor, InterfaceDescriptor
from simulators.devices.xkeys.simulator import XKeysSimulator

ANY_PANEL = UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405, 0x0403))
#: Never waited for: only so that a test that hangs ends.
SOON_S = 10.0
#: How long to look for something that must not come, in seconds.
SHORT_S = 0.3
REPORT_BYTES = 32


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[UsbBus]:
    bus = UsbBus(tmp_path / "usb.sock")
    yield bus
    bus.close()


@pytest.fixture
def backend(bus: UsbBus) -> UsbSocketBackend:
    return UsbSocketBackend(str(bus.path))


class Opened:
    """Opens wires and closes them in the end."""

    def __init__(self, backend: IBackend) -> None:
        self._backend = backend
        self.wires: list[UsbWire] = []

    def __call__(self, which: UsbId = ANY_PANEL) -> UsbWire:
        self.wires.append(UsbWire(which, self._backend))
        return self.wires[-1]


@pytest.fixture
def opened(backend: UsbSocketBackend) -> Iterator[Opened]:
    opened = Opened(backend)
    yield opened
    for wire in opened.wires:
        wire.close()


def in_thread(action: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    """Run it beside the test; what it raised is in the list when the thread has ended."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            action()
        except (WireLost, WireUnavailable) as why:
            raised.append(why)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, raised


def ended(thread: threading.Thread) -> bool:
    thread.join(SOON_S)
    return not thread.is_alive()


# -- which device ----------------------------------------------------------------------------------------------------


def test_a_device_is_found_by_vendor_and_product(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator())
    assert opened().identity == "05f3:0405 at 1-1"


def test_everything_plugged_in_is_listed_without_opening_it(bus: UsbBus, backend: UsbSocketBackend) -> None:
    bus.plug(XKeysSimulator(), open_errno=errno.EACCES)
    assert list(plugged_in(backend)) == [(0x05F3, 0x0405, "1-1")]


def test_nothing_plugged_in(opened: Opened) -> None:
    with pytest.raises(WireUnavailable, match=r"^panel \(05f3:0405/05f3:0403\) is not plugged in$"):
        opened()


def test_two_alike_are_never_told_apart_by_their_order(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator())
    bus.plug(XKeysSimulator())
    with pytest.raises(WireUnavailable, match=r"2 devices are panel .* \(at 1-1, 1-2\): say which"):
        opened()


def test_two_alike_are_told_apart_by_port_path(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator())
    bus.plug(XKeysSimulator())
    which = UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405,), port_path="1-2")
    assert opened(which).identity == "05f3:0405 at 1-2"


def test_two_alike_are_told_apart_by_serial_number(bus: UsbBus, opened: Opened) -> None:
    for serial in ("A1", "", "B2"):
        bus.plug(XKeysSimulator(serial=serial))
    which = UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405,), serial="B2")
    assert opened(which).identity == "05f3:0405 at 1-3, serial number B2"


def test_a_serial_number_that_nobody_has(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator(serial="A1"))
    which = UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405,), serial="Z9", port_path="1-1")
    with pytest.raises(WireUnavailable, match=r"panel .* with serial number Z9 at 1-1 is not plugged in"):
        opened(which)


def test_looking_opens_no_other_device(bus: UsbBus, opened: Opened) -> None:
    other = XKeysSimulator(serial="A1")
    other.product_id = 0x0441
    bus.plug(other, open_errno=errno.EACCES)
    bus.plug(XKeysSimulator(serial="A1"))
    which = UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405,), serial="A1")
    assert opened(which).identity.startswith("05f3:0405 at 1-2")


# -- why it cannot be opened -----------------------------------------------------------------------------------------


def test_a_second_owner_is_told_who_is_in_the_way(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator())
    opened()
    with pytest.raises(WireUnavailable, match="interface 0 is in use by another process; end that one first"):
        opened()


def test_the_interface_is_free_again_after_closing(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator())
    opened().close()
    assert opened().read(0.0) == b""


@pytest.mark.parametrize("serial", ["", "A1"])
def test_no_permission_names_the_udev_rule(bus: UsbBus, opened: Opened, serial: str) -> None:
    bus.plug(XKeysSimulator(serial="A1"), open_errno=errno.EACCES)
    which = UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405,), serial=serial)
    with pytest.raises(WireUnavailable, match=r'no permission; add a udev rule: .*ATTR\{idVendor\}=="05f3"'):
        opened(which)


def test_an_interface_without_the_endpoints_of_the_model(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    panel.interfaces = (InterfaceDescriptor(number=0, endpoints=(EndpointDescriptor(address=0x81),)),)
    bus.plug(panel)
    with pytest.raises(WireUnavailable, match="interface 0 lacks the interrupt endpoints of this model"):
        opened()


def test_no_libusb_on_this_machine(mocker: MockerFixture) -> None:
    mocker.patch.object(usb.backend.libusb1, "get_backend", return_value=None)
    with pytest.raises(WireUnavailable, match=r"install libusb 1\.0"):
        UsbWire(ANY_PANEL)


def test_libusb_is_made_once_though_two_ports_are_opened_at_the_same_time(mocker: MockerFixture) -> None:
    """pyusb would make two, and crash when it throws one away."""
    both_inside = threading.Barrier(2)
    met: list[bool] = []

    def make() -> None:
        try:
            both_inside.wait(SHORT_S)
            met.append(True)
        except threading.BrokenBarrierError:
            met.append(False)

    mocker.patch.object(usb.backend.libusb1, "get_backend", side_effect=make)

    def look() -> None:
        with pytest.raises(WireUnavailable):
            UsbWire(ANY_PANEL)

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON_S)
    assert met == [False, False]


def test_a_bus_that_is_gone_has_no_devices(bus: UsbBus, backend: UsbSocketBackend) -> None:
    bus.plug(XKeysSimulator())
    bus.close()
    assert list(plugged_in(backend)) == []


@pytest.mark.parametrize(
    ("address", "why"),
    [("/run/usb.sock", "not of the form unix:"), ("unix:", "not of the form unix:"), ("tcp:1234", "nothing .* tcp:")],
)
def test_an_address_of_another_form_is_refused(address: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        usb_backend(address)


def test_without_an_address_it_is_the_machines_own_usb() -> None:
    assert usb_backend(None) is None


def test_a_device_that_has_no_configuration_yet_is_given_one(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    panel.is_configured = False
    panel.interfaces = tuple(replace(interface, driver=None) for interface in panel.interfaces)
    bus.plug(panel)
    wire = opened()
    panel.press(0)
    assert len(wire.read(SOON_S)) == REPORT_BYTES


# -- reports ---------------------------------------------------------------------------------------------------------


def test_one_read_brings_one_report(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened()
    panel.tap(0)
    assert [len(wire.read(SOON_S)), len(wire.read(SOON_S)), wire.read(0.0)] == [REPORT_BYTES, REPORT_BYTES, b""]


def test_what_was_said_before_anybody_listened_is_not_heard(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    panel.tap(0)
    assert opened().read(0.0) == b""


def test_a_read_that_waits_for_ever_delays_no_write(bus: UsbBus, backend: UsbSocketBackend) -> None:
    bus.plug(XKeysSimulator())
    handle = backend.open_device(next(backend.enumerate_devices()))
    backend.detach_kernel_driver(handle, 0)
    backend.claim_interface(handle, 0)
    report = array("B", bytes(64))
    reader, _ = in_thread(lambda: backend.intr_read(handle, 0x81, 0, report, 0))
    writer, _ = in_thread(lambda: backend.intr_write(handle, 0x04, 0, array("B", generate_data()), 0))
    assert ended(writer)
    assert ended(reader)
    assert decode_input(XK24, report[:REPORT_BYTES].tobytes()) != decode_input(XK24, bytes(REPORT_BYTES))
    backend.close_device(handle)


def test_a_report_is_written_whole(bus: UsbBus, opened: Opened) -> None:
    heard: list[bytes] = []

    class Listener(XKeysSimulator):
        def written(self, data: bytes) -> None:
            heard.append(data)

    bus.plug(Listener())
    opened().write(generate_data())
    assert heard == [bytes([Say.GENERATE_DATA]).ljust(OUTPUT_BYTES, b"\0")]


def test_silence_is_no_fault(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened()
    panel.behave(Behaviour.SILENT)
    assert [wire.read(0.01) for _ in range(3)] == [b"", b"", b""]
    panel.behave(Behaviour.WELL)
    panel.press(0)
    assert len(wire.read(SOON_S)) == REPORT_BYTES


def test_time_outs_that_come_at_once_keep_no_thread_busy(bus: UsbBus, opened: Opened, mocker: MockerFixture) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened()
    panel.behave(Behaviour.HASTY)
    reads = mocker.spy(usb.core.Endpoint, "read")
    assert wire.read(0.3) == b""
    assert reads.call_count <= 3


def test_a_device_that_takes_no_report_is_lost(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened(UsbId(title="panel", vendor_id=0x05F3, product_ids=(0x0405,), write_timeout_ms=20))
    panel.behave(Behaviour.STUCK)
    with pytest.raises(WireLost, match="took no report for 20 ms"):
        wire.write(generate_data())


def test_a_report_longer_than_a_packet_is_lost_with_its_reason(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened()
    panel.say(bytes(65))
    with pytest.raises(WireLost, match=f"errno {errno.EOVERFLOW}"):
        wire.read(SOON_S)


# -- loss ------------------------------------------------------------------------------------------------------------


def test_unplugging_ends_a_read_that_waits(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened()
    thread, raised = in_thread(lambda: wire.read(SOON_S))
    bus.unplug(panel)
    assert ended(thread)
    assert [str(why) for why in raised] == ["panel 05f3:0405 at 1-1: unplugged"]


def test_a_write_to_an_unplugged_device_is_a_loss(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    wire = opened()
    bus.unplug(panel)
    with pytest.raises(WireLost, match="unplugged"):
        wire.write(generate_data())


def test_a_device_plugged_in_again_is_another_one_to_those_who_had_it(bus: UsbBus, opened: Opened) -> None:
    panel = XKeysSimulator()
    bus.plug(panel)
    old = opened()
    bus.unplug(panel)
    bus.plug(panel)
    new = opened()
    with pytest.raises(WireLost, match="unplugged"):
        old.read(SOON_S)
    panel.press(1)
    assert len(new.read(SOON_S)) == REPORT_BYTES


def test_a_bus_that_goes_away_loses_what_was_open(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator())
    wire = opened()
    bus.close()
    with pytest.raises(WireLost):
        wire.read(SOON_S)
    with pytest.raises(WireLost):
        wire.write(generate_data())


def test_closing_ends_a_read_that_waits_and_may_be_repeated(bus: UsbBus, opened: Opened) -> None:
    bus.plug(XKeysSimulator())
    wire = opened()
    thread, raised = in_thread(lambda: wire.read(SOON_S))
    wire.close()
    wire.close()
    assert ended(thread)
    assert ["closed" in str(why) for why in raised] == [True]
    with pytest.raises(WireLost, match="closed"):
        wire.write(generate_data())


def test_where_nobody_can_end_a_read_closing_waits_for_it(
    bus: UsbBus, backend: UsbSocketBackend, mocker: MockerFixture
) -> None:
    """As with libusb: a handle is not closed under a transfer."""
    bus.plug(XKeysSimulator())
    mocker.patch.object(UsbSocketBackend, "end_reads", None)
    reads: Callable[..., int] = backend.intr_read
    closes: Callable[..., None] = backend.close_device
    reading = threading.Event()
    closed_under = []

    def read(*of: object) -> int:
        reading.set()
        try:
            return reads(*of)
        finally:
            reading.clear()

    def close(*of: object) -> None:
        closed_under.append(reading.is_set())
        closes(*of)

    mocker.patch.object(backend, "intr_read", read)
    mocker.patch.object(backend, "close_device", close)
    wire = UsbWire(ANY_PANEL, backend)
    thread, raised = in_thread(lambda: wire.read(SOON_S))
    assert reading.wait(SOON_S)
    wire.close()
    assert ended(thread)
    assert ["closed" in str(why) for why in raised] == [True]
    assert closed_under == [False]


def test_where_reads_can_be_ended_they_are_and_writes_go_on(bus: UsbBus, backend: UsbSocketBackend) -> None:
    bus.plug(XKeysSimulator())
    device = next(backend.enumerate_devices())
    handle = backend.open_device(device)
    backend.detach_kernel_driver(handle, 0)
    backend.claim_interface(handle, 0)
    failed: list[int | None] = []

    def read() -> None:
        try:
            backend.intr_read(handle, 0x81, 0, array("B", bytes(64)), 0)
        except usb.core.USBError as why:
            failed.append(why.errno)

    reader, _ = in_thread(read)
    backend.end_reads(device.bus, device.address)
    assert ended(reader)
    read()
    assert failed == [errno.ENODEV, errno.ENODEV]
    assert backend.intr_write(handle, 0x04, 0, array("B", generate_data()), 0) > 0
    backend.close_device(handle)
    backend.end_reads(device.bus, device.address)


# -- devices that never say anything -----------------------------------------------------------------------------------


class Mute(VirtualDevice):
    """It only listens, and may have an endpoint to read from, out of which nothing ever comes."""

    vendor_id = 0x191A
    product_id = 0x8003
    title = "mute"
    interfaces = (InterfaceDescriptor(number=0, endpoints=(EndpointDescriptor(address=0x01),)),)


MUTE = UsbId(title="mute", vendor_id=0x191A, product_ids=(0x8003,), traffic=Traffic.OUT_ONLY)


def test_the_loss_of_a_device_that_never_says_anything_is_noticed_without_a_write(bus: UsbBus, opened: Opened) -> None:
    mute = Mute()
    bus.plug(mute)
    wire = opened(MUTE)
    assert wire.read(0.0) == b""
    bus.unplug(mute)
    bus.plug(mute)
    with pytest.raises(WireLost, match="unplugged"):
        wire.read(2 * PRESENCE_S)


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EPIPE])
def test_no_answer_and_a_refusal_to_answer_are_no_loss(
    bus: UsbBus, opened: Opened, mocker: MockerFixture, number: int
) -> None:
    bus.plug(Mute())
    wire = opened(MUTE)
    asked = mocker.patch.object(usb.core.Device, "ctrl_transfer", side_effect=usb.core.USBError("no", number, number))
    assert wire.read(1.2 * PRESENCE_S) == b""
    asked.assert_called()


# -- feature reports -------------------------------------------------------------------------------------------------


class Featured(XKeysSimulator):
    """A device with one feature report, number 5, and no endpoint to write to."""

    interfaces: tuple[InterfaceDescriptor, ...] = (
        InterfaceDescriptor(number=0, endpoints=(EndpointDescriptor(address=0x81),)),
    )

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[bytes] = []

    def written(self, data: bytes) -> None:
        self.heard.append(data)

    def feature_written(self, data: bytes) -> bool:
        self.heard.append(data)
        return data[0] == 5

    def feature_asked(self, report_id: int) -> bytes | None:
        return bytes((5, 1, 2, 3)) if report_id == 5 else None


FEATURED = replace(ANY_PANEL, traffic=Traffic.FEATURES)


def test_a_feature_report_goes_over_the_control_pipe(bus: UsbBus, opened: Opened) -> None:
    device = Featured()
    bus.plug(device)
    opened(FEATURED).write(SetFeature((5, 7, 7)))
    assert device.heard == [bytes((5, 7, 7))]


def test_the_answer_to_a_question_is_read_and_is_no_input_report(bus: UsbBus, opened: Opened) -> None:
    bus.plug(Featured())
    wire = opened(FEATURED)
    wire.write(AskFeature((5, 0, 0)))
    answer = wire.read(SOON_S)
    assert isinstance(answer, FeatureAnswer)
    assert answer == bytes((5, 1, 2))
    assert wire.read(0.0) == b""


def test_a_question_that_the_device_refuses_is_silence(bus: UsbBus, opened: Opened) -> None:
    bus.plug(Featured())
    wire = opened(FEATURED)
    wire.write(AskFeature((6, 0)))
    assert wire.read(0.0) == b""


def test_a_question_that_takes_too_long_is_silence(bus: UsbBus, opened: Opened) -> None:
    device = Featured()
    bus.plug(device)
    wire = opened(FEATURED)
    device.behave(Behaviour.STUCK)
    wire.write(AskFeature((5, 0)))
    device.behave(Behaviour.WELL)
    assert wire.read(0.0) == b""


def test_a_command_that_the_device_refuses_loses_the_wire(bus: UsbBus, opened: Opened) -> None:
    bus.plug(Featured())
    with pytest.raises(WireLost, match="errno 32"):
        opened(FEATURED).write(SetFeature((6, 0)))


def test_a_question_to_a_device_that_was_pulled_loses_the_wire(bus: UsbBus, opened: Opened) -> None:
    device = Featured()
    bus.plug(device)
    wire = opened(FEATURED)
    bus.unplug(device)
    with pytest.raises(WireLost, match="unplugged"):
        wire.write(AskFeature((5, 0)))


def test_an_output_report_without_an_endpoint_goes_over_the_control_pipe(bus: UsbBus, opened: Opened) -> None:
    device = Featured()
    bus.plug(device)
    opened(FEATURED).write(bytes((9, 8)))
    assert device.heard == [bytes((9, 8))]


def test_a_numbered_output_report_without_an_endpoint_is_named_by_its_first_byte(
    bus: UsbBus, opened: Opened, mocker: MockerFixture
) -> None:
    device = Featured()
    bus.plug(device)
    wire = opened(replace(ANY_PANEL, traffic=Traffic.IN_AND_NUMBERED_OUT))
    requests = mocker.spy(usb.core.Device, "ctrl_transfer")
    wire.write(bytes((2, 7, 8)))
    assert device.heard == [bytes((2, 7, 8))]
    assert requests.call_args.args[1:5] == (0x21, 0x09, 0x0202, 0)
    device.press(0)
    assert len(wire.read(SOON_S)) == REPORT_BYTES
