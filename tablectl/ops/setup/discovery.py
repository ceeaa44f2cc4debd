"""What can be found out without asking: what is plugged in, the machine's time zone, the tables there are already."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from drivers.registry import DRIVERS
from drivers.transport.backend import usb_backend
from drivers.transport.base import WireUnavailable
from drivers.transport.serial import ports_found
from drivers.transport.usb import plugged_in
from tablectl.config.sections import SCREENS_PORT
from tablectl.core.toml_text import toml

#: The links that udev keeps to serial ports: by what an adapter says of itself, and by where it is plugged in.
SERIAL_LINKS: Final = Path("/dev/serial")
LOCALTIME: Final = Path("/etc/localtime")
#: Where the configurations of tables stand.
TABLES: Final = Path("/etc/tablectl")
EXAMPLE: Final = "example.toml"
_UTC: Final = frozenset({"UTC", "Etc/UTC", "Universal", "Zulu", "Etc/Universal", "Etc/Zulu"})
_ZONE: Final = re.compile(r".*/zoneinfo/(?:posix/|right/)?(.+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class SerialPort:
    """A serial port by a name that stays: `path`; `place`: by where it is plugged in, empty where nobody knows."""

    path: str
    place: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class UsbDevice:
    """A USB device that a driver takes, and where it is plugged in (`1-2.3`)."""

    driver: str
    port_path: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherTable:
    """A table that is configured on this machine already. `ports`: serial ports of its devices; `usb`: its USB devices,
    driver and port path, which is empty where it names none."""

    file: Path
    name: str
    screens_port: int
    ports: frozenset[str]
    usb: frozenset[tuple[str, str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What there is. `timezone` None where it cannot be told, or is UTC as on a machine that nobody set up yet."""

    ports: tuple[SerialPort, ...] = ()
    usb: tuple[UsbDevice, ...] = ()
    usb_trouble: str = ""
    timezone: str | None = None
    tables: tuple[OtherTable, ...] = ()

    def whose(self, port: str) -> str | None:
        """The other table that has this serial port."""
        return next((table.name for table in self.tables if port in table.ports), None)


def look(
    *,
    usb_bus: str | None = None,
    serial_links: Path = SERIAL_LINKS,
    tables: Path = TABLES,
    but: Path | None = None,
    localtime: Path = LOCALTIME,
) -> Found:
    """Look at this machine; opens no device. `usb_bus`: `unix:PATH` of simulated devices. `but`: the file that is
    written anew, whose table counts for none. Raises `ValueError` for a `usb_bus` of another form."""
    usb: tuple[UsbDevice, ...] = ()
    trouble = ""
    backend = usb_backend(usb_bus)
    takers = {ids: driver.id for driver in DRIVERS.values() for ids in driver.usb_ids}
    try:
        there = list(plugged_in(backend))
        usb = tuple(
            UsbDevice(driver=takers[vendor, product], port_path=place)
            for vendor, product, place in sorted(there, key=lambda row: row[2])
            if (vendor, product) in takers
        )
    except WireUnavailable as wrong:
        trouble = str(wrong)
    return Found(
        ports=tuple(_ports(serial_links)),
        usb=usb,
        usb_trouble=trouble,
        timezone=_timezone(localtime),
        tables=tuple(_tables(tables, but)),
    )


def _ports(links: Path) -> Iterator[SerialPort]:
    """Each port once: by id where an adapter has one, else by place, else (a port of the board) by its own name."""
    by: dict[str, dict[str, str]] = {"by-id": {}, "by-path": {}}
    for kind, known in by.items():
        folder = links / kind
        for link in sorted(folder.iterdir()) if folder.is_dir() else ():
            known.setdefault(os.path.realpath(link), str(link))
    for real in sorted({*by["by-id"], *by["by-path"]}, key=lambda name: (by["by-path"].get(name, ""), name)):
        place = by["by-path"].get(real, "")
        yield SerialPort(path=by["by-id"].get(real, place), place=place)
    if links == SERIAL_LINKS:
        for path, _ in ports_found():
            if path not in by["by-id"] and path not in by["by-path"]:
                yield SerialPort(path=path)


def _timezone(localtime: Path) -> str | None:
    """That of the environment, as for every program (tzset(3)), or else the machine's."""
    found = _ZONE.fullmatch(str(localtime.readlink())) if localtime.is_symlink() else None
    name = os.environ.get("TZ", "").removeprefix(":") or ("" if found is None else found[1])
    if not name or name in _UTC:
        return None
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _tables(folder: Path, but: Path | None) -> Iterator[OtherTable]:
    """As far as they can be read: a file with mistakes has its names all the same."""
    for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
        if path.name == EXAMPLE or path == but:
            continue
        try:
            raw = toml(path.read_bytes())
        except (OSError, ValueError):
            continue
        devices = [entry for entry in raw.get("device", []) if isinstance(entry, dict)]
        settings = [(str(device.get("driver", "")), _part(device, "settings")) for device in devices]
        port = _part(raw, "screens").get("port", SCREENS_PORT)
        yield OtherTable(
            file=path,
            name=str(_part(raw, "table").get("name", path.stem)),
            screens_port=port if isinstance(port, int) else SCREENS_PORT,
            ports=frozenset(str(entry["port"]) for _, entry in settings if "port" in entry),
            usb=frozenset(
                (driver, str(entry.get("port_path", ""))) for driver, entry in settings if "port" not in entry
            ),
        )


def _part(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = raw.get(name, {})
    return found if isinstance(found, dict) else {}
