"""What the overview says of tables and alarms, in one language. Pure.

Words come from tables, of which one may be newer than this program, or lie: what cannot be said in words stands as it
came, and every other table is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tablectl.core.public_table.alarm_kinds import AlarmKind, kind_of_lost
from tablectl.core.public_table.alarms import Alarm
from tablectl.core.public_table.device import DeviceState, DeviceView, NoteView
from tablectl.fleet.last_values import DeviceNow, LastValues, OpenAlarm
from tablectl.fleet.pit.pit_alarms import PitAlarm, PitAlarmKind
from tablectl.web.screens import alarm_texts
from tablectl.web.screens.screen_texts import ScreenTexts

#: So many tables are named at most where several are silent together.
NAMED_MOST: Final = 8
_DASH: Final = "—"


@dataclass(frozen=True, kw_only=True, slots=True)
class AlarmWords:
    """An alarm in words: what is wrong, and what to do about it, or which rule says so."""

    title: str
    more: str


def waits_for(t: ScreenTexts, values: LastValues) -> str:
    """What a table waits for."""
    return _said(lambda: t.waits_for(values.waits), values.waits.about or _DASH)


def device(t: ScreenTexts, found: DeviceNow) -> str:
    """A device that is not well: what it does at the table, and how it is."""
    return f"{t.word('role', found.role)}: {t.word('device-health', found.state)}"


def alarm(t: ScreenTexts, found: PitAlarm) -> AlarmWords:
    """What an alarm says. `t` is that of the table's game."""
    if found.of_table is not None:
        return _of_table(t, found.of_table)
    tables = ", ".join(found.tables[:NAMED_MOST])
    if len(found.tables) > NAMED_MOST:
        tables = t.say("overview", "and-more", tables=tables, count=len(found.tables) - NAMED_MOST)
    match found.kind:
        case PitAlarmKind.SILENT_TOGETHER:
            return AlarmWords(title=t.pluralize("overview", "silent-together", found.count), more=tables)
        case PitAlarmKind.SILENT:
            return AlarmWords(title=t.say("overview", "silent"), more=t.say("overview", "silent-do"))
        case PitAlarmKind.ODD:
            why = t.say("overview-odd", found.why, has=found.seq, had=found.had)
            return AlarmWords(title=why, more=t.say("overview", "fork-do"))
        case PitAlarmKind.FORK:
            return AlarmWords(title=t.say("overview", "fork", seq=found.seq), more=t.say("overview", "fork-do"))
        case _:
            why = t.word("overview-flaw", found.why)
            title = t.say("overview", "not-taken", why=why, seq=found.seq)
            return AlarmWords(title=title, more=t.say("overview", "not-taken-do"))


def _of_table(t: ScreenTexts, found: OpenAlarm) -> AlarmWords:
    if found.observed:
        title = _said(lambda: t.incident_title(found.expected, found.observed, found.remedies), found.observed)
        about = _said(lambda: t.spot(found.about), found.about) if found.about else ""
        responder = t.word("person-role", found.responder) if found.responder else ""
        more = " · ".join(filter(None, (found.clause, responder)))
        return AlarmWords(title=f"{title} · {about}" if about else title, more=more)
    if found.missing:
        return AlarmWords(title=t.say("rolled-back", "missing", seq=found.missing), more=t.say("rolled-back", "do"))
    if found.disk:
        return AlarmWords(title=t.word("disk", found.disk), more=t.say("alarm", "disk-do"))
    if found.cause:
        cause = found.cause
        return AlarmWords(
            title=_said(lambda: t.say("attempts", cause), cause),
            more=_said(lambda: t.say("attempts-do", cause), t.word("person-role", found.responder)),
        )
    if found.days is not None:
        title = t.pluralize("alarm", "not-approved", found.days)
        return AlarmWords(title=title, more=t.say("alarm", "not-approved-do"))
    made = _as_alarm(found)
    return AlarmWords(
        title=_said(lambda: alarm_texts.wrong(t, made), found.device),
        more=_said(lambda: alarm_texts.to_do(t, made), ""),
    )


def _as_alarm(found: OpenAlarm) -> Alarm:
    """One about a device, as the screens of its table have it."""
    lost = DeviceState.LOST if found.is_lost else DeviceState.BACK
    notes = tuple(
        NoteView(device=found.device, role=found.role, what=what, code=None, at=found.since) for what in found.said
    )
    view = DeviceView(device=found.device, role=found.role, state=lost, since=found.since)
    return Alarm(
        name=found.name,
        kind=AlarmKind.DEVICE_SAID if notes else kind_of_lost(found.role),
        state=found.state,
        since=found.since,
        device=None if notes else view,
        notes=notes,
    )


def _said(say: Callable[[], str], instead: str) -> str:
    try:
        return say()
    except (LookupError, ValueError):
        return instead
