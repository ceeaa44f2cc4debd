"""What a port needs of a wire, whichever wire it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias


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
        """Write one item whole. Raises `WireLost`."""

    def close(self) -> None:
        """Close; a blocked `read` in another thread returns or raises `WireLost`. Never raises, may be called twice."""


#: Opens the wire by its stable identity; raises `WireUnavailable`.
WireOpener: TypeAlias = Callable[[], Wire]
