"""What people did, on record: numbered rows, each with the digest of those before it, told to the controller in order.

The controller keeps them in its journal, which is sealed and signed. Until it has said so a row is told again; the
number makes that harmless. A row that it will never take is kept here as refused, and the next ones go on; where its
number stands for something else (the file was put back from a copy), the file goes on under a new id.

The chain here shows what was cut out or changed in between by somebody who did not make it anew from there; who can
do that is held against the journal.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from tablectl.core.access import AccessKind, NotTaken
from tablectl.core.roles import SYSTEM
from tablectl.journal.sqlite_file import SqliteError
from tablectl.ops.log import LateLog
from tablectl.people.file import PeopleFile
from tablectl.people.rules import UNKNOWN

#: Before the first row.
_NOTHING: Final = "0" * 64
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_COLUMNS: Final = "SELECT number, at, what, who, role, about, granted, digest FROM access"
#: How long a row's `about` may be: it is a line in a journal.
_ABOUT_MOST: Final = 200
#: How long what comes often is counted before it is on record, in microseconds.
MINUTE_US: Final = 60 * 1_000_000
#: How often it is looked whether another process wrote a row, and the longest pause after no answer; in seconds.
LOOK_S: Final = 2.0
LONGEST_PAUSE_S: Final = 30.0

_LOG: Final = LateLog()

Row: TypeAlias = Mapping[str, Any]
#: Asks the controller one question; raises `OSError` where there is no answer.
Ask: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class Audit:
    """The rows."""

    def __init__(self, file: PeopleFile, *, now_us: Callable[[], int]) -> None:
        self._file = file
        self._now_us = now_us
        #: since when what comes often is counted, and how many times it came besides
        self._often: dict[tuple[AccessKind, str], int] = {}
        self._more: Counter[tuple[AccessKind, str]] = Counter()
        #: set as soon as there is something to tell
        self.news = asyncio.Event()

    def record(self, kind: AccessKind, who: str, role: str, about: str, *, granted: bool) -> int:
        """Put on record what somebody did (`granted`) or was not let do; its number."""
        at = time_text(self._now_us())
        with self._file.transaction():
            last = self._file.rows("SELECT number, digest FROM access ORDER BY number DESC LIMIT 1")
            number, before = (int(last[0][0] or 0) + 1, str(last[0][1])) if last else (1, _NOTHING)
            row: dict[str, Any] = {
                "number": number,
                "at": at,
                "what": kind.value,
                "who": who,
                "role": role,
                "about": printable(about),
                "granted": granted,
            }
            self._file.write("INSERT INTO access VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row.values(), _chained(before, row))
        self.news.set()
        return number

    def record_often(self, kind: AccessKind, who: str, about: str) -> None:
        """Put on record what anybody may cause as often as he likes and is refused: the first one at once, and then one
        row a minute with how many there were, whoever they named."""
        begun_us = self._often.get((kind, about))
        if begun_us is None:
            self._often[kind, about] = self._now_us()
            self.record(kind, who, "", about, granted=False)
            return
        self._more[kind, about] += 1
        self.settle()

    def settle(self, *, is_end: bool = False) -> None:
        """Put on record how many there were in the minutes that are over; at the end, in all."""
        now_us = self._now_us()
        for (kind, about), begun_us in list(self._often.items()):
            if not is_end and 0 <= now_us - begun_us < MINUTE_US:
                continue
            more = self._more.pop((kind, about), 0)
            if more:
                self.record(kind, UNKNOWN, "", f"{about}, {more} more within a minute", granted=False)
                self._often[kind, about] = now_us
            else:
                del self._often[kind, about]

    def rows(self, after: int = 0) -> list[Row]:
        """What stands on record after a number, oldest first."""
        return [_row(row) for row in self._file.rows(f"{_COLUMNS} WHERE number > ? ORDER BY number", after)]

    def untold(self) -> list[Row]:
        """What the controller does not have yet, oldest first."""
        return self.rows(after=self.told)

    @property
    def told(self) -> int:
        """The last number that the controller has."""
        found = self._file.rows("SELECT value FROM meta WHERE key = 'told'")
        return int(found[0][0] or 0) if found else 0

    def take_as_told(self, number: int) -> None:
        """The controller has it."""
        self._file.write("INSERT OR REPLACE INTO meta VALUES ('told', ?)", str(number))

    def refuse(self, number: int, why: str) -> None:
        """The controller will never take it: it stays here alone."""
        with self._file.transaction():
            self._file.write("INSERT OR REPLACE INTO refusals VALUES (?, ?)", number, printable(why))
            self.take_as_told(number)

    def refused(self) -> list[tuple[Row, str]]:
        """What the controller did not take, oldest first, and why."""
        why = {number: str(said) for number, said in self._file.rows("SELECT number, why FROM refusals")}
        return [(row, why[row["number"]]) for row in self.rows() if row["number"] in why] if why else []

    def begin_series(self, first: int) -> None:
        """The journal has these numbers for something else: from here on they are another file's, on record too."""
        with self._file.transaction():
            made = self._file.begin_series(first)
            about = f"put back from a copy: number {first} was on record; from there on its file is {made}"
            self.record(AccessKind.ACCOUNT_CHANGED, SYSTEM, "", about, granted=True)

    def first_broken(self) -> int | None:
        """The number of the first row that does not follow from those before it; None where all do."""
        before, expected = _NOTHING, 1
        for found in self._file.rows(f"{_COLUMNS} ORDER BY number"):
            row, digest = _row(found), str(found[-1])
            if row["number"] != expected or _chained(before, row) != digest:
                return expected
            before, expected = digest, expected + 1
        return expected if self.told >= expected else None

    @property
    def id(self) -> str:
        """Which file of accounts numbers them."""
        return self._file.id


class _NotYet(Exception):
    """The controller answers, but does not take it now."""


class Teller:
    """Tells the controller, in order, until it has all; then waits for more."""

    def __init__(self, audit: Audit, ask: Ask, *, wait: Callable[[float], Awaitable[None]] | None = None) -> None:
        self._audit = audit
        self._ask = ask
        self._wait = self._news if wait is None else wait
        self._is_lost = False

    async def run(self) -> None:
        """For ever. Ends only when it is cancelled."""
        pause_s = LOOK_S
        while True:
            told = await self.tell()
            pause_s = LOOK_S if told else min(2 * pause_s, LONGEST_PAUSE_S)
            await self._wait(pause_s)

    async def tell(self) -> bool:
        """All that it does not have; whether it has them now."""
        try:
            await self._tell()
        except (_NotYet, OSError, ValueError, SqliteError) as lost:
            if not self._is_lost:
                _LOG.warning("accesses kept back", reason=str(lost))
            self._is_lost = True
            return False
        if self._is_lost:
            _LOG.info("accesses told again")
        self._is_lost = False
        return True

    async def _tell(self) -> None:
        self._audit.settle()
        self._audit.news.clear()
        for row in self._audit.untold():
            said = await self._ask({"access": {"id": self._audit.id, **row}})
            if said.get("why") == NotTaken.NUMBER:
                _LOG.warning("access number taken", number=row["number"])
                self._audit.begin_series(row["number"])
                said = await self._ask({"access": {"id": self._audit.id, **row}})
            if said.get("ok") is True:
                self._audit.take_as_told(row["number"])
            elif said.get("why") in list(NotTaken):
                _LOG.warning("access never taken", number=row["number"], reason=str(said.get("error", "")))
                self._audit.refuse(row["number"], str(said.get("error", "")))
            else:
                raise _NotYet(f"record {row['number']}: {said}")

    async def _news(self, at_most_s: float) -> None:
        # What failed is told again after the pause, not because something more happened.
        if at_most_s > LOOK_S:
            await asyncio.sleep(at_most_s)
            return
        try:
            await asyncio.wait_for(self._audit.news.wait(), at_most_s)
        except TimeoutError:
            return


def time_text(at_us: int) -> str:
    """RFC 3339, UTC, microseconds, as in the journal."""
    return (_EPOCH + timedelta(microseconds=at_us)).isoformat(timespec="microseconds").replace("+00:00", "Z")


def printable(text: str) -> str:
    """What a record can be about: one line of printable characters, so long at most; the controller takes no other."""
    whole = text.encode(errors="replace").decode()
    return "".join(word if word.isprintable() else " " if word.isspace() else "?" for word in whole[:_ABOUT_MOST])


def _row(found: tuple[str | int | None, ...]) -> dict[str, Any]:
    number, at, what, who, role, about, granted, _ = found
    return {
        "number": number,
        "at": at,
        "what": what,
        "who": who,
        "role": role,
        "about": about,
        "granted": bool(granted),
    }


def _chained(before: str, row: Mapping[str, Any]) -> str:
    text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{before}{text}".encode()).hexdigest()
