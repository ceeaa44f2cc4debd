"""Who is signed on: a random number in the browser, and its digest here with all that it means.

A session at a desk ends some time after the last thing that its person did (15 minutes where the house says nothing
else); pages that only follow the table do nothing. One at the table (PIN or badge) lasts until the croupier signs off:
cards are dealt for hours without a touch. Both end after 12 hours.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl.people.file import PeopleFile

#: 256 bits.
TOKEN_BYTES: Final = 32
IDLE_US: Final = 15 * 60 * 1_000_000
ABSOLUTE_US: Final = 12 * 3600 * 1_000_000
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


def new_token() -> str:
    """A session's number, as it goes into a cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Sessions:
    """All that are open."""

    def __init__(self, file: PeopleFile, *, token: Callable[[], str] = new_token, idle_us: int = IDLE_US) -> None:
        self._file = file
        self._idle_us = idle_us
        self._token = token

    def open(self, name: str, place: Place, now_us: int) -> str:
        """A new one; its token, which is kept nowhere."""
        token = self._token()
        with self._file.transaction():
            self._file.write("DELETE FROM sessions WHERE opened_us <= ?", now_us - ABSOLUTE_US)
            self._file.write("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", _digest(token), name, place, now_us, now_us)
        return token

    def find(self, token: str, now_us: int, *, is_activity: bool) -> Session | None:
        """The session of this token, None where there is none any more. `is_activity`: its person did something."""
        digest = _digest(token)
        found = self._file.rows("SELECT name, place, opened_us, active_us FROM sessions WHERE digest = ?", digest)
        if not found:
            return None
        name, place, opened_us, active_us = found[0]
        session = Session(
            name=str(name), place=Place(str(place)), opened_us=int(opened_us or 0), active_us=int(active_us or 0)
        )
        if is_over(session, now_us, idle_us=self._idle_us):
            self.end(token)
            return None
        if is_activity and now_us - session.active_us >= NOTED_US:
            self._file.write("UPDATE sessions SET active_us = ? WHERE digest = ?", now_us, digest)
        return session

    def end(self, token: str) -> None:
        """Sign off."""
        self._file.write("DELETE FROM sessions WHERE digest = ?", _digest(token))

    def end_all(self, name: str) -> None:
        """Wherever this person is signed on."""
        self._file.write("DELETE FROM sessions WHERE name = ?", name)


def is_over(session: Session, now_us: int, *, idle_us: int = IDLE_US) -> bool:
    """Whether its time is up; `idle_us`: how long one at a desk lasts without a touch. A clock that was set back ends
    none before its time and keeps none longer than 12 h of running."""
    idle = session.place is Place.DESK and now_us - session.active_us >= idle_us
    return idle or now_us - session.opened_us >= ABSOLUTE_US


def csrf_of(token: str) -> str:
    """What a page of this session sends back with whatever it does; it says nothing about the token."""
    return hmac.new(token.encode(), b"tablectl page", hashlib.sha256).hexdigest()


def is_csrf(token: str, sent: str) -> bool:
    """Whether a page of this session sent it."""
    return hmac.compare_digest(csrf_of(token).encode(), sent.encode(errors="replace"))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
