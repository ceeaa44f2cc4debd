"""What a table is doing now: a few hundred bytes that stand for all that was before, so that an overview is right while
a day of records is still on its way. Pure.

Made of the one projection of the public stream, so nothing sealed is in it. What is to be said in words has the
arguments of the sentence and not the sentence: whoever shows it speaks his own language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tablectl.core.disk_room import Space
from tablectl.core.public_table.alarm_kinds import Priority
from tablectl.core.public_table.alarms import Alarm, AlarmState, alarms_of
from tablectl.core.public_table.device import DeviceState
from tablectl.core.public_table.table import CLOSED, PublicTable
from tablectl.core.public_table.table_state import TableState, hands_an_hour
from tablectl.core.public_table.waits import Waits, waits_of
from tablectl.core.timestamps import time_text, time_us
from tablectl.core.unreadable import UNREADABLE
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.epochs import parse as parse_epoch
from tablectl.fleet.topics import Here

#: Most bytes of it: a table with all the alarms that are sent, and every text as long as one may be.
BYTES_MOST: Final = 64_000
#: More alarms are counted, and not sent; so are devices that are not well.
ALARMS_MOST: Final = 20
DEVICES_MOST: Final = 20
_SEATS_MOST: Final = 20
_TEXT_MOST: Final = 120
#: How a device is that somebody need not look after.
WELL: Final = "ready"

_Text = Annotated[str, Meta(max_length=_TEXT_MOST)]
_Count = Annotated[int, Meta(ge=0, le=2**53)]


class BadValues(ValueError):
    """What came is not what a table's uplink says of it."""


class OpenAlarm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An alarm that is not over, with what its sentence is made of: of an incident its clause where it has one, what
    was expected and observed, the remedies that there are, and the seat that it is about; of a device its role, whether
    it is lost, or what it said; of a disk how soon somebody has to make room; of what somebody tried that he may not
    its `cause`; of a journal that was put back the record that it is `missing`; of software that nobody approved how
    many `days` are left. `since`: RFC 3339, UTC, empty where nobody knows. `responder`: the role that must respond."""

    name: _Text
    priority: Priority
    state: AlarmState
    since: _Text = ""
    responder: _Text = ""
    clause: _Text = ""
    expected: _Text = ""
    observed: _Text = ""
    remedies: Annotated[tuple[_Text, ...], Meta(max_length=20)] = ()
    about: _Text = ""
    device: _Text = ""
    role: _Text = ""
    is_lost: bool = False
    said: Annotated[tuple[_Text, ...], Meta(max_length=8)] = ()
    disk: _Text = ""
    cause: _Text = ""
    missing: _Count = 0
    days: _Count | None = None


class DeviceNow(msgspec.Struct, frozen=True, kw_only=True):
    """A device: what it does at the table, its name, and how it is in one word, `ready` where it is well."""

    role: _Text
    name: _Text
    state: _Text


class DevicesNow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the devices are. `well`: how many need nobody; `more`: how many of the others are not in `unwell`."""

    well: _Count = 0
    unwell: Annotated[tuple[DeviceNow, ...], Meta(max_length=DEVICES_MOST)] = ()
    more: _Count = 0


class LastValues(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table at a moment of its own clock, `at`, after the record `seq` of its journal. `game`: the id of its
    rulebook; `croupier`: as the public stream has it, empty where nobody signed on; `pace`: hands an hour over the last
    hands; `waits_since` is RFC 3339, UTC; `more_alarms`: how many are not in `alarms`."""

    epoch: _Text
    seq: _Count
    at: _Text
    state: TableState
    game: _Text = ""
    hand: _Count = 0
    phase: _Text = CLOSED
    croupier: _Text = ""
    seats: Annotated[tuple[Annotated[int, Meta(ge=1, le=99)], ...], Meta(max_length=_SEATS_MOST)] = ()
    waits: Waits = Waits()
    waits_since: _Text = ""
    pace: _Count | None = None
    alarms: Annotated[tuple[OpenAlarm, ...], Meta(max_length=ALARMS_MOST)] = ()
    more_alarms: _Count = 0
    devices: DevicesNow = DevicesNow()

    @property
    def place(self) -> tuple[int, int]:
        """How far its journal is: after a restore further than with any record before it."""
        return parse_epoch(self.epoch).restores, self.seq

    @property
    def origin(self) -> str:
        """Which journal it is: the hash of record 1, empty where it has none."""
        return parse_epoch(self.epoch).origin


_VALUES: Final = msgspec.json.Decoder(LastValues)


def encoded(values: LastValues) -> bytes:
    """As it travels: JSON, without the members that say nothing."""
    return msgspec.json.encode(values)


def decoded(body: bytes) -> LastValues:
    """The other way round. Raises `BadValues`."""
    if len(body) > BYTES_MOST:
        raise BadValues(f"{len(body)} bytes; what a table says of now has {BYTES_MOST} at most")
    try:
        values = _VALUES.decode(body)
        _ = parse_epoch(values.epoch), time_us(values.at)
        for since in (values.waits_since, *(alarm.since for alarm in values.alarms)):
            _ = since and time_us(since)
    except (ValueError, *UNREADABLE) as wrong:
        raise BadValues(f"not what a table says of now: {wrong}") from None
    return values


# --- at the table ---------------------------------------------------------------------------------------------------


def last_values_of(
    view: PublicTable,
    *,
    state: TableState,
    epoch: Epoch,
    at_us: int,
    waits_since: str,
    devices: Sequence[DeviceNow],
    disks: Iterable[Space] = (),
    game: str = "",
) -> LastValues:
    """What this table is doing. `game`: that of the table, before the first hand says one; `devices`: each of them with
    its state, also those that are well; `waits_since`: when what it waits for began."""
    alarms = [alarm for alarm in alarms_of(view, at_us, disks) if alarm.state is not AlarmState.NORMAL]
    return LastValues(
        epoch=str(epoch),
        seq=view.seq,
        at=time_text(at_us),
        state=state,
        game=_short(view.rulebook or game),
        hand=view.hand,
        phase=_short(view.phase),
        croupier=_short(view.croupier),
        seats=_taken(view)[:_SEATS_MOST],
        waits=_short_waits(view),
        waits_since=waits_since,
        pace=hands_an_hour(view.history),
        alarms=tuple(map(_open, alarms[:ALARMS_MOST])),
        more_alarms=max(0, len(alarms) - ALARMS_MOST),
        devices=_devices(devices),
    )


def _short(text: str) -> str:
    return text if len(text) <= _TEXT_MOST else f"{text[: _TEXT_MOST - 1]}…"


def _short_waits(view: PublicTable) -> Waits:
    waits = waits_of(view)
    return msgspec.structs.replace(waits, about=_short(waits.about))


def _taken(view: PublicTable) -> tuple[int, ...]:
    """The seats at which somebody plays; between two hands against the bank those of the hand before."""
    taken = {seat for seat in (*view.seats, *view.circle.players) if view.state_of(seat) not in ("free", "away")}
    return tuple(sorted(taken)) or (view.carried if view.phase == CLOSED else ())


def _open(alarm: Alarm) -> OpenAlarm:
    """An alarm as it is sent."""
    found = OpenAlarm(
        name=_short(alarm.name),
        priority=alarm.priority,
        state=alarm.state,
        since=alarm.since,
        responder=alarm.responder,
    )
    if (incident := alarm.incident) is not None:
        return msgspec.structs.replace(
            found,
            clause=_short(incident.cited),
            expected=_short(incident.expected),
            observed=_short(incident.observed),
            remedies=incident.remedies,
            about=_short(incident.about),
        )
    if alarm.missing is not None:
        return msgspec.structs.replace(found, missing=alarm.missing.to_seq)
    if alarm.disk is not None:
        return msgspec.structs.replace(found, disk=alarm.disk.urgency)
    if alarm.attempts is not None:
        return msgspec.structs.replace(found, cause=alarm.attempts.cause)
    if alarm.days is not None:
        return msgspec.structs.replace(found, days=alarm.days)
    if (device := alarm.device) is not None:
        is_lost = device.state is DeviceState.LOST
        return msgspec.structs.replace(found, device=_short(device.device), role=_short(device.role), is_lost=is_lost)
    said = tuple(note.what for note in alarm.notes[:8])
    return msgspec.structs.replace(found, device=_short(alarm.notes[0].device), role=alarm.notes[0].role, said=said)


def _devices(devices: Sequence[DeviceNow]) -> DevicesNow:
    unwell = tuple(
        DeviceNow(role=_short(device.role), name=_short(device.name), state=_short(device.state))
        for device in devices
        if device.state != WELL
    )
    return DevicesNow(
        well=len(devices) - len(unwell), unwell=unwell[:DEVICES_MOST], more=max(0, len(unwell) - DEVICES_MOST)
    )


def here_in(body: bytes) -> Here:
    """Whether a table is at the broker. Raises `BadValues`."""
    try:
        return msgspec.json.decode(body, type=Here)
    except UNREADABLE as wrong:
        raise BadValues(f"not whether a table is there: {wrong}") from None
