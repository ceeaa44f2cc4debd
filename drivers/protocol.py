"""The one contract between a device's bytes and the thread that moves them (sans-I/O).

A `DeviceProtocol` is a state machine without I/O and without a clock: the port feeds it what was read and asks it
what to write. It can therefore be driven by a test, by a trace, by a pty and by a real port alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from drivers.facts import DeviceFact


class DeviceProtocol(Protocol):
    """One device, from the moment its port opened. The port calls every method under one lock.

    `now_s` is a monotonic clock in seconds, for time-outs; `at_us` the wall clock in microseconds, for facts only.
    """

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """The port is open (again): queue what has to be said first, forget half-read frames."""

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        """The port is gone. Facts that follow from that (keys that were down come up; then `Lost`)."""

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Bytes as they came: any split, any junk. Never raises for what the wire said."""

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        """Time has passed: retries, time-outs. Raises `WireLost` where the device is mute: the port opens it anew."""

    def deadline_s(self) -> float | None:
        """When `tick` wants to be called (monotonic), or None."""

    def take_outgoing(self) -> Sequence[bytes]:
        """What has to be written now, one item a write (a USB report is one item), and forget it.

        HID feature reports are items of their own types: `SetFeature` and `AskFeature` in `drivers/transport/base.py`.
        """
