"""Finding records by what they say in public. What is sealed is not even read here.

The file's own library goes through the bytes of the public forms (without the interpreter's lock, so that whoever waits
beside it does not notice) and hands over only what can fit; each of those is then read as JSON and looked at exactly.
A search goes through so many numbers at most and says how far it came, so that none takes long, however much there is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.events.codec import UnreadableRecord
from tablectl.core.events.stream import Event, PublicRecord, decode_bytes, kind_of_event, member_of
from tablectl.journal.sqlite_file import Connection, SqliteError, connect_for_reading
from tablectl.journal.store import JournalUnusable, first_of
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


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A record that was found. `public` is its public form as it was chained."""

    seq: int
    hand: int
    public: bytes
    hash: bytes
    signature: bytes | None

    @cached_property
    def record(self) -> PublicRecord | None:
        """What it says; None where somebody put there what no program writes."""
        try:
            return decode_bytes(self.public, self.seq)
        except UnreadableRecord:
            return None

    @property
    def at(self) -> str:
        """Its time as it stands there; empty where none does."""
        return _time(self.public)


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Newest first. Everything from `low` to `high` was looked at; `before` is where the search goes on, None where it
    is at its end."""

    hits: tuple[Hit, ...]
    low: int
    high: int
    before: int | None


def find(base: Path, wanted: Wanted, *, before: int | None = None, most: int = 50, span: int = SPAN) -> Found:
    """The newest records that fit, after none of number `before`. Raises `JournalUnusable`."""
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
    """Whether a record is one of those that are looked for, looked at exactly. One that nobody can read is: its bytes
    hold what is looked for, and whoever looks has to see what is left of it."""
    if wanted.hand is not None and hit.hand != wanted.hand:
        return False
    if hit.at < wanted.since or (wanted.until and hit.at >= wanted.until):
        return False
    if not (wanted.kinds or wanted.clause or wanted.person or wanted.text):
        return True
    return hit.record is None or _says(hit.record, wanted)


def _says(record: PublicRecord, wanted: Wanted) -> bool:
    """Whether it says what is looked for."""
    event, said = record.event, (record.event, *record.decisions)
    return (
        (not wanted.kinds or not wanted.kinds.isdisjoint(map(kind_of_event, said)))
        and (not wanted.clause or any(_is_of(wanted.clause, member_of(item, "clause")) for item in said))
        and (not wanted.person or wanted.person.casefold() in _people(event))
        and (not wanted.text or any(wanted.text.casefold() in text.casefold() for text in _texts(event)))
    )


def _is_of(wanted: str, clause: object) -> bool:
    return isinstance(clause, str) and (clause == wanted or clause.startswith(f"{wanted}-"))


def _people(event: Event) -> frozenset[str]:
    """Everybody a fact names; `by ana+luis` are two."""
    named = [name.casefold() for member in PERSON_MEMBERS if isinstance(name := member_of(event, member), str)]
    return frozenset(named) | {one for text in named for one in text.split("+")}


def _texts(event: Event) -> list[str]:
    return [text for member in TEXT_MEMBERS if isinstance(text := member_of(event, member), str)]


# --- the file ---------------------------------------------------------------------------------------------------------


def _there(base: Path) -> tuple[Path, ...]:
    """The volumes that have something in them."""
    there = tuple(path for path in volumes(base) if path.stat().st_size)
    if not there:
        raise JournalUnusable(f"{base}: there is no such journal")
    return there


def _opened(path: Path) -> Connection:
    try:
        return connect_for_reading(path)
    except SqliteError as wrong:
        raise JournalUnusable(f"{path}: {wrong}; is it a journal of tablectl?") from None


def _numbers(connection: Connection, hand: int | None) -> tuple[int, int]:
    """The first and the last number of a volume, or of a hand in it; the last one is smaller where there is none."""
    try:
        found = connection.execute("SELECT min(seq), max(seq) FROM record").fetchone()
    except SqliteError:
        found = (None, None)  # made a moment ago, and not finished
    first, last = (1, 0) if found[0] is None else (int(found[0]), int(found[1]))
    if hand is None:
        return first, last
    return first_of(connection, hand, first, last + 1), first_of(connection, hand + 1, first, last + 1) - 1


def _is_away(connection: Connection, wanted: Wanted) -> bool:
    """Whether a whole volume is of quite another time."""
    if not wanted.since and not wanted.until:
        return False
    ends = "SELECT public FROM record WHERE seq IN (SELECT min(seq) FROM record UNION SELECT max(seq) FROM record)"
    times = sorted(time for (public,) in connection.execute(ends) if _TIME.fullmatch(time := _time(public)))
    if not times:
        return False
    since, until = _day(wanted.since, -_AWAY), _day(wanted.until, _AWAY)
    return bool((since and times[-1] < since) or (until and times[0] > until))


class _Timed(msgspec.Struct):
    """The time of a record, whatever else it says."""

    at: str


_TIMED: Final = msgspec.json.Decoder(_Timed)


def _time(public: object) -> str:
    try:
        return _TIMED.decode(public).at if isinstance(public, bytes) else ""
    except (RecursionError, ValueError):
        return ""


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
    connection: Connection, path: Path, wanted: Wanted, begin: int, end: int, *, backward: bool = True
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
    except SqliteError as wrong:
        raise JournalUnusable(f"{path}: {wrong}; restore it from the second copy") from None
    return [Hit(seq=seq, hand=hand, public=public, hash=link, signature=by) for seq, hand, public, link, by in rows]


def _conditions(wanted: Wanted) -> tuple[list[str], list[str | bytes | int]]:
    """What the bytes of a public form must have, so that it can fit: never less than `fits` asks for."""
    conditions: list[str] = []
    values: list[str | bytes | int] = []

    def one_of(needles: Sequence[str]) -> None:
        conditions.append(f"({' OR '.join(['instr(public, ?) > 0'] * len(needles))})")
        values.extend(needle.encode() for needle in needles)

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
