"""What a page of the overview shows: everything, or the tables of one pit boss alone, with calls of their own. Pure.

Of a thousand tables a pit boss is responsible for four to twenty. Were their calls counted together, a flood at one end
of the house would silence the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final

from tablectl.fleet.pit.announcer import Announced, Announcer
from tablectl.fleet.pit.pit_alarms import PitAlarm
from tablectl.fleet.pit.presence import Presence
from tablectl.fleet.pit.store import NotTaken, Reached

#: In an address: so many patterns, and characters in all.
PATTERNS_MOST: Final = 40
TEXT_MOST: Final = 800
#: So many different scopes are followed at once.
SCOPES_MOST: Final = 500
#: A scope that no page asked for since then is followed no more: longer than a page follows its stream.
UNUSED_S: Final = 1_200.0


class BadScope(ValueError):
    """Names of tables in an address that cannot be followed. `why`: in a word of the overview's texts."""

    def __init__(self, why: ScopeFlaw, what: str) -> None:
        super().__init__(what)
        self.why = why


class ScopeFlaw(StrEnum):
    """What is wrong with them."""

    #: more or longer names than an address may have
    LONG = "scope-long"
    #: too many different choices of tables are followed at once
    CROWDED = "scope-crowded"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """The tables whose name matches one of the patterns (`*` for anything, `?` for one character); none: all."""

    patterns: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ",".join(self.patterns)

    def has(self, table: str) -> bool:
        """Whether the table is one of them."""
        return not self.patterns or any(fnmatchcase(table, pattern) for pattern in self.patterns)


ALL: Final = Scope()


def parse(text: str) -> Scope:
    """As an address says it: names or patterns with commas between them. Raises `BadScope`."""
    patterns = tuple(sorted({word.strip() for word in text.split(",")} - {""}))
    if len(text) > TEXT_MOST or len(patterns) > PATTERNS_MOST:
        raise BadScope(
            ScopeFlaw.LONG,
            f"tables: {len(patterns)} names in {len(text)} characters; would be right: up to {PATTERNS_MOST} names or "
            f"patterns in {TEXT_MOST} characters, as in mesa-1,mesa-2*",
        )
    return ALL if "*" in patterns else Scope(patterns=patterns)


@dataclass(frozen=True, kw_only=True, slots=True)
class FloorPicture:
    """Everything that an overview shows, at one moment: of the clock on the wall, and of one that nobody sets."""

    at_us: int = 0
    at_s: float = 0.0
    tables: tuple[Presence, ...] = ()
    reached: Mapping[str, Reached] = field(default_factory=dict)
    alarms: tuple[PitAlarm, ...] = ()
    announced: Announced = field(default_factory=Announced)
    not_taken: tuple[NotTaken, ...] = ()
    rows: int = 0


@dataclass(kw_only=True, slots=True)
class _Followed:
    """A scope, since when no page asked for it, and which of the tables are in it."""

    used_s: float
    announcer: Announcer = field(default_factory=Announcer)
    names: frozenset[str] = frozenset()


class ScopedPictures:
    """Makes a picture of each scope out of that of all tables. Used by one thread at a time."""

    def __init__(self) -> None:
        self._followed: dict[Scope, _Followed] = {ALL: _Followed(used_s=float("inf"))}
        self._names: frozenset[str] = frozenset()

    def follow(self, scope: Scope, now_s: float) -> None:
        """A page shows this one. Raises `BadScope` where too many are followed."""
        if scope == ALL:
            return
        if scope in self._followed:
            self._followed[scope].used_s = now_s
            return
        self._drop(now_s)
        if len(self._followed) >= SCOPES_MOST:
            raise BadScope(
                ScopeFlaw.CROWDED,
                f"tables: {SCOPES_MOST} different choices of tables are shown already; look at all of them",
            )
        self._followed[scope] = _Followed(used_s=now_s, names=_of(scope, self._names))

    def of(self, whole: FloorPicture) -> Mapping[Scope, FloorPicture]:
        """The picture of each scope that is followed; `whole` is that of all tables, before anybody is called."""
        self._drop(whole.at_s)
        by_name = {table.name: table for table in whole.tables}
        if by_name.keys() != self._names:
            self._names = frozenset(by_name)
            for scope, followed in self._followed.items():
                followed.names = _of(scope, self._names)
        return MappingProxyType({scope: self._made(scope, whole, by_name) for scope in self._followed})

    def of_one(self, scope: Scope, whole: FloorPicture) -> FloorPicture:
        """The picture of one that is followed since the others were made."""
        return self._made(scope, whole, {table.name: table for table in whole.tables})

    def _made(self, scope: Scope, whole: FloorPicture, by_name: Mapping[str, Presence]) -> FloorPicture:
        followed = self._followed[scope]
        return _called(whole if scope is ALL else _narrowed(whole, by_name, followed.names), followed.announcer)

    def _drop(self, now_s: float) -> None:
        for scope in [scope for scope, found in self._followed.items() if now_s - found.used_s > UNUSED_S]:
            del self._followed[scope]


def _of(scope: Scope, names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if scope.has(name))


def _narrowed(whole: FloorPicture, by_name: Mapping[str, Presence], names: frozenset[str]) -> FloorPicture:
    """These tables, and the alarms that are about one of them."""
    return replace(
        whole,
        tables=tuple(by_name[name] for name in names),
        alarms=tuple(alarm for alarm in whole.alarms if not names.isdisjoint(alarm.tables)),
        not_taken=tuple(found for found in whole.not_taken if found.table in names),
    )


def _called(picture: FloorPicture, announcer: Announcer) -> FloorPicture:
    return replace(picture, announced=announcer.look(picture.alarms, now_s=picture.at_s, now_us=picture.at_us))
