"""One list of the alarms of all tables, the most important first: those that the tables have, and those that only the
pit server can have. Pure.

Many tables that fell silent together are one alarm, which stands for theirs. History does not ring: what began more
than a minute before it came here is on the list and is not announced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl.core.public_table.alarm_kinds import Priority, Responder
from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.timestamps import time_us
from tablectl.fleet.heads import Case
from tablectl.fleet.last_values import LastValues, OpenAlarm
from tablectl.fleet.pit.presence import SILENT_S, Odd, Presence, Silence
from tablectl.fleet.pit.store import NotTaken, Reached

#: What began longer before it came than this is history.
HISTORY_US: Final = 60 * 1_000_000
#: So long it is waited for others that fall silent with a table before anybody is told.
GATHER_S: Final = 5.0
#: What was not taken stays on the list for so long after the table's records go on again; the evidence stays for ever.
NOT_TAKEN_US: Final = 24 * 60 * 60 * 1_000_000
_US: Final = 1_000_000


class PitAlarmKind(StrEnum):
    """What an alarm is about."""

    #: one of a table's own
    TABLE = "table"
    #: a table that says nothing
    SILENT = "silent"
    #: several tables that fell silent together
    SILENT_TOGETHER = "silent-together"
    #: another past of a table than the one that is kept
    FORK = "fork"
    #: a batch that is wrong in itself
    NOT_TAKEN = "not-taken"
    #: a journal that ends before what it had, or is another one
    ODD = "odd"


class Ring(StrEnum):
    """Whether somebody is called."""

    NOW = "now"
    #: not yet: it may turn out to be part of something larger
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, kw_only=True, slots=True)
class PitAlarm:
    """An alarm. `name` is its own among all; `since_us` by the server's clock, 0 where nobody knows. `is_frozen`: the
    table is unknown, so this is how it was. `why`: of what was not taken, the flaw; of a journal, what is odd."""

    name: str
    kind: PitAlarmKind
    tables: tuple[str, ...]
    priority: Priority
    state: AlarmState
    since_us: int
    ring: Ring = Ring.NOW
    is_frozen: bool = False
    game: str = ""
    of_table: OpenAlarm | None = None
    why: str = ""
    seq: int = 0
    had: int = 0
    count: int = 0


_STATES: Final = tuple(AlarmState)


def pit_alarms_of(
    tables: Sequence[Presence],
    silences: Iterable[Silence],
    not_taken: Iterable[NotTaken],
    reached: Mapping[str, Reached],
    *,
    now_s: float,
    now_us: int,
) -> tuple[PitAlarm, ...]:
    """All of them: those that somebody has to acknowledge first, then by how urgent they are, the newest first."""
    found = [
        *(alarm for table in tables for alarm in _of_table(table, now_s)),
        *(_of_silence(silence, now_s, now_us) for silence in silences),
        *_of_not_taken(not_taken, {table.name for table in tables}, reached, now_us),
    ]
    return tuple(sorted(found, key=_order))


def _order(alarm: PitAlarm) -> tuple[int, int, int, str]:
    return _STATES.index(alarm.state), alarm.priority, -alarm.since_us, alarm.name


def _of_table(table: Presence, now_s: float) -> Iterator[PitAlarm]:
    """Those that it has itself, and what is odd about it."""
    values = table.values
    if values is None:
        return
    for alarm in values.alarms:
        since_us, is_history = _began(alarm.since, values, table.arrived_us)
        yield PitAlarm(
            name=f"{table.name} {alarm.name}",
            kind=PitAlarmKind.TABLE,
            tables=(table.name,),
            priority=alarm.priority,
            state=alarm.state,
            since_us=since_us,
            ring=Ring.NEVER if is_history or _is_silent(alarm) else Ring.NOW,
            is_frozen=table.is_unknown(now_s),
            game=values.game,
            of_table=alarm,
        )
    if table.odd is not None:
        yield _of_odd(table, table.odd)


def _began(since: str, values: LastValues, arrived_us: int) -> tuple[int, bool]:
    """When it began by the server's clock, to the second, and whether that is history. The table's clock only says how
    long ago it was when it was said."""
    if not since:
        return 0, False
    ago_us = max(0, time_us(values.at) - time_us(since))
    return _to_the_second(arrived_us - ago_us), ago_us > HISTORY_US


def _to_the_second(at_us: int) -> int:
    """What was on its way for another moment is the same time all the same."""
    return round(at_us / _US) * _US


def _is_silent(alarm: OpenAlarm) -> bool:
    """Whether nobody is called for it, as on the page of its table: somebody put it aside, it can wait, or the croupier
    has it before him."""
    is_urgent = alarm.priority is not Priority.LOW and alarm.responder != Responder.CROUPIER
    return alarm.state is AlarmState.SHELVED or not is_urgent


def _of_odd(table: Presence, odd: Odd) -> PitAlarm:
    return PitAlarm(
        name=f"{table.name} {odd.what}",
        kind=PitAlarmKind.ODD,
        tables=(table.name,),
        priority=Priority.HIGH,
        state=AlarmState.UNACKNOWLEDGED,
        since_us=odd.since_us,
        why=odd.what,
        seq=odd.has,
        had=odd.had,
    )


def _of_silence(silence: Silence, now_s: float, now_us: int) -> PitAlarm:
    is_shared = silence.is_shared
    tables = tuple(sorted(silence.tables))
    since_us = _to_the_second(now_us - round((now_s - silence.since_s) * _US))
    is_gathered = now_s - silence.last_s > SILENT_S + GATHER_S
    return PitAlarm(
        # A silence keeps its name while tables come and go; the clock of the server may be set meanwhile.
        name=f"silent {silence.since_s:.3f}" if is_shared else f"{tables[0]} silent",
        kind=PitAlarmKind.SILENT_TOGETHER if is_shared else PitAlarmKind.SILENT,
        tables=tables,
        priority=Priority.HIGH if is_shared else Priority.MEDIUM,
        state=AlarmState.UNACKNOWLEDGED,
        since_us=since_us,
        ring=Ring.NOW if is_gathered else Ring.LATER,
        count=len(tables),
    )


def _of_not_taken(
    not_taken: Iterable[NotTaken], tables: set[str], reached: Mapping[str, Reached], now_us: int
) -> Iterator[PitAlarm]:
    """What was kept as evidence, of tables that may send. It lasts until the table's records go on."""
    for found in not_taken:
        at_us = time_us(found.at)
        head = reached.get(found.table)
        goes_on = head is not None and head.came_at > found.at
        if found.table not in tables or (goes_on and now_us - at_us > NOT_TAKEN_US):
            continue
        is_fork = found.flaw == Case.FORK
        yield PitAlarm(
            name=f"{found.table} {found.flaw} {found.at}",
            kind=PitAlarmKind.FORK if is_fork else PitAlarmKind.NOT_TAKEN,
            tables=(found.table,),
            priority=Priority.HIGH if is_fork else Priority.MEDIUM,
            state=AlarmState.RETURNED if goes_on else AlarmState.UNACKNOWLEDGED,
            since_us=at_us,
            ring=Ring.NEVER if now_us - at_us > HISTORY_US else Ring.NOW,
            why=found.flaw,
            seq=found.seq,
            count=found.count,
        )
