"""Alarms that are put aside for a while, with an end and a reason (ISA-18.2): an incident that nobody has acknowledged,
or a device that is away. Nothing that holds the table can be. And those of devices, and of attempts, that somebody
acknowledges.

There is no clock in here: whoever shows an alarm compares `until_us` with his own now. An entry ends when a person ends
it, or with the alarm's cause.
"""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import incidents
from tablectl.core.engine.decisions import AlarmSeen, AlarmShelved, AlarmUnshelved
from tablectl.core.engine.equipment import reader
from tablectl.core.engine.facts import Acknowledged, DeviceBack, DeviceLost, OnShelf, Shelved, Unshelved
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Refusal
from tablectl.core.security import ALARMS

#: A day.
MINUTES_MOST: Final = 1440
_INCIDENT: Final = "incident-"
_DEVICE: Final = "device-"
_MINUTE_US: Final = 60_000_000
#: With what an alarm's cause can end, or begin to hold the table.
MAY_END: Final = frozenset({Acknowledged, DeviceBack, DeviceLost})


def shelved(state: State, fact: Shelved) -> None:
    """Somebody puts an alarm aside, or one that is aside for another while."""
    against = _why_not(state, fact)
    if against is not None:
        state.refuse(Refusal.NOT_SHELVED, detail=against)
        return
    until_us = fact.at_us + fact.minutes * _MINUTE_US
    state.shelved[fact.alarm] = OnShelf(until_us=until_us, by=fact.by, reason=fact.reason)
    state.say(AlarmShelved(alarm=fact.alarm, until_us=until_us, by=fact.by, reason=fact.reason))


def unshelved(state: State, fact: Unshelved) -> None:
    """Somebody wants to see it again."""
    if fact.alarm not in state.shelved:
        state.refuse(Refusal.NOT_SHELVED, detail="not-there")
    else:
        _ends(state, fact.alarm, by=fact.by)


def acknowledged(state: State, fact: Acknowledged) -> None:
    """Somebody knows of it: of an incident, of a device that is away, or that was and is back, or of attempts, of which
    only notes tell: nothing of the game follows from them, so whoever acknowledges one is believed that it is there."""
    if not fact.alarm:
        incidents.acknowledged(state, fact)
        return
    if fact.alarm in ALARMS:
        state.say(AlarmSeen(alarm=fact.alarm, by=fact.by))
        return
    found = {device for device in state.unseen_devices if fact.alarm == f"{_DEVICE}{device[1]}"}
    if not found:
        state.refuse(Refusal.UNKNOWN_ALARM, detail=fact.alarm)
        return
    state.unseen_devices -= found
    state.say(AlarmSeen(alarm=fact.alarm, by=fact.by))


def follow(state: State, fact: object) -> None:
    """After one of these facts: the alarm's cause has ended, or it holds the table now."""
    match fact:
        case Acknowledged() if not fact.alarm and fact.incident not in state.unseen:
            _ends(state, f"{_INCIDENT}{fact.incident}")
        case DeviceBack() if not _is_away(state, fact.device):
            _ends(state, f"{_DEVICE}{fact.device}")
        case DeviceLost() if _holds(state, f"{_DEVICE}{fact.device}"):
            _ends(state, f"{_DEVICE}{fact.device}")


def _ends(state: State, alarm: str, *, by: str = "") -> None:
    if state.shelved.pop(alarm, None) is not None:
        state.say(AlarmUnshelved(alarm=alarm, by=by))


def can_be_shelved(state: State) -> tuple[str, ...]:
    """The alarms that can be put aside now."""
    of_incidents = (f"{_INCIDENT}{number}" for number in sorted(state.unseen))
    of_devices = sorted({f"{_DEVICE}{name}" for _, name in state.lost})
    return tuple(alarm for alarm in (*of_incidents, *of_devices) if _why_not_alarm(state, alarm) is None)


def _why_not(state: State, fact: Shelved) -> str | None:
    """What speaks against it, in one word."""
    if not 1 <= fact.minutes <= MINUTES_MOST:
        return "minutes"
    if not fact.reason:
        return "no-reason"
    return _why_not_alarm(state, fact.alarm)


def _why_not_alarm(state: State, alarm: str) -> str | None:
    if _holds(state, alarm):
        return "holds-the-table"
    if alarm.startswith(_DEVICE):
        return None if _is_away(state, alarm.removeprefix(_DEVICE)) else "nothing-wrong"
    number = _number(alarm)
    if number is None or number > state.n_incidents:
        return "unknown-alarm"
    return None if number in state.unseen else "nothing-wrong"


def _holds(state: State, alarm: str) -> bool:
    """Whether the table waits for this: for a ruling, an answer, or the device that reads its cards."""
    if alarm.startswith(_DEVICE):
        role = reader(state.setup)
        return state.shoe_lost is not None and (role, alarm.removeprefix(_DEVICE)) in state.lost
    asked = {pending.incident.number for pending in state.asking if pending.incident is not None}
    lost = {state.shoe_lost.number} if state.shoe_lost is not None else set()
    return _number(alarm) in {*asked, *lost, *state.ruling, *state.requests}


def _is_away(state: State, device: str) -> bool:
    return any(name == device for _, name in state.lost)


def _number(alarm: str) -> int | None:
    """Of an incident; None for what is none."""
    digits = alarm.removeprefix(_INCIDENT) if alarm.startswith(_INCIDENT) else ""
    is_plain = digits.isascii() and digits.isdecimal() and not digits.startswith("0")
    return int(digits) if is_plain else None
