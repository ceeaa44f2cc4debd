"""The way to USB: the machine's own, or devices that another process serves. Only this module knows pyusb's names."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final, TypeAlias

from usb.backend import IBackend
from usb.core import USBError, USBTimeoutError

UsbBackend: TypeAlias = IBackend
#: What a backend has to raise, since it is what pyusb expects of one.
UsbError: TypeAlias = USBError
UsbTimeout: TypeAlias = USBTimeoutError
#: The group of entry points in which a package announces a backend of its own: the name is the scheme of an address,
#: the value makes the backend of what stands after the colon.
GROUP: Final = "tablectl.usb"


def usb_backend(address: str | None) -> UsbBackend | None:
    """The backend for a configured address, `unix:/path` as simulators serve one; None is the machine's own USB
    (libusb 1.0).

    Raises `ValueError` for an address of another form, and where the package that knows it is not installed.
    """
    if address is None:
        return None
    scheme, _, place = address.partition(":")
    if not place:
        raise ValueError(f"USB address {address!r} is not of the form unix:/path/of/socket")
    for point in entry_points(group=GROUP, name=scheme):
        made = point.load()(place)
        if not isinstance(made, IBackend):
            raise TypeError(f"{point.value} of {GROUP} makes no USB backend")
        return made
    raise ValueError(
        f"USB address {address!r}: nothing that is installed here reaches {scheme}: leave it out for this machine's own"
        " USB; devices of the simulators, where these are installed, are at unix:/path/of/socket"
    )
