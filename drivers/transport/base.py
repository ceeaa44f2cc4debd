"""What a port needs of a wire, whichever wire it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias


class SetFeature(bytes):
    """One HID feature report to write, report id first (HID 1.11, 7.2.2). An item of `take_outgoing` for USB wires."""


class AskFeature(bytes):
    """A question for one HID feature report (HID 1.11, 7.2.1): its report id, then as many bytes as it is long besides.

    What is in those bytes does not matter. The answer is read as a `FeatureAnswer`; a device that refuses the question
    or does not answer is silent.
    """


class FeatureAnswer(bytes):
    """What a device answered to `AskFeature`, report id first. Its type tells it from an input report."""


class WireUnavailable(Exception):
    """The wire cannot be opened now (not plugged in, busy, no right). The text is for a technician."""


class WireLost(Exception):
    """An open wire is gone: unplugged, other end closed, kernel error. The text is for a technician."""


class Wire(Protocol):
    """One open wire. One thread reads, another may write at the same time."""

    @property
    def identity(self) -> str:
        """What was opened, for people: path and, where known, VID:PID and serial number."""

    def read(self, timeout_s: float) -> bytes:
        """What has arrived: all that is there (serial) or one report (USB); `b""` when nothing came in time.

        A time-out is silence and never a fault (USB's errno 110 included). Raises `WireLost`.
        """

    def write(self, data: bytes) -> None:
        """Write one item whole. Raises `WireLost`.

        Plain bytes on every wire; on a USB wire also `SetFeature` and `AskFeature`.
        """

    def close(self) -> None:
        """Close; a blocked `read` in another thread returns or raises `WireLost`. Never raises, may be called twice.

        Waits until no other thread is inside a call, since a descriptor that is closed under one may be somebody
        else's by then. A call that hangs in the kernel makes this wait as long.
        """


#: Opens the wire by its stable identity; raises `WireUnavailable`.
WireOpener: TypeAlias = Callable[[], Wire]
