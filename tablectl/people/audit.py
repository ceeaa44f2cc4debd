"""What people did, on record: numbered rows, each with the digest of those before it, told to the controller in order.

The controller keeps them in its journal, which is sealed and signed. Until it has said so a row is told again; the
number makes that harmless. The chain here shows what was cut out or changed in between by somebody who did not make
it anew from there; who can do that is held against the journal.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from tablectl.people.access import AccessKind
from tablectl.people.file import PeopleFile

#: Before the first row.
_NOTHING: Final = "0" * 64
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_COLUMNS: Final = "SELECT number, at, what, who, role, about, granted, digest FROM access"
#: How long a row's `about` may be: it is a line in a journal.
_ABOUT_MOST: Final = 200
#: How often it is looked whether another process wrote a row, and the longest pause after no answer; in seconds.
LOOK_S: Final = 2.0
LONGEST_PAUSE_S: Final = 30.0

_LOG: Final = logging.getLogger(__name__)

Row: TypeAlias = Mapping[str, Any]
#: Asks the controller one question; raises `OSError` where there is no answer.
Ask: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class Audit:
    """The rows."""

    def __init__(self, file: PeopleFile, *, now_us: Callable[[], int]) -> None:
        self._file = file
        self._now_us = now_us
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
                "about": about.encode(errors="replace").decode()[:_ABOUT_MOST],
                "granted": granted,
            }
            self._file.write("INSERT INTO access VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row.values(), _chained(before, row))
        self.news.set()
        return number

    def rows(self, after: int = 0) -> list[Row]:
        """What stands on record behind a number, oldest first."""
        return [_row(each) for each in self._file.rows(f"{_COLUMNS} WHERE number > ? ORDER BY number", after)]

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


class Teller:
    """Tells the controller, in order, until it has all; then waits for more."""

    def __init__(self, audit: Audit, ask: Ask, *, wait: Callable[[float], Awaitable[None]] | None = None) -> None:
        self._audit = audit
        self._ask = ask
        self._wait = self._news if wait is None else wait

    async def run(self) -> None:
        """For ever. Ends only when it is cancelled."""
        pause_s = LOOK_S
        while True:
            told = await self.tell()
            pause_s = LOOK_S if told else min(2 * pause_s, LONGEST_PAUSE_S)
            await self._wait(pause_s)

    async def tell(self) -> bool:
        """All that it does not have; whether it has them now."""
        self._audit.news.clear()
        for row in self._audit.untold():
            try:
                said = await self._ask({"access": {"id": self._audit.id, **row}})
            except (OSError, ValueError) as lost:
                _LOG.debug("what people did is told later: %s", lost)
                return False
            if said.get("ok") is not True:
                _LOG.warning("the controller does not take record %s of what people did: %s", row["number"], said)
                return False
            self._audit.take_as_told(row["number"])
        return True

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
