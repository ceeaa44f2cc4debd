"""Who there is: names, roles, hashes of secrets and digests of badges.

Whatever makes an account or a secret worth less ends its sessions in the same transaction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tablectl.core.roles import Person, Role
from tablectl.people.file import PeopleFile

#: How long a password that was given to somebody is good, in microseconds.
GIVEN_US: Final = 24 * 3600 * 1_000_000


class Way(StrEnum):
    """How somebody shows who he is."""

    PASSWORD = "password"
    PIN = "pin"
    BADGE = "badge"


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    """Somebody who may sign on. `display` is how he is called on screens; `must_change`: his password was given to him
    and is good for choosing one of his own, for a day from `given_us` on (microseconds since the epoch). `language`:
    the one that he chose for his pages, "" where he chose none."""

    name: str
    display: str
    roles: frozenset[Role]
    has_pin: bool
    n_badges: int
    disabled: bool
    must_change: bool
    given_us: int = 0
    language: str = ""

    def is_given_over(self, now_us: int) -> bool:
        """Whether his password was given to him too long ago; also where a clock says that it will be."""
        return self.must_change and not 0 <= now_us - self.given_us < GIVEN_US

    @property
    def person(self) -> Person:
        """Who this is to the table, at a desk."""
        return Person(name=self.name, roles=self.roles)


class UnknownAccount(LookupError):
    """There is nobody of this name."""


class NameTaken(ValueError):
    """There is somebody of this name already."""


class BadgeTaken(ValueError):
    """This badge is somebody's already."""


_COLUMNS: Final = """SELECT name, display, roles, pin IS NOT NULL,
    (SELECT count(*) FROM badges WHERE badges.name = accounts.name), disabled, must_change, given_us,
    (SELECT language FROM languages WHERE languages.name = accounts.name) FROM accounts"""


class Accounts:
    """All of them."""

    def __init__(self, file: PeopleFile) -> None:
        self._file = file

    def all(self) -> tuple[Account, ...]:
        """By name."""
        return tuple(map(_account, self._file.rows(f"{_COLUMNS} ORDER BY name")))

    def find(self, name: str) -> Account | None:
        """The one of this name."""
        return next(map(_account, self._file.rows(f"{_COLUMNS} WHERE name = ?", name)), None)

    def of_badge(self, badge: str) -> Account | None:
        """Whose badge this is, by its digest."""
        found = self._file.rows(f"{_COLUMNS} WHERE name = (SELECT name FROM badges WHERE badge = ?)", badge)
        return next(map(_account, found), None)

    def kept(self, name: str, way: Way) -> str | None:
        """The hash of a password or PIN; None where there is none, or nobody of this name."""
        column = {Way.PASSWORD: "password", Way.PIN: "pin"}[way]
        return next((str(row[0]) for row in self._file.rows(_KEPT[column], name)), None)

    def left(self, name: str) -> tuple[str, str]:
        """How an account is, for the record of what changed it: its roles, and a digest of all that stands here, of its
        hashes too. Nobody guesses a secret by it: a hash has a salt of 128 bits, which is nowhere else. Raises
        `UnknownAccount`."""
        found = self._file.rows(_ALL_OF_IT, name)
        if not found:
            raise UnknownAccount(name)
        badges = [row[0] for row in self._file.rows("SELECT badge FROM badges WHERE name = ? ORDER BY badge", name)]
        text = json.dumps([*found[0], badges], separators=(",", ":"))
        return str(found[0][2]).replace(" ", ","), hashlib.sha256(text.encode()).hexdigest()[:_STATE_DIGITS]

    def make(self, name: str, *, display: str, roles: Iterable[Role], password: str, given_us: int = 0) -> None:
        """A new account, whose password (a hash) is given to its person at this time. Raises `NameTaken`."""
        with self._file.transaction():
            if self.find(name) is not None:
                raise NameTaken(name)
            self._file.write(
                """INSERT INTO accounts (name, display, roles, password, must_change, given_us)
                    VALUES (?, ?, ?, ?, 1, ?)""",
                *(name, display, _roles(roles), password, given_us),
            )

    def set_password(self, name: str, kept: str, *, must_change: bool, given_us: int = 0) -> None:
        """A new one, as a hash; where it is given to its person, at this time. Raises `UnknownAccount`."""
        self._change(name, "password = ?, must_change = ?, given_us = ?", kept, int(must_change), given_us)

    def set_pin(self, name: str, kept: str | None) -> None:
        """A new one, as a hash, or none any more. Raises `UnknownAccount`."""
        self._change(name, "pin = ?", kept)

    def set_roles(self, name: str, roles: Iterable[Role]) -> None:
        """Raises `UnknownAccount`."""
        self._change(name, "roles = ?", _roles(roles))

    def set_disabled(self, name: str, *, disabled: bool) -> None:
        """Raises `UnknownAccount`."""
        self._change(name, "disabled = ?", int(disabled))

    def set_language(self, name: str, language: str) -> None:
        """The one of this person's pages from now on, wherever he signs on. Sessions stay: it says nothing about what
        he may do. For a name that somebody has."""
        self._file.write("INSERT OR REPLACE INTO languages VALUES (?, ?)", name, language)

    def rehash(self, name: str, way: Way, before: str, kept: str) -> bool:
        """The same secret with today's parameters; False where it was changed meanwhile. Sessions stay."""
        return self._file.write(_REHASH[way], kept, name, before) > 0

    def add_badge(self, name: str, badge: str) -> None:
        """Raises `UnknownAccount`, `BadgeTaken`."""
        with self._file.transaction():
            if self.find(name) is None:
                raise UnknownAccount(name)
            if self.of_badge(badge) is not None:
                raise BadgeTaken(name)
            self._file.write("INSERT INTO badges VALUES (?, ?)", badge, name)

    def remove_badges(self, name: str) -> None:
        """A lost badge opens nothing any more. Raises `UnknownAccount`."""
        with self._file.transaction():
            self._file.write("DELETE FROM badges WHERE name = ?", name)
            self._change(name, "name = name")

    def _change(self, name: str, what: str, *values: str | int | None) -> None:
        with self._file.transaction():
            if not self._file.write(f"UPDATE accounts SET {what} WHERE name = ?", *values, name):
                raise UnknownAccount(name)
            self._file.write("DELETE FROM sessions WHERE name = ?", name)
            self._file.write("DELETE FROM alarm_views WHERE name = ?", name)


_ALL_OF_IT: Final = """SELECT name, display, roles, password, pin, disabled, must_change, given_us
    FROM accounts WHERE name = ?"""
_STATE_DIGITS: Final = 32
_KEPT: Final = {
    "password": "SELECT password FROM accounts WHERE name = ? AND password IS NOT NULL",
    "pin": "SELECT pin FROM accounts WHERE name = ? AND pin IS NOT NULL",
}
_REHASH: Final = {
    Way.PASSWORD: "UPDATE accounts SET password = ? WHERE name = ? AND password = ?",
    Way.PIN: "UPDATE accounts SET pin = ? WHERE name = ? AND pin = ?",
}


def _roles(roles: Iterable[Role]) -> str:
    return " ".join(sorted(roles))


def _account(row: tuple[str | int | None, ...]) -> Account:
    name, display, roles, has_pin, n_badges, disabled, must_change, given_us, language = row
    return Account(
        name=str(name),
        display=str(display),
        roles=frozenset(map(Role, str(roles).split())),
        has_pin=bool(has_pin),
        n_badges=int(n_badges or 0),
        disabled=bool(disabled),
        must_change=bool(must_change),
        given_us=int(given_us or 0),
        language=str(language or ""),
    )
