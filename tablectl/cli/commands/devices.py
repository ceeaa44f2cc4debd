"""`tablectl devices [CONFIG]`: what is plugged in, which driver takes it; with a configuration, how each device is.

Where the table's controller runs it is asked, since the ports are its own; where it does not, they are opened here.
"""

from __future__ import annotations

import argparse
import queue
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from drivers import facts as device
from drivers.health import DeviceHealth, DeviceState
from drivers.registry import DRIVERS
from drivers.transport.backend import usb_backend
from drivers.transport.base import WireUnavailable
from drivers.transport.serial import ports_found
from drivers.transport.usb import plugged_in
from tablectl.api.client import NoController, ask
from tablectl.config.table_file import Config, load
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.texts import Texts, load_texts
from tablectl.ops.log import SilentLog
from tablectl.table.devices.devices import Devices
from tablectl.table.report import device_rows

#: How long the devices of a configuration have to answer, in seconds.
ANSWER_S: Final = 3.0
#: How many reasons for rejected bytes are shown, the most frequent ones.
REASONS_SHOWN: Final = 3
_HEAD: Final = ("role", "name", "driver", "state", "since", "frames", "facts", "garbage", "retries", "reconnects")
#: The first column that holds a number.
_NUMBERS: Final = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Perhaps a configuration."""
    parser.add_argument("config", metavar="CONFIG", nargs="?", type=Path, help="open the devices of this table")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where a configured device is not ready; 2 for a wrong configuration."""
    if args.config is None:
        print("\n".join(_found(None)))
        return 0
    config = load(args.config)
    print("\n".join(_found(config.usb_bus)))
    told = _told(config)
    whose = "opened here: no controller runs" if told is None else "told by its controller"
    rows = device_rows(config.devices, _asked(config)) if told is None else told["devices"]
    print(f"devices of {config.setup.table}, {whose}:")
    print("\n".join(_table(rows)))
    for trouble in told["troubles"] if told is not None else ():
        print(f"  ! {trouble}")
    return 0 if all(row["state"] == DeviceState.READY for row in rows) else 1


def _told(config: Config) -> dict[str, Any] | None:
    """What the controller says; None where none runs that knows."""
    try:
        said = ask(config.socket, {"ask": "devices"})
    except NoController:
        return None
    return said if said.get("ok") is True else None


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """One line a device, with columns; below it who it is, what went wrong last, and what to do."""
    texts = load_texts()
    lines = [_HEAD, *(_cells(row, texts.text("device-health", row["state"], SOURCE)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line, row in zip(lines, (None, *rows), strict=True):
        cells = [
            cell.rjust(width) if n >= _NUMBERS else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()
        if row is not None:
            yield from _below(row, texts)


def _cells(row: Mapping[str, Any], state: str) -> tuple[str, ...]:
    counts = ("frames", "facts", "garbage_bytes", "retries", "reconnects")
    numbers = ("—" if row[name] is None else str(row[name]) for name in counts)
    return (
        row["role"],
        row["name"],
        row["driver"],
        state.upper() if row["state"] != "ready" else state,
        _here(row["since"]),
        *numbers,
    )


def _heard(row: Mapping[str, Any], texts: Texts) -> str:
    """When it said something last. One that is ready and said nothing is not in trouble for that."""
    if row["heard"] is None and not row["speaks"]:
        return "never: it cannot answer"
    if row["state"] == DeviceState.READY and row["speaks"] and not row["is_heard"]:
        return f"nothing since it was connected. {texts.text('device-hint', 'unheard', SOURCE)}"
    return "never" if row["heard"] is None else _here(row["heard"])


def _here(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _below(row: Mapping[str, Any], texts: Texts) -> Iterator[str]:
    if row["identity"]:
        yield f"      at          {row['identity']}"
    if row["answered"]:
        yield f"      is          {row['answered']}"
    yield f"      heard       {_heard(row, texts)}"
    if row["last_error"]:
        yield f"      last error  {row['last_error']}"
    for reason, count in row["rejects"][:REASONS_SHOWN]:
        yield f"      rejected    {count} × {reason}"
    if row["state"] != DeviceState.READY:
        yield f"      do          {texts.text('device-hint', row['state'], SOURCE)}"


def _found(usb_bus: str | None) -> Iterator[str]:
    yield "serial ports:"
    ports = list(ports_found())
    for path, known in ports:
        yield f"  {path}  {known}"
    if not ports:
        yield "  none (a serial line says nothing of what is behind it: name it in the configuration)"
    yield f"USB devices{f' at {usb_bus}' if usb_bus else ''}:"
    try:
        found = list(plugged_in(usb_backend(usb_bus)))
    except WireUnavailable as wrong:
        yield f"  {wrong}"
        return
    takers = {ids: driver for driver in DRIVERS.values() for ids in driver.usb_ids}
    for vendor, product, place in found:
        driver = takers.get((vendor, product))
        yield f"  {vendor:04x}:{product:04x} at {place}  {f'{driver.id}: {driver.title}' if driver else 'no driver'}"
    if not found:
        yield "  none"


def _asked(config: Config) -> tuple[DeviceHealth, ...]:
    """Open every device, and wait until each one was found or lost, or time is up."""
    facts: queue.SimpleQueue[device.DeviceFact] = queue.SimpleQueue()
    devices = Devices(replace(config, trace=None), facts.put, SilentLog())
    answered: set[str] = set()
    devices.start()
    until_s = time.monotonic() + ANSWER_S
    while len(answered) < len(config.devices) and (left_s := until_s - time.monotonic()) > 0:
        try:
            fact = facts.get(timeout=left_s)
        except queue.Empty:
            break
        if isinstance(fact, device.Found | device.Lost):
            answered.add(fact.device)
    healths = devices.health()
    devices.close()
    return healths
