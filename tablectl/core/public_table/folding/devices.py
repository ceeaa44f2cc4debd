"""Devices: whether each answers, and what it said last."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import AlarmSeen
from tablectl.core.engine.facts import DeviceBack, DeviceLost, DeviceSaid, Shuffled, TopologyChanged
from tablectl.core.engine.vocabulary import Plug
from tablectl.core.engine.whose_turn import REPEATED_KEY
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table import device_notes
from tablectl.core.public_table.chattering import lost_again
from tablectl.core.public_table.device import DeviceState, DeviceView, is_reader
from tablectl.core.public_table.folding import attempts
from tablectl.core.public_table.folding.step import Steps
from tablectl.core.public_table.incident import RefusalView
from tablectl.core.public_table.table import PublicTable
from tablectl.core.security import ALARMS


def _device(view: PublicTable, made: DeviceView) -> PublicTable:
    return replace(view, devices={**view.devices, made.device: made})


def _device_lost(view: PublicTable, fact: DeviceLost, record: PublicRecord) -> PublicTable:
    before = _before(view, fact, record)
    # A controller that starts tells again what is away: that is no other loss.
    losses = before.losses if before.state is DeviceState.LOST else lost_again(before.losses, record.at_us)
    made = replace(before, state=DeviceState.LOST, since=record.at, reason=fact.reason, said="", losses=losses)
    if not (before.is_known_to_chatter and losses.is_chattering):
        made = replace(made, is_unseen=not is_reader(fact.role, view.equipment), seen_by="", seen_at="")
    return _device(replace(view, notes=device_notes.lost(view.notes, fact.device)), made)


def _device_back(view: PublicTable, fact: DeviceBack, record: PublicRecord) -> PublicTable:
    made = replace(_before(view, fact, record), state=DeviceState.BACK, since=record.at, reason="", said="")
    return _device(view, made if made.is_known_to_chatter else replace(made, seen_by="", seen_at=""))


def _before(view: PublicTable, fact: DeviceLost | DeviceBack | DeviceSaid, record: PublicRecord) -> DeviceView:
    """What was known of a device until now."""
    made = DeviceView(device=fact.device, role=fact.role, state=DeviceState.BACK, since=record.at)
    return replace(view.devices.get(fact.device, made), role=fact.role)


def _device_said(view: PublicTable, fact: DeviceSaid, record: PublicRecord) -> PublicTable:
    before = _before(view, fact, record)
    code = "" if fact.code is None else f" {fact.code}"
    view = replace(view, notes=device_notes.said(view.notes, fact, record.at))
    if fact.what == REPEATED_KEY:
        view = replace(
            view, refusal=RefusalView(seq=record.seq, why=REPEATED_KEY, clause=None, detail="", entry="pressed")
        )
    return _device(view, replace(before, said=f"{fact.what}{code}"))


def _shuffled(view: PublicTable, fact: Shuffled, _record: PublicRecord) -> PublicTable:
    return replace(view, notes=device_notes.shuffled(view.notes, fact.cards))


def _topology(view: PublicTable, fact: TopologyChanged, _record: PublicRecord) -> PublicTable:
    if fact.is_allowed:
        return view
    there = {fact.what} if fact.change is not Plug.UNPLUGGED else set()
    return replace(view, foreign_usb=(view.foreign_usb - {fact.what}) | there)


def carried(view: PublicTable, carry: Carry, at: str) -> PublicTable:
    """Whose loss nobody has acknowledged, as a table remembers it from one hand to the next."""
    for word in carry.unseen_devices:
        role, name = word.split(" ", 1)
        state = DeviceState.LOST if word in carry.lost else DeviceState.BACK
        before = view.devices.get(name, DeviceView(device=name, role=role, state=state, since=at))
        view = _device(view, before if before.is_known_to_chatter else replace(before, is_unseen=True))
    return view


def _seen(view: PublicTable, said: AlarmSeen, record: PublicRecord) -> PublicTable:
    if said.alarm in ALARMS:
        return attempts.seen(view, said, record)
    before = view.devices.get(said.alarm.removeprefix("device-"))
    if before is None:
        return view
    return _device(view, replace(before, is_unseen=False, seen_by=said.by, seen_at=record.at))


DECISIONS: Final[Steps] = {AlarmSeen: _seen}
FACTS: Final[Steps] = {
    DeviceLost: _device_lost,
    DeviceBack: _device_back,
    DeviceSaid: _device_said,
    Shuffled: _shuffled,
    TopologyChanged: _topology,
}
