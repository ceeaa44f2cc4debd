"""Devices: whether each answers, and what it said last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tablectl.engine.whose_turn import REPEATED_KEY
from tablectl.screens import device_notes
from tablectl.screens.device_model import DeviceState, DeviceView
from tablectl.screens.folding.step import Record, Step
from tablectl.screens.incident_model import RefusalView
from tablectl.screens.model import TableView

#: The role of the device that reads the cards, where it is no shoe: its loss is an incident.
_READERS: Final = {"antennas": "antennas"}


def _device(view: TableView, made: DeviceView) -> TableView:
    return replace(view, devices={**view.devices, made.device: made})


def _device_lost(view: TableView, fact: Mapping[str, Any], record: Record) -> TableView:
    return _device(
        replace(view, notes=device_notes.lost(view.notes, fact["device"])),
        DeviceView(
            device=fact["device"],
            role=fact["role"],
            state=DeviceState.LOST,
            since=record.at,
            reason=fact["reason"],
            is_unseen=fact["role"] != _READERS.get(view.equipment, "shoe"),
        ),
    )


def _device_back(view: TableView, fact: Mapping[str, Any], record: Record) -> TableView:
    before = view.devices.get(fact["device"])
    made = DeviceView(device=fact["device"], role=fact["role"], state=DeviceState.BACK, since=record.at)
    return _device(view, replace(made, is_unseen=before is not None and before.is_unseen))


def _device_said(view: TableView, fact: Mapping[str, Any], record: Record) -> TableView:
    before = view.devices.get(fact["device"])
    if before is None:
        before = DeviceView(device=fact["device"], role=fact["role"], state=DeviceState.BACK, since=record.at)
    code = "" if fact["code"] is None else f" {fact['code']}"
    view = replace(view, notes=device_notes.said(view.notes, fact, record.at))
    if fact["what"] == REPEATED_KEY:
        view = replace(
            view, refusal=RefusalView(seq=record.seq, why=REPEATED_KEY, clause=None, detail="", entry="pressed")
        )
    return _device(view, replace(before, said=f"{fact['what']}{code}"))


def _shuffled(view: TableView, fact: Mapping[str, Any], _record: Record) -> TableView:
    return replace(view, notes=device_notes.shuffled(view.notes, int(fact["cards"])))


def carried(view: TableView, carry: Mapping[str, Any], at: str) -> TableView:
    """Whose loss nobody has acknowledged, as a table remembers it from one hand to the next."""
    away = carry.get("lost", ())
    for word in carry.get("unseen_devices", ()):
        role, name = str(word).split(" ", 1)
        state = DeviceState.LOST if word in away else DeviceState.BACK
        before = view.devices.get(name, DeviceView(device=name, role=role, state=state, since=at))
        view = _device(view, replace(before, is_unseen=True))
    return view


def _seen(view: TableView, said: Mapping[str, Any], record: Record) -> TableView:
    before = view.devices.get(str(said["alarm"]).removeprefix("device-"))
    if before is None:
        return view
    return _device(view, replace(before, is_unseen=False, seen_by=said["by"], seen_at=record.at))


DECISIONS: Final[Mapping[str, Step]] = {"alarm-seen": _seen}
FACTS: Final[Mapping[str, Step]] = {
    "device-lost": _device_lost,
    "device-back": _device_back,
    "device-said": _device_said,
    "shuffled": _shuffled,
}
