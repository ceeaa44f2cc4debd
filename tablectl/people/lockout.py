"""How often somebody may guess: a lock on each account, kept in the file, and a rate for each address.

An attempt is counted before its secret is looked at, so that many at the same moment are many. The lock is by name,
whether there is such an account or not, apart for PIN and password, and apart for the table and each browser that is
known (`source.py`): nobody can lock a person out from elsewhere.
"""

from __future__ import annotations

from typing import Final

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from tablectl.people.accounts import Way
from tablectl.people.file import PeopleFile

#: Wrong secrets before the first pause.
WRONG_MOST: Final = 5
#: The first pause; each wrong secret after it doubles it, up to the longest. In seconds.
FIRST_PAUSE_S: Final = 30
LONGEST_PAUSE_S: Final = 900
#: After a day without any attempt the count begins anew.
FORGOTTEN_US: Final = 24 * 3600 * 1_000_000
#: Secrets from one address, right or wrong: a table's screen has a handful in an hour.
PER_MINUTE: Final = 20


class Locked(Exception):
    """Not now. `pause_s`: how long still, in seconds, rounded up."""

    def __init__(self, pause_s: int) -> None:
        super().__init__(f"{pause_s} s")
        self.pause_s = pause_s


class TooMany(Exception):
    """Too many attempts from one address."""


def pause_s(wrong: int) -> int:
    """How long nobody may try after so many wrong secrets, in seconds."""
    over = wrong - WRONG_MOST
    return 0 if over < 0 else min(LONGEST_PAUSE_S, FIRST_PAUSE_S << min(over, 10))


class Lockout:
    """The lock of each name."""

    def __init__(self, file: PeopleFile) -> None:
        self._file = file

    def attempt(self, name: str, way: Way, place: str, now_us: int) -> bool:
        """Count one at this place (`KnownBrowsers.place_of`); whether it is one that locks if it is wrong. Raises
        `Locked`, and then it is not counted."""
        how = _how(way, place)
        with self._file.transaction():
            self._file.write("DELETE FROM attempts WHERE at_us < ? AND until_us < ?", now_us - FORGOTTEN_US, now_us)
            found = self._file.rows("SELECT wrong, until_us FROM attempts WHERE name = ? AND way = ?", name, how)
            wrong, until_us = (int(number or 0) for number in (found[0] if found else (0, 0)))
            if until_us > now_us:
                raise Locked(-((now_us - until_us) // 1_000_000))
            pause = pause_s(wrong + 1)
            self._file.write(
                "INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?)",
                *(name, how, wrong + 1, now_us, now_us + pause * 1_000_000 if pause else 0),
            )
            return pause > 0

    def right(self, name: str, way: Way, place: str) -> None:
        """It was the secret: the count there begins anew."""
        self._file.write("DELETE FROM attempts WHERE name = ? AND way = ?", name, _how(way, place))

    def forgive(self, name: str) -> None:
        """A manager gave a new secret: the count begins anew, in every way and at every place."""
        self._file.write("DELETE FROM attempts WHERE name = ?", name)

    def locked(self, now_us: int) -> frozenset[str]:
        """The names that wait."""
        found = self._file.rows("SELECT DISTINCT name FROM attempts WHERE until_us > ?", now_us)
        return frozenset(str(row[0]) for row in found)


def _how(way: Way, place: str) -> str:
    """What a row of attempts is about."""
    return f"{way} {place}".rstrip()


class Rate:
    """How many secrets an address, the table or a known browser may send in a minute. In memory: a restart forgets it,
    the locks it does not."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._limit = RateLimitItemPerMinute(PER_MINUTE)

    def hit(self, source: str) -> None:
        """Count one. Raises `TooMany`."""
        if not self._limiter.hit(self._limit, "secret", source):
            raise TooMany(source)
