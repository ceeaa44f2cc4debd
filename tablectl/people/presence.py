"""Whether whoever deals at a table still may, and is still signed on anywhere."""

from __future__ import annotations

from tablectl.people.people import People
from tablectl.people.roles import Role
from tablectl.people.sessions import Place, Session, is_over

_SESSIONS = "SELECT place, opened_us, active_us FROM sessions WHERE name = ?"


class Presence:
    """Of one house's people. The table may name somebody whom the accounts do not know: of him nothing is said."""

    def __init__(self, people: People) -> None:
        self._people = people

    def may_deal(self, name: str) -> bool:
        """Whether this is no account that was shut or is no croupier's any more."""
        account = self._people.accounts.find(name)
        return account is None or (not account.disabled and Role.CROUPIER in account.roles)

    def is_gone(self, name: str) -> bool:
        """Whether this person has an account, and no session that holds."""
        if self._people.accounts.find(name) is None:
            return False
        now_us = self._people.now_us()
        rows = self._people.file.rows(_SESSIONS, name)
        return all(is_over(_session(name, *row), now_us) for row in rows)


def _session(name: str, place: str | int | None, opened_us: str | int | None, active_us: str | int | None) -> Session:
    return Session(name=name, place=Place(str(place)), opened_us=int(opened_us or 0), active_us=int(active_us or 0))
