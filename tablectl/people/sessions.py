"""Who is signed on: a random number in the browser, and its digest here with all that it means.

A session at a desk ends some time after the last thing that its person did (15 minutes where the house says nothing
else); pages that only follow the table do nothing. One at the table (PIN or badge) lasts until the croupier signs off:
cards are dealt for hours without a touch. Both end after 12 hours.

What time ended at a desk leaves its browser an alarm view for 12 hours more: whoever walked away from the screen must
still hear that a table waits. With it nobody acts. Signing off ends it, and whatever makes the account worth less.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl.people.file import PeopleFile
from tablectl.people.tokens import new_token, token_digest

IDLE_US: Final = 15 * 60 * 1_000_000
ABSOLUTE_US: Final = 12 * 3600 * 1_000_000
#: How long an alarm view lasts, from the end of its session on.
ALARMS_US: Final = 12 * 3600 * 1_000_000
#: Activity is written down this often at most.
NOTED_US: Final = 20 * 1_000_000


class Place(StrEnum):
    """Where a session was opened: at the table with PIN or badge, or at a desk with a password."""

    TABLE = "table"
    DESK = "desk"


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One that holds. Times in microseconds since the epoch."""

    name: str
    place: Place
    opened_us: int
    active_us: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AlarmView:
    """What a session that time ended left its browser, until this moment (microseconds since the epoch)."""

    name: str
    token: str
    until_us: int


class Sessions:
    """All that are open."""

    def __init__(self, file: PeopleFile, *, token: Callable[[], str] = new_token, idle_us: int = IDLE_US) -> None:
        self._file = file
        self._idle_us = idle_us
        self._token = token

    def open(self, name: str, place: Place, now_us: int) -> str:
        """A new one; its token, which is kept nowhere."""
        token = self._token()
        digest = token_digest(token)
        with self._file.transaction():
            self._file.write("DELETE FROM sessions WHERE opened_us <= ?", now_us - ABSOLUTE_US - ALARMS_US)
            self._file.write("DELETE FROM alarm_views WHERE until_us <= ?", now_us)
            self._file.write("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", digest, name, place, now_us, now_us)
        return token

    def find(self, token: str, now_us: int, *, is_activity: bool) -> Session | None:
        """The session of this token, None where there is none any more. `is_activity`: its person did something."""
        digest = token_digest(token)
        found = self._file.rows("SELECT name, place, opened_us, active_us FROM sessions WHERE digest = ?", digest)
        if not found:
            return None
        session = _session(str(found[0][0]), *found[0][1:])
        if is_over(session, now_us, idle_us=self._idle_us):
            self._end_by_time(session, digest, now_us)
            return None
        if is_activity and now_us - session.active_us >= NOTED_US:
            self._file.write("UPDATE sessions SET active_us = ? WHERE digest = ?", now_us, digest)
        return session

    def _end_by_time(self, session: Session, digest: str, now_us: int) -> None:
        """Nobody acts with it any more, not even after the clock was set back; at a desk the alarms stay."""
        until_us = _ends_us(session, self._idle_us) + ALARMS_US
        with self._file.transaction():
            self._file.write("DELETE FROM sessions WHERE digest = ?", digest)
            if session.place is Place.DESK and now_us < until_us:
                self._file.write("INSERT INTO alarm_views VALUES (?, ?, ?)", digest, session.name, until_us)

    def alarm_view(self, token: str, now_us: int) -> AlarmView | None:
        """What is left of the session of this token, None where there is nothing or its time is up, too. To be asked
        after `find`, which ends a session."""
        found = self._file.rows("SELECT name, until_us FROM alarm_views WHERE digest = ?", token_digest(token))
        views = (AlarmView(name=str(name), token=token, until_us=int(until_us or 0)) for name, until_us in found)
        return next((view for view in views if now_us < view.until_us), None)

    def is_on(self, name: str, now_us: int) -> bool:
        """Whether this person has one that holds."""
        rows = self._file.rows("SELECT place, opened_us, active_us FROM sessions WHERE name = ?", name)
        return any(not is_over(_session(name, *row), now_us, idle_us=self._idle_us) for row in rows)

    def end(self, token: str) -> None:
        """Sign off."""
        digest = token_digest(token)
        with self._file.transaction():
            self._file.write("DELETE FROM sessions WHERE digest = ?", digest)
            self._file.write("DELETE FROM alarm_views WHERE digest = ?", digest)

    def end_all(self, name: str) -> None:
        """Wherever this person is signed on."""
        with self._file.transaction():
            self._file.write("DELETE FROM sessions WHERE name = ?", name)
            self._file.write("DELETE FROM alarm_views WHERE name = ?", name)


def _session(name: str, place: str | int | None, opened_us: str | int | None, active_us: str | int | None) -> Session:
    return Session(name=name, place=Place(str(place)), opened_us=int(opened_us or 0), active_us=int(active_us or 0))


def is_over(session: Session, now_us: int, *, idle_us: int) -> bool:
    """Whether its time is up; `idle_us`: how long one at a desk lasts without a touch. A clock that was set back ends
    none before its time and keeps none longer than 12 h of running."""
    idle = session.place is Place.DESK and now_us - session.active_us >= idle_us
    return idle or now_us - session.opened_us >= ABSOLUTE_US


def _ends_us(session: Session, idle_us: int) -> int:
    """When the time of one at a desk is up, if its person does nothing more."""
    return min(session.active_us + idle_us, session.opened_us + ABSOLUTE_US)


def csrf_of(token: str) -> str:
    """What a page of this session sends back with whatever it does; it says nothing about the token."""
    return hmac.new(token.encode(), b"tablectl page", hashlib.sha256).hexdigest()


def is_csrf(token: str, sent: str) -> bool:
    """Whether a page of this session sent it."""
    return hmac.compare_digest(csrf_of(token).encode(), sent.encode(errors="replace"))
