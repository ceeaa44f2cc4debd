"""The alarms that there were, a row each: when it began, who responded and when, when it was over. Pure.

What the rules resolved at once was no alarm. Attempts on the table are one a cause until somebody knows of them. What a
device only said is nobody's to acknowledge: it is answered when it is over, by whoever looked after it. So is a disk
that is almost full, which no record says: `disk_rows`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tablectl.core.disk_room import Space, Urgency
from tablectl.core.engine import decisions as d
from tablectl.core.engine.cable_faults import cited, is_cable_fault, is_loss
from tablectl.core.engine.facts import (
    DeviceBack,
    DeviceLost,
    DeviceSaid,
    Opened,
    Ruled,
    Shuffled,
    TopologyChanged,
)
from tablectl.core.engine.vocabulary import Chooser, Equipment
from tablectl.core.events.corrections import first_told
from tablectl.core.events.notes import HeadMissing, RollbackAccepted, Security, SoftwareApproval
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table import device_notes
from tablectl.core.public_table.alarm_kinds import (
    OF_ATTEMPTS,
    OF_CABLES,
    RANKS,
    AlarmKind,
    kind_of_incident,
    kind_of_lost,
)
from tablectl.core.public_table.alarms import ROLLED_BACK
from tablectl.core.public_table.chattering import Losses, lost_again
from tablectl.core.public_table.device import NoteView, is_reader
from tablectl.core.security import ALARMS, QUIET_US, alarm_of


@dataclass(frozen=True, kw_only=True, slots=True)
class AlarmRow:
    """An alarm. `about`: the clause of an incident, or the device; `losses`: how often a device was lost in it, and
    `part_of` the alarm that stands for this one where it was lost again and again; `answered_us`: when somebody
    responded; `over_us`: when its cause ended. Times in microseconds since the epoch."""

    number: int
    kind: str
    about: str
    raised_us: int
    losses: int = 0
    part_of: int | None = None
    answered_us: int | None = None
    answered_by: str = ""
    over_us: int | None = None

    @property
    def priority(self) -> int:
        """How urgent alarms of its kind are."""
        return RANKS[AlarmKind(self.kind)].priority

    @property
    def responder(self) -> str:
        """The role that must respond to alarms of its kind."""
        return RANKS[AlarmKind(self.kind)].responder

    @property
    def is_done(self) -> bool:
        """Whether nothing can be added to it, but that its device is lost again."""
        return self.answered_us is not None and self.over_us is not None

    @property
    def until_answered_us(self) -> int | None:
        """How long it took until somebody responded."""
        return None if self.answered_us is None else self.answered_us - self.raised_us


@dataclass(frozen=True, kw_only=True, slots=True)
class AlarmTotals:
    """Until when (`at_us`); how many alarms there were; those to which something can be added, by their names in
    records; of each device how often it was lost lately, and its last alarms; of attempts, by the
    names of their alarms, how often; the devices that are lost, and what
    devices said that somebody has to look after."""

    at_us: int = 0
    count: int = 0
    equipment: str = Equipment.SHOE
    going_on: Mapping[str, AlarmRow] = field(default_factory=dict)
    losses: Mapping[str, Losses] = field(default_factory=dict)
    recent: Mapping[str, tuple[AlarmRow, ...]] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()
    notes: tuple[NoteView, ...] = ()


#: By this name, which no record says, it goes on.
_APPROVAL: Final = "approval"


class AlarmFold:
    """One record's work on the totals."""

    def __init__(self, totals: AlarmTotals, record: PublicRecord) -> None:
        self._count, self._equipment = totals.count, totals.equipment
        self._going_on, self._losses, self._recent = dict(totals.going_on), dict(totals.losses), dict(totals.recent)
        self._at_us, self._event, self._record = record.at_us, record.event, record
        self._lost_devices, self._notes = set(totals.lost), totals.notes
        self.changed: dict[int, AlarmRow] = {}

    def totals(self) -> AlarmTotals:
        """The totals after the record."""
        for decision in first_told(self._record.decisions):
            self._decided(decision)
        self._happened()
        self._heard()
        self._noted()
        return AlarmTotals(
            at_us=self._at_us,
            count=self._count,
            equipment=self._equipment,
            going_on={name: row for name, row in self._going_on.items() if not row.is_done},
            losses=self._losses,
            recent=self._recent,
            lost=frozenset(self._lost_devices),
            notes=self._notes,
        )

    def _happened(self) -> None:
        match self._event:
            case Opened(setup=setup):
                self._equipment = setup.equipment
            case DeviceLost(device=device, role=role) if not is_reader(role, self._equipment):
                name = f"device-{device}"
                before = self._going_on.get(name)
                if before is None or before.over_us is not None:
                    self._lost(name, device, kind_of_lost(role))
            case DeviceBack(device=device):
                self._changes(f"device-{device}", self._over)
            case Security():
                self._tried(self._event)
            case HeadMissing(to_seq=seq) if ROLLED_BACK not in self._going_on:
                self._begun(ROLLED_BACK, AlarmKind.ROLLED_BACK, str(seq))
            case RollbackAccepted(by=by):
                self._changes(ROLLED_BACK, self._over)
                self._answered(ROLLED_BACK, by)
            case SoftwareApproval(approved=approved):
                self._asked(is_approved=approved)

    def _tried(self, note: Security) -> None:
        """Attempts: an alarm until somebody acknowledges them; what goes on then is the same one still."""
        name, at_us = alarm_of(note.cause), self._at_us
        before = self._losses.get(name, Losses())
        self._losses[name] = Losses(count=before.count + note.count, recent_us=(at_us,))
        is_known = bool(before.recent_us) and at_us - before.recent_us[-1] <= QUIET_US
        if name not in self._going_on and not is_known:
            self._begun(name, OF_ATTEMPTS[note.cause], note.cause.value)

    def _asked(self, *, is_approved: bool) -> None:
        """Software that nobody approved: an alarm until somebody does, which is the response."""
        if is_approved:
            self._changes(_APPROVAL, self._over)
            self._answered(_APPROVAL, "")
        elif _APPROVAL not in self._going_on:
            self._begun(_APPROVAL, AlarmKind.NOT_APPROVED, "")

    def _heard(self) -> None:
        """What devices said that somebody has to look after, and which of them are lost."""
        match self._event:
            case DeviceSaid():
                self._notes = device_notes.said(self._notes, self._event, self._record.at)
            case Shuffled(cards=cards):
                self._notes = device_notes.shuffled(self._notes, cards)
            case DeviceLost(device=device):
                self._notes = device_notes.lost(self._notes, device)
                self._lost_devices.add(device)
            case DeviceBack(device=device):
                self._lost_devices.discard(device)

    def _noted(self) -> None:
        """What a device said is an alarm until all of it is over, or the device is lost, which is another one."""
        noted = {note.device for note in self._notes} - self._lost_devices
        for device in sorted(noted):
            if (name := f"said-{device}") not in self._going_on:
                self._begun(name, AlarmKind.DEVICE_SAID, device)
        for name, row in list(self._going_on.items()):
            if row.kind == AlarmKind.DEVICE_SAID and row.about not in noted:
                self._changes(name, self._over)
                self._answered(name, "")

    def _decided(self, decision: object) -> None:
        match decision:
            case d.HandClosed():
                self._notes = device_notes.hand_closed(self._notes)
            case d.IncidentRaised():
                self._raised(decision)
            case d.IncidentEscalated(incident=number):
                self._changes(f"incident-{number}", lambda row: replace(row, kind=AlarmKind.RULING.value))
            case d.IncidentClosed(incident=number):
                self._closed(f"incident-{number}", decision)
            case d.IncidentSeen(incident=number, by=by):
                self._answered(f"incident-{number}", by)
            case d.AlarmSeen(alarm=alarm, by=by):
                self._answered(alarm, by)
                if alarm in ALARMS:
                    self._changes(alarm, self._over)
            case d.Withdrawn(fallen=fallen):
                for number in fallen:
                    self._forgotten(f"incident-{number}")

    def _raised(self, said: d.IncidentRaised) -> None:
        name, is_cable = f"incident-{said.incident}", is_cable_fault(said.observed)
        if name in self._going_on or (not is_cable and said.incident in set(self._closed_at_once())):
            return
        kind = kind_of_incident(said.observed, is_ruling=said.chooser is Chooser.PIT_BOSS)
        about = self._device() or cited(said.clause, said.observed)
        if is_loss(said.observed):
            self._lost(name, about, kind)
        else:
            self._begun(name, kind, about)

    def _device(self) -> str:
        match self._event:
            case TopologyChanged(what=what):
                return what
            case DeviceLost(device=device):
                return device
            case _:
                return ""

    def _closed_at_once(self) -> Iterator[int]:
        for decision in self._record.decisions:
            if isinstance(decision, d.IncidentClosed) and decision.by is Chooser.RULE:
                yield decision.incident

    def _begun(self, name: str, kind: AlarmKind, about: str, losses: int = 0) -> AlarmRow:
        self._count += 1
        row = AlarmRow(number=self._count, kind=kind.value, about=about, raised_us=self._at_us, losses=losses)
        self._going_on[name] = self.changed[row.number] = row
        return row

    def _lost(self, name: str, device: str, kind: AlarmKind) -> None:
        """A device is lost: another alarm, or, where it is lost again and again, one more loss of the same one."""
        losses = self._losses[device] = lost_again(self._losses.get(device, Losses()), self._at_us)
        earlier = self._recent.get(device, ())
        if not (losses.is_chattering and earlier):
            self._recent[device] = (*earlier, self._begun(name, kind, device, losses=1))[-2:]
            return
        first, *others = (self.changed.get(row.number, row) for row in earlier)
        merged = {row.number for row in earlier}
        self._going_on = {known: row for known, row in self._going_on.items() if row.number not in merged}
        for row in others:
            self.changed[row.number] = replace(row, part_of=first.number)
        one = replace(first, losses=losses.count, over_us=None)
        self._going_on[name] = self.changed[one.number] = one
        self._recent[device] = (one,)

    def _closed(self, name: str, said: d.IncidentClosed) -> None:
        row = self._going_on.get(name)
        if row is None:
            return
        self._changes(name, self._over)
        if AlarmKind(row.kind) not in OF_CABLES:
            by = self._event.by if isinstance(self._event, Ruled) and self._event.incident == said.incident else said.by
            self._answered(name, by)

    def _answered(self, name: str, by: str) -> None:
        row = self._going_on.get(name)
        if row is not None and row.answered_us is None:
            at_us = self._at_us
            self._changes(name, lambda alarm: replace(alarm, answered_us=at_us, answered_by=str(by)))

    def _over(self, row: AlarmRow) -> AlarmRow:
        return replace(row, over_us=self._at_us)

    def _forgotten(self, name: str) -> None:
        """It never was: the entry that had raised it was corrected."""
        row = self._going_on.pop(name, None)
        if row is not None:
            self.changed[row.number] = replace(row, part_of=row.number, over_us=self._at_us)

    def _changes(self, name: str, change: Callable[[AlarmRow], AlarmRow]) -> None:
        row = self._going_on.get(name)
        if row is None:
            return
        made = self._going_on[name] = self.changed[row.number] = change(row)
        known = self._recent.get(made.about, ())
        self._recent[made.about] = tuple(made if one.number == made.number else one for one in known)


@dataclass(frozen=True, kw_only=True, slots=True)
class DiskRow:
    """A disk that was almost full, from when it was seen until somebody had made room."""

    number: int
    holds: str
    raised_us: int
    over_us: int | None = None

    @property
    def alarm(self) -> AlarmRow:
        """As the alarm that it was. Its number is below 0, apart from those that records say."""
        return AlarmRow(
            number=-self.number,
            kind=AlarmKind.DISK.value,
            about=self.holds,
            raised_us=self.raised_us,
            answered_us=self.over_us,
            over_us=self.over_us,
        )


def disk_rows(open_rows: Iterable[DiskRow], disks: Iterable[Space], now_us: int, next_number: int) -> list[DiskRow]:
    """The rows that change when the room on the disks is seen: new ones, and those that are over. `open_rows`: those
    that are not over; `next_number`: that of the next new one."""
    full = dict.fromkeys(disk.holds.value for disk in disks if disk.urgency is Urgency.ALARM)
    going_on = list(open_rows)
    over = [replace(row, over_us=now_us) for row in going_on if row.holds not in full]
    new = [holds for holds in full if holds not in {row.holds for row in going_on}]
    begun = (DiskRow(number=number, holds=holds, raised_us=now_us) for number, holds in enumerate(new, next_number))
    return [*over, *begun]
