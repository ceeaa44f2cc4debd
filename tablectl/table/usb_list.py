"""Which USB devices may be at a table: those of the configuration's list, and the table's own; and how many of the
others are told of one by one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from drivers.registry import DRIVERS
from drivers.topology.identity import UsbIdentity
from tablectl.config.usb import UsbMatch
from tablectl.core.engine.vocabulary import Plug
from tablectl.core.security import AGAIN_US

#: So many foreign devices that come within `AGAIN_US` are facts of the table, each with its alarm: somebody who plugs
#: in what he should not is seen long before. A device that feigns to be another one every second is a count.
CAME_MOST: Final = 10


class UsbList:
    """`allowed`: the configuration's list. `own`: driver and settings of each of the table's devices, by its name.

    A device of the table that speaks USB itself is known by its driver's numbers and its own `serial` and `port_path`;
    one on a serial line by the path of its port, which is one of the paths that the adapter's port has.
    """

    def __init__(self, allowed: tuple[UsbMatch, ...], own: Mapping[str, tuple[str, Mapping[str, Any]]]) -> None:
        self._allowed = allowed
        self._matches = tuple(
            (
                name,
                UsbMatch(
                    vendor_id=vendor_id,
                    product_id=product_id,
                    serial=settings.get("serial", ""),
                    port_path=settings.get("port_path", ""),
                ),
            )
            for name, (driver, settings) in own.items()
            for vendor_id, product_id in DRIVERS[driver].usb_ids
        )
        self._ports = {settings["port"]: name for name, (_, settings) in own.items() if "port" in settings}

    def owner(self, what: UsbIdentity) -> str | None:
        """The table's name of the device, None where it is none of the table's."""
        for port, name in self._ports.items():
            if port in what.nodes or os.path.realpath(port) in what.nodes:
                return name
        return next((name for name, match in self._matches if match.fits(what)), None)

    def is_allowed(self, what: UsbIdentity) -> bool:
        """Whether this device may be here; whatever is not is foreign."""
        return self.owner(what) is not None or any(match.fits(what) for match in self._allowed)


class ForeignUsb:
    """Which changes of foreign devices are told of one by one. What came and was told of is told of when it goes."""

    def __init__(self) -> None:
        self._came_us: deque[int] = deque(maxlen=CAME_MOST)
        self._there: set[str] = set()

    def is_told(self, what: str, change: Plug, at_us: int) -> bool:
        """Whether this one is."""
        if change is Plug.UNPLUGGED:
            is_known = what in self._there
            self._there.discard(what)
            return is_known
        if len(self._came_us) == CAME_MOST and 0 <= at_us - self._came_us[0] < AGAIN_US:
            return False
        self._came_us.append(at_us)
        self._there.add(what)
        return True
