"""The file of accounts held against the journal: what people did, and how accounts are.

Whoever writes the file can make its chain anew; the journal is the controller's, sealed and signed. What was on record
there and is not here, or is another thing here, was changed behind the screens' back; so was an account that is not as
the last row about it left it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from tablectl.core.access import AccessKind
from tablectl.core.events.notes import Access
from tablectl.people.accounts import Accounts
from tablectl.people.audit import Audit, Row
from tablectl.people.file import PeopleFile

#: The members of a row, and what the journal calls them.
_MEMBERS: Final = {name: name for name in ("what", "who", "role", "about", "granted")} | {"at": "when"}
_ABOUT_ACCOUNTS: Final = frozenset({AccessKind.ACCOUNT_MADE, AccessKind.ACCOUNT_CHANGED, AccessKind.SECRET_CHANGED})
_LEFT: Final = re.compile(r"([a-z][a-z0-9.-]{0,31}) .*; roles=([a-z,-]*) state=([0-9a-f]{32})")


class Checking:
    """One file of accounts. Made before the journal is read: what is told meanwhile is none that is missing there."""

    def __init__(self, file: PeopleFile) -> None:
        self._file = file
        self._audit = Audit(file, now_us=lambda: 0)
        self._accounts = Accounts(file)
        self._told = self._audit.told

    def differences(self, journal: Iterable[Access]) -> list[str]:
        """What differs, a line each; `journal`: all its accesses, in order."""
        on_record: dict[tuple[str, int], Access] = {}
        found = []
        for access in journal:
            key = access.id, access.number
            if key in on_record:
                found.append(f"number {key[1]} of file {key[0]} is in the journal twice")
            on_record.setdefault(key, access)
        with self._file.transaction():
            broken = self._audit.first_broken()
            if broken is not None:
                found.append(f"the rows do not follow from each other from number {broken} on")
            rows = self._audit.rows()
            found += self._of_rows(rows, on_record)
            found += self._of_accounts(rows)
        return found

    def _of_rows(self, rows: list[Row], on_record: dict[tuple[str, int], Access]) -> list[str]:
        refused, series = {row["number"]: why for row, why in self._audit.refused()}, self._file.series
        found, left = [], dict(on_record)
        for row in rows:
            number = row["number"]
            file = next((series[first] for first in sorted(series, reverse=True) if first <= number), "")
            access = left.pop((file, number), None)
            if access is None:
                found.append(self._missing(number, refused.get(number)))
                continue
            wrong = [name for name, told in _MEMBERS.items() if getattr(access, told) != row[name]]
            if wrong:
                found.append(f"number {number} is not as the journal has it: {', '.join(wrong)}")
        for file, numbers in groupby(sorted(left), lambda key: key[0]):
            whose = "this file" if file in series.values() else "another file of accounts"
            found += [f"the journal has {text} of {whose}, {file}, which are not here" for text in _ranges(numbers)]
        return found

    def _missing(self, number: int, refused: str | None) -> str:
        if refused is not None:
            return f"number {number} was not taken by the controller: {refused}"
        if number <= self._told:
            return f"number {number} was told, and is not in the journal"
        return f"number {number} was not told yet"

    def _of_accounts(self, rows: list[Row]) -> list[str]:
        left: dict[str, tuple[int, str, str]] = {}
        for row in rows:
            said = _LEFT.fullmatch(row["about"]) if row["what"] in _ABOUT_ACCOUNTS and row["granted"] else None
            if said is not None:
                left[said[1]] = (row["number"], said[2], said[3])
        found = []
        for account in self._accounts.all():
            roles, state = self._accounts.left(account.name)
            number, said_roles, said_state = left.pop(account.name, (0, "", ""))
            if not number:
                found.append(f"account {account.name}: no row says how it came to be")
            elif roles != said_roles:
                found.append(f"account {account.name}: its roles are {roles}, and number {number} left {said_roles}")
            elif state != said_state:
                found.append(f"account {account.name}: it is not as number {number} left it")
        return found + [
            f"account {name}: number {number} tells of it, and it is not there" for name, (number, *_) in left.items()
        ]


def _ranges(keys: Iterable[tuple[str, int]]) -> list[str]:
    """Numbers that follow each other, together."""
    numbers = [number for _, number in keys]
    found = []
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        together = [number for _, number in run]
        one = len(together) == 1
        found.append(f"number {together[0]}" if one else f"numbers {together[0]} to {together[-1]}")
    return found
