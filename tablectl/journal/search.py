"""Finding records by what they say in public. What is sealed is not even read here.

The file's own library goes through the bytes of the public forms (without the interpreter's lock, so that whoever waits
beside it does not notice) and hands over only what can fit; each of those is then read as JSON and looked at exactly.
A search goes through so many numbers at most and says how far it came, so that none takes long, however much there is.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from tablectl.journal.store import JournalUnusable, connected
from tablectl.journal.volumes import volumes

#: Numbers that one search goes through.
SPAN: Final = 250_000
#: Numbers that are gone through at once: between two blocks a reader holds nothing.
BLOCK: Final = 8192
#: Rows that are taken at once.
PAGE: Final = 256
#: Members of a fact that hold words of people or of programs.
TEXT_MEMBERS: Final = ("reason", "about", "error")
#: Members of a fact that name a person.
PERSON_MEMBERS: Final = ("by", "croupier", "second", "who")
#: A public form begins with its time: the members are sorted, and no name comes before `at`.
_BEGINS: Final = b'{"at":"'
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
#: What is written in one way only, but for capitals, whatever stands around it; only of these does SQLite know the
#: others.
_PLAIN: Final = re.compile(r"[a-z0-9 .+-]+")
#: A clock that jumps makes records of another time than those around them: a volume is left out only so far away.
_AWAY: Final = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What is looked for; what is empty or None does not matter.

    `since` and `until` are times as records have them (RFC 3339, UTC, microseconds), the second one not included.
    `clause` is a clause, or what several begin with (`THB-ERR`). `person` is whoever did, saw or ruled it. `kinds` are
    those of a fact or a decision. `text` is part of a reason, however it is written.
    """

    since: str = ""
    until: str = ""
    hand: int | None = None
    clause: str = ""
    person: str = ""
    kinds: frozenset[str] = frozenset()
    text: str = ""

    def __post_init__(self) -> None:
        for time in filter(None, (self.since, self.until)):
            if not _TIME.fullmatch(time):
                raise ValueError(f"{time!r} is no time of a record")


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A record that was found. `public` is its public form as it was chained."""

    seq: int
    hand: int
    public: bytes
    hash: bytes
    signature: bytes | None

    def told(self) -> Mapping[str, Any]:
        """What it says; empty where somebody put there what is no JSON object."""
        return _told(self.public)

    @property
    def fact(self) -> Mapping[str, Any]:
        """What happened; empty where there is none."""
        return _mapping(self.told().get("fact"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Newest first. Everything from `low` to `high` was looked at; `before` is where the search goes on, None where it
    is at its end."""

    hits: tuple[Hit, ...]
    low: int
    high: int
    before: int | None


def find(base: Path, wanted: Wanted, *, before: int | None = None, most: int = 50, span: int = SPAN) -> Found:
    """The newest records that fit, behind none of number `before`. Raises `JournalUnusable`."""
    hits: list[Hit] = []
    high, low, left = 0, 0, span
    for path in reversed(_there(base)):
        with closing(_opened(path)) as connection:
            first, last = _numbers(connection, wanted.hand)
            at = last + 1 if before is None else min(before, last + 1)
            if at <= first:
                continue
            high, low = high or at - 1, at
            if _is_away(connection, wanted):
                low = first
                continue
            while at > first:
                if left <= 0:
                    return Found(hits=tuple(hits), low=low, high=high, before=at)
                begin = max(first, at - min(BLOCK, left))
                rows = _block(connection, path, wanted, begin, at)
                for row in rows:
                    if fits(row, wanted):
                        hits.append(row)
                        if len(hits) == most:
                            return Found(hits=tuple(hits), low=row.seq, high=high, before=row.seq)
                reached = rows[-1].seq if len(rows) == PAGE else begin
                left, at, low = left - (at - reached), reached, reached
    return Found(hits=tuple(hits), low=low, high=high, before=None)


def walk(base: Path, wanted: Wanted) -> Iterator[list[Hit]]:
    """All that fit, oldest first, some at a time. Raises `JournalUnusable`."""
    for path in _there(base):
        with closing(_opened(path)) as connection:
            at, last = _numbers(connection, wanted.hand)
            if _is_away(connection, wanted):
                continue
        while at <= last:
            end = min(at + BLOCK, last + 1)
            with closing(_opened(path)) as connection:  # whoever takes the next ones may be another thread
                rows = _block(connection, path, wanted, at, end, backward=False)
            yield [row for row in rows if fits(row, wanted)]
            at = rows[-1].seq + 1 if len(rows) == PAGE else end


def fits(hit: Hit, wanted: Wanted) -> bool:
    """Whether a record is one of those that are looked for, looked at exactly."""
    told = hit.told()
    fact, decisions = _mapping(told.get("fact")), [_mapping(each) for each in _list(told.get("decisions"))]
    return (
        (wanted.hand is None or hit.hand == wanted.hand)
        and wanted.since <= str(told.get("at", ""))
        and (not wanted.until or str(told.get("at", "")) < wanted.until)
        and (not wanted.kinds or any(each.get("kind") in wanted.kinds for each in (fact, *decisions)))
        and (not wanted.clause or any(_is_of(wanted.clause, each.get("clause")) for each in (fact, *decisions)))
        and (not wanted.person or wanted.person.casefold() in _people(fact))
        and (not wanted.text or any(wanted.text.casefold() in each.casefold() for each in _texts(fact)))
    )


def _is_of(wanted: str, clause: object) -> bool:
    return isinstance(clause, str) and (clause == wanted or clause.startswith(f"{wanted}-"))


def _people(fact: Mapping[str, Any]) -> frozenset[str]:
    """Everybody a fact names; `by ana+luis` are two."""
    named = [each.casefold() for member in PERSON_MEMBERS if isinstance(each := fact.get(member), str)]
    return frozenset(named) | {one for each in named for one in each.split("+")}


def _texts(fact: Mapping[str, Any]) -> list[str]:
    return [each for member in TEXT_MEMBERS if isinstance(each := fact.get(member), str)]


def _told(public: bytes) -> Mapping[str, Any]:
    try:
        return _mapping(json.loads(public))
    except (TypeError, ValueError, RecursionError):
        return {}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


# --- the file ---------------------------------------------------------------------------------------------------------


def _there(base: Path) -> tuple[Path, ...]:
    """The volumes that have something in them."""
    there = tuple(path for path in volumes(base) if path.stat().st_size)
    if not there:
        raise JournalUnusable(f"{base}: there is no such journal")
    return there


def _opened(path: Path) -> sqlite3.Connection:
    try:
        return connected(path)
    except sqlite3.Error as wrong:
        raise JournalUnusable(f"{path}: {wrong}; is it a journal of tablectl?") from None


def _numbers(connection: sqlite3.Connection, hand: int | None) -> tuple[int, int]:
    """The first and the last number of a volume, or of a hand in it; the last one is smaller where there is none."""
    try:
        found = connection.execute("SELECT min(seq), max(seq) FROM record").fetchone()
    except sqlite3.Error:
        found = (None, None)  # made a moment ago, and not finished
    first, last = (1, 0) if found[0] is None else (int(found[0]), int(found[1]))
    if hand is None:
        return first, last
    return _first_of(connection, hand, first, last), _first_of(connection, hand + 1, first, last) - 1


def _first_of(connection: sqlite3.Connection, hand: int, first: int, last: int) -> int:
    """The first number of a hand or of a later one, looked for by halves, since their numbers only grow."""
    low, high = first, last + 1
    while low < high:
        middle = (low + high) // 2
        found = connection.execute("SELECT hand FROM record WHERE seq >= ? ORDER BY seq LIMIT 1", (middle,)).fetchone()
        if found is not None and found[0] < hand:
            low = middle + 1
        else:
            high = middle
    return low


def _is_away(connection: sqlite3.Connection, wanted: Wanted) -> bool:
    """Whether a whole volume is of quite another time."""
    if not wanted.since and not wanted.until:
        return False
    ends = "SELECT public FROM record WHERE seq IN (SELECT min(seq) FROM record UNION SELECT max(seq) FROM record)"
    times = sorted(time for (public,) in connection.execute(ends) if _TIME.fullmatch(time := _time(public)))
    if not times:
        return False
    since, until = _day(wanted.since, -_AWAY), _day(wanted.until, _AWAY)
    return bool((since and times[-1] < since) or (until and times[0] > until))


def _time(public: object) -> str:
    return str(_told(public).get("at", "")) if isinstance(public, bytes) else ""


def _day(time: str, away: timedelta) -> str:
    """A time so far away, as records have it; empty where there is none."""
    if not time:
        return ""
    try:
        moved = datetime.fromisoformat(time).astimezone(UTC) + away
    except OverflowError:
        return ""
    return f"{moved:%Y-%m-%dT%H:%M:%S.%f}Z"


def _block(
    connection: sqlite3.Connection, path: Path, wanted: Wanted, begin: int, end: int, *, backward: bool = True
) -> list[Hit]:
    """Rows with these numbers that can fit, as many as are taken at once."""
    conditions, values = _conditions(wanted)
    where = " AND ".join(("seq >= ?", "seq < ?", *conditions))
    query = (
        f"SELECT seq, hand, public, hash, signature FROM record WHERE {where} "
        f"ORDER BY seq {'DESC' if backward else 'ASC'} LIMIT {PAGE}"
    )
    try:
        rows = connection.execute(query, (begin, end, *values)).fetchall()
    except sqlite3.Error as wrong:
        raise JournalUnusable(f"{path}: {wrong}; restore it from the second copy") from None
    return [Hit(seq=seq, hand=hand, public=public, hash=link, signature=by) for seq, hand, public, link, by in rows]


def _conditions(wanted: Wanted) -> tuple[list[str], list[str | bytes | int]]:
    """What the bytes of a public form must have, so that it can fit: never less than `fits` asks for."""
    conditions: list[str] = []
    values: list[str | bytes | int] = []

    def one_of(needles: Sequence[str]) -> None:
        conditions.append(f"({' OR '.join(['instr(public, ?) > 0'] * len(needles))})")
        values.extend(each.encode() for each in needles)

    if wanted.hand is not None:
        conditions.append("hand = ?")
        values.append(wanted.hand)
    for time, compared in ((wanted.since, ">="), (wanted.until, "<")):
        if time:
            conditions.append(f"substr(public, {len(_BEGINS) + 1}, {len(time)}) {compared} ?")
            values.append(time.encode())
    if wanted.kinds:
        one_of([f'"kind":{json.dumps(kind)}' for kind in sorted(wanted.kinds)])
    if wanted.clause:
        one_of([f'"clause":{json.dumps(wanted.clause, ensure_ascii=False)[:-1]}'])
    for looked_for, members in ((wanted.person, PERSON_MEMBERS), (wanted.text, TEXT_MEMBERS)):
        if plain := max(_PLAIN.findall(looked_for.casefold()), key=len, default=""):
            conditions.append("instr(lower(CAST(public AS TEXT)), ?) > 0")
            values.append(plain)
        elif looked_for:
            one_of([f'"{member}":"' for member in members])
    return conditions, values
