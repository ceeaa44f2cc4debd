"""How devices are, as a controller says it: one device in each state, and antennas that are well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from drivers.health import DeviceHealth, DeviceState
from tablectl.config.devices import Device
from tablectl.core.disk_room import Holds, Space, Urgency
from tablectl.table.report import report

#: 2026-11-21, half past ten in the evening in Madrid.
SINCE_US: Final = 1_795_296_600_000_000
NOW_US: Final = SINCE_US + 3_600_000_000
WELL: Final = DeviceHealth(
    device="",
    state=DeviceState.READY,
    since_us=SINCE_US,
    is_open=True,
    identity="",
    answered="",
    facts=1,
    frames=None,
    retries=None,
    rejects=(),
    garbage_bytes=0,
    bytes_in=0,
    bytes_out=0,
    heard_us=None,
    is_heard=False,
    reconnects=0,
    last_error=None,
)
SHOE: Final = replace(
    WELL,
    device="sabot",
    state=DeviceState.SILENT,
    identity="/dev/serial/by-id/usb-FTDI_FT232R-if00-port0",
    frames=1_204,
    retries=17,
    facts=1_187,
    bytes_in=14_448,
    heard_us=SINCE_US,
    bytes_out=96,
    garbage_bytes=3,
    rejects=(("frame cut short", 1),),
    last_error="PN532 reader of tags does not answer",
)
PANEL: Final = replace(
    WELL,
    device="panel",
    state=DeviceState.LOST,
    identity="05f3:0405 at 1-2.3",
    answered="X-keys XK-24 05f3:0405, firmware 38, unit 0",
    frames=812,
    retries=0,
    facts=96,
    bytes_in=29_232,
    heard_us=SINCE_US,
    bytes_out=4_400,
    reconnects=2,
    last_error="X-keys XK-24 05f3:0405 at 1-2.3: unplugged",
)
LIGHT: Final = replace(
    WELL,
    device="light",
    state=DeviceState.REFUSED,
    facts=0,
    last_error="PATLITE LR6-USB 191a:8003 at 1-2.4: interface 0 is in use by another process; end that one first",
)
FIELD: Final = replace(
    WELL,
    device="antenna-1",
    state=DeviceState.FOREIGN,
    identity="/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0",
    frames=0,
    retries=6,
    facts=0,
    bytes_in=5_120,
    heard_us=NOW_US,
    is_heard=True,
    bytes_out=1_890,
    garbage_bytes=5_120,
    rejects=(("no start of a frame", 212), ("wrong length checksum", 9)),
    last_error="no start of a frame",
)
ANTENNA: Final = replace(
    WELL,
    device="antenna-2",
    identity="/dev/serial/by-path/pci-0000:00:14.0-usb-0:3:1.0",
    answered="PN532 firmware 1.6",
    frames=1_048_211,
    retries=2,
    facts=644,
    bytes_in=16_771_376,
    bytes_out=14_674_954,
    heard_us=NOW_US,
    is_heard=True,
)
#: A shoe whose wire is open, and that has had nothing to say.
NEW_SHOE: Final = replace(WELL, device="sabot-2", identity="/dev/serial/by-id/usb-FTDI_FT232R-if01-port0")
#: One in each state.
ALL_STATES: Final = (SHOE, PANEL, LIGHT, FIELD, ANTENNA)
#: A disk that lasts for a year.
ROOM: Final = Space(
    holds=Holds.JOURNAL, path="/var/lib/tablectl/mesa-1", free_bytes=90_000_000_000, days=400.0, urgency=Urgency.NONE
)
_KINDS: Final = {
    "sabot": ("shoe", "rfid-shoe-pn532"),
    "panel": ("panel", "xkeys-xk24"),
    "light": ("light", "patlite-lr6"),
    "sabot-2": ("shoe", "angel-eye"),
}


def told(
    healths: Sequence[DeviceHealth],
    *,
    troubles: Sequence[str] = (),
    disks: Sequence[Space] = (ROOM,),
    memory_bytes: int = 56_000_000,
) -> dict[str, Any]:
    """What the controller answers."""
    devices = [
        Device(name=health.device, role=role, driver=driver, settings={})
        for health in healths
        for role, driver in (_KINDS.get(health.device, ("antennas", "pn532")),)
    ]
    return report(
        devices,
        healths,
        now_us=NOW_US,
        started_us=SINCE_US,
        troubles=troubles,
        disks=disks,
        memory_bytes=memory_bytes,
        records=90_412,
        hands=1_204,
        play={"hand": 1, "is_open": False, "phase": "closed"},
        incidents={"THB-ERR-4": 3, "THB-SAB-1": 1},
    )
