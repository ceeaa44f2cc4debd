"""Alarms: what at a table wants somebody's eye, each in one state of its life. Pure: the clock is given.

The states are those of ISA-18.2 and IEC 62682: an alarm is active while its cause lasts, and it is unacknowledged until
somebody said that he knows of it; one whose cause ended before that is returned, but still unacknowledged. Somebody can
shelve it, with an end and a reason, and it comes back by itself at that end. Causes are incidents, devices that are
lost or that said something (`device_notes`), and disks that are almost full.

What a device only says is nobody's to acknowledge: it is there until the device is well or somebody shelves it, and
leaves nothing behind. A disk that is almost full is there until somebody makes room; the page calls once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from typing import Final

from tablectl.core.public_table.device import DeviceState, DeviceView, NoteView
from tablectl.core.public_table.incident import IncidentState, IncidentView
from tablectl.core.public_table.shelf import ShelfView
from tablectl.core.public_table.table import PublicTable
from tablectl.table.disk_space import Space, Urgency

#: How an incident is called that there is because the device that reads the cards is away: `shoe-lost`.
_LOST: Final = "lost"
_ALERT: Final = "alert"


class AlarmState(StrEnum):
    """Where in its life an alarm is. Their order is the order on the page."""

    UNACKNOWLEDGED = "unacknowledged"
    ACKNOWLEDGED = "acknowledged"
    RETURNED = "returned"
    SHELVED = "shelved"
    NORMAL = "normal"


class Priority(IntEnum):
    """How urgent it is: the table waits for somebody; something is wrong; something is worth knowing."""

    HIGH = 1
    MEDIUM = 2
    LOW = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """What the state of an alarm follows from. `shelved`: somebody shelved it, and the end is not there yet."""

    active: bool
    seen: bool
    shelved: bool


#: Every condition that an alarm can be in, and its state then. A shelf holds what is active; what returned is not held.
STATES: Final[Mapping[Condition, AlarmState]] = {
    Condition(active=True, seen=False, shelved=False): AlarmState.UNACKNOWLEDGED,
    Condition(active=True, seen=True, shelved=False): AlarmState.ACKNOWLEDGED,
    Condition(active=False, seen=False, shelved=False): AlarmState.RETURNED,
    Condition(active=False, seen=True, shelved=False): AlarmState.NORMAL,
    Condition(active=True, seen=False, shelved=True): AlarmState.SHELVED,
    Condition(active=True, seen=True, shelved=True): AlarmState.SHELVED,
    Condition(active=False, seen=False, shelved=True): AlarmState.RETURNED,
    Condition(active=False, seen=True, shelved=True): AlarmState.NORMAL,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Alarm:
    """One alarm. `name` is that of the records (`incident-12`, `device-light`), or `disk-journal`, which no record has;
    `since` is RFC 3339, empty where nobody knows.

    It is about an incident, about a device that is lost (`device`) or that said something (`notes`), or about a disk
    that is almost full (`disk`).
    """

    name: str
    priority: Priority
    state: AlarmState
    since: str
    shelf: ShelfView | None = None
    #: whether the table lets it be put aside
    can_shelve: bool = False
    #: whether the table waits for somebody to say that he knows of it
    can_acknowledge: bool = False
    incident: IncidentView | None = None
    device: DeviceView | None = None
    notes: tuple[NoteView, ...] = ()
    disk: Space | None = None

    @property
    def is_unacknowledged(self) -> bool:
        """Whether somebody still has to say that he knows of it."""
        return self.state in (AlarmState.UNACKNOWLEDGED, AlarmState.RETURNED)

    @property
    def sounds(self) -> bool:
        """Whether the page calls again and again: it lasts, nobody acknowledged it, and it is no mere note. Nobody
        can acknowledge a disk that is almost full, which may take days: the page calls once."""
        return self.state is AlarmState.UNACKNOWLEDGED and self.priority is not Priority.LOW and self.disk is None

    @property
    def shelved_until(self) -> str:
        """The end of the shelf, RFC 3339 UTC; empty where it lies on none."""
        if self.shelf is None:
            return ""
        return datetime.fromtimestamp(self.shelf.until_us / 1_000_000, UTC).isoformat()


def alarms_of(view: PublicTable, now_us: int, disks: Iterable[Space] = ()) -> tuple[Alarm, ...]:
    """Every alarm of a table at this moment, in the order of the page: by state, by priority, the newest first."""
    found = sorted((*_incidents(view, now_us), *_devices(view, now_us), *_disks(disks)), key=_age, reverse=True)
    order = list(AlarmState)
    return tuple(sorted(found, key=lambda alarm: (order.index(alarm.state), alarm.priority)))


def _age(alarm: Alarm) -> tuple[str, int]:
    """One record can raise several incidents: then their numbers tell."""
    return alarm.since, 0 if alarm.incident is None else alarm.incident.number


def by_state(alarms: tuple[Alarm, ...]) -> dict[AlarmState, tuple[Alarm, ...]]:
    """The same in groups, empty ones left out."""
    groups = {state: tuple(alarm for alarm in alarms if alarm.state is state) for state in AlarmState}
    return {state: group for state, group in groups.items() if group}


def _incidents(view: PublicTable, now_us: int) -> Iterator[Alarm]:
    for number, incident in view.incidents.items():
        name = f"incident-{number}"
        shelf = _shelf(view, name, now_us)
        condition = Condition(active=incident.open, seen=incident.seen_by is not None, shelved=shelf is not None)
        state = STATES[condition]
        waits = incident.state is IncidentState.RULING or (incident.open and view.held)
        yield Alarm(
            name=name,
            priority=Priority.HIGH if waits else Priority.MEDIUM if incident.severity == _ALERT else Priority.LOW,
            state=state,
            since=incident.at,
            shelf=shelf if state is AlarmState.SHELVED else None,
            can_shelve=incident.open and not waits,
            can_acknowledge=incident.seen_by is None,
            incident=incident,
        )


def _devices(view: PublicTable, now_us: int) -> Iterator[Alarm]:
    told = {incident.observed for incident in view.incidents.values() if incident.open}
    noted = dict.fromkeys(note.device for note in view.notes)
    for name, device in view.devices.items():
        is_lost = device.state is DeviceState.LOST
        if is_lost and f"{device.role}-{_LOST}" not in told:
            yield _device(view, name, now_us, device.since, device=device)
        elif device.is_unseen and not is_lost and name not in noted:
            yield _device(view, name, now_us, device.since, device=device, is_active=False)
    for name in noted:
        notes = tuple(note for note in view.notes if note.device == name)
        there = view.devices.get(name)
        if there is None or there.state is not DeviceState.LOST:
            yield _device(view, name, now_us, notes[0].at, notes=notes)


def _disks(disks: Iterable[Space]) -> Iterator[Alarm]:
    for disk in disks:
        if disk.urgency is Urgency.ALARM:
            yield Alarm(
                name=f"disk-{disk.holds}",
                priority=Priority.MEDIUM,
                state=AlarmState.UNACKNOWLEDGED,
                since="",
                disk=disk,
            )


def _device(
    view: PublicTable,
    device_name: str,
    now_us: int,
    since: str,
    *,
    device: DeviceView | None = None,
    notes: tuple[NoteView, ...] = (),
    is_active: bool = True,
) -> Alarm:
    name = f"device-{device_name}"
    shelf = _shelf(view, name, now_us)
    is_seen = device is not None and not device.is_unseen
    return Alarm(
        name=name,
        priority=Priority.LOW if device is None else Priority.MEDIUM,
        state=STATES[Condition(active=is_active, seen=is_seen, shelved=shelf is not None)],
        since=since,
        shelf=shelf,
        can_shelve=is_active,
        can_acknowledge=device is not None and device.is_unseen,
        device=device,
        notes=notes,
    )


def _shelf(view: PublicTable, name: str, now_us: int) -> ShelfView | None:
    found = view.shelved.get(name)
    return found if found is not None and now_us < found.until_us else None
