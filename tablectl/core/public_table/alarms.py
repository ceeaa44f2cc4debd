"""Alarms: what at a table needs a response, each in one state of its life. Pure: the clock is given.

The states are those of ISA-18.2 and IEC 62682: an alarm is active while its cause lasts, and it is unacknowledged until
somebody responded: said that he knows of it, or what is to be done. One whose cause ended before that is returned, but
still unacknowledged. Somebody can shelve it, with an end and a reason, and it comes back by itself at that end. Causes
are incidents, devices that are lost or that said something (`device_notes`), disks that are almost full, and attempts
on the table (`attempts`). What the
rules resolved by themselves is no alarm but an event (`events_of`). How urgent each kind is, and who must respond,
stands in `alarm_kinds`.

What a device only says is nobody's to acknowledge: it is there until the device is well or somebody shelves it, and
leaves nothing behind. A disk that is almost full is there until somebody makes room, software that nobody approved
until somebody does; the page calls once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from tablectl.core.disk_room import Space, Urgency
from tablectl.core.engine.cable_faults import (
    READER_LOST,
    USB_CHANGED,
    is_cable_fault,
    is_loss,
    reader_lost,
    usb_changed,
)
from tablectl.core.engine.vocabulary import Chooser, Plug
from tablectl.core.events.notes import MissingHead
from tablectl.core.public_table.alarm_kinds import (
    OF_ATTEMPTS,
    RANKS,
    AlarmKind,
    Priority,
    Responder,
    kind_of_incident,
    kind_of_lost,
)
from tablectl.core.public_table.attempts import AttemptsView
from tablectl.core.public_table.chattering import bursts
from tablectl.core.public_table.device import DeviceState, DeviceView, NoteView, is_reader
from tablectl.core.public_table.incident import IncidentView
from tablectl.core.public_table.shelf import ShelfView
from tablectl.core.public_table.table import PublicTable
from tablectl.core.timestamps import time_us

#: The alarm that the journal was put back.
ROLLED_BACK: Final = "rolled-back"


class AlarmState(StrEnum):
    """Where in its life an alarm is. Their order is the order on the page."""

    UNACKNOWLEDGED = "unacknowledged"
    ACKNOWLEDGED = "acknowledged"
    RETURNED = "returned"
    SHELVED = "shelved"
    NORMAL = "normal"


_DAY_US: Final = 24 * 3600 * 1_000_000
#: What is observed of a foreign USB device that is there.
_FOREIGN_THERE: Final = frozenset(usb_changed(change, is_allowed=False) for change in (Plug.PLUGGED, Plug.PRESENT))


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
    """One alarm. `name` is that of the records (`incident-12`, `device-light`, `security-writes`), or one that no
    record has (`disk-journal`, `approval`); `since` is RFC 3339, empty where nobody knows.

    It is about an incident, about a device that is lost (`device`) or that said something (`notes`), about a disk that
    is almost full (`disk`), about what somebody tried that he may not (`attempts`), about a record that is `missing` in
    the journal, or about software that nobody approved: so many `days` are left, the one that has begun among them.
    `losses`: as how many losses of one device it stands there, where it is lost again and again; `others`: the alarms
    of the earlier ones, which somebody who acknowledges it acknowledges too.
    """

    name: str
    kind: AlarmKind
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
    attempts: AttemptsView | None = None
    missing: MissingHead | None = None
    days: int | None = None
    losses: int = 0
    others: tuple[str, ...] = ()

    @property
    def priority(self) -> Priority:
        """How urgent it is."""
        return RANKS[self.kind].priority

    @property
    def responder(self) -> Responder:
        """Who must respond."""
        return RANKS[self.kind].responder

    @property
    def is_unacknowledged(self) -> bool:
        """Whether somebody still has to respond."""
        return self.state in (AlarmState.UNACKNOWLEDGED, AlarmState.RETURNED)

    @property
    def calls(self) -> bool:
        """Whether the page calls once for it: somebody else than the croupier, who has it before him, has to respond,
        and soon."""
        is_urgent = self.priority is not Priority.LOW
        return self.is_unacknowledged and is_urgent and self.responder is not Responder.CROUPIER

    @property
    def sounds(self) -> bool:
        """Whether the page calls again and again: its cause lasts as well. Nobody can acknowledge a disk that is almost
        full, or software that nobody approved, which may take days: the page calls once."""
        takes_days = self.disk is not None or self.days is not None
        return self.calls and self.state is AlarmState.UNACKNOWLEDGED and not takes_days

    @property
    def unanswered(self) -> tuple[str, ...]:
        """What somebody acknowledges who acknowledges it: by their names in records."""
        is_own = self.can_acknowledge and (self.incident is None or not self.incident.is_answered)
        return (*self.others, self.name) if is_own else self.others

    @property
    def shelved_until(self) -> str:
        """The end of the shelf, RFC 3339 UTC; empty where it lies on none."""
        if self.shelf is None:
            return ""
        return datetime.fromtimestamp(self.shelf.until_us / 1_000_000, UTC).isoformat()


def alarms_of(view: PublicTable, now_us: int, disks: Iterable[Space] = ()) -> tuple[Alarm, ...]:
    """Every alarm of a table at this moment, in the order of the page: by state, by priority, the newest first."""
    causes = (
        *_rolled_back(view),
        *_incidents(view, now_us),
        *_devices(view, now_us),
        *_attempts(view, now_us),
        *_approval(view, now_us),
        *_disks(disks),
    )
    found = sorted(causes, key=_age, reverse=True)
    order = list(AlarmState)
    return tuple(sorted(found, key=lambda alarm: (order.index(alarm.state), alarm.priority)))


def _age(alarm: Alarm) -> tuple[str, int]:
    """One record can raise several incidents: then their numbers tell."""
    return alarm.since, 0 if alarm.incident is None else alarm.incident.number


def by_state(alarms: tuple[Alarm, ...]) -> dict[AlarmState, tuple[Alarm, ...]]:
    """The same in groups, empty ones left out."""
    groups = {state: tuple(alarm for alarm in alarms if alarm.state is state) for state in AlarmState}
    return {state: group for state, group in groups.items() if group}


def events_of(view: PublicTable) -> tuple[IncidentView, ...]:
    """The incidents that the rules resolved by themselves, the newest first."""
    return tuple(incident for incident in view.alerts if incident.is_event)


def _incidents(view: PublicTable, now_us: int) -> Iterator[Alarm]:
    made = {
        number: _incident(view, f"incident-{number}", incident, now_us)
        for number, incident in view.incidents.items()
        if not incident.is_event
    }
    for burst in _bursts(view):
        one = _as_one([made.pop(number) for number in burst])
        made[burst[-1]] = one
    yield from made.values()


def _bursts(view: PublicTable) -> Iterator[tuple[int, ...]]:
    """The incidents that are one alarm together: three losses of one device within minutes, or more, with how it came
    before each of them, and after the last one."""
    changes: dict[str, list[IncidentView]] = {}
    for _, incident in sorted(view.incidents.items()):
        if is_cable_fault(incident.observed):
            changes.setdefault(incident.device or incident.observed, []).append(incident)
    for told in changes.values():
        losses = [index for index, incident in enumerate(told) if is_loss(incident.observed)]
        for burst in bursts([time_us(told[index].at) for index in losses]):
            begin = losses[burst.start - 1] + 1 if burst.start else 0
            end = losses[burst.stop] if burst.stop < len(losses) else len(told)
            yield tuple(incident.number for incident in told[begin:end])


def _as_one(burst: list[Alarm]) -> Alarm:
    """The newest alarm of a burst stands for all of them. It is answered once all of them are."""
    *earlier, newest = burst
    others = tuple(alarm.name for alarm in earlier if alarm.can_acknowledge)
    state, is_seen = newest.state, not newest.can_acknowledge and not others
    if state is not AlarmState.SHELVED:
        is_active = state in (AlarmState.UNACKNOWLEDGED, AlarmState.ACKNOWLEDGED)
        state = STATES[Condition(active=is_active, seen=is_seen, shelved=False)]
    losses = sum(alarm.incident is not None and is_loss(alarm.incident.observed) for alarm in burst)
    return replace(newest, state=state, losses=losses, others=others, can_acknowledge=not is_seen)


def _incident(view: PublicTable, name: str, incident: IncidentView, now_us: int) -> Alarm:
    shelf, is_active = _shelf(view, name, now_us), _lasts(view, incident)
    state = STATES[Condition(active=is_active, seen=incident.is_answered, shelved=shelf is not None)]
    return Alarm(
        name=name,
        kind=_kind(view, incident),
        state=state,
        since=incident.at,
        shelf=shelf if state is AlarmState.SHELVED else None,
        can_shelve=is_active and not incident.open and not incident.is_answered,
        can_acknowledge=not incident.is_answered,
        incident=incident,
    )


def _kind(view: PublicTable, incident: IncidentView) -> AlarmKind:
    """A reader that is back leaves a question for the croupier: whether a card was drawn meanwhile."""
    if incident.open and incident.observed in READER_LOST and incident.observed not in _readers_lost(view):
        return AlarmKind.QUESTION
    return kind_of_incident(incident.observed, is_ruling=incident.chooser == Chooser.PIT_BOSS)


def _readers_lost(view: PublicTable) -> set[str]:
    return {reader_lost(device.role) for device in view.devices.values() if device.state is DeviceState.LOST}


def _lasts(view: PublicTable, incident: IncidentView) -> bool:
    """Whether the cause of an incident is there still: that a foreign USB device is plugged in."""
    if incident.observed in USB_CHANGED:
        return incident.observed in _FOREIGN_THERE and incident.device in view.foreign_usb
    return incident.open


def _devices(view: PublicTable, now_us: int) -> Iterator[Alarm]:
    told = {incident.observed for incident in view.incidents.values() if incident.open}
    noted = dict.fromkeys(note.device for note in view.notes)
    for name, device in view.devices.items():
        is_lost = device.state is DeviceState.LOST
        is_unstable = device.losses.chatters_at(now_us) and not is_reader(device.role, view.equipment)
        if is_lost and reader_lost(device.role) not in told:
            yield _device(view, name, now_us, device.since, device=device)
        elif (device.is_unseen or is_unstable) and not is_lost and name not in noted:
            yield _device(view, name, now_us, device.since, device=device, is_active=is_unstable)
    for name in noted:
        notes = tuple(note for note in view.notes if note.device == name)
        there = view.devices.get(name)
        if there is None or there.state is not DeviceState.LOST:
            yield _device(view, name, now_us, notes[0].at, notes=notes)


def _attempts(view: PublicTable, now_us: int) -> Iterator[Alarm]:
    for name, tried in view.attempts.items():
        is_active = tried.goes_on_at(now_us)
        if is_active or tried.is_unseen:
            yield Alarm(
                name=name,
                kind=OF_ATTEMPTS[tried.cause],
                state=STATES[Condition(active=is_active, seen=not tried.is_unseen, shelved=False)],
                since=tried.since,
                can_acknowledge=tried.is_unseen,
                attempts=tried,
            )


def _rolled_back(view: PublicTable) -> Iterator[Alarm]:
    """It ends when two persons have accepted it, and nobody can put it aside."""
    if view.missing is not None:
        yield Alarm(
            name=ROLLED_BACK,
            kind=AlarmKind.ROLLED_BACK,
            state=AlarmState.UNACKNOWLEDGED,
            since=view.missing.at,
            missing=view.missing,
        )


def _approval(view: PublicTable, now_us: int) -> Iterator[Alarm]:
    if view.approval_until:
        left_us = time_us(view.approval_until) - now_us
        yield Alarm(
            name="approval",
            kind=AlarmKind.NOT_APPROVED,
            state=AlarmState.UNACKNOWLEDGED,
            since="",
            days=max(0, -(-left_us // _DAY_US)),
        )


def _disks(disks: Iterable[Space]) -> Iterator[Alarm]:
    for disk in disks:
        if disk.urgency is Urgency.ALARM:
            yield Alarm(
                name=f"disk-{disk.holds}",
                kind=AlarmKind.DISK,
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
        kind=AlarmKind.DEVICE_SAID if device is None else kind_of_lost(device.role),
        state=STATES[Condition(active=is_active, seen=is_seen, shelved=shelf is not None)],
        since=since,
        shelf=shelf,
        can_shelve=is_active and (device is None or device.state is DeviceState.LOST),
        can_acknowledge=device is not None and device.is_unseen,
        device=device,
        notes=notes,
        losses=device.losses.count if device is not None and device.losses.is_chattering else 0,
    )


def _shelf(view: PublicTable, name: str, now_us: int) -> ShelfView | None:
    found = view.shelved.get(name)
    return found if found is not None and now_us < found.until_us else None
