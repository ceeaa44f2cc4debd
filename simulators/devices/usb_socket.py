"""A pyusb backend that reaches USB devices served by another process over a Unix socket.

It exists so that the very same controller runs against simulated devices, on any machine and without libusb. It behaves
as libusb does: the same error numbers, time-outs in milliseconds, 0 for ever. A server that is gone has no devices, and
what was open there is lost (errno 19). The format is in `usb_socket_format`.

Each endpoint of an open handle has a connection of its own, so a read that waits never delays a write.
"""

from __future__ import annotations

import errno
import os
import socket
import threading
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from drivers.transport.backend import UsbBackend, UsbError, UsbTimeout
from drivers.transport.base import WireLost
from simulators.devices.usb_socket_format import (
    DeviceDescriptor,
    EndpointDescriptor,
    FormatError,
    Header,
    InterfaceDescriptor,
    receive_message,
    send_message,
)

_IN_BIT: Final = 0x80
#: Longest wait for the server to answer what does not wait for a device, in seconds. Our choice.
ANSWER_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class _DeviceView:
    """A device descriptor under the names that pyusb reads."""

    seen: DeviceDescriptor
    bLength: int = 18
    bDescriptorType: int = 1
    bcdUSB: int = 0x0200
    bDeviceClass: int = 0
    bDeviceSubClass: int = 0
    bDeviceProtocol: int = 0
    bMaxPacketSize0: int = 64
    iManufacturer: int = 0
    iProduct: int = 0
    bNumConfigurations: int = 1
    speed: int | None = None

    @property
    def idVendor(self) -> int:
        return self.seen.vendor_id

    @property
    def idProduct(self) -> int:
        return self.seen.product_id

    @property
    def bcdDevice(self) -> int:
        return self.seen.release

    @property
    def iSerialNumber(self) -> int:
        return self.seen.serial_index

    @property
    def bus(self) -> int:
        return self.seen.bus

    @property
    def address(self) -> int:
        return self.seen.address

    @property
    def port_number(self) -> int | None:
        return self.seen.ports[-1] if self.seen.ports else None

    @property
    def port_numbers(self) -> tuple[int, ...] | None:
        return self.seen.ports or None


@dataclass(frozen=True, slots=True)
class _ConfigurationView:
    """The one configuration, under the names that pyusb reads."""

    bNumInterfaces: int
    bLength: int = 9
    bDescriptorType: int = 2
    wTotalLength: int = 9
    bConfigurationValue: int = 1
    iConfiguration: int = 0
    bmAttributes: int = 0x80
    bMaxPower: int = 50
    extra_descriptors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _InterfaceView:
    """An interface descriptor under the names that pyusb reads."""

    bInterfaceNumber: int
    bNumEndpoints: int
    bInterfaceClass: int
    bLength: int = 9
    bDescriptorType: int = 4
    bAlternateSetting: int = 0
    bInterfaceSubClass: int = 0
    bInterfaceProtocol: int = 0
    iInterface: int = 0
    extra_descriptors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _EndpointView:
    """An endpoint descriptor under the names that pyusb reads."""

    bEndpointAddress: int
    bmAttributes: int
    wMaxPacketSize: int
    bInterval: int
    bLength: int = 7
    bDescriptorType: int = 5
    bRefresh: int = 0
    bSynchAddress: int = 0
    extra_descriptors: tuple[int, ...] = ()


class _Connection:
    """One connection; one request at a time."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(ANSWER_S)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise

    def ask(self, header: Header, body: bytes = b"", *, wait_ms: int | None = None) -> tuple[dict[str, Any], bytes]:
        """Ask and wait for the answer: `wait_ms` for the device (0: for ever) besides the server's own time.

        Raises `UsbError`: what the device said, and errno 19 when the server is gone.
        """
        with self._lock:
            self._socket.settimeout(None if wait_ms == 0 else ANSWER_S + (wait_ms or 0) / 1000)
            try:
                send_message(self._socket, header, body)
                reply, data = receive_message(self._socket)
            except (OSError, WireLost, FormatError) as why:
                # After half an answer the connection is of no use: what follows would be taken for something else.
                self._socket.close()
                raise _usb_error(errno.ENODEV, f"USB socket: {why}") from why
        if reply.get("errno"):
            raise _usb_error(int(reply["errno"]), str(reply.get("error", "")))
        return reply, data

    def hang_up(self) -> None:
        """Whoever waits for an answer, or asks from now on, is told that the server is gone."""
        with suppress(OSError):  # it is gone
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._socket.close()


def _usb_error(number: int, sentence: str) -> UsbError:
    kind = UsbTimeout if number == errno.ETIMEDOUT else UsbError
    return kind(sentence or os.strerror(number), number, number)


class _Handle:
    """An open device: its control connection and one more for each endpoint that is used."""

    def __init__(self, path: str, device: int) -> None:
        self._path = path
        self._control = _Connection(path)
        try:
            reply, _ = self._control.ask({"op": "open", "device": device})
        except UsbError:
            self._control.close()
            raise
        self._handle = int(reply["handle"])
        self._lock = threading.Lock()
        self._of_endpoint: dict[int, _Connection] = {}
        self._has_no_reads = False

    def control(self, header: Header, body: bytes = b"", *, wait_ms: int | None = None) -> tuple[dict[str, Any], bytes]:
        return self._control.ask(header, body, wait_ms=wait_ms)

    def endpoint(self, address: int) -> _Connection:
        with self._lock:
            if self._has_no_reads and address & _IN_BIT:
                raise _usb_error(errno.ENODEV, "its reads were ended")
            connection = self._of_endpoint.get(address)
            if connection is None:
                connection = _connect(self._path)
                connection.ask({"op": "attach", "handle": self._handle})
                self._of_endpoint[address] = connection
            return connection

    def end_reads(self) -> None:
        with self._lock:
            self._has_no_reads = True
            for address, connection in self._of_endpoint.items():
                if address & _IN_BIT:
                    connection.hang_up()

    def close(self) -> None:
        with self._lock:
            for connection in self._of_endpoint.values():
                connection.close()
            self._of_endpoint.clear()
        self._control.close()


def _connect(path: str) -> _Connection:
    try:
        return _Connection(path)
    except OSError as why:
        raise _usb_error(errno.ENODEV, f"USB socket {path}: {why.strerror}") from why


class UsbSocketBackend(UsbBackend):
    """The devices served at `path`. Method names and arguments are pyusb's (`usb.backend.IBackend`)."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        #: by bus and address
        self._opened: dict[tuple[int | None, int | None], _Handle] = {}

    def enumerate_devices(self) -> Iterator[DeviceDescriptor]:
        """The devices that are plugged in now; none when nobody serves the socket."""
        try:
            connection = _Connection(self._path)
        except OSError:
            return
        try:
            reply, _ = connection.ask({"op": "enumerate"})
        except UsbError:
            return
        finally:
            connection.close()
        for seen in reply["devices"]:
            yield DeviceDescriptor.from_json(seen)

    def get_parent(self, dev: DeviceDescriptor) -> None:
        """Hubs are not served."""

    # -- descriptors: all in what `enumerate` said -------------------------------------------------------------------

    def get_device_descriptor(self, dev: DeviceDescriptor) -> _DeviceView:
        return _DeviceView(dev)

    def get_configuration_descriptor(self, dev: DeviceDescriptor, config: int) -> _ConfigurationView:
        if config != 0:
            raise IndexError(f"no configuration with index {config}")
        return _ConfigurationView(bNumInterfaces=len(dev.interfaces))

    def get_interface_descriptor(self, dev: DeviceDescriptor, intf: int, alt: int, config: int) -> _InterfaceView:
        interface = self._interface(dev, intf, alt, config)
        return _InterfaceView(
            bInterfaceNumber=interface.number,
            bNumEndpoints=len(interface.endpoints),
            bInterfaceClass=interface.class_code,
        )

    def get_endpoint_descriptor(
        self, dev: DeviceDescriptor, ep: int, intf: int, alt: int, config: int
    ) -> _EndpointView:
        endpoint: EndpointDescriptor = self._interface(dev, intf, alt, config).endpoints[ep]
        return _EndpointView(
            bEndpointAddress=endpoint.address,
            bmAttributes=endpoint.attributes,
            wMaxPacketSize=endpoint.max_packet_bytes,
            bInterval=endpoint.interval,
        )

    @staticmethod
    def _interface(dev: DeviceDescriptor, intf: int, alt: int, config: int) -> InterfaceDescriptor:
        if alt != 0 or config != 0:
            raise IndexError(f"no alternate setting {alt} in configuration {config}")
        return dev.interfaces[intf]

    # -- handles -----------------------------------------------------------------------------------------------------

    def open_device(self, dev: DeviceDescriptor) -> _Handle:
        try:
            handle = _Handle(self._path, dev.device)
        except UsbError:
            raise
        except OSError as why:
            raise _usb_error(errno.ENODEV, f"USB socket {self._path}: {why.strerror}") from why
        with self._lock:
            self._opened[dev.bus, dev.address] = handle
        return handle

    def close_device(self, dev_handle: _Handle) -> None:
        with self._lock:
            self._opened = {place: handle for place, handle in self._opened.items() if handle is not dev_handle}
        dev_handle.close()

    def end_reads(self, bus: int | None, address: int | None) -> None:
        """A read that waits for this device waits no more. Writes go on."""
        with self._lock:
            handle = self._opened.get((bus, address))
        if handle is not None:
            handle.end_reads()

    def set_configuration(self, dev_handle: _Handle, config_value: int) -> None:
        dev_handle.control({"op": "set_configuration", "value": config_value})

    def get_configuration(self, dev_handle: _Handle) -> int:
        reply, _ = dev_handle.control({"op": "configuration"})
        return int(reply["value"])

    def set_interface_altsetting(self, dev_handle: _Handle, intf: int, altsetting: int) -> None:
        """There is only setting 0."""
        if altsetting != 0:
            raise _usb_error(errno.EINVAL, f"no alternate setting {altsetting}")

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.control({"op": "claim", "interface": intf})

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.control({"op": "release", "interface": intf})

    def is_kernel_driver_active(self, dev_handle: _Handle, intf: int) -> bool:
        reply, _ = dev_handle.control({"op": "driver_active", "interface": intf})
        return bool(reply["active"])

    def detach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.control({"op": "detach_driver", "interface": intf})

    def attach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        dev_handle.control({"op": "attach_driver", "interface": intf})

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        dev_handle.control({"op": "clear_halt", "endpoint": ep})

    def reset_device(self, dev_handle: _Handle) -> None:
        dev_handle.control({"op": "reset"})

    # -- transfers ---------------------------------------------------------------------------------------------------

    def intr_read(self, dev_handle: _Handle, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        header = {"op": "read", "endpoint": ep, "size": len(buff), "timeout_ms": timeout}
        _, data = dev_handle.endpoint(ep).ask(header, wait_ms=timeout)
        buff[: len(data)] = array("B", data)
        return len(data)

    def intr_write(self, dev_handle: _Handle, ep: int, intf: int, data: array[int], timeout: int) -> int:
        header = {"op": "write", "endpoint": ep, "timeout_ms": timeout}
        dev_handle.endpoint(ep).ask(header, data.tobytes(), wait_ms=timeout)
        return len(data)

    def bulk_read(self, dev_handle: _Handle, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        return self.intr_read(dev_handle, ep, intf, buff, timeout)

    def bulk_write(self, dev_handle: _Handle, ep: int, intf: int, data: array[int], timeout: int) -> int:
        return self.intr_write(dev_handle, ep, intf, data, timeout)

    def ctrl_transfer(
        self,
        dev_handle: _Handle,
        bmRequestType: int,
        bRequest: int,
        wValue: int,
        wIndex: int,
        data: array[int],
        timeout: int,
    ) -> int:
        is_in = bool(bmRequestType & 0x80)
        header = {
            "op": "control",
            "request_type": bmRequestType,
            "request": bRequest,
            "value": wValue,
            "index": wIndex,
            "size": len(data),
            "timeout_ms": timeout,
        }
        _, brought = dev_handle.control(header, b"" if is_in else data.tobytes(), wait_ms=timeout)
        if is_in:
            data[: len(brought)] = array("B", brought)
            return len(brought)
        return len(data)
