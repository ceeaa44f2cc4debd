"""How everything is at this moment, as one JSON object: what `{"ask": "devices"}` is answered with.

Identities of devices are here, those of cards and tags never: a port counts what passes through it, and keeps none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from drivers.health import DeviceHealth
from drivers.registry import DRIVERS
from tablectl.config.devices import Device
from tablectl.core.disk_room import Space
from tablectl.core.timestamps import time_text
from tablectl.table.disk_space import told


def device_rows(devices: Iterable[Device], healths: Iterable[DeviceHealth]) -> list[dict[str, Any]]:
    """One row a device, in the order of the configuration. Counts that a driver does not keep are None; so is when a
    device was `heard`, where it never was."""
    by_name = {health.device: health for health in healths}
    return [
        {
            "role": device.role,
            "name": device.name,
            "driver": device.driver,
            "speaks": not DRIVERS[device.driver].never_speaks,
            **_row(by_name[device.name]),
        }
        for device in devices
    ]


def report(
    devices: Iterable[Device],
    healths: Iterable[DeviceHealth],
    *,
    now_us: int,
    started_us: int,
    troubles: Sequence[str],
    disks: Sequence[Space] = (),
    memory_bytes: int,
    records: int,
    hands: int,
    play: Mapping[str, Any],
    incidents: Mapping[str, int],
) -> dict[str, Any]:
    """The whole. `disks`: the room that is left, as far as it is known; `memory_bytes`: what the controller has;
    `records`: the journal's position; `hands`: how many are over, since the journal began; `play`: which hand is open
    and in which phase, or comes next; `incidents`: how many a clause, since the controller was started."""
    return {
        "ok": True,
        "at": time_text(now_us),
        "started": time_text(started_us),
        "devices": device_rows(devices, healths),
        "troubles": list(troubles),
        "disks": told(disks),
        "memory_bytes": memory_bytes,
        "records": records,
        "hands": hands,
        "play": dict(play),
        "incidents": dict(sorted(incidents.items())),
    }


def _row(health: DeviceHealth) -> dict[str, Any]:
    return {
        "state": health.state.value,
        "since": time_text(health.since_us),
        "identity": health.identity,
        "answered": health.answered,
        "heard": None if health.heard_us is None else time_text(health.heard_us),
        "is_heard": health.is_heard,
        "bytes_in": health.bytes_in,
        "bytes_out": health.bytes_out,
        "frames": health.frames,
        "facts": health.facts,
        "garbage_bytes": health.garbage_bytes,
        "rejects": [[reason, count] for reason, count in health.rejects],
        "retries": health.retries,
        "reconnects": health.reconnects,
        "last_error": health.last_error,
    }
