"""What all simulated readers of tags have in common."""

from __future__ import annotations

from typing import Protocol

from simulators.devices.wired import ProtocolDevice, WireProtocol


class ReaderProtocol(WireProtocol, Protocol):
    """What a reader hears and answers, sans-I/O."""

    def field_changed(self) -> None:
        """Cards were moved: an answer that waited for one may come."""


class ReaderSimulator(ProtocolDevice[ReaderProtocol]):
    """A whole reader, from any thread."""

    has_power_by_wire = True

    def look(self) -> None:
        """Cards were moved."""
        self._say(self._protocol.field_changed)
