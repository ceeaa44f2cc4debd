"""What each table said of itself last, and whether it is there. Pure: the clock is given.

A table is *unknown* when it was silent for `SILENT_S`, when a broker lost its connection, and after a start of the
server until it is heard. What it said last stands: nothing that it said is over because it says nothing any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import msgspec

from tablectl.core.public_table.table_state import TableState
from tablectl.fleet.last_values import LastValues
from tablectl.fleet.topics import Here

#: After so long a silence a table is unknown: three of its heartbeats and a little more.
SILENT_S: Final = 15.0
#: Tables that fell silent within so many seconds of each other have one cause: a heartbeat apart, and what their own
#: timers differ by.
TOGETHER_S: Final = 10.0
#: So many of them at least.
TOGETHER_LEAST: Final = 3


class Oddness(StrEnum):
    """What a table says of its journal that cannot be."""

    #: it ends before a record that it had, and nothing says that it was restored
    OLDER = "older"
    #: it began with another record
    OTHER_JOURNAL = "other-journal"


@dataclass(frozen=True, kw_only=True, slots=True)
class Odd:
    """Since when (microseconds since the epoch, by the server), and the records that it has and had."""

    what: Oddness
    since_us: int
    has: int
    had: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Presence:
    """A table. `arrived_us`: when its last values came, by the server's clock; `heard_s`: the same by a clock that
    nobody sets, None where it was not heard since the server started. `session`: its newest connection to a broker,
    empty where none is known; `gone_s`: when the broker lost that one, until it is heard again."""

    name: str
    values: LastValues | None = None
    arrived_us: int = 0
    heard_s: float | None = None
    odd: Odd | None = None
    session: str = ""
    gone_s: float | None = None
    #: how far it was when its last values came, whoever knows that: it cannot be less far any more
    reached: tuple[int, int] = (0, 0)

    def is_unknown(self, now_s: float) -> bool:
        """Whether nobody can say how it is now."""
        return self.gone_s is not None or self.heard_s is None or now_s - self.heard_s > SILENT_S


class Presences:
    """Of all tables that may send. `started_s`: when the server began to listen."""

    def __init__(self, started_s: float) -> None:
        self._started_s = started_s
        self._tables: dict[str, Presence] = {}

    def remember(self, name: str, values: LastValues, arrived_us: int) -> None:
        """What a table said before the server started."""
        self._tables[name] = Presence(name=name, values=values, arrived_us=arrived_us, reached=values.place)

    def expect(self, names: Iterable[str]) -> None:
        """These may send, and no others."""
        self._tables = {name: self._tables.get(name) or Presence(name=name) for name in names}

    def hear(self, name: str, values: LastValues, durable: tuple[int, int], *, now_s: float, now_us: int) -> None:
        """A table said how it is. `durable`: the place up to which its records were durable a moment ago."""
        before = self._tables.get(name) or Presence(name=name)
        values = _with_known(values, before.values)
        self._tables[name] = Presence(
            name=name,
            values=values,
            arrived_us=now_us,
            heard_s=now_s,
            session=before.session,
            odd=_odd(before, values, now_us),
            # What was durable before this came is in the journal of whoever says the next thing.
            reached=max(before.reached, values.place, durable),
        )

    def hear_here(self, name: str, here: Here, *, now_s: float) -> None:
        """A table came to a broker, or the broker lost it. What was lost is an old connection where a newer one is
        known, and says nothing of the table."""
        before = self._tables.get(name) or Presence(name=name)
        if here.is_here:
            self._tables[name] = replace(before, session=here.session)
        elif before.session in ("", here.session):
            self._tables[name] = replace(before, session=here.session, gone_s=now_s)

    @property
    def tables(self) -> tuple[Presence, ...]:
        """All of them, as they are now."""
        return tuple(self._tables.values())

    def silent(self, now_s: float) -> Mapping[str, float]:
        """Those that were silent for `SILENT_S` or that a broker lost, and since when."""
        gone_s = {table.name: table.gone_s for table in self.tables if table.gone_s is not None}
        since_s = {table.name: self._started_s if table.heard_s is None else table.heard_s for table in self.tables}
        return {name: since for name, since in since_s.items() if now_s - since > SILENT_S} | gone_s


def _with_known(values: LastValues, known: LastValues | None) -> LastValues:
    """Of an uplink that started while its controller is away: it knows nothing of the table but that."""
    if known is None or values.seq or values.state not in (TableState.NO_CONTROLLER, TableState.TILT):
        return values
    return msgspec.structs.replace(known, state=values.state, at=values.at)


def _odd(before: Presence, values: LastValues, now_us: int) -> Odd | None:
    """What cannot be, as long as it lasts."""
    known = before.values
    if known is None or not values.origin:
        return None
    what = None
    if known.origin and values.origin != known.origin:
        what = Oddness.OTHER_JOURNAL
    elif values.place < before.reached:
        what = Oddness.OLDER
    if what is None:
        return None
    found = Odd(what=what, since_us=now_us, has=values.seq, had=before.reached[1])
    return found if before.odd is None or before.odd.what is not what else replace(found, since_us=before.odd.since_us)


@dataclass(frozen=True, kw_only=True, slots=True)
class Silence:
    """Tables that fell silent together. `since_s`: the first one; `last_s`: the last one. `is_shared`: they were so
    many that it is not theirs, but the network's or the server's, however many are left of them."""

    since_s: float
    last_s: float
    tables: frozenset[str]
    is_shared: bool = False


class Silences:
    """Which tables fell silent together. A table that is heard leaves, and a silence ends with its last one."""

    def __init__(self) -> None:
        self._silences: list[Silence] = []

    def update(self, silent: Mapping[str, float]) -> tuple[Silence, ...]:
        """`silent`: the tables that are, and since when."""
        left = (replace(silence, tables=silence.tables & silent.keys()) for silence in self._silences)
        self._silences = [silence for silence in left if silence.tables]
        for name, since_s in sorted(silent.items(), key=lambda item: item[1]):
            if not any(name in silence.tables for silence in self._silences):
                self._join(name, since_s)
        return tuple(self._silences)

    def _join(self, name: str, since_s: float) -> None:
        for number, silence in enumerate(self._silences):
            if silence.since_s - TOGETHER_S <= since_s <= silence.last_s + TOGETHER_S:
                tables = silence.tables | {name}
                self._silences[number] = Silence(
                    since_s=min(silence.since_s, since_s),
                    last_s=max(silence.last_s, since_s),
                    tables=tables,
                    is_shared=silence.is_shared or len(tables) >= TOGETHER_LEAST,
                )
                return
        self._silences.append(Silence(since_s=since_s, last_s=since_s, tables=frozenset({name})))
