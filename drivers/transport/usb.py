"""USB devices as wires, by pyusb: found by what stays the same, claimed, read and written by interrupt endpoints.

Feature reports go over the control pipe (`SetFeature`, `AskFeature`; HID 1.11, 7.2), and so does an output report to an
interface without an endpoint for it (4.4 there). A refused question is silence: on some hosts feature reports fail
while everything else works. A refused command loses the wire, as what the device does then is unknown.

A device is found by vendor and product id and, where asked, serial number and port path; never by the order in which
it was plugged in: two that match are an error. Looking opens nothing, except that a serial number has to be asked of
the device itself (only of those that match otherwise, and only where the configuration names one).

Linux calls three things by number here: 110 (ETIMEDOUT) is silence and no fault; 19 (ENODEV) is a device that is gone;
16 (EBUSY) is another process on the same interface. A kernel driver is detached from our interface only, and before it
is claimed; the other interfaces (a keyboard, say) are left alone, and for their sake the device is never set to the
configuration that it has already.

A device that never says anything (`Traffic.OUT_ONLY`) would be missed only at the next write. While such a wire is
read it is asked for its status every `PRESENCE_S` (GET_STATUS, USB 2.0, 9.4.5: every device has to know it, and it
changes nothing). That goes to the very device we opened, so even one that was pulled and plugged in again between two
looks counts as lost, as its lamps are dark. Listing the bus instead would not notice that.

Not verified on hardware: whether each device answers GET_STATUS while it is busy. No answer is taken for silence.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

import usb.backend.libusb1
import usb.core
import usb.util
from usb.backend import IBackend
from usb.core import Device, Endpoint, USBError

from drivers.transport.base import AskFeature, FeatureAnswer, SetFeature, WireLost, WireOpener, WireUnavailable
from drivers.transport.holders import who_has

#: Longest single transfer of a read, in seconds: `close` waits for it, as a handle must not be closed under a transfer
#: (a backend that can end a read makes that short).
SLICE_S: Final = 0.25
#: How often a device that never says anything is asked whether it is there, in seconds. Our choice.
PRESENCE_S: Final = 1.0
#: Time-out of a control request, in milliseconds. Our choice.
CONTROL_MS: Final = 500

_MAKING_LIBUSB: Final = threading.Lock()

_DEVICE_TO_HOST: Final = 0x80
_GET_STATUS: Final = 0
_STATUS_BYTES: Final = 2
#: Class requests to an interface (HID 1.11, 7.2), and the kinds of reports they name (7.2.1).
_TO_INTERFACE: Final = 0x21
_FROM_INTERFACE: Final = 0xA1
_GET_REPORT: Final = 0x01
_SET_REPORT: Final = 0x09
_OUTPUT: Final = 2
_FEATURE: Final = 3
_INTERRUPT: Final = 3
_TYPE_MASK: Final = 3
_IN_BIT: Final = 0x80


class Traffic(Enum):
    """Which way reports go."""

    IN_AND_OUT = "in-and-out"
    OUT_ONLY = "out-only"
    #: As `IN_AND_OUT`, with numbered output reports (their id is on the wire); they go over the control pipe where the
    #: interface has no endpoint for them.
    IN_AND_NUMBERED_OUT = "in-and-numbered-out"
    #: Feature reports and no others; no endpoint is needed.
    FEATURES = "features"


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbId:
    """Which device is meant, and which interface of it. `title` is for people."""

    title: str
    vendor_id: int
    #: The same product may have several, one for each set of interfaces.
    product_ids: tuple[int, ...]
    interface: int = 0
    #: Empty: any.
    serial: str = ""
    #: Bus and ports as the kernel names them, `1-2.3`. Empty: anywhere.
    port_path: str = ""
    traffic: Traffic = Traffic.IN_AND_OUT
    #: A report that is not taken within this time, in milliseconds, loses the wire: what the device shows is unknown.
    write_timeout_ms: int = 1000

    def __str__(self) -> str:
        products = "/".join(f"{self.vendor_id:04x}:{product_id:04x}" for product_id in self.product_ids)
        serial = f" with serial number {self.serial}" if self.serial else ""
        return f"{self.title} ({products}){serial}" + (f" at {self.port_path}" if self.port_path else "")


def usb_opener(which: UsbId, backend: IBackend | None = None) -> WireOpener:
    """How to open the device. Without `backend`: libusb 1.0 on this machine."""
    return lambda: UsbWire(which, backend)


def plugged_in(backend: IBackend | None = None) -> Iterator[tuple[int, int, str]]:
    """Vendor id, product id and port path of everything there is, opening nothing. Raises `WireUnavailable`."""
    for device in _devices(backend):
        yield device.idVendor, device.idProduct, path_of(device)


def path_of(device: Device) -> str:
    """Bus and ports, as Linux writes them: `1-2.3`."""
    ports = ".".join(str(port) for port in device.port_numbers or ())
    return f"{device.bus}-{ports}" if ports else f"{device.bus}"


class UsbWire:
    """A `Wire`: one interface of one device, claimed for as long as it is open. Raises `WireUnavailable`."""

    def __init__(self, which: UsbId, backend: IBackend | None = None) -> None:
        self._which = which
        #: A backend may have `end_reads(bus, address)`: what is being read of a device, or would be from now on, ends
        #: with an error, and nothing else does. Ours has it; libusb 1.0 as pyusb uses it cannot.
        self._end_reads: Callable[[int | None, int | None], None] | None = getattr(backend, "end_reads", None)
        self._device = _find(which, backend)
        self._where = f"{self._device.idVendor:04x}:{self._device.idProduct:04x} at {path_of(self._device)}"
        try:
            self._in, self._out = self._claim()
        except USBError as why:
            usb.util.dispose_resources(self._device)
            # Of devices that another process serves the kernel knows nothing.
            node = _node(self._device) if backend is None else None
            raise WireUnavailable(_why_not(why, which, self._where, node)) from why
        except WireUnavailable:
            usb.util.dispose_resources(self._device)
            raise
        self._closing = threading.Event()
        self._is_disposed = False
        self._reading = threading.Lock()
        self._writing = threading.Lock()
        self._presence_due_s = time.monotonic() + PRESENCE_S
        self._answers: deque[FeatureAnswer] = deque()

    @property
    def identity(self) -> str:
        """`05f3:0405 at 1-2.3`, and the serial number where it was asked for."""
        return self._where + (f", serial number {self._which.serial}" if self._which.serial else "")

    def read(self, timeout_s: float) -> bytes:
        """One report, or `b""` after `timeout_s`. Raises `WireLost`."""
        ends_s = time.monotonic() + timeout_s
        with self._reading:
            while True:
                if self._closing.is_set():
                    raise self._lost("closed")
                if self._answers:
                    return self._answers.popleft()
                wait_s = min(max(ends_s - time.monotonic(), 0.0), SLICE_S)
                data = self._wait_present(wait_s) if self._in is None else self._read_once(self._in, wait_s)
                if data or time.monotonic() >= ends_s:
                    return data

    def write(self, data: bytes) -> None:
        """Write one report. Raises `WireLost`, also when the device does not take it in time."""
        with self._writing:
            if self._closing.is_set():
                raise self._lost("closed")
            if isinstance(data, AskFeature):
                self._ask(data)
                return
            try:
                n_bytes = self._send(data)
            except USBError as why:
                if why.errno == errno.ETIMEDOUT:
                    raise self._lost(f"took no report for {self._which.write_timeout_ms} ms") from why
                raise self._lost(_why_lost(why)) from why
        if n_bytes != len(data):
            raise self._lost(f"took {n_bytes} of {len(data)} bytes")

    def _send(self, data: bytes) -> int:
        if isinstance(data, SetFeature):
            return self._set_report(_FEATURE, data[0], data)
        if self._out is None:
            is_numbered = self._which.traffic is Traffic.IN_AND_NUMBERED_OUT
            return self._set_report(_OUTPUT, data[0] if is_numbered else 0, data)
        return self._out.write(data, self._which.write_timeout_ms)

    def _set_report(self, kind: int, report_id: int, data: bytes) -> int:
        """Report id 0 is none and not in the data (HID 1.11, 7.2.2); any other is the first byte too."""
        value = kind << 8 | report_id
        return self._device.ctrl_transfer(
            _TO_INTERFACE, _SET_REPORT, value, self._which.interface, bytes(data), self._which.write_timeout_ms
        )

    def _ask(self, question: AskFeature) -> None:
        value = _FEATURE << 8 | question[0]
        try:
            data = self._device.ctrl_transfer(
                _FROM_INTERFACE, _GET_REPORT, value, self._which.interface, len(question), CONTROL_MS
            )
        except USBError as why:
            if why.errno in (errno.ETIMEDOUT, errno.EPIPE):
                return
            raise self._lost(_why_lost(why)) from why
        self._answers.append(FeatureAnswer(data.tobytes()))

    def close(self) -> None:
        """Release the interface and close the device, once no transfer is under way. The kernel driver stays detached:
        nobody else is to speak to this interface, and plugging in again brings it back."""
        if self._end_reads is not None and not self._closing.is_set():
            self._closing.set()
            self._end_reads(self._device.bus, self._device.address)
        self._closing.set()
        with self._reading, self._writing:
            if not self._is_disposed:
                self._is_disposed = True
                usb.util.dispose_resources(self._device)

    # -- opening -----------------------------------------------------------------------------------------------------

    def _claim(self) -> tuple[Endpoint | None, Endpoint | None]:
        number = self._which.interface
        self._let_go_by_kernel(number)
        self._be_configured()
        endpoints = [
            end
            for interface in self._device.get_active_configuration()
            if (interface.bInterfaceNumber, interface.bAlternateSetting) == (number, 0)
            for end in interface
            if end.bmAttributes & _TYPE_MASK == _INTERRUPT
        ]
        ends_in = [end for end in endpoints if end.bEndpointAddress & _IN_BIT]
        ends_out = [end for end in endpoints if not end.bEndpointAddress & _IN_BIT]
        traffic = self._which.traffic
        reads = traffic in (Traffic.IN_AND_OUT, Traffic.IN_AND_NUMBERED_OUT)
        needs_out = traffic in (Traffic.IN_AND_OUT, Traffic.OUT_ONLY)
        if (needs_out and not ends_out) or (reads and not ends_in):
            raise WireUnavailable(
                f"{self._which.title} {self._where}: interface {number} lacks the interrupt endpoints of this model"
            )
        usb.util.claim_interface(self._device, number)
        writes = bool(ends_out) and traffic is not Traffic.FEATURES
        return (ends_in[0] if reads else None), (ends_out[0] if writes else None)

    def _let_go_by_kernel(self, number: int) -> None:
        try:
            if self._device.is_kernel_driver_active(number):
                self._device.detach_kernel_driver(number)
        except NotImplementedError:
            return  # there is no kernel driver to detach on such a system
        except USBError as why:
            # Between question and detaching it may have gone by itself; a platform may know no such thing.
            if why.errno not in (errno.ENOENT, errno.ENODATA, errno.ENOSYS):
                raise

    def _be_configured(self) -> None:
        """Setting the configuration again would reset the device and needs all its interfaces; so only if none is."""
        try:
            self._device.get_active_configuration()
        except USBError as why:
            if why.errno is not None:
                raise
            self._device.set_configuration()

    # -- reading -----------------------------------------------------------------------------------------------------

    def _read_once(self, end: Endpoint, wait_s: float) -> bytes:
        began_s = time.monotonic()
        try:
            # An interrupt transfer ends with its first packet that is not full, so ask for one packet, not for more.
            return end.read(end.wMaxPacketSize, _ms(wait_s)).tobytes()
        except USBError as why:
            if why.errno != errno.ETIMEDOUT:
                raise self._lost("closed" if self._closing.is_set() else _why_lost(why)) from why
        # A system that says "time-out" at once must not keep this thread busy.
        self._closing.wait(max(wait_s - (time.monotonic() - began_s), 0.0))
        return b""

    def _wait_present(self, wait_s: float) -> bytes:
        self._closing.wait(wait_s)
        if not self._closing.is_set() and time.monotonic() >= self._presence_due_s:
            self._presence_due_s = time.monotonic() + PRESENCE_S
            try:
                _ask_status(self._device)
            except USBError as why:
                # 110: no answer in time; 32: it refuses the question, so it is there.
                if why.errno not in (errno.ETIMEDOUT, errno.EPIPE):
                    raise self._lost(_why_lost(why)) from why
        return b""

    def _lost(self, reason: str) -> WireLost:
        return WireLost(f"{self._which.title} {self._where}: {reason}")


def _ms(wait_s: float) -> int:
    """Milliseconds for pyusb, where 0 would mean for ever."""
    return max(int(wait_s * 1000), 1)


def _ask_status(device: Device) -> None:
    device.ctrl_transfer(_DEVICE_TO_HOST, _GET_STATUS, 0, 0, _STATUS_BYTES, CONTROL_MS)


def _libusb() -> IBackend | None:
    """One for all threads. pyusb 1.3 makes it at the first question, and would make two where two threads ask at once:
    the one that is thrown away takes the devices that were found by it with it, and the process crashes."""
    with _MAKING_LIBUSB:
        return usb.backend.libusb1.get_backend()


def _devices(backend: IBackend | None) -> Iterator[Device]:
    chosen = backend if backend is not None else _libusb()
    if chosen is None:
        raise WireUnavailable("no USB library on this machine: install libusb 1.0 (Debian: libusb-1.0-0)")
    try:
        yield from usb.core.find(find_all=True, backend=chosen)
    except USBError as why:
        raise WireUnavailable(f"USB cannot be listed: {_why_lost(why)}") from why


def _find(which: UsbId, backend: IBackend | None) -> Device:
    found = [
        device
        for device in _devices(backend)
        if device.idVendor == which.vendor_id
        and device.idProduct in which.product_ids
        and which.port_path in ("", path_of(device))
    ]
    if which.serial:
        found = [device for device in found if _serial_number(which, device) == which.serial]
    if not found:
        raise WireUnavailable(f"{which} is not plugged in")
    if len(found) > 1:
        places = ", ".join(sorted(path_of(device) for device in found))
        raise WireUnavailable(f"{len(found)} devices are {which} (at {places}): say which by serial or port_path")
    return found[0]


def _serial_number(which: UsbId, device: Device) -> str | None:
    """Opens the device, and closes it again. Raises `WireUnavailable` when it may not be asked."""
    try:
        # pyusb hides why a string cannot be read; this question first gives the true reason.
        _ask_status(device)
        return device.serial_number
    except USBError as why:
        if why.errno == errno.ENODEV:
            return None
        where = f"{device.idVendor:04x}:{device.idProduct:04x} at {path_of(device)}"
        raise WireUnavailable(_why_not(why, which, where)) from why
    except ValueError:
        return None  # the device has no strings at all
    finally:
        usb.util.dispose_resources(device)


def _node(device: Device) -> str:
    """Where Linux has a device: usbfs."""
    return f"/dev/bus/usb/{device.bus:03}/{device.address:03}"


def _why_not(why: USBError, which: UsbId, where: str, node: str | None = None) -> str:
    match why.errno:
        case errno.EBUSY:
            holder = "another process" if node is None else who_has(node, but_us=1)
            reason = f"interface {which.interface} is in use by {holder}; end that one first"
        case errno.EACCES | errno.EPERM:
            rule = f'SUBSYSTEM=="usb", ATTR{{idVendor}}=="{which.vendor_id:04x}", MODE="0660", GROUP="plugdev"'
            reason = f"no permission; add a udev rule: {rule}"
        case errno.ENODEV | errno.ENOENT:
            reason = "unplugged while it was opened"
        case _:
            reason = f"cannot be opened: {_why_lost(why)}"
    return f"{which.title} {where}: {reason}"


def _why_lost(why: USBError) -> str:
    if why.errno is None:
        return why.strerror or "USB error"
    if why.errno == errno.ENODEV:
        return "unplugged"
    return f"{why.strerror or os.strerror(why.errno)} (errno {why.errno})"
