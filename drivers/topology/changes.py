"""Which USB devices came and went, from what udev says (sans-I/O).

udev tells one thing many times, and others late: a device, then each of its interfaces, its serial ports up to 200 ms
after it and their links with them; what happened while a list was being made stands both in the list and after it.
So a device that came, or was there, is told of when nothing more was heard of it for `SETTLE_S`, one that went at once.
Nothing that was there is left out: one that went before it had settled is told of as come and gone.

Left out are root hubs (part of the machine), the interfaces of a device, and serial ports by themselves: they belong to
the device that brought them, whose identity names their paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from drivers.facts import UsbChange, UsbChanged
from drivers.topology.identity import UsbIdentity

#: How long nothing more must be heard of a device that came, in seconds. Ours: a serial port follows within 0.2 s.
SETTLE_S: Final = 0.5

#: The last part of a device's path: bus and ports. A root hub's is `usb1`.
_PORT_PATH: Final = re.compile(r"\d+-\d+(?:\.\d+)*")
#: The kernel's own `vendor/product/release`, hexadecimal without leading zeros.
_PRODUCT: Final = re.compile(r"([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/[0-9a-fA-F]{1,4}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What udev says of one device: its path below `/sys`, and its properties.

    Whoever asks udev adds `serial`, the attribute in sysfs, where there is one: udev's own `ID_SERIAL_SHORT` is the
    same with some characters replaced.
    """

    path: str
    properties: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Known:
    identity: UsbIdentity
    #: What is told of it.
    change: UsbChange
    #: Changes when a device is plugged in anew at the same place.
    number: str
    #: When it is told of (monotonic, seconds); None where that is done.
    due_s: float | None


class Topology:
    """What is plugged in. `now_s` is a monotonic clock in seconds, `at_us` the wall clock for facts only."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        #: Serial ports: path and links of each node, by the port's path below `/sys`.
        self._ports: dict[str, tuple[str, ...]] = {}
        self._is_listed = False

    def listed(self, found: Iterable[Report], *, now_s: float, at_us: int) -> Sequence[UsbChanged]:
        """All there is: the first time what was there before, later whatever was missed since the last list."""
        reports = list(found)
        paths = {device_report.path for device_report in reports}
        facts: list[UsbChanged] = []
        for path in [path for path in self._known if path not in paths]:
            facts += self._gone(path, at_us=at_us)
        change = UsbChange.PLUGGED if self._is_listed else UsbChange.PRESENT
        self._is_listed = True
        for report in reports:
            facts += self._there(report, change, now_s=now_s, at_us=at_us)
        return facts

    def heard(self, action: str, report: Report, *, now_s: float, at_us: int) -> Sequence[UsbChanged]:
        """One event. Unknown actions and devices that are none of ours change nothing."""
        if action == "remove":
            self._ports.pop(report.path, None)
            return self._gone(report.path, at_us=at_us)
        if action in ("add", "change", "bind", "online"):
            return self._there(report, UsbChange.PLUGGED, now_s=now_s, at_us=at_us)
        return ()

    def tick(self, *, now_s: float, at_us: int) -> Sequence[UsbChanged]:
        """Those that have settled."""
        facts = []
        for path, known in list(self._known.items()):
            if known.due_s is not None and known.due_s <= now_s:
                self._known[path] = replace(known, due_s=None)
                facts.append(_changed(known.change, known.identity, at_us))
        return facts

    def deadline_s(self) -> float | None:
        """When `tick` wants to be called (monotonic), or None."""
        return min((known.due_s for known in self._known.values() if known.due_s is not None), default=None)

    # -- what is there -----------------------------------------------------------------------------------------------

    def _there(self, report: Report, change: UsbChange, *, now_s: float, at_us: int) -> Sequence[UsbChanged]:
        if report.properties.get("SUBSYSTEM") == "tty":
            self._port(report, now_s=now_s)
            return ()
        identity = _identity(report)
        if identity is None:
            return ()
        number = report.properties.get("DEVNUM", "")
        known = self._known.get(report.path)
        facts: Sequence[UsbChanged] = ()
        if known is not None:
            if _is_same(known, identity, number):
                return ()
            facts = self._gone(report.path, at_us=at_us)  # its going was missed
        identity = replace(identity, nodes=self._nodes_below(report.path))
        self._known[report.path] = _Known(identity=identity, change=change, number=number, due_s=now_s + SETTLE_S)
        return facts

    def _port(self, report: Report, *, now_s: float) -> None:
        nodes = [report.properties.get("DEVNAME", ""), *report.properties.get("DEVLINKS", "").split()]
        self._ports[report.path] = tuple(node for node in nodes if node)
        owner = next((path for path in self._known if _is_own_port(report.path, path)), None)
        if owner is None:
            return
        known = self._known[owner]
        identity = replace(known.identity, nodes=self._nodes_below(owner))
        due_s = None if known.due_s is None else now_s + SETTLE_S
        self._known[owner] = replace(known, identity=identity, due_s=due_s)

    def _nodes_below(self, path: str) -> tuple[str, ...]:
        found = [nodes for port, nodes in self._ports.items() if _is_own_port(port, path)]
        return tuple(node for nodes in found for node in nodes)

    def _gone(self, path: str, *, at_us: int) -> Sequence[UsbChanged]:
        known = self._known.pop(path, None)
        if known is None:
            return ()
        self._ports = {port: nodes for port, nodes in self._ports.items() if not _is_own_port(port, path)}
        gone = _changed(UsbChange.UNPLUGGED, known.identity, at_us)
        if known.due_s is None:
            return (gone,)
        return (_changed(known.change, known.identity, at_us), gone)


def _is_same(known: _Known, identity: UsbIdentity, number: str) -> bool:
    had = known.identity
    is_model = (had.vendor_id, had.product_id) == (identity.vendor_id, identity.product_id)
    return is_model and number in ("", known.number)


def _is_own_port(port: str, path: str) -> bool:
    """Whether a serial port is one of this device's interfaces, and not of another device behind this hub."""
    name = path.rpartition("/")[2]
    return port.startswith(f"{path}/{name}:")


def _identity(report: Report) -> UsbIdentity | None:
    """None for what is no device on a port, or says no numbers."""
    said = report.properties
    name = report.path.rpartition("/")[2]
    if said.get("SUBSYSTEM") != "usb" or said.get("DEVTYPE") != "usb_device" or _PORT_PATH.fullmatch(name) is None:
        return None
    product = _PRODUCT.fullmatch(said.get("PRODUCT", ""))
    try:
        vendor_id, product_id = (
            (int(product[1], 16), int(product[2], 16))
            if product is not None
            else (int(said["ID_VENDOR_ID"], 16), int(said["ID_MODEL_ID"], 16))
        )
    except (KeyError, ValueError):
        return None
    serial = said.get("serial", said.get("ID_SERIAL_SHORT", ""))
    return UsbIdentity(vendor_id=vendor_id, product_id=product_id, port_path=name, serial=serial)


def _changed(change: UsbChange, identity: UsbIdentity, at_us: int) -> UsbChanged:
    return UsbChanged(at_us=at_us, change=change, identity=identity)
