"""How the devices are: asked of the controller, for the technician's page and for metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import msgspec

from drivers.health import DeviceState
from tablectl.api import async_client
from tablectl.core.disk_room import Space
from tablectl.table.memory import MEMORY_ALARM_BYTES

ANSWER_WITHIN_S: Final = 2.0


class NoHealth(Exception):
    """The controller did not answer, or not with how its devices are."""


class Standing(StrEnum):
    """How a device is, as a page tells it, the worst first: its state, and of one that is ready whether it has said
    anything yet."""

    LOST = "lost"
    REFUSED = "refused"
    FOREIGN = "foreign"
    SILENT = "silent"
    #: Connected, and nothing came of it since. That is as it should be where nothing was to be said; nobody is alarmed.
    UNHEARD = "unheard"
    READY = "ready"


@dataclass(frozen=True, kw_only=True, slots=True)
class DeviceRow:
    """One device. Times are RFC 3339 UTC; counts are since the controller was started, None where nobody counts.
    `speaks`: it can say something; `heard`: when it last did, None for never; `is_heard`: since it was connected."""

    role: str
    name: str
    driver: str
    state: DeviceState
    since: str
    identity: str
    answered: str
    speaks: bool
    heard: str | None
    is_heard: bool
    bytes_in: int
    bytes_out: int
    frames: int | None
    facts: int
    garbage_bytes: int
    rejects: tuple[tuple[str, int], ...]
    retries: int | None
    reconnects: int
    last_error: str | None

    @property
    def standing(self) -> Standing:
        """What the page says that it is."""
        is_unheard = self.state is DeviceState.READY and self.speaks and not self.is_heard
        return Standing.UNHEARD if is_unheard else Standing(self.state)

    @property
    def stops_at(self) -> str | None:
        """Where what a device says stops on its way to the table; None where it is well."""
        if self.state is DeviceState.READY:
            return None
        if self.state in (DeviceState.LOST, DeviceState.REFUSED):
            return "wire"
        never_understood = self.bytes_in > 0 and self.frames == 0
        return "frames" if self.state is DeviceState.FOREIGN or never_understood else "bytes"


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    """Everything at one moment. `records` is the journal's position, `hands` how many are over since it began,
    `incidents` how many a clause since the controller was started."""

    at: str
    started: str
    devices: tuple[DeviceRow, ...]
    troubles: tuple[str, ...]
    disks: tuple[Space, ...] = ()
    memory_bytes: int
    records: int
    hands: int
    incidents: Mapping[str, int]

    @property
    def memory_megabytes(self) -> int:
        """What it has, in whole megabytes of a million bytes."""
        return self.memory_bytes // 1_000_000

    @property
    def has_much_memory(self) -> bool:
        """Whether the controller has more memory than one that is well."""
        return self.memory_bytes > MEMORY_ALARM_BYTES

    @property
    def standings(self) -> Mapping[Standing, int]:
        """How many devices are how, the worst first."""
        found = Counter(device.standing for device in self.devices)
        return {standing: found[standing] for standing in Standing if found[standing]}

    @property
    def worst_first(self) -> tuple[DeviceRow, ...]:
        """The devices, those that somebody has to look after before those that are well."""
        return tuple(sorted(self.devices, key=lambda device: _WORST_FIRST.index(device.standing)))


_WORST_FIRST: Final = tuple(Standing)


async def ask_health(socket: Path) -> Health:
    """How everything is now. Raises `NoHealth`."""
    try:
        return health_of(await async_client.ask(socket, {"ask": "devices"}, timeout_s=ANSWER_WITHIN_S))
    except (OSError, ValueError) as wrong:
        raise NoHealth(repr(wrong)) from None


def health_of(said: Mapping[str, Any]) -> Health:
    """What the controller says. Raises `ValueError` for nonsense."""
    return msgspec.convert(said, Health)
