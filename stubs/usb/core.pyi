# What drivers/transport uses of pyusb 1.x, typed from its documented behaviour (pyusb ships no types).
from array import array
from collections.abc import Callable, Iterator
from typing import overload

from usb.backend import IBackend

class USBError(OSError):
    backend_error_code: int | None
    def __init__(self, strerror: str, error_code: int | None = None, errno: int | None = None) -> None: ...

class USBTimeoutError(USBError): ...
class NoBackendError(ValueError): ...

class Endpoint:
    bEndpointAddress: int
    bmAttributes: int
    wMaxPacketSize: int
    bInterval: int
    def read(self, size_or_buffer: int, timeout: int | None = None) -> array[int]: ...
    def write(self, data: bytes, timeout: int | None = None) -> int: ...

class Interface:
    bInterfaceNumber: int
    bAlternateSetting: int
    def __iter__(self) -> Iterator[Endpoint]: ...

class Configuration:
    bConfigurationValue: int
    def __iter__(self) -> Iterator[Interface]: ...

class Device:
    idVendor: int
    idProduct: int
    bcdDevice: int
    iSerialNumber: int
    bus: int | None
    address: int | None
    port_numbers: tuple[int, ...] | None
    @property
    def serial_number(self) -> str | None: ...
    def set_configuration(self, configuration: int | None = None) -> None: ...
    def get_active_configuration(self) -> Configuration: ...
    # A host-to-device transfer has bytes and returns how many were taken; the other way a length, and what came.
    @overload
    def ctrl_transfer(
        self,
        bmRequestType: int,
        bRequest: int,
        wValue: int,
        wIndex: int,
        data_or_wLength: bytes,
        timeout: int | None = None,
    ) -> int: ...
    @overload
    def ctrl_transfer(
        self,
        bmRequestType: int,
        bRequest: int,
        wValue: int = 0,
        wIndex: int = 0,
        data_or_wLength: int | None = None,
        timeout: int | None = None,
    ) -> array[int]: ...
    def is_kernel_driver_active(self, interface: int) -> bool: ...
    def detach_kernel_driver(self, interface: int) -> None: ...

def find(
    *,
    find_all: bool = False,
    backend: IBackend | None = None,
    custom_match: Callable[[Device], bool] | None = None,
) -> Iterator[Device]: ...
